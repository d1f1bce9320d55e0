"""Refuses to go on with a graph whose shapes were fixed by values that will be others.

In TensorFlow 2 every tensor has a shape as soon as it is made, and what is made from a shape (`tf.size`, a
mean's divisor, a gradient's rows) is a constant of the graph. Where a shape follows from a variable's value,
as that of `tf.boolean_mask(x, x > 0)`, these constants hold for this value alone; no edge leads to them.
"""

from __future__ import annotations

from engine.errors import ProgramError
from engine.execution.eager.graph import EagerGraph
from engine.graph import Graph, Node
from engine.graph.reachability import ancestors
from engine.graph.variables.variable import GLOBAL_VARIABLES

BY_VALUES = frozenset(
    {"Where", "Unique", "UniqueWithCounts", "DynamicPartition", "ListDiff", "DenseToDenseSetOperation"}
)  # how long their results are, is a question of values


def check_fixed_shapes(graph: Graph) -> None:
    """Raises: ProgramError where a shape in the graph follows from a variable or a random number."""
    if not isinstance(graph, EagerGraph):
        return
    variables = {variable.ref.node for variable in graph.collection(GLOBAL_VARIABLES)}
    for node in graph.nodes:
        if node.op.name in BY_VALUES and _changes(node, variables):
            raise _shape_by_value(node)


def _changes(node: Node, variables: set[Node]) -> bool:
    return any(one in variables or one.op.draws for one in ancestors(node.inputs))


def _shape_by_value(node: Node) -> ProgramError:
    return ProgramError(
        f"The shape of {node.name} follows from values that change, so this graph holds for one step only.",
        hint="Use a mask of 0 and 1, as in tf.where(x > 0, x, 0.0), or write the loop in the program.",
        message_zh=f"{node.name} 的形状取决于会变化的数值，所以这个图只对一步有效。",
        hint_zh="请乘以由 0 和 1 组成的掩码，例如 tf.where(x > 0, x, 0.0)，或在程序中写出循环。",
        code="shape_by_value",
        node=node.name,
        where=node.span,
    )
