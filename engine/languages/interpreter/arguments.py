"""What an argument may be, asked before a function of ours sees it.

TensorFlow calls the same thing by the same name everywhere (`axis`, `shape`, `name`), so one table by the
names of parameters serves all its functions; the surfaces fill it. A function whose parameter of such a
name means something else says so where it is entered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.values import a_kind, type_name

QUOTED = 40  # characters that a message shows of a value
LISTED = 8  # items of a list


@dataclass(frozen=True, slots=True)
class Argument:
    """One kind of argument.

    expected: what belongs there, as in "a whole number"; expected_zh: the same in Chinese.
    fits:     whether a value is of this kind; it may raise an error of its own that says more.
    hint:     an example, or what to try.
    """

    expected: str
    expected_zh: str
    fits: Callable[[Any], bool]
    hint: str = ""
    hint_zh: str = ""
    code: str = "bad_value"

    def check(self, function: str, parameter: str, value: Any) -> None:
        """Raises: ValueRefused where the value is of another kind."""
        if not self.fits(value):
            given, given_zh = _written(value)
            raise ValueRefused(
                f"`{parameter}` of {function}() takes {self.expected}, not {given}.",
                hint=self.hint,
                message_zh=f"{function}() 的 `{parameter}` 需要{self.expected_zh}，不能是 {given_zh}。",
                hint_zh=self.hint_zh,
                code=self.code,
            )


BY_NAME: dict[str, Argument] = {}  # None is taken besides, where it is the parameter's default

ANY = Argument("any value", "任意值", lambda value: True)
FLAG = Argument(
    "True or False",
    " True 或 False",
    lambda value: value is None or isinstance(value, (int, np.integer, np.bool_)),
    "Write it without quotes.",
    "请不要加引号。",
)  # what every parameter takes that is one of them by default


def word_of(*words: str) -> Argument:
    """A parameter that takes one of these words."""
    listed = ", ".join(f'"{word}"' for word in words)
    return Argument(
        "one of its words",
        "规定的文字之一",
        lambda value: isinstance(value, str) and value in words,
        f"It takes {listed}.",
        f"它可以是 {listed}。",
        code="unknown_word",
    )


def _written(value: Any) -> tuple[str, str]:
    """Numbers, texts and short lists of them as the program writes them; else the type, in both languages."""
    items = value if isinstance(value, (list, tuple)) else [value]
    if len(items) <= LISTED and all(one is None or isinstance(one, (int, float, str)) for one in items):
        text = f"{quoted(value):.{QUOTED}}"
        return text, text
    return a_kind(value), type_name(value)
