"""Pieces of a text that is being written: how strongly each holds together decides where brackets stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from engine.differentiation.expression import FUNCTIONS

OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 10)

STRENGTHS = {
    "|": OR,
    "&": AND,
    "~": NOT,
    "+": SUM,
    "-": SUM,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), COMPARE),
    **dict.fromkeys(("*", "/", "//", "%", "@"), PRODUCT),
    "**": POWER,
}


class Notation(Protocol):
    """How a language writes what stands between pieces, and in front of one."""

    def join(self, symbol: str, left: Piece, right: Piece) -> Piece:
        """`left symbol right`."""

    def apply(self, function: str, piece: Piece) -> Piece:
        """An elementary function of a piece."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a formula in some language.

    strength: of its outermost operator; ATOM needs no brackets anywhere.
    notation: how its language writes operators and functions.
    plain:    a bare number, which takes the type of what it meets.
    """

    text: str
    notation: Notation
    strength: int = ATOM
    plain: bool = False

    def inside(self, strength: int) -> str:
        """The text where an operator of this strength stands beside it."""
        return self.text if self.strength >= strength else f"({self.text})"

    def number(self, value: Any) -> Piece:
        """A plain number beside this piece."""
        return Piece(repr(value), self.notation, SIGN if value < 0 else ATOM, plain=True)

    def _joined(self, symbol: str, other: Any) -> Piece:
        return self.notation.join(symbol, self, other if isinstance(other, Piece) else self.number(other))

    def __add__(self, other: Any) -> Piece:
        return self._joined("+", other)

    def __radd__(self, other: float) -> Piece:
        return self.number(other)._joined("+", self)

    def __sub__(self, other: Any) -> Piece:
        return self._joined("-", other)

    def __rsub__(self, other: float) -> Piece:
        return self.number(other)._joined("-", self)

    def __mul__(self, other: Any) -> Piece:
        return self._joined("*", other)

    def __rmul__(self, other: float) -> Piece:
        return self.number(other)._joined("*", self)

    def __truediv__(self, other: Any) -> Piece:
        return self._joined("/", other)

    def __rtruediv__(self, other: float) -> Piece:
        return self.number(other)._joined("/", self)

    def __pow__(self, other: Any) -> Piece:
        return self._joined("**", other)

    def __matmul__(self, other: Piece) -> Piece:
        return self._joined("@", other)

    def __neg__(self) -> Piece:
        return Piece(f"-{self.inside(POWER)}", self.notation, SIGN)


def _applied(name: str) -> Callable[[Piece], Piece]:
    return lambda piece: piece.notation.apply(name, piece)


for _name, _rule in FUNCTIONS.items():
    if isinstance(_rule, np.ufunc):
        setattr(Piece, _name, _applied(_name))  # numpy calls x.sin() for np.sin(x)


def infix(symbol: str, left: Piece, right: Piece, written: str | None = None) -> Piece:
    """`left symbol right`, grouped from the left; a power from the right."""
    strength = STRENGTHS[symbol]
    if symbol == "**":
        text = f"{left.inside(ATOM)} {written or symbol} {right.inside(ATOM)}"
    else:
        leading = left.inside(strength + 1 if strength == COMPARE else strength)
        trailing = right.inside(SIGN + 1 if right.strength == SIGN else strength + 1)
        text = f"{leading} {written or symbol} {trailing}"
    return Piece(text, left.notation, strength)
