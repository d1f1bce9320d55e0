"""Questions for each step: predict, then reveal.

A question has a kind (`number`, `sign`, `formula`, `node`, `ending`), a prompt, the right answer, and
choices: wrong answers, each with what leads to it. Numbers are wrong in the ways that `misconceptions` has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.notation import as_text
from engine.programs.lesson.mathematics.sentences import questions as sentences
from engine.programs.lesson.misconceptions import Misconception
from engine.programs.lesson.sentence import Sentence
from engine.programs.program.items import value_json

MOST_NUMBERS = 4  # of an array that a learner can be asked for
Question = dict[str, Any]


def of_number(
    prompt: Sentence, value: Array | None, wrong: Sequence[Misconception] = (), to: str | None = None
) -> Question | None:
    """A question for one number, or a few; to: the quantity whose wrong values these are."""
    if value is None or value.size > MOST_NUMBERS or not value.size or not np.all(np.isfinite(value)):
        return None
    chosen: dict[str, Misconception] = {}
    for one in wrong:
        if to is None or one.get("to") in (None, to):
            chosen.setdefault(one["id"], one)
    return _question("number", prompt, value_json(value), [*map(_choice, chosen.values())], to=to)


def _choice(one: Mapping[str, Any]) -> dict[str, Any]:
    coincides = {"coincides": True} if one.get("coincides") else {}
    return {"id": one["id"], "value": one["value"], "why": sentences.why(one["id"]), **coincides}


def of_none(prompt: Sentence, wrong: Sequence[Misconception]) -> Question:
    """A gradient that is None."""
    return _question("number", prompt, None, [_choice(one) for one in wrong])


def of_direction(prompt: Sentence, slope: Array | None) -> Question | None:
    """The sign of a single slope: `+`, `-` or `0`."""
    if slope is None or slope.size != 1 or not np.isfinite(slope).all():
        return None
    number = float(slope.reshape(()))
    return _question("sign", prompt, "+" if number > 0 else "-" if number < 0 else "0", [])


def of_factor(
    prompt: Sentence, factor: str | None, others: Iterable[tuple[str, str | None]], to: str
) -> Question | None:
    """A factor as a formula; others: wrong ones by misconception."""
    if factor is None:
        return None
    choices = [
        {"id": name, "value": wrong, "value_text": as_text(wrong), "why": sentences.why(name)}
        for name, wrong in others
        if wrong is not None and wrong != factor
    ]
    asked = _question("formula", prompt, factor, choices, to=to)
    return {**asked, "answer_text": as_text(factor)} if choices else None


def of_next(
    prompt: Sentence, ready: Sequence[str], waiting: Sequence[tuple[str, Sentence]]
) -> Question | None:
    """The node that goes on. ready: all that may, this one first; waiting: the others, and why not yet."""
    if not waiting:
        return None
    choices = [{"id": "M14", "value": node, "why": why} for node, why in waiting]
    return {**_question("node", prompt, ready[0], choices), "also_right": list(ready[1:])}


def of_ending(prompt: Sentence, endings: Sequence[str]) -> Question:
    """How a run ends: `converge`, `oscillate` or `diverge`; one that oscillates may come to rest."""
    return {**_question("ending", prompt, endings[0], []), "also_right": list(endings[1:])}


def _question(
    kind: str, prompt: Sentence, answer: Any, choices: Sequence[dict[str, Any]], to: str | None = None
) -> Question:
    return {"kind": kind, "prompt": prompt, "answer": answer, "to": to, "choices": list(choices)}
