"""One operation on its way back, as the sentences about it see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ops.base.tensors import Array

PLACES = ("first", "second", "third"), ("第一个", "第二个", "第三个")


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent to one input.

    to:     what the input is called; place: which of the op's inputs it is.
    factor: the formula of the local derivative, "" where there is none; local: its value.
    """

    to: str
    place: int
    factor: str
    local: Array | None
    value: Array | None

    @property
    def is_array(self) -> bool:
        """Whether it is more than one number."""
        return self.value is not None and self.value.size != 1


@dataclass(frozen=True, slots=True)
class Returning:
    """An operation that has received its gradient.

    formula: how it is written; name: the same, or where that is long what it is called.
    op:      the op that computes, "" where there are several or the rule is the
             program's own; words: its first local derivative as its block has it.
    kink:    what is said of a corner that the inputs touch, "" where they touch none.
    is_own:  whether the program itself says what is sent.
    function: the node of PyTorch's autograd behind its result, "" where there is none.
    inputs, values: what the op's inputs are called, and their values.
    """

    formula: str
    name: str
    op: str
    words: str
    upstream: Array | None
    sent: Sequence[Sent]
    inputs: Sequence[str]
    values: Sequence[Array | None]
    output: Array | None
    kink: tuple[str, str] = ("", "")
    is_own: bool = False
    function: str = ""

    @property
    def is_array(self) -> bool:
        """Whether more than one number came back."""
        return self.upstream is not None and self.upstream.size != 1


def receivers(back: Returning) -> list[tuple[Sent, tuple[str, str]]]:
    """Each contribution with what receives it; a quantity that stands there twice is told by its place."""
    names = [sent.to for sent in back.sent]
    seen: list[str] = []
    found = []
    for sent in back.sent:
        place = min(seen.count(sent.to), 2)
        seen.append(sent.to)
        english, chinese = sent.to, sent.to
        if names.count(sent.to) > 1:
            english, chinese = _place(back.op, place)
        found.append((sent, (english, chinese)))
    return found


def _place(op: str, place: int) -> tuple[str, str]:
    """Where a quantity stands that stands there several times."""
    if op in PARTS and place < 2:
        return PARTS[op][place]
    return f"in the {PLACES[0][place]} place", f"在{PLACES[1][place]}位置"


PARTS = {
    "Pow": (("as the base", "作为底数"), ("as the exponent", "作为指数")),
    "RealDiv": (("as the numerator", "作为分子"), ("as the denominator", "作为分母")),
}
