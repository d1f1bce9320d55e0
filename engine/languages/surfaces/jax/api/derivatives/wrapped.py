"""Functions that a transformation made of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.jax.api.calling import checked_callable


class Wrapped(Native):
    """A function that a transformation made. wrapped: the one that it was made of."""

    def __init__(self, name: str, function: Callable[..., Any], wrapped: Any) -> None:
        super().__init__(name, function)
        self.wrapped = checked_callable(wrapped)


WRAPPED = members_of(Wrapped, "function")
WRAPPED.fact("__wrapped__")(lambda one: one.wrapped)
WRAPPED.fact("__doc__")(lambda one: getattr(one.wrapped, "doc", "") or None)
