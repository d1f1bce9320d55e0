"""Questions for each step: predict, then reveal.

A question has a kind (`number`, `sign`, `formula`, `node`, `ending`), a prompt, the right answer, and
choices: wrong answers, each with what leads to it. Numbers are wrong in the ways that `misconceptions` has.
Of an array with a few numbers all are asked for; of a larger one that is written out a single number; of one
that is not its shape, where that follows from another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.notation import as_text
from engine.programs.lesson.mathematics.sentences import questions as sentences
from engine.programs.lesson.mathematics.sentences.wording import is_large
from engine.programs.lesson.misconceptions import Misconception
from engine.programs.lesson.sentence import Sentence
from engine.programs.program.items import value_json

MOST_NUMBERS = 4  # of an array that a learner can be asked for
Question = dict[str, Any]


def of_number(
    prompt: Sentence, value: Array | None, wrong: Sequence[Misconception] = (), to: str | None = None
) -> Question | None:
    """A question for one number, or a few; to: the quantity whose wrong values these are."""
    if not _is_of_numbers(value) or value.size > MOST_NUMBERS:
        return None
    chosen: dict[str, Misconception] = {}
    for one in wrong:
        if to is None or one.get("to") in (None, to):
            chosen.setdefault(one["id"], one)
    return _question("number", prompt, value_json(value), [*map(_choice, chosen.values())], to=to)


def of_entry(
    name: str, value: Array | None, wrong: Sequence[Misconception] = (), to: str | None = None
) -> Question | None:
    """A question for one number of an array that is written out: where wrong answers differ most from it."""
    if not _is_of_numbers(value) or value.size <= MOST_NUMBERS or is_large(value):
        return None
    arrays = [(one, _array(one["value"])) for one in wrong if to is None or one.get("to") in (None, to)]
    alike = [(one, array) for one, array in arrays if array.shape == value.shape]
    place = _telling_place(value, [array for _, array in alike])
    chosen: dict[str, Misconception] = {}
    for one, array in alike:
        own = {key: part for key, part in one.items() if key != "coincides"}
        coincides = {"coincides": True} if np.isclose(array[place], value[place], rtol=1e-6) else {}
        if not coincides or "coincides" in one:
            entry = {**own, "value": value_json(np.asarray(array[place])), **coincides}
            chosen.setdefault(one["id"], entry)
    prompt = sentences.ask_entry(name, ", ".join(map(str, place)))
    answer = value_json(np.asarray(value[place]))
    return _question("number", prompt, answer, [*map(_choice, chosen.values())], to=to)


def _is_of_numbers(value: Array | None) -> TypeGuard[Array]:
    """Whether there are numbers to ask for, none of them infinite."""
    return (
        value is not None
        and value.dtype.kind in "fiu"
        and value.size > 0
        and bool(np.all(np.isfinite(value)))
    )


def _array(value: Any) -> Array:
    return np.asarray(value["data"] if isinstance(value, dict) else value, dtype="float64")


def _telling_place(value: Array, wrong: Sequence[Array]) -> tuple[int, ...]:
    """The place at which most of the answers differ; of several the one with the largest number."""
    answers = np.stack([value.astype("float64"), *wrong])
    ordered = np.sort(np.round(answers, 6), axis=0)
    kinds = 1 + np.sum(ordered[1:] != ordered[:-1], axis=0)
    size = np.where(kinds == kinds.max(), np.abs(answers[0]), -1.0)
    return tuple(int(n) for n in np.unravel_index(int(np.argmax(size)), value.shape))


def of_shape(name: str, shape: Sequence[int], others: Iterable[Array | None]) -> Question | None:
    """The shape of an array, unless it is that of one that it is made of."""
    if len(shape) == 0 or any(other is not None and other.shape == tuple(shape) for other in others):
        return None
    return _question("number", sentences.ask_shape(name), value_json(np.asarray(shape)), [])


def of_result(name: str, named: str, value: Array | None, inputs: Sequence[Array | None]) -> Question | None:
    """What an operation gives. named: with its formula; inputs: what it takes."""
    asked = of_number(sentences.ask_value(named), value)
    if asked is None and not any(map(is_large, inputs)):
        asked = of_entry(named, value)
    return asked if asked is not None or value is None else of_shape(name, value.shape, inputs)


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


def of_product(prompt: Sentence, right: str, others: Mapping[str, str], to: str) -> Question:
    """A product of matrices as a formula; others: wrong ones by misconception."""
    choices = [
        {"id": name, "value": wrong, "value_text": as_text(wrong), "why": sentences.why(name)}
        for name, wrong in others.items()
        if wrong != right
    ]
    return {**_question("formula", prompt, right, choices, to=to), "answer_text": as_text(right)}


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
