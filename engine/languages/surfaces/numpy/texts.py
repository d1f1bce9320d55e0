"""Arrays of texts: made, looked at and compared; nothing is computed with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.nested_sizes import check_convertible
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.ops.base.texts import is_text, is_texts


def holds_texts(value: Any) -> bool:
    """Whether a value is texts of a program's: a text, lists of them, an array or a tensor of them."""
    held = concrete(value)
    return is_texts(held) if held is not None else is_text(value)


def array_of_texts(interpreter: Interpreter, value: Any) -> np.ndarray[Any, Any]:
    """Texts as an array; those of a tensor stay bytes of any length, as TensorFlow gives them.

    Raises: ProgramError where other things stand among the texts, or lists are of different lengths.
    """
    held = concrete(value)
    if held is not None or isinstance(value, np.ndarray):
        return np.array(value if held is None else held)
    check_convertible(value, interpreter.budget.limits.alive_items)
    texts = list(_texts(value))
    if len({type(one) for one in texts}) > 1 or not isinstance(texts[0], (str, bytes)):
        raise _mixed()
    interpreter.budget.check_elements((len(texts), max(max(map(len, texts)), 1)))
    try:
        return np.array(value)
    except ValueError:
        raise _mixed() from None


def _texts(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    else:
        yield value


def _mixed() -> ProgramError:
    return ProgramError(
        "An array holds texts alone or numbers alone, in rows of equal length.",
        message_zh="数组只能全是文字或全是数字，且各行长度相同。",
        hint="Keep texts and numbers in two arrays, or in a list.",
        hint_zh="请把文字和数字放在两个数组里，或放在列表里。",
        code="bad_value",
    )
