"""`id(x)`, by which programs ask whether two names stand for one object."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.functions import builtin
from engine.languages.interpreter.interpreter import Interpreter

FIRST, APART = 139_640_000_000_000, 64


@builtin("id")
def id_(interpreter: Interpreter, value: Any, /) -> int:
    """A number for each object of a run: the same for the same one, in every run."""
    known = interpreter.workspace.identities
    if id(value) not in known:
        known[id(value)] = (FIRST + APART * len(known), value)  # the object stays, and with it its number
    number: int = known[id(value)][0]
    return number
