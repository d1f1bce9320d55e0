"""The answer of `POST /programs`, put together from what a run left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from engine.errors import Span
from engine.graph import Graph, Node, Tensor
from engine.graph.essentials import SeenNode, everything
from engine.graph.reachability import ancestors, descendants
from engine.graph.variables.variable import GLOBAL_VARIABLES
from engine.interchange.values import FULL_UP_TO, Outline, attributes_json, shape_json
from engine.languages.questions import Question
from engine.languages.surfaces.tf1.program_session import KeptRun, ProgramSession
from engine.languages.workspace import GradientCall
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.programs.diagnosis.unconnected import why_no_gradient
from engine.programs.program.items import (
    MAX_ITEMS_IN_ALL,
    MAX_ITEMS_IN_ANSWER,
    MAX_NUMBERS,
    SMALL_TENSOR,
    ListedValues,
    Shown,
    Summarised,
    Values,
    is_listed,
    item_json,
    items_in,
    slices_json,
    value_json,
    within_room,
)
from engine.programs.program.outcome import Outcome

MAX_TRACED_VALUES = 20_000  # node values listed for the runs of one session
MAX_TRACED_ELEMENTS = 100_000  # numbers in them, before large tensors are left out


def answer(outcome: Outcome, known: Values) -> dict[str, Any]:
    """The whole body except its id, ready for JSON."""
    return _body(outcome, known, outcome.workspace.sessions)


def grown_answer(outcome: Outcome, known: Values) -> dict[str, Any]:
    """The same for a program whose graph a run has extended, without what its own sessions ran.

    That may be a hundred runs of a loop, a third of a megabyte, and the first rows wait for the header.
    """
    return _body(outcome, known, ())


def _body(outcome: Outcome, known: Values, sessions: Iterable[ProgramSession]) -> dict[str, Any]:
    graph = outcome.graph
    values = within_room(known)
    listed = ListedValues(values.values())
    target = outcome.target
    return {
        "dialect": outcome.dialect,
        "status": outcome.status,
        "printed": outcome.printed,
        "figures": figures_of(outcome),
        "inputs": [_question_json(question) for question in outcome.workspace.questions],
        "bindings": bindings(outcome, values),
        "target": target.name if target is not None else None,
        "gradients": list(gradient_rows(outcome, values)),
        "graph": {"nodes": nodes_json(graph, values, listed=listed)},
        "sessions": [session_json(session, listed) for session in sessions],
        "diagnostics": [diagnostic.as_json() for diagnostic in outcome.diagnostics],
        "result": item_json(outcome.result, values) if outcome.result is not None else None,
        "usage": {
            "steps": outcome.workspace.budget.steps,
            "nodes": len(graph.nodes),
            "elements": outcome.workspace.budget.operations,
        },
    }


def figures_of(outcome: Outcome) -> list[dict[str, Any]]:
    """What the program has drawn with matplotlib, each figure where it was shown; the rest at the end."""
    board = outcome.workspace.board
    if board is None:
        return []
    board.show(len(outcome.printed))
    shown: list[dict[str, Any]] = board.shown
    return shown


def _question_json(question: Question) -> dict[str, Any]:
    """A call of `input()`; `text` is null where the request had no line left for it."""
    place = question.place
    return {
        "prompt": question.prompt,
        "text": question.line,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }


def bindings(outcome: Outcome, values: Shown) -> list[dict[str, Any]]:
    """Every top-level name with what it holds at the end, in order of definition; imports are left out.

    Many names may stand for one long list: the last ones show less of it where all would be too much.
    """
    listed, room = [], MAX_ITEMS_IN_ANSWER
    for name, value in outcome.names.items():
        if is_listed(value):
            item = item_json(value, values, room=min(room, MAX_ITEMS_IN_ALL))
            room = max(0, room - items_in(item))
            listed.append({"name": name, **item})
    return listed


# -- gradients ---------------------------------------------------------------------------------------


def gradient_rows(outcome: Outcome, values: Shown) -> Iterator[dict[str, Any]]:
    """One row for each x of each gradient call on the shown graph."""
    for call in outcome.workspace.gradient_calls:
        if call.ys and call.ys[0].graph is outcome.graph:
            known = call.reasons or (None,) * len(call.xs)
            for x, gradient, reason in zip(call.xs, call.gradients, known, strict=True):
                yield _gradient_row(outcome, call, x, gradient, reason, values)


def _gradient_row(
    outcome: Outcome,
    call: GradientCall,
    x: Any,
    gradient: Any,
    known: tuple[str, str] | None,
    values: Shown,
) -> dict[str, Any]:
    reason, reason_zh = (None, None) if gradient is not None else known or why_no_gradient(call.ys, x)
    return {
        "y": " + ".join(y.name for y in call.ys),
        "x": x.name,
        "name": gradient_name(outcome, x),
        "tensor": gradient.name if gradient is not None else None,
        "value": _gradient_json(gradient, values),
        "reason": reason,
        "reason_zh": reason_zh,
    }


def _gradient_json(gradient: Any, values: Shown) -> dict[str, Any] | None:
    if isinstance(gradient, IndexedSlices):
        return slices_json(gradient, values)
    return value_json(values.get(gradient)) if gradient is not None else None


def gradient_name(outcome: Outcome, x: Any) -> str:
    """The last Python name bound to x, else its node's name."""
    node: Node = x.node
    return outcome.python_name(x) or node.name


