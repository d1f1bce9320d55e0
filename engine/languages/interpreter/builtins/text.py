"""Values as text: what `print`, `str` and `repr` show, numpy numbers in the classic style."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.nested_sizes import PLAIN_ITEMS, check_weight, check_written
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.values import KINDS, NUMBERS, Ignored, Lazy, Module, Stream

Show = Callable[[Any], str]

# How types of other layers show themselves: (str, repr). Surfaces add theirs.
SHOWN: dict[type, tuple[Show, Show]] = {}

# How they show themselves in a format without a specification, where that is not what `str` gives.
FORMATTED: dict[type, Show] = {}

MAX_DEPTH = 100  # of lists in lists
MAX_WEIGHT = 1_000_000  # items that are written out


def to_str(value: Any) -> str:
    """What `str(value)` gives and `print` shows."""
    if isinstance(value, str):
        return value
    shown = _registered(value)
    if shown is not None:
        check_written(value, MAX_WEIGHT)
        return shown[0](value)
    if isinstance(value, np.ndarray):
        check_written(value, MAX_WEIGHT)
        return str(value)
    return to_repr(value)


def to_repr(value: Any, outer: tuple[int, ...] = ()) -> str:
    """What `repr(value)` gives: how a value looks inside a list."""
    if type(value) in PLAIN_ITEMS:
        return repr(value)
    if not outer:
        check_written(value, MAX_WEIGHT)
    shown = _registered(value)
    if shown is not None:
        return shown[1](value)
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        if id(value) in outer or len(outer) >= MAX_DEPTH:
            return "[...]" if isinstance(value, list) else "{...}"
        return _container(value, (*outer, id(value)))
    return _plain(value)


def _container(value: Any, outer: tuple[int, ...]) -> str:
    if isinstance(value, dict):
        entries = (f"{to_repr(key, outer)}: {to_repr(item, outer)}" for key, item in value.items())
        return "{" + ", ".join(entries) + "}"
    in_order = ordered(value) if isinstance(value, (set, frozenset)) else value
    items = [to_repr(item, outer) for item in in_order]
    if isinstance(value, list):
        return "[" + ", ".join(items) + "]"
    if isinstance(value, tuple):
        return f"({items[0]},)" if len(items) == 1 else "(" + ", ".join(items) + ")"
    inner = "{" + ", ".join(items) + "}" if items else ""
    return f"frozenset({inner})" if isinstance(value, frozenset) else inner or "set()"


def ordered(values: Iterable[Any]) -> list[Any]:
    """The members of a set in the same order in every run.

    Of numbers that is Python's own; of anything else Python's differs from run to run, so here numbers come
    first, then objects as they were made, then the rest as text.
    """
    check_weight(values, MAX_WEIGHT)
    if all(map(_has_one_place, values)):
        return list(values)
    return sorted(values, key=_rank)


def _has_one_place(value: Any) -> bool:
    """Whether Python puts a value at the same place of a set in every run."""
    if isinstance(value, tuple):
        return all(map(_has_one_place, value))
    return isinstance(value, NUMBERS) and value == value


def _rank(value: Any) -> tuple[int, Any, str]:
    if isinstance(value, NUMBERS):
        return 0, value, ""
    serial = getattr(value, "serial", None)
    return (2, 0, to_repr(value)) if serial is None else (1, serial, "")


def _plain(value: Any) -> str:
    if isinstance(value, np.generic):
        return str(value)  # numpy 2's repr would be np.float32(3.0)
    if isinstance(value, np.ndarray):
        return repr(value)
    if isinstance(value, Native) and "." not in value.name:
        return f"<built-in function {value.name}>"
    if isinstance(value, (UserFunction, Native, BoundMethod)):
        return f"<function {value.name}>"
    if isinstance(value, (Module, Ignored)):
        return f"<module '{value.name}'>"
    if type(value) in KINDS:
        return repr(value)
    return f"<{type(value).__name__} object>"


SHOWN[Lazy] = SHOWN[Stream] = (lambda items: f"<{items.shown}>",) * 2


def _registered(value: Any) -> tuple[Show, Show] | None:
    for kind in type(value).__mro__:
        if kind in SHOWN:
            return SHOWN[kind]
    return None
