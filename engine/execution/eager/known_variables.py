"""Variables of an eager graph: one like another that was made before is made without asking its ops again."""

from __future__ import annotations

from typing import Any

from engine.execution.eager.repeated_nodes import Kind
from engine.execution.eager.sameness import facts_of
from engine.graph import Node, Variable
from engine.ops.base.tensors import Array, name_of


class KnownVariables:
    """Makes variables in a graph. Of each type and shape it keeps one, as others are like it."""

    __slots__ = ("_graph", "_known")

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._known: dict[Any, Variable] = {}

    def make(self, array: Array, *, trainable: bool) -> Variable:
        """A variable that holds these numbers. Shapes: array (*S) -> a variable of (*S)."""
        key = array.dtype, array.shape
        known = self._known.get(key)
        if known is not None and self._is_plain_here():
            return self._made_like(known, array, trainable)
        self._known[key] = made = Variable(array, trainable=trainable)
        if self._graph.turn is None and self._graph.tracing is None:
            self._graph.note_read(made)
        return made

    def _is_plain_here(self) -> bool:
        """Whether nodes made now are only made and run, outermost, in the turn that has begun."""
        graph = self._graph
        is_watched = graph.turn is not None or graph.tracing is not None or graph.tapes
        is_inside = graph.scope_prefix or not graph.has_nothing_around
        return not is_watched and not is_inside and not graph.turn_begins_at(graph.place)

    def _made_like(self, known: Variable, array: Array, trainable: bool) -> Variable:
        """A variable like one that is known, with other numbers."""
        graph = self._graph
        graph.come_by()
        with graph.name_scope("Variable") as scope:
            value = {"value": array, "dtype": name_of(array.dtype)}
            initial = self._node_like(known.initial_value.node, (), "initial_value", value).outputs[0]
            buffer = self._node_like(known.node, (), scope)
            ref = buffer.outputs[0]
            initializer = self._node_like(known.initializer, (ref, initial), "Assign")
            read = self._node_like(known.first_read.node, (ref,), "read")
        read.colocate = buffer.colocation_groups
        made = Variable.of_nodes(initial, ref, initializer, read.outputs[0], trainable=trainable)
        graph.note_read(made)
        return made

    def _node_like(self, like: Node, inputs: tuple[Any, ...], name: str, attrs: Any = None) -> Node:
        """A node with the attributes of another one, or with these; it runs."""
        graph, output = self._graph, like.outputs[0]
        attrs = like.attrs if attrs is None else attrs
        kind = Kind(attrs, facts_of(attrs, graph.phase), output.dtype, output.shape, graph.cost_of(like))
        made: Node = graph.make_known(like.op, inputs, kind, name)
        return made