def variable_names(outcome: Outcome) -> set[str]:
    """What the variables of the program are called."""
    return {gradient_name(outcome, variable) for variable in outcome.graph.collection(GLOBAL_VARIABLES)}


# -- nodes -------------------------------------------------------------------------------------------


def nodes_json(
    graph: Graph,
    values: Shown,
    seen: Iterable[SeenNode] | None = None,
    listed: ListedValues | None = None,
) -> list[dict[str, Any]]:
    """The nodes in order of creation, or those that a view of the graph shows.

    listed: takes their values, which may be listed elsewhere, too.
    """
    processing = processing_nodes(graph)
    shown = everything(graph) if seen is None else seen
    if listed is None:
        listed = ListedValues(values.values())
    return [_node_json(item, values, listed, item.node in processing) for item in shown]


def _node_json(seen: SeenNode, values: Shown, listed: ListedValues, processes: bool) -> dict[str, Any]:
    node = seen.node
    first = node.outputs[0] if node.outputs else None
    value = values.get(first) if first is not None else None
    shown = listed.json(value)
    attributes = _attributes_json(node, value, shown)
    if node.colocate:
        attributes["colocate"] = list(node.colocate)
    return {
        "name": node.name,
        "op": node.op.name,
        "inputs": [tensor.edge_name for tensor in seen.inputs],
        "control_inputs": [waited.name for waited in seen.control_inputs],
        "attrs": attributes,
        "device": node.device,
        "phase": "process" if processes else node.phase,
        "of": node.of.name if node.of else None,
        "span": span_json(node.span),
        "outputs": [_output_json(tensor, values, listed) for tensor in node.outputs],
        "value": shown,
    }


def _attributes_json(node: Node, value: Any, shown: dict[str, Any] | None) -> dict[str, Any]:
    """Its attributes; the numbers of a constant, which are its value, are not written anew."""
    attributes = node.attrs
    if shown is not None and shown["data"] is not None and attributes.get("value") is value:
        rest = {name: one for name, one in attributes.items() if name != "value"}
        own = {"dtype": shown["dtype"], "shape": shown["shape"], "value": shown["data"]}
        return {**attributes_json(rest), "value": own}
    return attributes_json(attributes, SMALL_TENSOR if isinstance(value, Summarised) else FULL_UP_TO)


def _output_json(tensor: Tensor, values: Shown, listed: ListedValues) -> dict[str, Any]:
    described: dict[str, Any] = {"dtype": tensor.dtype, "shape": shape_json(tensor.shape)}
    if tensor.index:
        described["value"] = listed.json(values.get(tensor))
    return described


