"""The unrolled graph of a program with its values and its gradients, where they are the program's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.differentiation.gradients import gradients
from engine.errors import GradlensError
from engine.execution import Run, Session
from engine.execution.eager.graph import EagerGraph
from engine.graph import Node, Tensor, Variable
from engine.graph.reachability import ancestors
from engine.languages.interpreter.budget import Budget
from engine.languages.workspace import GradientCall
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.ops.common.constants import constant
from engine.ops.elementwise.arithmetic import add_n
from engine.programs.lesson.sentence import both
from engine.programs.lesson.unrolled.happenings import Happening, LoopRun, Path
from engine.programs.lesson.unrolled.recorder import Recorder
from engine.programs.lesson.unrolled.unrolling import CannotUnroll, Unrolling
from engine.programs.lesson.unrolled.whole_loops import WholeLoops, sent_back
from engine.programs.lesson.values import dense_value
from engine.programs.lesson.writing import eager_writes, is_read
from engine.programs.program.outcome import Outcome
from engine.programs.program.static_values import FreshRun, for_a_view

RELATIVE, ABSOLUTE = 1e-5, 1e-7  # by which two runs in float32 may differ
Parts = Mapping[Tensor, Mapping[Tensor, Any]]
OTHER_NUMBERS = both(
    "Followed operation by operation this run comes to other numbers: which value of a variable is used "
    "where depends on what happens to run first.",
    "逐个运算跟踪这次运行会得到别的数值：哪里用到变量的哪个值，取决于哪一步碰巧先执行。",
)
GRADIENT_AND_WRITES = both(
    "A gradient is differentiated again here, and variables are written on the way.",
    "这里对梯度再次求导，而且途中写入了变量。",
)


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A program as its run went through it.

    outcome, call, fresh: of the unrolled graph, as those of the program are.
    names:      that the program gave to its own variables and tensors.
    of_tensor:  what it has for a tensor of the program; origin: of each of its nodes the program's own.
    paths:      the turns that its nodes stand in; happenings: what was decided on the way, in order.
    rounds:     the tensors that loop variables had after each turn, with their Merge and the turns.
    remembered: what each turn left on stacks for the way back.
    written:    what variables became, with the variable and how often it had been written by then.
    parts:      of a variable that is written, and whose gradient is asked for: what it was, with the gradient
                of each value. Their sum is the variable's gradient.
    whole:      nodes that stand for a whole loop.
    """

    outcome: Outcome
    names: Mapping[str, Any]
    ys: tuple[Tensor, ...]
    call: GradientCall | None
    fresh: FreshRun
    of_tensor: Mapping[Tensor, Tensor]
    origin: Mapping[Node, Node]
    paths: Mapping[Node, Path]
    happenings: Sequence[Happening]
    rounds: Sequence[tuple[Tensor, Node, Path]]
    remembered: Mapping[Path, Mapping[Tensor, None]]
    written: Sequence[tuple[Tensor, Node, int]]
    parts: Parts
    whole: Mapping[Node, LoopRun]


def unrolled(
    outcome: Outcome,
    ys: Sequence[Tensor],
    call: GradientCall | None,
    fresh: FreshRun,
    *,
    whole: bool = False,
) -> Unrolled:
    """The program's target as one run computed it. whole: with each loop as one operation.

    Raises: CannotUnroll where that run cannot be copied, or the copy's gradients are not the program's own.
    """
    try:
        made = _followed(outcome, ys, fresh, _start(outcome, call, fresh, whole=whole))
        found = tuple(made.of(y) for y in ys)
        unrolled_call, parts = (None, {}) if call is None else _differentiated(made, found, call, fresh)
        run = _run(made, fresh)
    except GradlensError as error:
        raise CannotUnroll from error
    if not _is_the_same(made, ys, call, unrolled_call, fresh, run):
        raise CannotUnroll(OTHER_NUMBERS)
    names = {name: _mapped(value, made) for name, value in outcome.names.items()}
    copy = replace(outcome, names=names, target=found[-1])
    return Unrolled(
        copy,
        outcome.names,
        found,
        unrolled_call,
        run,
        made.of_tensor,
        made.origin,
        made.paths,
        made.happenings,
        made.rounds,
        made.remembered,
        made.written,
        parts,
        made.whole if isinstance(made, WholeLoops) else {},
    )


def _start(outcome: Outcome, call: GradientCall | None, fresh: FreshRun, *, whole: bool) -> Unrolling:
    """A copy in which nothing is yet."""
    if not whole:
        return Unrolling(outcome.graph)
    slopes = [] if call is None else [g for g in call.gradients if g is not None]
    return WholeLoops(outcome.graph, sent_back(call, fresh, ancestors(slopes)))


def _followed(outcome: Outcome, ys: Sequence[Tensor], fresh: FreshRun, made: Unrolling) -> Unrolling:
    """One more run from the same start, followed node by node."""
    if isinstance(outcome.graph, EagerGraph):
        _follow_as_computed(made, ys, outcome.graph)
        return made
    limits = outcome.workspace.budget.limits
    budget = Budget(limits if isinstance(made, WholeLoops) else for_a_view(limits))
    session = Recorder(outcome.graph, made, meter=budget, seed=outcome.workspace.seed)
    session.variables.update(fresh.session.variables)
    needed = ancestors(ys)
    for key, value in fresh.feeds.items():
        if isinstance(key, Tensor) and key.node in needed:
            made.feed(key, np.asarray(value, dtype=key.dtype))
    session.run(list(ys), fresh.feeds)
    return made


