"""The one place where text becomes a function: text that was written here, from tables of our own.

Not a character of a person's program stands in it: values are called x0, v1, …, and constants are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any


def function_of(code: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    """The function that a generated text defines, with what its names stand for; no other name is known.

    They are its globals, which Python finds sooner than names of a function around it.
    """
    space: dict[str, Any] = {"__builtins__": {}, **names}
    exec(_compiled(code), space)  # noqa: S102  # our own text; a test holds that no other file does this
    _, made = space.popitem()  # the last that was defined
    function: Callable[..., Any] = made
    return function


@lru_cache(maxsize=256)
def _compiled(code: str) -> CodeType:
    return compile(code, "<lowered graph>", "exec", dont_inherit=True)
