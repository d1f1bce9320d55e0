"""The passes backward that a picture of PyTorch walks through, each with what its nodes held then.

In a training loop every turn is a pass through the same nodes: between two of them the leaves move, and
their `.grad` is emptied, or is not and adds up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.interchange.values import tensor_json
from engine.ops.base.tensors import Array
from engine.programs.frameworks.picture import Json, step
from engine.programs.lesson.formulas import shape_text, value_text
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.lesson.update_sentences import descent_sentence, update_sentence
from engine.programs.program.outcome import Outcome

MOST_STEPS = 400  # of all turns together; of more than that the first ones
SGD = "SGD"


@dataclass(frozen=True, slots=True)
class Turn:
    """One pass, node by node. before, after: of leaves, `.grad` on both sides of it.

    empty: whether `.grad` was None or 0 before it; None where that was not kept.
    now: what the leaves held when the program had ended; goes_on: whether more passes came before that.
    """

    values: list[Json | None]
    received: list[Json | None]
    before: list[Json | None]
    after: list[Json | None]
    now: list[Json | None]
    empty: list[bool | None]
    goes_on: bool = False


def turns_of(outcome: Outcome, nodes: Sequence[Json]) -> list[Turn]:
    """The passes through the nodes of a picture, in order; one without values where none was kept."""
    kept = outcome.workspace.passes
    same = [one for one in kept if shape_of(one) == shape_of(nodes)]
    most = max(1, MOST_STEPS // max(1, 2 * len(nodes)))
    if not same:
        return [_without_history(nodes)]
    is_whole = len(same) <= most and same[-1] is kept[-1] and not outcome.workspace.more_passes
    turns = [_turn(one) for one in same[:most]]
    return turns if is_whole else [*turns[:-1], replace(turns[-1], goes_on=True)]


def shape_of(nodes: Sequence[Json]) -> list[Any]:
    """What two passes through the same nodes have in common."""
    return [(one["name"], one.get("of"), one["next"]) for one in nodes]


def _turn(nodes: Sequence[Json]) -> Turn:
    return Turn(
        [_json(one["value"]) for one in nodes],
        [_first(one["received"]) for one in nodes],
        [_json(one.get("before")) for one in nodes],
        [_json(one.get("after")) for one in nodes],
        [_json(one.get("now")) for one in nodes],
        [one.get("was_empty") for one in nodes],
    )


def _without_history(nodes: Sequence[Json]) -> Turn:
    none: list[Json | None] = [None] * len(nodes)
    received = [_first(one.get("received")) for one in nodes]
    return Turn(none, received, none, [one.get("grad") for one in nodes], none, [None] * len(nodes))


def _first(received: Sequence[Any] | None) -> Json | None:
    """The gradient that came to a node; of several outputs, the first that has one."""
    return _json(next((one for one in received or () if one is not None), None))


def _json(value: Any) -> Json | None:
    return value if value is None or isinstance(value, dict) else tensor_json(np.asarray(value))


# -- between two passes --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf of the picture. box: the node that holds it; place: of its AccumulateGrad."""

    name: str
    box: str | None
    place: int


def moves(outcome: Outcome, leaves: Sequence[Leaf], turn: Turn, later: Sequence[Json | None]) -> list[Json]:
    """A step for each leaf that held something else later than in a turn."""
    return [
        step("update", leaf.box, None, sentence, output=_output(leaf.box, later[leaf.place]))
        for leaf in leaves
        if leaf.box is not None and (sentence := _move(outcome, leaf, turn, later)) is not None
    ]


def _move(outcome: Outcome, leaf: Leaf, turn: Turn, later: Sequence[Json | None]) -> Sentence | None:
    old, new, grad = turn.values[leaf.place], later[leaf.place], turn.after[leaf.place]
    updates = outcome.workspace.updates
    if old is None or new is None or same(old, new):
        return None
    if turn.goes_on and later is turn.now:
        return both(
            f"More turns follow in the same way; in the end {leaf.name} is {text(new)}.",
            f"后面还有更多轮，做法相同；最后 {leaf.name} 是 {text(new)}。",
        )
    if old.get("data") is None:
        by = updates[-1].optimizer.name if updates else None
        return both(f"{by} moves {leaf.name}.", f"{by} 更新 {leaf.name}。") if by else None
    if not updates:
        return both(
            f"The program moves {leaf.name} from {text(old)} to {text(new)}.",
            f"程序把 {leaf.name} 从 {text(old)} 改为 {text(new)}。",
        )
    optimizer = updates[-1].optimizer
    rate = getattr(optimizer.rule, "learning_rate", None)
    if optimizer.name == SGD and isinstance(rate, (int, float)) and _descends(old, new, grad, rate):
        return descent_sentence(
            leaf.name, text(old), value_text(np.asarray(float(rate))), _signed(grad), text(new)
        )
    return update_sentence(leaf.name, optimizer.name, text(old), text(new))


def _descends(old: Json, new: Json, grad: Json | None, rate: float) -> bool:
    """Whether a leaf has moved by its rate times its `.grad`."""
    if grad is None or any(one.get("data") is None for one in (old, new, grad)):
        return False
    a, b, g = map(numbers, (old, new, grad))
    return bool(np.allclose(a - rate * g, b, rtol=1e-5, atol=1e-7))


def _signed(value: Json | None) -> str:
    """A factor in a product: in brackets where it is negative."""
    written = text(value)
    return f"({written})" if written.startswith("−") else written


def emptied(leaves: Sequence[Leaf], turn: Turn, later: Turn) -> list[Json]:
    """A step for each `.grad` that was emptied before the next pass."""
    found = []
    for leaf in leaves:
        before, now = turn.after[leaf.place], later.before[leaf.place]
        if before is None or not later.empty[leaf.place]:
            continue
        name, left = f"{leaf.name}.grad", text(now)
        left_zh = left
        if now is not None and now.get("data") is None:
            left, left_zh = "all 0", "全为 0"
        sentence = both(f"{name} is emptied: {left}.", f"{name} 被清空：{left_zh}。")
        found.append(step("update", name, leaf.box, sentence, output=_output(name, now)))
    return found


def _output(node: str, value: Json | None) -> Json:
    return {"tensor": f"{node}:0", "value": value}


def same(a: Json | None, b: Json | None) -> bool:
    """Whether two values are the same number for number, as far as they are written out."""
    if a is None or b is None:
        return a is b
    return a.get("shape") == b.get("shape") and a.get("data") == b.get("data") and a.get("data") is not None


def numbers(value: Mapping[str, Any]) -> Array:
    """The numbers of a value that is written out."""
    is_complex = str(value.get("dtype")).startswith("complex")
    return np.asarray(value["data"], dtype=complex if is_complex else float)


def text(value: Mapping[str, Any] | None) -> str:
    """A value in a sentence."""
    if value is None:
        return "None"
    if value.get("data") is None:
        return shape_text(value["shape"])
    return value_text(numbers(value))
