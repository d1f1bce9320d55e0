"""The visits of a backward sweep and their order, written down before any node of it is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.differentiation.lazy.templates import (
    NOTHING,
    UPSTREAM,
    Axes,
    GradientTemplate,
    templates_for,
)
from engine.graph import Graph, Node, Tensor
from engine.graph.lazy_tensors import LazyNode

SEED_NODES = 3  # the shape of y, the number 1, and the Fill that makes a tensor of it

NOWHERE = -1  # where a missing operand comes from: the last place of all, which nothing flows into
STOP = "stop"  # the kind of an x that depends on no other: its gradient is summed up and goes no further

Maker = Any  # a Node; or a LazyNode, which stands for its node and is its one output
Known = tuple[GradientTemplate | None, int, int, int]  # with the rows of both operands, and how many nodes


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
