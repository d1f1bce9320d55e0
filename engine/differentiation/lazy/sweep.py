"""The same backward sweep, made lazily: for large graphs in which every node works element by element.

`reverse/sweep.py` says how TensorFlow visits a graph, and adds nodes at each visit. Here the visits are the
same and in the same order, but only that order is written down, and the nodes are made when somebody looks at
the graph. Until then a gradient is a row: the number that the node which holds it will have among those of
this sweep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from engine.differentiation.lazy.plan import NotElementwise, SweepPlan
from engine.differentiation.lazy.templates import NOTHING, UPSTREAM, GradientTemplate
from engine.differentiation.reverse.aggregation import total
from engine.differentiation.reverse.sweep import first_gradient
from engine.graph import Adjoint, Graph, Node, Tensor
from engine.graph.lazy_nodes import collector_at_rest
from engine.graph.lazy_tensors import LazyNode, LazyTensor, Place
from engine.ops.base.shapes import is_static

WORTHWHILE = 500  # nodes; in a smaller graph a gradient is made sooner than written down
PLAIN_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")  # a scope to be opened anew, and no word to say about it


def lazy_gradients(
    graph: Graph, name: str, ys: Sequence[Tensor], xs: Sequence[Tensor]
) -> list[Tensor | None] | None:
    """The gradient of each x, to be made later; None where the sweep has to be a real one."""
    if not _fits(graph, name, [*ys, *xs]):
        return None
    with collector_at_rest():
        plan = SweepPlan(graph, ys)
        try:
            rows = plan.run(xs)
        except NotElementwise:
            return None
        if not graph.lazy.has_room_for(plan.count):
            return None
        sweep = LazySweep(graph, name, ys, plan)
        graph.broadcast_cache.update(plan.axes)
        found = [None if row is None else sweep.tensor(row, x) for row, x in zip(rows, xs, strict=True)]
        graph.lazy.add_sweep(sweep)
    return found


def _fits(graph: Graph, name: str, tensors: Iterable[Tensor]) -> bool:
    """Whether nothing around the call, nor the size or order of the graph, is in the way."""
    plain = graph.is_plain_here and not graph.out_of_order and PLAIN_NAME.fullmatch(name) is not None
    return plain and graph.lazy.has_at_least(WORTHWHILE) and all(map(_is_alone_and_static, tensors))


def _is_alone_and_static(tensor: Tensor) -> bool:
    """Whether a tensor's shape is known and its node has no other output."""
    return is_static(tensor.shape) and (type(tensor) is LazyNode or len(tensor.node.outputs) == 1)


class LazySweep:
    """What one sweep wrote down, until its nodes are made."""

    def __init__(self, graph: Graph, name: str, ys: Sequence[Tensor], plan: SweepPlan) -> None:
        self.graph = graph
        self.name = name
        self.place = graph.here()
        self.ys = ys
        self.plan = plan
        self.asked: dict[int, LazyTensor] = {}

    @property
    def count(self) -> int:
        """How many nodes it comes to."""
        return self.plan.count

    def tensor(self, row: int, x: Tensor) -> Tensor:
        """The tensor of a row, the gradient of x."""
        return self.asked.setdefault(row, LazyTensor(self.graph, x.dtype, x.shape))

    def make(self) -> None:
        """Make the nodes as the real sweep would, visit by visit."""
        graph = self.graph
        with (
            graph.as_default(),
            graph.in_place(self.place),
            graph.making("gradient"),
            graph.name_scope(self.name),
        ):
            self._names, self._nodes, self._adjoints = graph.names, graph.nodes, graph.adjoints
            self._names.unique("uid")
            self._start = len(self._nodes)
            for number, y in enumerate(self.ys):
                seed: Any = first_gradient(y, None, f"grad_ys_{number}")
                self._give_out(seed.node)
            for place in self.plan.visits:
                self._visit(place)

    def _visit(self, place: int) -> None:
        """What the visit of this place adds: the sum of its gradients, and the nodes of its rule."""
        plan = self.plan
        if place in plan.parts:
            self._sum([self._tensor_at(row) for row in plan.parts[place]])
        template = plan.firsts.get(place) or plan.templates[plan.kinds[place]][0]
        if template is not None:
            maker = plan.makers[place]
            self._add(template, maker if type(maker) is Node else maker.node, plan.received[place])

    def _tensor_at(self, row: int) -> Tensor:
        return self._nodes[self._start + row].outputs[0]

    def _give_out(self, node: Node) -> None:
        """Where somebody holds the output of this node, it is the tensor that they have."""
        held = self.asked.get(node.index - self._start)
        if held is not None:
            held.become_output_of(node)

    def _sum(self, parts: Sequence[Tensor]) -> None:
        summed: Any = total(self.graph, parts)
        self._give_out(summed.node)

    def _add(self, template: GradientTemplate, forward: Node, upstream: int) -> None:
        """One visit: the nodes of its rule, in a scope of their own."""
        put, dy, first = self.graph.put, self._tensor_at(upstream), len(self._nodes)
        full = self._names.unique(f"{forward.name}_grad")
        self._names.take(full, template.names)
        place = Place(full, "gradient", forward, self.place.span, self.place.device)
        hand = [*forward.inputs, forward.outputs[0], dy]
        for one in template.nodes:
            inputs = tuple([hand[source] for source in one.sources])
            node = put(f"{full}/{one.name}", one.op, one.attrs, inputs, place)
            node.control_inputs = tuple([hand[source].node for source in one.waits])
            node.outputs = tuple([Tensor(node, i, *kind) for i, kind in enumerate(one.outputs)])
            self._give_out(node)
            hand += node.outputs
        gradients = {NOTHING: None, UPSTREAM: dy}
        made = [gradients[row] if row < 0 else self._nodes[first + row].outputs[0] for row in template.passed]
        self._adjoints.append(Adjoint(forward, (dy,), tuple(made)))