def span_json(span: Span | None) -> dict[str, int] | None:
    """Line and column from 1, the end exclusive."""
    if span is None:
        return None
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def other_values(graph: Graph, values: Values, answered: Values) -> dict[str, dict[str, Any] | None]:
    """By name, each node whose first output has another value here than in the program's answer."""
    here, there = within_room(values), within_room(answered)
    firsts = [tensor for node in graph.nodes for tensor in node.outputs[:1] if tensor in here]
    moved = {tensor: value_json(here[tensor]) for tensor in firsts if here[tensor] is not there.get(tensor)}
    return {
        tensor.node.name: value for tensor, value in moved.items() if value != value_json(there.get(tensor))
    }


def processing_nodes(graph: Graph) -> set[Node]:
    """What the program put between compute_gradients and apply_gradients: from a gradient to an update."""
    after_gradient = descendants(graph, [node for node in graph.nodes if node.phase == "gradient"])
    updates = [node for node in graph.nodes if node.phase == "update"]
    feeds_update = ancestors(tensor for node in updates for tensor in node.inputs)
    return {node for node in feeds_update & after_gradient if node.phase == "after"}


# -- sessions ----------------------------------------------------------------------------------------


def session_json(session: ProgramSession, listed: ListedValues | None = None) -> dict[str, Any]:
    """How often a session ran, and the runs that were kept; of too much, the small tensors are listed.

    listed: the values that an answer lists anyway: a constant is the same array in every run, and what one
            run leaves of a variable the next one finds.
    """
    kept = session.kept
    fitting = max(MAX_TRACED_VALUES // max(map(_count_of_values, kept), default=1), 2)
    if len(kept) > fitting:
        kept = [*kept[: fitting // 2], *kept[-(fitting // 2) :]]
    runs = [(run, run.run.named()) for run in kept]
    elements = sum(array.size for _, named in runs for array in named.values())
    largest = FULL_UP_TO if elements <= MAX_TRACED_ELEMENTS else SMALL_TENSOR
    asked = sum(np.size(value) for run in kept for value in _asked(run))
    room = FULL_UP_TO if asked <= MAX_NUMBERS else SMALL_TENSOR
    listed = ListedValues() if listed is None else listed
    held = (value for run, named in runs for value in (*_asked(run), *named.values()))
    listed.add(held, min(largest, room))
    return {"runs": session.runs, "kept": [_run_json(*run, largest, room, listed) for run in runs]}


def _count_of_values(kept: KeptRun) -> int:
    return max(1, kept.run.count + sum(1 for _ in _asked(kept)))


def _asked(kept: KeptRun) -> Iterator[Any]:
    """What was fetched, fed and updated: values that may be named many times."""
    yield from (value for _, value in kept.run.fetches)
    yield from (value for _, value in kept.run.feeds)
    for update in kept.run.updates:
        yield from (update.before, update.after)


def _run_json(
    kept: KeptRun, named: Mapping[str, Array], largest: int, room: int, listed: ListedValues
) -> dict[str, Any]:
    """A run. named: its values by the names of their tensors.

    largest: elements of a node's value that is listed; room: of a fetched, fed or updated one.
    """
    run = kept.run

    def in_room(value: Any) -> Any:
        return listed.json(value, isinstance(value, Outline) or np.size(value) <= room)

    return {
        "index": kept.index,
        "line": kept.place.line if kept.place else None,
        "fetches": [{"tensor": item.name, "value": in_room(value)} for item, value in run.fetches],
        "feeds": [{"tensor": tensor.name, "value": in_room(value)} for tensor, value in run.feeds],
        "updates": [
            {
                "variable": update.variable.outputs[0].name,
                "before": in_room(update.before),
                "after": in_room(update.after),
            }
            for update in run.updates
        ],
        "nodes": {name: listed.json(value) for name, value in named.items() if value.size <= largest},
    }
