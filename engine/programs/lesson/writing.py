"""Programs whose target writes variables on its way: it runs with what it waits for, and from the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.execution import Run, Session
from engine.execution.eager.graph import EagerGraph
from engine.execution.interpreter.buffers import written_at
from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors, closure
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.interpreter.budget import Budget
from engine.languages.workspace import GradientCall
from engine.ops.base.tensors import Array
from engine.ops.sources.datasets import OF_DATASETS
from engine.programs.program.outcome import Outcome
from engine.programs.program.static_values import FreshRun
from engine.programs.training.training import rows_of

CHANGES = {"AssignAdd": 1, "AssignSub": -1}  # how often what is added goes into the new value


def writes_variables(ys: Sequence[Tensor]) -> bool:
    """Whether computing the ys, or what they wait for, writes a variable that is read there."""
    graph = ys[0].graph
    if isinstance(graph, EagerGraph):
        return bool(eager_writes(graph, ys))
    nodes: set[Node] = closure(
        (y.node for y in ys),
        lambda node: [*(tensor.node for tensor in node.inputs), *node.control_inputs],
    )
    return any(node.op.writes for node in nodes)


def eager_writes(graph: EagerGraph, ys: Sequence[Tensor]) -> list[Node]:
    """The writes of what the ys are computed by, in order; none where all came before the first node."""
    found = writes_before(graph, ys)
    first = min(_places(ancestors(ys)), default=0)
    return found if any(node.index > first for node in found) else []


def writes_before(graph: EagerGraph, ys: Sequence[Tensor]) -> list[Node]:
    """The writes of what the ys are computed by, before the last node that computes them, in order."""
    needed = ancestors(ys)
    variables = {node for node in needed if node.op.name == "VariableV2"}
    last = max(_places(needed), default=-1)
    first_values = {variable.initializer for variable in graph.collection(GLOBAL_VARIABLES)}
    return [
        node
        for node in graph.nodes[: last + 1]
        if node.op.writes and node not in first_values and written_at(node, node.op.writes[0]) in variables
    ]


def _places(needed: Iterable[Node]) -> list[int]:
    return [n.index for n in needed if n.op.name not in ("VariableV2", "Const") and not is_read(n)]


def is_read(node: Node) -> bool:
    """Whether a node reads a variable."""
    return bool(node.op.name == "Identity" and node.inputs[0].node.op.name == "VariableV2")


class FromTheStart(Session):
    """A session in which each run begins with the same variables, whatever the run before has written."""

    def _ran(self, fetches: Any, feed_dict: Mapping[Any, Any]) -> tuple[Run, bool]:
        start = dict(self.variables)
        try:
            return super()._ran(fetches, feed_dict)
        finally:
            self.variables = start


def start_of(outcome: Outcome) -> FreshRun:
    """The variables as they are initialised, before anything else has run."""
    budget = Budget(outcome.workspace.budget.limits)
    session = Session(outcome.graph, meter=budget, seed=outcome.workspace.seed)
    variables = outcome.graph.collection(GLOBAL_VARIABLES)
    session.run([variable.initializer for variable in variables], outcome.usual_feeds)
    values = {node.outputs[0]: array for node, array in session.variables.items()}
    return FreshRun(session, outcome.usual_feeds, values)


def target_run(outcome: Outcome, ys: Sequence[Tensor], call: GradientCall | None) -> FreshRun | None:
    """The ys and their gradients in one run from the start; None where that cannot be."""
    values: dict[Tensor, Array] = {}

    def observe(run: Run) -> None:
        values.update(run.values)

    budget, seed = Budget(outcome.workspace.budget.limits), outcome.workspace.seed
    session = FromTheStart(outcome.graph, meter=budget, observe=observe, seed=seed)
    try:
        start = start_of(outcome)
        session.variables.update(start.session.variables)
        session.run([*ys, *slopes_of(call), *_used_by_updates(outcome)], start.feeds)
    except GradlensError:
        return None
    return FreshRun(session, start.feeds, {**values, **start.values})


def last_turn(outcome: Outcome, graph: EagerGraph, ys: Sequence[Tensor]) -> FreshRun:
    """The ys as they were computed at once the last time; the variables as they were before."""
    start, known = start_of(outcome), graph.values
    for variable, value in _before(graph, ys, known).items():
        start.session.variables[variable] = value
    values = {node.outputs[0]: array for node, array in start.session.variables.items()}
    feeds = {**start.feeds, **_given_then(ys, known)}
    return FreshRun(start.session, feeds, {**known, **values}, is_later=True)


def _given_then(ys: Sequence[Tensor], known: Mapping[Tensor, Array]) -> dict[Tensor, Array]:
    """What the ys were computed of in that turn, and would not be again: random numbers and examples."""
    nodes = [node for node in ancestors(ys) if not node.inputs or node.op.draws]
    sources = [tensor for node in nodes for tensor in node.outputs]
    return {one: known[one] for one in sources if one in known and _comes_otherwise(one.node, known[one])}


def _comes_otherwise(node: Node, value: Array) -> bool:
    """Whether a node gives another value when it runs again."""
    if node.op.name == "Const":
        own = node.attrs["value"]
        return own is not value and not np.array_equal(own, value)
    return bool(node.op.draws) or node.op.name in OF_DATASETS


def _before(graph: EagerGraph, ys: Sequence[Tensor], known: Mapping[Tensor, Array]) -> dict[Node, Array]:
    """By variable, the value with which the ys begin: what is read first, or what the first write changes."""
    needed = ancestors(ys)
    writes = eager_writes(graph, ys)
    needed |= ancestors(tensor for node in writes for tensor in node.inputs[1:]) | set(writes)
    found: dict[Node, Array] = {}
    for node in sorted(needed, key=lambda node: node.index):
        for read in (tensor.node for tensor in node.inputs if is_read(tensor.node)):
            if read.outputs[0] in known:
                found.setdefault(read.inputs[0].node, known[read.outputs[0]])
        if node in writes and node.outputs[0] in known:
            new, change = known[node.outputs[0]], CHANGES.get(node.op.name)
            before = new if change is None else new - change * known[node.inputs[1]]
            found.setdefault(written_at(node, node.op.writes[0]), np.asarray(before, dtype=new.dtype))
    for y in ys:
        if is_read(y.node) and y in known:
            found.setdefault(y.node.inputs[0].node, known[y])
    return found


def after_the_writes(outcome: Outcome, graph: EagerGraph, ys: Sequence[Tensor]) -> FreshRun:
    """The last turn, with the variables as they were at its end, from where its gradients are used."""
    run = last_turn(outcome, graph, ys)
    for node in eager_writes(graph, ys):
        for place, output in zip(node.op.writes, node.outputs, strict=False):
            if output in run.values:
                run.session.variables[written_at(node, place)] = run.values[output]
    slopes = [row for call in outcome.workspace.gradient_calls for row in slopes_of(call)]
    fed = {slope: run.values[slope] for slope in slopes if slope in run.values}
    return FreshRun(run.session, {**run.feeds, **fed}, run.values, is_later=True)


def _used_by_updates(outcome: Outcome) -> list[Tensor]:
    """What the updates take besides the variables that they write."""
    nodes = [node for node in outcome.graph.nodes if node.op.writes and node.op.name.startswith("Apply")]
    return [t for node in nodes for t in node.inputs if t.node.op.name != "VariableV2"]


def slopes_of(call: GradientCall | None) -> list[Tensor]:
    """The gradients, with all that belongs to one that is given row by row."""
    found = [gradient for gradient in (call.gradients if call is not None else ()) if gradient is not None]
    parts = [getattr(gradient, name, None) for gradient in found for name in ("indices", "dense_shape")]
    return [*map(rows_of, found), *(part for part in parts if part is not None)]
