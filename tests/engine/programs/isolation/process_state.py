"""The state of the engine's modules: every object that they hold, as a table that can be compared."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cached_property
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np

Path = tuple[str, Any]

PLAIN = (str, bytes, int, float, complex, bool, type(None), range, slice)
OF_MODULES_AND_CLASSES = frozenset(
    {"__builtins__", "__doc__", "__spec__", "__loader__", "__dict__", "__weakref__", "__slotnames__"}
)


def state_of_the_engine() -> dict[str, Any]:
    """What each object holds itself, by the way to it; an object with several ways has the first."""
    seen: dict[int, Any] = {}
    found: dict[str, Any] = {}
    waiting = list(_modules())
    while waiting:
        way, value = waiting.pop()
        if isinstance(value, PLAIN):
            found[way] = repr(value)
        elif id(value) not in seen:
            seen[id(value)] = value  # kept, so that no other object gets its identity
            found[way] = _own(value)
            waiting += [(f"{way}{step}", part) for step, part in _parts(value)]
    return {way: own for way, own in found.items() if own is not None}


def _modules() -> Iterator[Path]:
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] == "engine":
            yield name, module


def _own(value: Any) -> Any:
    """What can be compared of an object itself."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, (list, tuple, set, frozenset)):
        return len(value)
    if isinstance(value, (dict, MappingProxyType)):
        return len(_entries(value))
    return None


def _entries(table: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: item for key, item in table.items() if key not in OF_MODULES_AND_CLASSES}


def _parts(value: Any) -> Iterator[Path]:
    if isinstance(value, (dict, MappingProxyType)):
        yield from ((f"[{key!r:.60}]", item) for key, item in _entries(value).items())
    elif isinstance(value, (list, tuple)):
        yield from ((f"[{place}]", item) for place, item in enumerate(value))
    elif isinstance(value, (set, frozenset)):
        yield from ((f"{{{item!r:.60}}}", item) for item in value)
    elif isinstance(value, ContextVar):
        yield " (its value)", value.get(None)
    elif isinstance(value, FunctionType):
        yield from ((f" ({name})", getattr(value, name)) for name in ("__defaults__", "__kwdefaults__"))
        yield from ((f" ({n})", cell.cell_contents) for n, cell in _cells(value))
    elif _is_ours(value):
        yield from _attributes(value)


def _cells(function: FunctionType) -> Iterator[tuple[str, Any]]:
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def _is_ours(value: Any) -> bool:
    if isinstance(value, ModuleType):
        home: Any = value.__name__
    else:
        home = value.__module__ if isinstance(value, type) else type(value).__module__
    return str(home).partition(".")[0] == "engine"


def _attributes(value: Any) -> Iterator[Path]:
    """The attributes of a module, a class or an object, but for those worked out when asked for."""
    kinds = type(value).__mro__
    for name, part in _entries(getattr(value, "__dict__", {})).items():
        if not isinstance(getattr(type(value), name, None), cached_property):
            yield f".{name}", part
    for slot in (slot for kind in kinds for slot in getattr(kind, "__slots__", ())):
        if hasattr(value, slot):
            yield f".{slot}", getattr(value, slot)
