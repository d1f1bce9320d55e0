"""An imported graph made into one of the engine's own, node for node, to be run and differentiated.

Names, inputs, control inputs, placement and attributes are those of the file; types and shapes are worked out
anew. A node that does not fit its op, or whose op is unknown here, stays in its place as a foreign one, and
`faults` says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from engine.errors import GradlensError, ShapeError, ValueRefused
from engine.graph import Graph, Node
from engine.interchange.reading.description import outputs_of
from engine.interchange.reading.imported import ImportedGraph, ImportedNode, needs_of
from engine.interchange.reading.order import in_order
from engine.interchange.reading.pairing import phases_of
from engine.ops.base.building import bound_attributes
from engine.ops.base.definition import REGISTRY, OpDef
from engine.ops.base.shapes import is_shape, merge
from engine.ops.base.tensors import Tensor
from engine.programs.imported.foreign_ops import UNFIT, foreign_op

LOOPS_AND_BRANCHES = frozenset({"Enter", "Exit", "LoopCond", "Merge", "NextIteration", "RefEnter", "RefMerge",
                                "RefNextIteration", "RefSwitch", "Switch"})  # fmt: skip


@dataclass(slots=True)
class Rebuilt:
    """The engine's graph, its nodes by their places in the file, and why some of them are foreign."""

    graph: Graph
    nodes: list[Node]
    faults: dict[Node, GradlensError] = field(default_factory=dict)


def rebuilt(imported: ImportedGraph, limit_nodes: int | None = None) -> Rebuilt:
    """The engine's graph of an imported one. (Nothing of it is refused; see `faults`.)

    limit_nodes: which the graph may grow to.
    """
    graph = Graph(node_limit=limit_nodes)
    found = Rebuilt(graph, [])
    made: dict[int, Node] = {}
    for place in in_order(needs_of(imported.nodes)):
        made[place] = _adopt(found, imported.nodes[place], _inputs(imported, place, made))
    found.nodes = [made[place] for place in range(len(imported.nodes))]
    _connect(imported, found)
    return found


def _inputs(imported: ImportedGraph, place: int, made: Mapping[int, Node]) -> list[Tensor]:
    """The tensors that a node takes; the start of a loop stands in for what comes back from its end."""
    edges = imported.nodes[place].inputs
    known = [made[source].outputs[index] for source, index in edges if source in made]
    return known + known[:1] * (len(edges) - len(known))


def _adopt(found: Rebuilt, node: ImportedNode, inputs: Sequence[Tensor]) -> Node:
    op = REGISTRY.get(node.op)
    fault: GradlensError | None = None
    if op is not None:
        try:
            return _fitting(found.graph, op, node, inputs)
        except GradlensError as error:
            fault = error
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ):  # of a rule, on odd attributes
            fault = _unfit(node)
    foreign = foreign_op(node.op, UNFIT) if fault else foreign_op(node.op)
    adopted = found.graph.adopt(node.name, foreign, (), {})
    adopted.attrs = node.attrs
    adopted.inputs = tuple(inputs)
    adopted.outputs = tuple(
        [
            Tensor(adopted, i, dtype, shape if is_shape(shape) else None)
            for i, (dtype, shape) in enumerate(outputs_of(node))
        ]
    )
    if fault is not None:
        found.faults[adopted] = fault
    return adopted


def _fitting(graph: Graph, op: OpDef, node: ImportedNode, inputs: Sequence[Tensor]) -> Node:
    """Raises: GradlensError, or what a rule raises, where op, inputs and attributes do not fit."""
    attrs = bound_attributes(op, inputs, node.attrs)
    if node.op == "Const" and not hasattr(attrs["value"], "dtype"):
        raise _unfit(node)
    adopted = graph.adopt(node.name, op, inputs, attrs, node.outputs)
    for output, shape in zip(adopted.outputs, node.shapes or (), strict=False):
        if is_shape(shape) and (output.shape is None or None in output.shape):
            with suppress(ShapeError):
                output.shape = merge(output.shape, shape)
    return adopted


def _connect(imported: ImportedGraph, found: Rebuilt) -> None:
    """What each node waits for, where it is placed, what it belongs to; and the edges that lead back."""
    phases = phases_of(imported.nodes)
    for place, node in enumerate(imported.nodes):
        adopted = found.nodes[place]
        adopted.control_inputs = tuple([found.nodes[waited] for waited in node.waits])
        adopted.colocate, adopted.device = node.colocate, node.device
        adopted.phase, of = phases.phases[place], phases.of[place]
        adopted.of = None if of is None else found.graph.node(of)
        if node.op in LOOPS_AND_BRANCHES:
            found.graph.out_of_order = True
            adopted.inputs = tuple([found.nodes[source].outputs[index] for source, index in node.inputs])


def _unfit(node: ImportedNode) -> ValueRefused:
    return ValueRefused(
        f"{node.op} has other inputs, outputs or attributes than the file says.",
        message_zh=f"{node.op} 的输入、输出或属性与文件所写的不同。",
        node=node.name,
        code="unfit_node",
    )


def foreign_kinds(found: Rebuilt) -> Iterator[str]:
    """The ops of the graph that are unknown here, each once."""
    yield from dict.fromkeys(node.op.name for node in found.nodes if node.op.name not in REGISTRY)
