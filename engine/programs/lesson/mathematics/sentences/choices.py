"""Sentences about operations that let a change pass on one way only: max, min, ReLU, select."""

from __future__ import annotations

import numpy as np

from engine.programs.lesson.mathematics.sentences.returning import Returning, Sent
from engine.programs.lesson.mathematics.sentences.wording import in_words, number_of
from engine.programs.lesson.sentence import Sentence, both

LARGER_OR_SMALLER = {"Maximum": ("larger", "较大"), "Minimum": ("smaller", "较小")}


def larger_or_smaller(back: Returning) -> Sentence:
    """The larger (smaller) one passes it, the other gets nothing."""
    word, word_zh = LARGER_OR_SMALLER[back.op]
    known = [number_of(value) for value in back.values]
    if back.is_array or any(sent.is_array for sent in back.sent) or None in known:
        return both(
            f"Number by number, only the {word} one decides {back.formula}, so what comes back goes to "
            "it alone.",
            f"逐个来看，只有{word_zh}的数决定 {back.formula}，所以传回的梯度只交给它。",
        )
    goes, goes_zh = _goes(back)
    winner = _winner(back)
    return both(f"The {word} one was {winner}, so {goes}.", f"{word_zh}的是 {winner}，所以{goes_zh}。")


def _winner(back: Returning) -> str:
    """`x = 3`, or the number alone where it has no name."""
    pick = np.argmax if back.op == "Maximum" else np.argmin
    place = int(pick([number_of(value) or 0.0 for value in back.values]))
    name, number = back.inputs[place], in_words(back.values[place])
    return number if name == number else f"{name} = {number}"


def _goes(back: Returning) -> tuple[str, str]:
    english = [
        f"nothing comes back to {s.to}" if _is_nothing(s) else f"all that comes back goes on to {s.to}"
        for s in back.sent
    ]
    chinese = [f"没有梯度传回 {s.to}" if _is_nothing(s) else f"传回的梯度全部交给 {s.to}" for s in back.sent]
    return " and ".join(english), "，".join(chinese)


def _is_nothing(sent: Sent) -> bool:
    return number_of(sent.local if sent.local is not None else sent.value) == 0


def rectified(back: Returning) -> Sentence:
    """ReLU passes what is above 0."""
    (sent,), x = back.sent, number_of(back.values[0])
    if x is None or back.is_array:
        return both(
            f"Where {sent.to} is above 0 what comes back passes unchanged; elsewhere nothing comes back.",
            f"{sent.to} 大于 0 处，梯度原样通过；其余处没有梯度传回。",
        )
    shown = f"{sent.to} = {in_words(back.values[0])}"
    if x > 0:
        return both(
            f"{shown} is above 0, so what comes back passes unchanged.",
            f"{shown} 大于 0，所以梯度原样通过。",
        )
    return both(
        f"{shown} is not above 0, so nothing comes back to {sent.to}.",
        f"{shown} 不大于 0，所以没有梯度传回 {sent.to}。",
    )


def chosen(back: Returning) -> Sentence:
    """A choice passes it to what was chosen."""
    condition, value = back.inputs[0], back.values[0]
    if value is None or value.size != 1:
        return both(
            f"Number by number, what comes back goes to the one that {condition} has chosen.",
            f"逐个来看，传回的梯度交给由 {condition} 选中的那个数。",
        )
    holds, holds_zh = ("holds", "成立") if bool(value.item()) else ("does not hold", "不成立")
    goes, goes_zh = _goes(back)
    return both(f"{condition} {holds}, so {goes}.", f"{condition} {holds_zh}，所以{goes_zh}。")
