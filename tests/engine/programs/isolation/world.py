"""What programs can reach, and how to see whether it could be written."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from inspect import Parameter, Signature
from types import (
    BuiltinFunctionType,
    EllipsisType,
    FunctionType,
    MappingProxyType,
    MethodDescriptorType,
    MethodType,
    NoneType,
    NotImplementedType,
)
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.languages.interpreter import BUILTINS
from engine.languages.interpreter.attributes import TABLES, Members
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import Module
from engine.languages.mathematics import FUNCTIONS
from engine.languages.surfaces import EAGER_MODULES, MODULES
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.torch.autograd.function import Differentiable
from engine.ops.base.definition import OpDef

Path = tuple[str, Any]

NEVER_CHANGE = (
    *(NoneType, bool, int, float, complex, str, bytes, EllipsisType, NotImplementedType, range, slice, type),
    *(np.generic, np.dtype, np.ufunc, type(np.sum), BuiltinFunctionType, MethodDescriptorType),
    *(Parameter, Signature, re.Pattern),
)
HOLD_OTHERS = (tuple, frozenset, MappingProxyType, FunctionType, MethodType, Wrapped)  # looked into

# What Python could write and a program cannot: `test_nothing_shared_can_be_written` tries it on each of them.
NO_WAY_FOR_A_PROGRAM: dict[type, str] = {
    Native: "no table lets its attributes be set; it keeps nothing but what its function's text says",
    Differentiable: "a program meets it only as a function of torch; it is defined once, and its nodes keep "
    "what belongs to a run",
    Primitive: "a program meets it only as a function of jax; its rules are set when it is defined, and "
    "what belongs to a run is in the run's trace",
    OpDef: "a program meets it only as a function that adds a node; it stays as it is defined",
}


def roots() -> Iterator[Path]:
    """Everything that a program can name, and the methods of everything that it can hold."""
    yield from BUILTINS.items()
    for modules in (MODULES, EAGER_MODULES):
        yield from modules.items()
    yield from ((f"mathematics.{name}", function) for name, function in FUNCTIONS.items())
    for kind, table in TABLES.items():
        yield from ((f"{kind.__name__}.{name}", method) for name, method in table.methods.items())


def reachable(starts: Iterator[Path]) -> dict[int, Path]:
    """All that can be reached from there, each once, by its identity: with a shortest way to it."""
    found: dict[int, Path] = {}
    waiting = deque(starts)
    while waiting:
        way, value = waiting.popleft()
        if id(value) not in found:
            found[id(value)] = way, value
            waiting += [(f"{way}{step}", part) for step, part in parts(value)]
    return found


def parts(value: Any) -> Iterator[Path]:
    """What a value leads to: by the attributes that a program sees, and by what Python holds in it."""
    if isinstance(value, Module):
        yield from ((f".{name}", member) for name, member in value.members.items())
        yield " (its members)", value.members
    elif isinstance(value, UserClass):
        yield from ((f".{name}", member) for name, member in value.members.items())
        yield from ((" (its members)", value.members), (" (its base)", value.base))
    elif isinstance(value, UserObject):
        yield from ((f".{name}", field) for name, field in value.fields.items())
    elif isinstance(value, Wrapped):
        yield " (its function)", value.function
    elif isinstance(value, Native):
        yield from (("()", value.function), (" (its arguments)", value.arguments))
        yield " (what is checked)", value.checked
    elif isinstance(value, (FunctionType, MethodType)):
        yield from _behind(value)
    elif isinstance(value, np.ndarray):
        yield " (its buffer)", value.base
    else:
        yield from _items(value)
    yield from _facts(value)


def _behind(function: Any) -> Iterator[Path]:
    """What a function of ours keeps between its calls."""
    if isinstance(function, MethodType):
        yield from ((" (its object)", function.__self__), (" (its function)", function.__func__))
        return
    yield " (its defaults)", function.__defaults__
    yield from ((f" (default {name})", one) for name, one in (function.__kwdefaults__ or {}).items())
    yield from ((f" (attribute {name})", one) for name, one in vars(function).items())
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield f" ({name})", cell.cell_contents


def _items(value: Any) -> Iterator[Path]:
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, (tuple, list, set, frozenset)):
        yield from ((f"[{place}]", item) for place, item in enumerate(value))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{name}", getattr(value, name)) for name in value.__dataclass_fields__)


def _facts(value: Any) -> Iterator[Path]:
    """The attributes that are the same object each time; one that is made anew belongs to who asks for it."""
    for table in tables_of(value):
        for name, fact in table.facts.items():
            with suppress(GradlensError):
                found = fact(value)
                if found is fact(value):
                    yield f".{name}", found


def tables_of(value: Any) -> list[Members]:
    """The tables of attributes that a program sees of a value."""
    return [TABLES[kind] for kind in type(value).__mro__ if kind in TABLES]


def could_be_written(value: Any) -> bool:
    """Whether a value has anything that Python could change, apart from `NO_WAY_FOR_A_PROGRAM`."""
    if isinstance(value, (*NO_WAY_FOR_A_PROGRAM, *NEVER_CHANGE)) or type(value) is object:
        return any(table.settable for table in tables_of(value))
    if isinstance(value, np.ndarray):
        return bool(value.flags.writeable)
    if isinstance(value, UserClass):
        return value.origin == "program" or not isinstance(value.members, MappingProxyType)
    if any(table.settable for table in tables_of(value)):
        return True
    return not isinstance(value, HOLD_OTHERS) and not _is_frozen(value)


def _is_frozen(value: Any) -> bool:
    settings: Any = getattr(value, "__dataclass_params__", None)
    return bool(settings is not None and settings.frozen)
