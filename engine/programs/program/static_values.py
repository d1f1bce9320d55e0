"""The value of every tensor: from the program's own runs, else computed once with fresh variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import GradlensError, LimitError
from engine.execution import Run, Session
from engine.execution.budget import Limits
from engine.execution.eager.graph import EagerGraph
from engine.graph import Graph, Node, Tensor
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.ops.base.shapes import element_count
from engine.ops.base.tensors import Array
from engine.ops.control_flow.filing import READ_AND_WRITTEN
from engine.ops.sources.datasets import OF_DATASETS
from engine.programs.program.outcome import Outcome

ATTEMPTS = 8  # each leaves out one more node that cannot run


def all_values(outcome: Outcome) -> dict[Tensor, Array]:
    """The last value of each tensor of the outcome's graph; those that cannot be computed are left out.

    A variable's value is its state in the last session that initialised it, else its initial value.
    """
    graph = outcome.graph
    if isinstance(graph, EagerGraph):
        return graph.values
    values = fresh_run(outcome, outcome.request_feeds).values
    values.update({t: v for t, v in outcome.workspace.last_values.items() if t.graph is graph})
    for session in outcome.workspace.sessions:
        if session.session.graph is graph:
            values.update({node.outputs[0]: array for node, array in session.session.variables.items()})
    return values


@dataclass(slots=True)
class FreshRun:
    """A graph run once from initial values: the session that did it, what was fed, and what came out.

    is_later: whether the values are those of a later turn, whose optimizer keeps something of others.
    """

    session: Session
    feeds: Mapping[Any, Any]
    values: dict[Tensor, Array]
    is_later: bool = False


def fresh_run(outcome: Outcome, feeds: Mapping[Any, Any]) -> FreshRun:
    """Compute all that can be computed of the outcome's graph with freshly initialised variables."""
    graph = outcome.graph
    limits = outcome.workspace.budget.limits
    budget = Budget(for_a_view(limits))
    values: dict[Tensor, Array] = {}

    def observe(run: Run) -> None:
        values.update(run.values)

    session = Session(graph, meter=budget, observe=observe, seed=outcome.workspace.seed)
    missing: set[Node] = set()
    for _ in range(ATTEMPTS):
        left_out = _attempt(outcome, session, feeds, missing)
        if left_out is None or left_out in missing:
            break
        missing.add(left_out)
    values.update({node.outputs[0]: array for node, array in session.variables.items()})
    session.meter = Budget(limits)  # what is tried in it later has time of its own
    return FreshRun(session, feeds, dict(values))  # what the session runs later is no part of it


def for_a_view(limits: Limits) -> Limits:
    """The limits of what is computed though the program itself did not ask for it."""
    return replace(limits, wall_s=min(limits.view_s, limits.wall_s))


def _attempt(outcome: Outcome, session: Session, feeds: Mapping[Any, Any], missing: set[Node]) -> Node | None:
    """Run all but what is blocked; the node that could not run, or None at the end."""
    graph = outcome.graph
    try:
        _run_all(session, graph, _blocked(graph, feeds, missing), feeds)
    except LimitError as error:
        _report_limit(outcome, error)
    except GradlensError as error:
        node = graph.node(error.node) if error.node in graph else None
        _report(outcome, error, node)
        return node
    return None


def _run_all(session: Session, graph: Graph, blocked: set[Node], feeds: Mapping[Any, Any]) -> None:
    initializers = [v.initializer for v in graph.collection(GLOBAL_VARIABLES) if v.node not in blocked]
    fed = {key for key in feeds if isinstance(key, Tensor)}
    session.run(initializers, feeds)
    session.run([node for node in graph.nodes if node not in blocked and fed.isdisjoint(node.outputs)], feeds)


def _report_limit(outcome: Outcome, error: LimitError) -> None:
    """A graph too large to be computed: that is the program's limit, the time that a view may take is not."""
    largest = max(outcome.graph.nodes, key=_elements, default=None)
    if error.code == "wall_time_limit":
        _report(outcome, error, None)
        return
    error.where = error.where or (largest.span if largest is not None else None)
    outcome.diagnostics.append(Diagnostic.of(error))
    outcome.status = "limit"


def _elements(node: Node) -> int:
    return max((element_count(output.shape) or 0 for output in node.outputs), default=0)


def _report(outcome: Outcome, error: GradlensError, node: Node | None) -> None:
    place = error.where or (node.span if node else None)
    report = replace(Diagnostic.of(error), severity="warning", span=place)
    if report not in outcome.diagnostics:
        outcome.diagnostics.append(report)


def _blocked(graph: Graph, feeds: Iterable[Any], missing: set[Node]) -> set[Node]:
    """Nodes without a value here: what depends on an unfed placeholder, and every update that was not run."""
    fed = {key.node for key in feeds if isinstance(key, Tensor)}
    variables = {v.node: v for v in graph.collection(GLOBAL_VARIABLES)}
    blocked: set[Node] = set(missing)
    for node in graph.nodes:
        if node in fed:
            continue
        sources = [tensor.node for tensor in node.inputs] + list(node.control_inputs)
        if node in variables:
            sources.append(variables[node].initial_value.node)
        unread = node.op.name == "Placeholder" or node.op.name in READ_AND_WRITTEN | OF_DATASETS
        if unread or node.op.writes or not blocked.isdisjoint(sources):
            blocked.add(node)
    return blocked
