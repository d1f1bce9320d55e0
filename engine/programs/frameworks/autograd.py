"""PyTorch's picture: the ops of the forward pass, beneath each its node of autograd, and `.grad`.

The nodes run in the order in which PyTorch's engine takes them: of those that have received all of their
gradients the one whose op ran last, and an AccumulateGrad before any other.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.graph import Graph
from engine.programs.frameworks.picture import Json, Picture, forward_part, step
from engine.programs.frameworks.turns import Leaf, Turn, emptied, moves, same, text, turns_of
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import nodes_json, span_json

ACCUMULATES = "AccumulateGrad"
UNKNOWN: Json = {"dtype": "float32", "shape": None}
PLAIN_SAVED = ("alpha", "beta", "dim", "keepdim")  # what is no tensor, and says nothing to a learner,
OF_SHAPES = "_sym_"  # nor do the lengths and strides of one: self_sym_sizes, mat1_sym_strides


@dataclass(frozen=True, slots=True)
class Entry:
    """A node of autograd. name: unique in the picture; forward: the node of the graph that it is behind."""

    name: str
    kind: str
    next: list[list[int] | None]
    forward: str | None
    variable: str | None
    saved: list[str]


def autograd_picture(outcome: Outcome, values: Values) -> Picture:
    """The picture of what the target was computed by; empty where no autograd node is behind it."""
    graph, found = outcome.graph, _nodes_behind_target(outcome)
    if not found:
        return Picture()
    entries, turns = _entries(found), turns_of(outcome, found)
    forward = {node for node in graph.nodes if node.name in {entry.forward for entry in entries}}
    nodes = nodes_json(graph, values, forward_part(graph, forward))
    computed = {node.name for node in forward}
    forward_steps = [node for node in nodes if _has_step(node, computed)]
    nodes += [_node_json(place, entries, graph, turns[-1]) for place in range(len(entries))]
    nodes += [
        _grad_json(entry, turns[-1].after[place])
        for place, entry in enumerate(entries)
        if entry.kind == ACCUMULATES and entry.variable
    ]
    return Picture(nodes, list(_all_steps(outcome, entries, turns, forward_steps)))


def found_entries(outcome: Outcome) -> tuple[list[Json], list[Entry]]:
    """The nodes of autograd that the picture shows, as they were recorded and under their names in it."""
    found = _nodes_behind_target(outcome)
    return found, _entries(found)


def _all_steps(
    outcome: Outcome, entries: list[Entry], turns: list[Turn], forward: list[Json]
) -> Iterator[Json]:
    """Turn by turn: forward, backward, and what becomes of the leaves until the next one."""
    order = run_order(entries, {node.name: node.index for node in outcome.graph.nodes})
    leaves = [Leaf(one.variable, one.forward, place) for place, one in enumerate(entries) if one.variable]
    names = {leaf.box: leaf.name for leaf in leaves if leaf.box}
    for number, turn in enumerate(turns):
        values = {one.forward: turn.values[place] for place, one in enumerate(entries) if one.forward}
        shown = forward if number == 0 else [node for node in forward if values.get(node["name"]) is not None]
        yield from (_forward_step(node, values.get(node["name"]) or node["value"], names) for node in shown)
        yield from (one for place in order for one in _steps_of(place, entries, turn))
        later = turns[number + 1] if number + 1 < len(turns) else None
        yield from moves(outcome, leaves, turn, turn.now if later is None else later.values)
        if later is not None:
            yield from emptied(leaves, turn, later)


def run_order(entries: list[Entry], made: Mapping[str, int]) -> list[int]:
    """The places of the nodes in the order in which they run, from the first, the root, on.

    made: when each forward node was made.
    """
    waiting = [0] * len(entries)
    for entry in entries:
        for edge in filter(None, entry.next):
            waiting[edge[0]] += 1

    def priority(place: int) -> float:
        entry = entries[place]
        return -math.inf if entry.kind == ACCUMULATES else -made.get(entry.forward or "", 0)

    ready, order = [(priority(0), 0)], []
    while ready:
        _, place = heapq.heappop(ready)
        order.append(place)
        for edge in filter(None, entries[place].next):
            waiting[edge[0]] -= 1
            if waiting[edge[0]] == 0:
                heapq.heappush(ready, (priority(edge[0]), edge[0]))
    return order


# -- nodes -------------------------------------------------------------------------------------------------


def _nodes_behind_target(outcome: Outcome) -> list[Json]:
    """The autograd graph of the target; of the last tensor that has one, where the target has none."""
    graphs: Mapping[str, list[Json]] = outcome.workspace.autograd
    passes = outcome.workspace.passes
    target = outcome.target.node.name if outcome.target is not None else None
    of_target = [nodes for nodes in graphs.values() if nodes and nodes[0].get("of") == target]
    with_gradients = [nodes for nodes in graphs.values() if any(one.get("received") for one in nodes)]
    in_functions = [nodes for nodes in passes if nodes and nodes[0].get("of") == target] or passes
    found = [*reversed(of_target), *reversed(with_gradients), *reversed(in_functions)]
    return next(iter([*found, *reversed(list(graphs.values()))]), [])


def _is_named(saved: str) -> bool:
    """Whether what a node has saved under this name says something to a learner."""
    return not saved.startswith(PLAIN_SAVED) and OF_SHAPES not in saved


def _entries(found: list[Json]) -> list[Entry]:
    taken: dict[str, int] = {}
    entries = []
    for node in found:
        kind = node["name"]
        name = f"{kind} {node['variable']}" if node.get("variable") else kind
        count = taken[name] = taken.get(name, -1) + 1
        entries.append(
            Entry(
                re.sub(r"[/:^]", ".", f"{name}_{count}" if count else name),
                kind,
                node["next"],
                node.get("of"),
                node.get("variable"),
                [name for name in node.get("saved", ()) if _is_named(name)],
            )
        )
    return entries


def _node_json(place: int, entries: list[Entry], graph: Graph, turn: Turn) -> Json:
    """A node of autograd as a node of the graph: its inputs are the nodes that send it gradients."""
    entry = entries[place]
    senders = [
        f"{other.name}:{port}" if port else other.name
        for other in entries
        for port, edge in enumerate(other.next)
        if edge is not None and entries[edge[0]] is entry
    ]
    forward = next((node for node in graph.nodes if node.name == entry.forward), None)
    value = turn.received[place]
    described = _described(value)
    return {
        **_empty_node(entry.name, entry.kind, senders),
        "attrs": {"saved": ", ".join(entry.saved)} if entry.saved else {},
        "of": entry.forward,
        "span": span_json(forward.span) if forward is not None else None,
        "outputs": [described for _ in entry.next] or [described],
        "value": value,
    }


def _grad_json(entry: Entry, value: Json | None) -> Json:
    """The `.grad` of a leaf, which adds up over calls of backward."""
    return {
        **_empty_node(f"{entry.variable}.grad", "grad", [entry.name]),
        "of": entry.forward,
        "outputs": [_described(value)],
        "value": value,
    }


def _described(value: Json | None) -> Json:
    return (
        {"dtype": value["dtype"], "shape": value["shape"]} if value else {"dtype": "float32", "shape": None}
    )


def _empty_node(name: str, op: str, inputs: list[str]) -> Json:
    return {
        "name": name,
        "op": op,
        "inputs": inputs,
        "control_inputs": [],
        "attrs": {},
        "device": "",
        "phase": "gradient",
        "of": None,
        "span": None,
        "outputs": [],
        "value": None,
    }


# -- steps -------------------------------------------------------------------------------------------------


def _has_step(node: Json, computed: Collection[str]) -> bool:
    """Whether a node of the forward pass is a leaf, or one behind which autograd has a node; no data."""
    return bool(node["phase"] == "forward" and (node["op"] == "VariableV2" or node["name"] in computed))


def _forward_step(node: Json, value: Any, names: Mapping[str, str]) -> Json:
    """What an op of the forward pass gives, or a leaf holds."""
    given = _text(value)
    name = names.get(node["name"], node["name"])
    sentence = both(f"{node['op']} gives {given}.", f"{node['op']} 得到 {given}。")
    if node["op"] == "VariableV2":
        sentence = both(f"{name} is a leaf: {given}.", f"{name} 是叶子：{given}。")
    return step("forward", node["name"], None, sentence, output=_output(node["name"], value))


def _steps_of(place: int, entries: list[Entry], turn: Turn) -> Iterator[Json]:
    """What a node does with the gradient that came to it; one of a leaf adds it to `.grad`."""
    entry, received = entries[place], turn.received[place]
    sentence = _sentence(entry, received, entries)
    if entry.kind == ACCUMULATES:
        sentence = _accumulating(entry, received)
    yield step("backward", entry.name, entry.forward, sentence, output=_output(entry.name, received))
    if entry.kind == ACCUMULATES and entry.variable:
        name, total = f"{entry.variable}.grad", turn.after[place]
        sentence = _grad_sentence(name, received, turn.before[place], total, turn.empty[place])
        yield step("backward", name, entry.forward, sentence, output=_output(name, total))


def _output(node: str, value: Any) -> Json:
    return {"tensor": f"{node}:0", "value": value}


def _sentence(entry: Entry, received: Json | None, entries: list[Entry]) -> Sentence:
    """What a node does with the gradient that it has received."""
    came = _text(received)
    targets = [entries[edge[0]] for edge in entry.next if edge is not None]
    sent = ", ".join(_sent(each) for each in targets)
    sent_zh = "、".join(_sent(each) for each in targets)
    saved = ", ".join(entry.saved)
    with_saved = f" With {saved}, which it saved in the forward pass, it" if saved else " It"
    saved_zh = f"用前向时保存的 {'、'.join(entry.saved)}，" if entry.saved else ""
    if not targets:
        return both(f"{entry.kind} has received {came}.", f"{entry.kind} 收到 {came}。")
    return both(
        f"{entry.kind} has received {came}.{with_saved} computes what goes on: to {sent}.",
        f"{entry.kind} 收到 {came}；{saved_zh}算出继续往回传的梯度：传给 {sent_zh}。",
    )


def _sent(target: Entry) -> str:
    """Who gets something."""
    return f"{target.kind} ({target.variable})" if target.variable else target.kind


def _accumulating(entry: Entry, received: Json | None) -> Sentence:
    came, name = _text(received), entry.variable or entry.kind
    return both(
        f"All gradients of {name} have come; added up they are {came}.",
        f"{name} 的梯度都到齐了；相加得到 {came}。",
    )


def _grad_sentence(
    name: str, received: Json | None, before: Json | None, total: Json | None, empty: bool | None
) -> Sentence:
    """What an AccumulateGrad does to the `.grad` of its leaf; empty: whether that held nothing, if known."""
    came, now = _text(received), _text(total)
    if total is None:
        return both(f"{came} is not added to {name} here.", f"{came} 在这里不加到 {name} 上。")
    if before is None and (empty or same(received, total)):
        return both(f"{name} was None and is {now} now.", f"{name} 原来是 None，现在是 {now}。")
    if empty:
        return both(
            f"{came} is added to {name}, which was 0: {now} now.",
            f"{came} 加到 {name} 上；它原来是 0，现在是 {now}。",
        )
    if empty is None and total.get("data") is None:  # whether it held something cannot be seen
        return both(f"{came} is added to {name}: {now} now.", f"{came} 加到 {name} 上：现在是 {now}。")
    held = f" which held {_text(before)} from before" if before else " which held gradients from before"
    held_zh = f"它还留着先前的 {_text(before)}" if before else "它还留着先前的梯度"
    return both(
        f"{came} is added to {name},{held}: {now} now. zero_grad() would have emptied it.",
        f"{came} 加到 {name} 上；{held_zh}，所以现在是 {now}。zero_grad() 会把它清空。",
    )


def _text(value: Any) -> str:
    """A value in a sentence; one that is not known as a question mark."""
    return "?" if not isinstance(value, dict) else text(value)
