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

from engine.differentiation.reverse.aggregation import total
from engine.differentiation.reverse.lazy.templates import (
    NOTHING,
    UPSTREAM,
    Axes,
    GradientTemplate,
    templates_for,
)
from engine.differentiation.reverse.sweep import first_gradient
from engine.graph import Adjoint, Graph, Node, Tensor
from engine.graph.lazy_nodes import collector_at_rest
from engine.graph.lazy_tensors import LazyNode, LazyTensor, Place
from engine.ops.base.shapes import is_static

WORTHWHILE = 500  # nodes; in a smaller graph a gradient is made sooner than written down
PLAIN_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")  # a scope to be opened anew, and no word to say about it
SEED_NODES = 3  # the shape of y, the number 1, and the Fill that makes a tensor of it

NOWHERE = -1  # where a missing operand comes from: the last place of all, which nothing flows into
STOP = "stop"  # the kind of an x that depends on no other: its gradient is summed up and goes no further

Maker = Any  # a Node; or a LazyNode, which stands for its node and is its one output
Known = tuple[GradientTemplate | None, int, int, int]  # with the rows of both operands, and how many nodes


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


class NotElementwise(Exception):
    """The sweep meets a node that only a real visit can handle."""


class SweepPlan:
    """One sweep over a graph, written down.

    makers:   what there is in the graph, in order: nodes, then lazy nodes. Each goes by its place there.
    operands: for each place where the first and where the second operand that is a tensor comes from.
    wide:     the places of nodes that have more than two; none of them works element by element.
    kinds:    for each place what its maker has in common with those for which a rule adds the same (None:
              not asked yet), and templates: what is added for each kind.
    visits:   the places visited, one after the other.
    firsts:   for some of them another template, that of the first of its kind.
    received: for each place the row of its gradient, a list of rows until they are summed up, or None.
    parts:    for each place where several gradients came together, their rows.
    count:    how many nodes that will be.
    axes:     the axes of broadcasting known by then, each found once in a graph.
    """

    def __init__(self, graph: Graph, ys: Sequence[Tensor]) -> None:
        nodes, lazy = graph.lazy.makers()
        self.graph = graph
        self.ys = ys
        self.makers: list[Maker] = [*nodes, *lazy]
        self.operands = (
            [*[_operand(node, 0) for node in nodes], *[one.first.place for one in lazy]],
            [
                *[_operand(node, 1) for node in nodes],
                *[NOWHERE if one.second is None else one.second.place for one in lazy],
            ],
        )
        self.wide = [place for place, node in enumerate(nodes) if len(node.inputs) > 2]
        self.count = SEED_NODES * len(ys)
        self.kinds: list[Any] = [*[None] * len(nodes), *[one.recipe for one in lazy]]
        self.templates: dict[Any, Known] = {STOP: (None, NOTHING, NOTHING, 0)}
        self.visits: list[int] = []
        self.firsts: dict[int, GradientTemplate] = {}
        self.received: list[Any] = [None] * len(self.makers)
        self.parts: dict[int, list[int]] = {}
        self.axes: dict[Any, Axes] = dict(graph.broadcast_cache)

    def run(self, xs: Sequence[Tensor]) -> list[int | None]:
        """Visit the nodes between xs and ys, and give the row of each x's gradient (None without a path)."""
        starts, ends = [x.place for x in xs], [y.place for y in self.ys]
        pending = self._uses(starts)
        self._take_away_dead_ends(pending, set(ends))
        for number, end in enumerate(ends, start=1):
            self._receive(end, SEED_NODES * number - 1)
        self.visits += [end for end in dict.fromkeys(ends) if pending[end] == 0]
        for x in starts:
            if all(pending[sources[x]] is None for sources in self.operands):
                self.kinds[x] = STOP
        self._visit_all(pending)
        return [self.received[x] for x in starts]

    def _uses(self, starts: Iterable[int]) -> list[int | None]:
        """For all that some start flows into, the starts included, how often it is used among them.

        Wide nodes count as starts: where one of them lies on the way to a y, the sweep is a real one.
        """
        uses: list[int | None] = [None] * (len(self.makers) + 1)
        for start in (*starts, *self.wide):
            uses[start] = 0
        for place, (first, second) in enumerate(zip(*self.operands, strict=True)):
            count = uses[first]
            if count is not None:
                uses[first] = count + 1
                uses[place] = 0  # what comes later uses it, and counts from here
            count = uses[second]
            if count is not None:
                uses[second] = count + 1
                uses[place] = 0
        return uses

    def _take_away_dead_ends(self, uses: list[int | None], ends: set[int]) -> None:
        """Leave what lies between starts and ends, with how often each is used there."""
        if uses.count(0) == sum(uses[end] == 0 for end in ends):
            return
        dead = [place for place, count in enumerate(uses) if count == 0 and place not in ends]
        while dead:
            place = dead.pop()
            uses[place] = None
            for sources in self.operands:
                source = sources[place]
                count = uses[source]
                if count is not None:
                    uses[source] = count - 1
                    if count == 1 and source not in ends:
                        dead.append(source)

    def _visit_all(self, pending: list[int | None]) -> None:
        """Take the nodes in the order in which the last of their consumers has reported.

        This loop and `_uses` are what the time goes into, so they are written out: no call per node, and the
        same lines for the first operand and for the second.
        """
        kinds, templates = self.kinds, self.templates
        firsts, seconds = self.operands
        visits, received, count = self.visits, self.received, self.count
        for place in visits:  # which grow meanwhile
            upstream = received[place]
            if type(upstream) is list:
                self.parts[place] = upstream
                upstream = received[place] = count
                count += 1
            _, first_row, second_row, size = templates.get(kinds[place]) or self._template_at(place)
            if upstream is None and kinds[place] is not STOP:
                raise NotElementwise
            source = firsts[place]
            left = pending[source]
            if left is not None:
                if first_row != NOTHING:
                    gradient = upstream if first_row == UPSTREAM else count + first_row
                    before = received[source]
                    if before is None:
                        received[source] = gradient
                    elif type(before) is list:
                        before.append(gradient)
                    else:
                        received[source] = [before, gradient]
                if left == 1:
                    visits.append(source)
                else:
                    pending[source] = left - 1
            source = seconds[place]
            left = pending[source]
            if left is not None:
                if second_row != NOTHING:
                    gradient = upstream if second_row == UPSTREAM else count + second_row
                    before = received[source]
                    if before is None:
                        received[source] = gradient
                    elif type(before) is list:
                        before.append(gradient)
                    else:
                        received[source] = [before, gradient]
                if left == 1:
                    visits.append(source)
                else:
                    pending[source] = left - 1
            count += size
        self.count = count

    def _receive(self, place: int, row: int) -> None:
        """One gradient more for the output of the maker at this place."""
        before = self.received[place]
        if before is None:
            self.received[place] = row
        elif type(before) is list:
            before.append(row)
        else:
            self.received[place] = [before, row]

    def _template_at(self, place: int) -> Known:
        """What is added at a place whose kind was not met yet, or whose maker was not asked for it."""
        kind = self.kinds[place] = self.kinds[place] or _kind(self.makers[place])
        return self.templates.get(kind) or self._first_template(kind, place)

    def _first_template(self, kind: Any, place: int) -> Known:
        """What is added at this place, the first one of a kind."""
        maker = self.makers[place]
        op, number = (maker.recipe.op, maker.recipe.number) if type(maker) is LazyNode else (maker.op, None)
        inputs = maker.inputs
        kinds = [(tensor.dtype, tensor.shape) for tensor in inputs]
        if number is not None:
            kinds.insert(number, (inputs[0].dtype, ()))
        twice = len(inputs) == 2 and inputs[0] is inputs[1]
        found = templates_for(op, tuple(kinds), twice, self.graph.default_float)
        if found is None:
            raise NotElementwise
        first, further = found
        self.templates[kind] = self._known(further, number)
        known = sum(pair in self.axes for pair in first.finds)
        if known == len(first.finds):
            return self.templates[kind]
        if known > 0:
            raise NotElementwise
        self.axes.update(first.finds)
        self.firsts[place] = first
        return self._known(first, number)

    def _known(self, template: GradientTemplate, number: int | None) -> Known:
        rows = [row for place, row in enumerate(template.passed) if place != number]
        first, second, *_ = [*rows, NOTHING, NOTHING]
        return template, first, second, len(template.nodes)


def _operand(node: Node, number: int) -> int:
    """Where an input of a node comes from."""
    return node.inputs[number].place if number < len(node.inputs) else NOWHERE


def _kind(node: Node) -> Any:
    """The kind of a node that is made. Raises: NotElementwise for one that there is no template for."""
    inputs = node.inputs
    if len(node.outputs) != 1 or len(inputs) > 2 or "_gradient_op_type" in node.attrs:
        raise NotElementwise
    return (node.op, len({*inputs}), *[(x.dtype, x.shape) for x in inputs])


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
