"""Initial values that depend on other variables: computed without waiting for these to be initialized.

`b = tf.Variable(2 * a)` runs its initializer in any order with that of `a`: the nodes between are made once
more, on a value of `a` that is its own initial value as long as it has no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from engine.graph.control_flow.building import cond
from engine.graph.graph import Graph
from engine.graph.reachability import closure
from engine.ops.base.tensors import Node, Tensor
from engine.ops.common.passing import identity
from engine.ops.control_flow import branches_and_loops as flow
from engine.ops.sources import state

KEYS = ("variables", "local_variables")
LEFT_AS_THEY_ARE = ("IsVariableInitialized",)


def is_initialized(graph: Graph, variable: Any, name: str | None = None) -> Tensor:
    """`tf.is_variable_initialized`: whether a session holds a value of the variable."""
    with graph.colocate_with(variable.node):
        return state.is_variable_initialized(variable.ref, name=name)


def initialized_value(graph: Graph, variable: Any) -> Tensor:
    """`v.initialized_value()`: the variable's value if it has one, else its initial value."""
    with graph.control_dependencies(None):
        value: Tensor = cond(
            graph,
            is_initialized(graph, variable),
            lambda: identity(variable.ref, name="read"),
            lambda: variable.initial_value,
        )
        return value


def guarded(graph: Graph, value: Tensor, scope: str) -> Tensor:
    """The same value, computed from the initialized values of the variables that it depends on.

    scope: of the variable that begins with it, a slash at the end; new nodes are named after both.
    What comes out of a loop stays as it is, as in TensorFlow.
    """
    if not value.node.inputs or not _depends_on_variables(value):
        return value
    return _Guard(graph, scope).of(value)


def _depends_on_variables(value: Tensor) -> bool:
    """Whether there is a variable among what it is computed from, and no loop."""
    before = closure([value.node], lambda node: [*(t.node for t in node.inputs), *node.control_inputs])
    kinds = {node.op.name for node in before}
    return "VariableV2" in kinds and "NextIteration" not in kinds


class _Guard:
    """The nodes that were made once more, by the nodes that they stand for."""

    def __init__(self, graph: Graph, scope: str) -> None:
        self.graph, self.scope = graph, scope
        self.variables = {v.node: v for key in reversed(KEYS) for v in graph.collection(key)}
        self.made: dict[Node, Node] = {}

    def of(self, value: Tensor) -> Tensor:
        """What stands for a value."""
        for node in self._inputs_first(value.node):
            self.made[node] = self._again(node)
        return self._seen(value)

    def _seen(self, tensor: Tensor) -> Tensor:
        return self.made[tensor.node].outputs[tensor.index]

    def _inputs_first(self, last: Node) -> Iterator[Node]:
        """A node after all that it is computed from, inputs in their order, each node once."""
        entered: set[Node] = set()
        pending = [last]
        while pending:
            node = pending[-1]
            if node in entered:
                pending.pop()
                if node not in self.made:
                    yield node
                continue
            entered.add(node)
            if node.op.name not in LEFT_AS_THEY_ARE:
                sources = [tensor.node for tensor in reversed(node.inputs)]
                pending.extend(source for source in sources if source not in entered)

    def _again(self, node: Node) -> Node:
        if node in self.variables:
            return initialized_value(self.graph, self.variables[node]).node
        if node.op.name in LEFT_AS_THEY_ARE:
            return node
        inputs = [self._seen(tensor) for tensor in node.inputs]
        if inputs == list(node.inputs):
            return node
        op = flow.switch if node.op.name == "RefSwitch" else node.op
        with ExitStack() as places:
            for beside in node.colocate:
                places.enter_context(self.graph.colocate_with(beside))
            return self.graph.create_node(op, inputs, node.attrs, f"{node.name}_{self.scope}")
