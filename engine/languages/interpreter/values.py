"""The kinds of value that a program can hold, and what we call them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import EllipsisType, MappingProxyType, NoneType
from typing import Any, NoReturn

import numpy as np

from engine.errors import GradlensError

# Python's own immutable and container types, by the name that messages use.
KINDS: dict[type, str] = {
    NoneType: "None",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    list: "list",
    tuple: "tuple",
    dict: "dict",
    set: "set",
    frozenset: "frozenset",
    bytes: "bytes",
    range: "range",
    slice: "slice",
    EllipsisType: "Ellipsis",
    type(NotImplemented): "NotImplemented",
}

# What messages call further types; each file that brings one enters it.
TYPE_NAMES: dict[type, Callable[[Any], str]] = {}

NUMBERS = (bool, int, float, np.generic)
TEXTS = "OSU"  # numpy's letters for texts: of any length, as a tensor has them, and of one


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A name space of ours, such as `tf` or `tf.train`: its members in one table, which is read-only.

    refused: names of the real library that are left out, with what to use instead.
    others:  what to use instead of any further name, where most of the library's module is left out.
    gone:    names that the real library has no longer, with what took their place.
    """

    name: str
    members: Mapping[str, Any] = field(default_factory=dict)
    refused: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    others: tuple[str, str] | None = None
    gone: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", MappingProxyType(dict(self.members)))
        object.__setattr__(self, "refused", MappingProxyType(dict(self.refused)))
        object.__setattr__(self, "gone", MappingProxyType(dict(self.gone)))


GENERATOR = "generator object <genexpr>"


class Lazy(list[Any]):
    """What zip, a generator expression and their like give of what stays as it is: items made at once, taken
    once.

    `next` takes from the front; a loop takes all that is left.
    shown: what Python writes between < and > for it.
    """

    def __init__(self, items: Iterable[Any] = (), shown: str = GENERATOR) -> None:
        super().__init__(items)
        self.shown = shown

    def take(self) -> list[Any]:
        """All items that are left; none are left afterwards."""
        items = list(self)
        self.clear()
        return items


AT_ONCE = 10_000  # items from which on a loop takes all that are left


def one_after_the_other(items: Lazy) -> Iterator[Any]:
    """The items, each gone when it is taken, so that who breaks off leaves the rest."""
    if len(items) > AT_ONCE:
        yield from items.take()
    while items:
        yield items.pop(0)


class Stream:
    """What a generator, map and filter give, perhaps without end: items made one by one as they are taken."""

    def __init__(self, items: Iterator[Any], shown: str = GENERATOR) -> None:
        self.items, self.shown = items, shown

    def __iter__(self) -> Iterator[Any]:
        return self.items


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """What `with` accepts from our functions: how to open a context."""

    open: Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Ignored:
    """Something that tutorials call and that changes nothing here: a plot, a log, a summary.

    Any attribute of it is ignored too, and so is any call.
    """

    name: str
    note: str = ""
    note_zh: str = ""
    code: str = "ignored_call"

    def __add__(self, other: Any) -> Any:
        """Two of them together, such as turns of a picture, change nothing either."""
        return self if isinstance(other, Ignored) else NotImplemented


@dataclass(frozen=True, slots=True, eq=False)
class Withheld:
    """What a program imports that is not offered here: refused where it is used, and not before."""

    error: GradlensError

    def refuse(self) -> NoReturn:
        """Raises: what the import would have raised."""
        self.error.where = None
        raise self.error


@dataclass(frozen=True, slots=True, eq=False)
class OfRun:
    """A member of a module that each run has for itself, such as `os.environ`: made when it is first read."""

    make: Callable[[Any], Any]  # of the interpreter


TYPE_NAMES.update({kind: lambda items: items.shown.partition(" ")[0] for kind in (Lazy, Stream)})


def concrete(value: Any) -> Any:
    """The array (*S) that an eager tensor or variable holds; None for every other value."""
    return getattr(value, "array", None)


def compared_by_value(value: Any) -> bool:
    """Whether `==` looks at what a tensor holds, as in TensorFlow 2."""
    return concrete(value) is not None or getattr(value, "is_traced", False)


def type_name(value: Any) -> str:
    """What a message calls the type of a value."""
    if isinstance(value, np.ndarray):
        return "numpy array"
    if isinstance(value, np.generic):
        return f"numpy {value.dtype.name}"
    if isinstance(value, Module):
        return "module"
    if type(value) in TYPE_NAMES:
        return TYPE_NAMES[type(value)](value)
    return KINDS.get(type(value), type(value).__name__).removeprefix("Eager")


# What Python calls further types, where a message of its own names them.
PYTHON_NAMES: dict[type, Callable[[Any], str]] = {}


def python_name(value: Any) -> str:
    """What Python calls the type of a value, in its own messages."""
    for kind in type(value).__mro__:
        if kind in PYTHON_NAMES:
            return PYTHON_NAMES[kind](value)
    if isinstance(value, (np.ndarray, np.generic)):
        return f"numpy.{type(value).__name__}"
    return "module" if isinstance(value, Module) else type(value).__name__


PYTHON_NAMES.update({kind: lambda items: items.shown.partition(" ")[0] for kind in (Lazy, Stream)})


def a_kind(value: Any, start: bool = False) -> str:
    """The type of a value with its article: "a list", "an int"; "An int" at the start of a sentence."""
    name = type_name(value)
    if name in ("None", "Ellipsis"):
        return name
    article = "an" if name[:1].lower() in "aeio" else "a"
    return f"{article.capitalize() if start else article} {name}"