def _follow_as_computed(made: Unrolling, ys: Sequence[Tensor], graph: EagerGraph) -> None:
    """What was computed at once stands in the graph in order; a read of a variable sees it as it is by then.

    A write that follows from a gradient is copied as its numbers.
    Raises: CannotUnroll where the ys follow from one, or where a turn that only computed has left no value of
            a write behind.
    """
    trace = Run(values=dict(graph.values))
    needed = ancestors(ys)
    if any(node.phase == "gradient" for node in needed):
        raise CannotUnroll(GRADIENT_AND_WRITES)
    writes = eager_writes(graph, ys)
    if any(node.outputs[0] not in trace.values for node in writes):
        raise CannotUnroll
    behind = {node: ancestors(node.inputs[1:]) for node in writes}
    made.as_numbers = frozenset(
        node for node, found in behind.items() if any(source.phase == "gradient" for source in found)
    )
    needed |= set(writes).union(*(found for node, found in behind.items() if node not in made.as_numbers))
    read: set[Node] = set()
    for node in graph.nodes:
        if node not in needed or is_read(node) or node.op.name == "VariableV2":
            continue
        for source in (tensor.node for tensor in node.inputs):
            if is_read(source) and source not in read:  # which is computed where it is first used
                made.ran(source, trace, frozenset({source.inputs[0].node}))
                read.add(source)
        made.ran(node, trace)


def _differentiated(
    made: Unrolling, ys: Sequence[Tensor], call: GradientCall, fresh: FreshRun
) -> tuple[GradientCall, Parts]:
    """The same gradients asked for again; one by a variable that is written, by each of its values."""
    own = [x.ref if isinstance(x, Variable) else x for x in call.xs]
    quantities = [
        made.values_of(x) if gradient is not None else []
        for x, gradient in zip(own, call.gradients, strict=True)
    ]
    asked = list(dict.fromkeys(one for found in quantities for one in found))
    by = dict(zip(asked, gradients(list(ys), asked, _starts(call, fresh)) if asked else (), strict=True))
    xs, slopes, parts = [], [], {}
    for x, found, gradient in zip(own, quantities, call.gradients, strict=True):
        x_made, slope = made.of_tensor.get(x, x), by[found[0]] if found else None
        if len(found) > 1:
            x_made = made.as_a_whole(x.node)
            parts[x_made] = {one: by[one] for one in found}
            slope = _added(made, parts[x_made])
        if slope is None and isinstance(gradient, Tensor) and gradient in fresh.values:
            with made.graph.as_default():  # on the way that this run took, x does not act on y
                slope = constant(np.zeros_like(fresh.values[gradient]))
        xs.append(x_made)
        slopes.append(slope)
    return replace(call, ys=tuple(ys), xs=tuple(xs), gradients=tuple(slopes)), parts


def _added(made: Unrolling, parts: Mapping[Tensor, Any]) -> Tensor | None:
    """The sum of gradients, those given row by row in full; None where there is none."""
    known = [slope for slope in parts.values() if slope is not None]
    with made.graph.as_default():
        full = [slope.densify(None) if isinstance(slope, IndexedSlices) else slope for slope in known]
        return add_n(full) if len(full) > 1 else full[0] if full else None


def _starts(call: GradientCall, fresh: FreshRun) -> list[Any] | None:
    """What the program's own sweep started with, where that is not 1."""
    needed = ancestors(g for g in call.gradients if g is not None)
    given = {
        node.name.rpartition("_")[2]: fresh.values.get(node.outputs[0])
        for node in needed
        if node.op.name == "Identity" and node.name.rpartition("/")[2].startswith("grad_ys_")
    }
    return [given.get(str(place)) for place in range(len(call.ys))] if given else None


def _run(made: Unrolling, fresh: FreshRun) -> FreshRun:
    """The values of the unrolled graph."""
    values: dict[Tensor, Array] = {}

    def observe(run: Run) -> None:
        values.update(run.values)

    session = Session(made.graph, observe=observe)
    for node, copy in made.origin.items():
        if copy.op.name == "VariableV2" and copy in fresh.session.variables:
            session.variables[node] = fresh.session.variables[copy]
    feeds = {made.of_tensor[tensor]: value for tensor, value in made.given.items()}
    session.run([node for node in made.graph.nodes if node.op.name != "Placeholder"], feeds)
    values.update({node.outputs[0]: value for node, value in session.variables.items()})
    return FreshRun(session, feeds, dict(values))


def _is_the_same(
    made: Unrolling,
    ys: Sequence[Tensor],
    call: GradientCall | None,
    again: GradientCall | None,
    fresh: FreshRun,
    run: FreshRun,
) -> bool:
    """Whether the copy comes to the same values and gradients as the program."""
    pairs = [(fresh.values.get(y), run.values.get(made.of(y))) for y in ys]
    if call is not None and again is not None:
        for own, other in zip(call.gradients, again.gradients, strict=True):
            if (own is None) != (other is None):
                return False
            if own is not None:
                pairs.append((dense_value(fresh.values, own), dense_value(run.values, other)))
    return all(
        a is not None
        and b is not None
        and a.shape == b.shape
        and bool(np.allclose(a, b, RELATIVE, ABSOLUTE, equal_nan=True))
        for a, b in pairs
    )


def _mapped(value: Any, made: Unrolling) -> Any:
    """A value of the program with the unrolled graph's tensors in it."""
    if isinstance(value, Variable):
        return made.of_tensor.get(value.ref, value)
    if isinstance(value, Tensor):
        return made.of_tensor.get(value, value)
    if isinstance(value, dict):
        return {key: _mapped(item, made) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_mapped(item, made) for item in value)
    return value
