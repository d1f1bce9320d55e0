"""PyTorch's picture: the ops of the forward pass, beneath each its node of autograd, and `.grad`.

The nodes run in the order in which PyTorch's engine takes them: of those that have received all of their
gradients the one whose op ran last, and an AccumulateGrad before any other.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Graph
from engine.programs.frameworks.picture import Json, Picture, forward_part, step
from engine.programs.lesson.formulas import value_text
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome
from engine.programs.program.result import nodes_json, span_json

ACCUMULATES = "AccumulateGrad"
UNKNOWN: Json = {"dtype": "float32", "shape": None}
PLAIN_SAVED = ("alpha", "dim", "keepdim", "self_sym_")  # what is no tensor, and says nothing to a learner


@dataclass(frozen=True, slots=True)
class Entry:
    """A node of autograd. name: unique in the picture; forward: the node of the graph that it is behind."""

    name: str
    kind: str
    next: list[list[int] | None]
    forward: str | None
    variable: str | None
    saved: list[str]
    received: list[Json | None]


def autograd_picture(outcome: Outcome, values: Values) -> Picture:
    """The picture of what the target was computed by; empty where no autograd node is behind it."""
    graph, found = outcome.graph, _nodes_behind_target(outcome)
    if not found:
        return Picture()
    entries = _entries(found)
    order = run_order(entries, {node.name: node.index for node in graph.nodes})
    forward = {node for node in graph.nodes if node.name in {entry.forward for entry in entries}}
    grads = {one["variable"]: one.get("grad") for one in found if one.get("variable")}
    leaves = {entry.forward: entry.variable for entry in entries if entry.forward and entry.variable}
    nodes = nodes_json(graph, values, forward_part(graph, forward))
    nodes += [_node_json(entry, entries, graph) for entry in entries]
    nodes += [_grad_json(entry, grads) for entry in entries if entry.kind == ACCUMULATES and entry.variable]
    steps = [_forward_step(node, leaves) for node in nodes if _has_step(node)]
    steps += [each for place in order for each in _steps_of(entries[place], entries, grads)]
    return Picture(nodes, steps)


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
    target = outcome.target.node.name if outcome.target is not None else None
    of_target = [nodes for nodes in graphs.values() if nodes and nodes[0].get("of") == target]
    with_gradients = [nodes for nodes in graphs.values() if any(one.get("received") for one in nodes)]
    return next(iter([*reversed(of_target), *reversed(with_gradients), *reversed(list(graphs.values()))]), [])


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
                [name for name in node.get("saved", ()) if not name.startswith(PLAIN_SAVED)],
                node.get("received") or [],
            )
        )
    return entries


def _node_json(entry: Entry, entries: list[Entry], graph: Graph) -> Json:
    """A node of autograd as a node of the graph: its inputs are the nodes that send it gradients."""
    senders = [
        f"{other.name}:{port}" if port else other.name
        for other in entries
        for port, edge in enumerate(other.next)
        if edge is not None and entries[edge[0]] is entry
    ]
    forward = next((node for node in graph.nodes if node.name == entry.forward), None)
    value = _received(entry)
    described = _described(value)
    return {
        **_empty_node(entry.name, entry.kind, senders),
        "attrs": {"saved": ", ".join(entry.saved)} if entry.saved else {},
        "of": entry.forward,
        "span": span_json(forward.span) if forward is not None else None,
        "outputs": [described for _ in entry.next] or [described],
        "value": value,
    }


def _grad_json(entry: Entry, grads: Mapping[str, Json | None]) -> Json:
    """The `.grad` of a leaf, which adds up over calls of backward."""
    value = grads.get(entry.variable or "")
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


def _received(entry: Entry) -> Json | None:
    """The gradient that came to a node; of several outputs, the first that has one."""
    return next((one for one in entry.received if one is not None), None)


# -- steps -------------------------------------------------------------------------------------------------


def _has_step(node: Json) -> bool:
    return bool(node["phase"] == "forward" and node["op"] != "Const")


def _forward_step(node: Json, names: Mapping[str, str]) -> Json:
    text = _text(node["value"])
    name = names.get(node["name"], node["name"])
    sentence = both(f"{node['op']} gives {text}.", f"{node['op']} 得到 {text}。")
    if node["op"] == "VariableV2":
        sentence = both(f"{name} is a leaf: {text}.", f"{name} 是叶子：{text}。")
    output = {"tensor": f"{node['name']}:0", "value": node["value"]}
    return step("forward", node["name"], None, sentence, output=output)


def _steps_of(entry: Entry, entries: list[Entry], grads: Mapping[str, Json | None]) -> list[Json]:
    value = _received(entry)
    output = {"tensor": f"{entry.name}:0", "value": value}
    if entry.kind != ACCUMULATES:
        return [step("backward", entry.name, entry.forward, _sentence(entry, entries), output=output)]
    sentence = _accumulating(entry)
    steps = [step("backward", entry.name, entry.forward, sentence, output=output)]
    if entry.variable:
        total = grads.get(entry.variable)
        name = f"{entry.variable}.grad"
        shown = {"tensor": f"{name}:0", "value": total}
        steps.append(step("backward", name, entry.forward, _grad_sentence(entry, total), output=shown))
    return steps


def _sentence(entry: Entry, entries: list[Entry]) -> Sentence:
    """What a node does with the gradient that it has received."""
    text = _text(_received(entry))
    targets = [entries[edge[0]] for edge in entry.next if edge is not None]
    sent = ", ".join(_sent(each) for each in targets)
    sent_zh = "、".join(_sent(each) for each in targets)
    saved = ", ".join(entry.saved)
    with_saved = f" With {saved}, which it saved in the forward pass, it" if saved else " It"
    saved_zh = f"用前向时保存的 {'、'.join(entry.saved)}，" if entry.saved else ""
    if not targets:
        return both(f"{entry.kind} has received {text}.", f"{entry.kind} 收到 {text}。")
    return both(
        f"{entry.kind} has received {text}.{with_saved} computes what goes on: to {sent}.",
        f"{entry.kind} 收到 {text}；{saved_zh}算出继续往回传的梯度：传给 {sent_zh}。",
    )


def _sent(target: Entry) -> str:
    """Who gets something."""
    return f"{target.kind} ({target.variable})" if target.variable else target.kind


def _accumulating(entry: Entry) -> Sentence:
    text, name = _text(_received(entry)), entry.variable or entry.kind
    return both(
        f"All gradients of {name} have come; added up they are {text}.",
        f"{name} 的梯度都到齐了；相加得到 {text}。",
    )


def _grad_sentence(entry: Entry, total: Json | None) -> Sentence:
    name, text, now = entry.variable, _text(_received(entry)), _text(total)
    if total is None:
        return both(
            f"{text} was added to {name}.grad; it has been emptied since.",
            f"{text} 加到 {name}.grad 上；后来它被清空了。",
        )
    if now == text and _same(_received(entry), total):
        return both(f"{name}.grad was None and is {text} now.", f"{name}.grad 原来是 None，现在是 {text}。")
    return both(
        f"{text} is added to {name}.grad, which held gradients from before: {now} now. "
        "zero_grad() would have emptied it.",
        f"{text} 加到 {name}.grad 上；它还留着先前的梯度，所以现在是 {now}。zero_grad() 会把它清空。",
    )


def _same(a: Json | None, b: Json | None) -> bool:
    """Whether two values are the same number for number, as far as they are written out."""
    return a is not None and b is not None and a.get("data") == b.get("data")


def _text(value: Any) -> str:
    """A value in a sentence."""
    if not isinstance(value, dict) or value.get("data") is None:
        return "?" if value is None else "an array"
    return value_text(np.asarray(value["data"], dtype=float))
