"""The built-in functions that a program may call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.attributes import LOOKUPS, TABLES, is_borrowed
from engine.languages.interpreter.builtins.containers import dict_of, hashable, iterate, set_of, taken
from engine.languages.interpreter.builtins.formatting import format_value
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import SHOWN, to_repr, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import (
    apply_binary,
    is_symbolic,
    symbolic_in_python,
    truth,
)
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import (
    TYPE_NAMES,
    compared_by_value,
    concrete,
    python_name,
    type_name,
)

BUILTINS: dict[str, Any] = {"__name__": "__main__"}

NOTHING = object()
# The types that `type` gives for values of other files' types, or what gives them for a value.
KINDS_OF: dict[type, Any] = {}
# The number that values of other files' types stand for, of a value and who asks: "int", "float", …
NUMBERS_OF: dict[type, Callable[[Any, str], Any]] = {}
ROUNDED: dict[type, Callable[[Any, Any], Any]] = {}  # how values of other files' types are rounded
DIVIDED: dict[type, Callable[[Any, Any], Any]] = {}  # what divmod() does with values of other files' types


def builtin(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a built-in function, by one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        BUILTINS.update({name: Native(name, function, borrowed=True) for name in names})
        return function

    return enter


NO_MEMBERS: Mapping[str, Any] = MappingProxyType({})


ELEMENT_TYPES = frozenset({float, int, bool, complex, *np.sctypeDict.values()})


class Kind(Native):
    """A type by its name: calling it converts, and `isinstance` asks for it.

    members: what stands behind its dot besides the methods of its values.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        types: tuple[type, ...],
        members: Mapping[str, Any] = NO_MEMBERS,
        arguments: Mapping[str, Argument] = NO_MEMBERS,
    ) -> None:
        super().__init__(name, function, borrowed=all(map(is_borrowed, types)), arguments=arguments)
        self.types = types
        self.members = MappingProxyType(dict(members))

    def __eq__(self, other: object) -> bool:
        """Itself, or the element type that it names: `x.dtype == np.float32`."""
        if isinstance(other, np.dtype):
            return len(self.types) == 1 and self.types[0] in ELEMENT_TYPES and other == self.types[0]
        return True if self is other else NotImplemented

    __hash__ = Native.__hash__

    @property
    def short_name(self) -> str:
        """Its `__name__`, without the module."""
        made_of = self.types[0]
        return made_of.__name__ if made_of.__module__ == "numpy" else self.name.rpartition(".")[2]


def _class_text(kind: Kind) -> str:
    """How Python prints a type: numpy's with the module in front."""
    made_of = kind.types[0]
    is_numpy = made_of.__module__ == "numpy"
    return f"<class '{f'numpy.{made_of.__name__}' if is_numpy else kind.name}'>"


def _of_kind(kind: Kind, name: str) -> Any:
    """`str.upper`: a method that is given the value first."""
    table = TABLES.get(kind.types[0])
    return kind.members.get(name, table.methods.get(name, MISSING) if table else MISSING)


LOOKUPS[Kind] = _of_kind
SHOWN[Kind] = (_class_text, _class_text)
TYPE_NAMES[Kind] = TYPE_NAMES[Native]


def kind(name: str, *types: type, **members: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a built-in type."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        BUILTINS[name] = Kind(name, function, types, members)
        return function

    return enter


# -- text out ----------------------------------------------------------------------------------------


@builtin("print")
def print_(
    interpreter: Interpreter,
    *values: Any,
    sep: Any = " ",
    end: Any = "\n",
    file: Any = None,
    flush: Any = False,
) -> None:
    """Write the values as text, perhaps into something that has a method `write`."""
    between, texts, length = _text_or(sep, " "), [], len(_text_or(end, "\n"))
    for value in values:
        interpreter.budget.check_print(length)
        texts.append(to_str(value))
        length += len(texts[-1]) + len(between)
    interpreter.budget.check_print(length - len(between) if texts else length)
    text = between.join(texts) + _text_or(end, "\n")
    if file is None:
        interpreter.print(text)
    else:
        interpreter.call(attribute_of(interpreter, file, "write"), [text], {})


def _text_or(value: Any, default: str) -> str:
    return value if isinstance(value, str) else default


@builtin("repr")
def repr_(value: Any) -> str:
    """How a value looks inside a list."""
    return to_repr(value)


@builtin("format")
def format_(interpreter: Interpreter, value: Any, spec: str = "") -> str:
    """One value in a format."""
    return format_value(value, spec, interpreter.budget)


# -- types -------------------------------------------------------------------------------------------


@kind("str", str)
def str_(interpreter: Interpreter, value: Any = "") -> str:
    """The value as text."""
    return to_str(value)


@kind("int", int)
def int_(interpreter: Interpreter, value: Any = 0, base: int = 10) -> int:
    """A whole number of a number or a text."""
    if isinstance(value, str):
        interpreter.budget.check_bits(4 * len(value))
        return int(value, base)
    number = int(one_number(value, "int"))
    interpreter.budget.check_bits(number.bit_length())
    return number


@kind("float", float)
def float_(value: Any = 0.0) -> float:
    """A float of a number or a text."""
    return float(value if isinstance(value, str) else one_number(value))


def one_number(value: Any, wanted: str = "float") -> Any:
    """The number that an array, a tensor or an object of the program stands for; others as they are."""
    if isinstance(value, UserObject):
        names = ("__int__", "__index__", "__float__")
        own = (value.special(name) for name in names if value.kind.find(name) is not MISSING)
        return next(own, value)
    for kind in type(value).__mro__ if NUMBERS_OF else ():
        if kind in NUMBERS_OF:
            return NUMBERS_OF[kind](value, wanted)
    array = concrete(value)
    if array is None and is_symbolic(value):
        raise symbolic_in_python("number", "数")
    value = value if array is None else array
    return value.item() if isinstance(value, np.ndarray) and value.size == 1 else value


@kind("bool", bool)
def bool_(value: Any = False) -> bool:
    """Whether a value counts as true."""
    return truth(value)


def bounded(interpreter: Interpreter, values: Any) -> Sequence[Any]:
    """All items of a value, their number within the budget."""
    return taken(values, interpreter.budget)


@kind("list", list)
def list_(interpreter: Interpreter, values: Any = ()) -> list[Any]:
    """A new list of the items."""
    return list(bounded(interpreter, values))


@kind("tuple", tuple)
def tuple_(interpreter: Interpreter, values: Any = ()) -> tuple[Any, ...]:
    """A tuple of the items."""
    return tuple(bounded(interpreter, values))


@kind("set", set)
def set_(interpreter: Interpreter, values: Any = ()) -> set[Any]:
    """The different items."""
    return set_of(map(hashable, bounded(interpreter, values)), interpreter.budget)


@kind("frozenset", frozenset)
def frozenset_(interpreter: Interpreter, values: Any = ()) -> frozenset[Any]:
    """The different items, never to be changed."""
    if type(values) is frozenset:
        return values
    return frozenset(set_of(map(hashable, bounded(interpreter, values)), interpreter.budget))


def from_keys(interpreter: Interpreter, keys: Any, value: Any = None, /) -> dict[Any, Any]:
    """A dict of these keys, all with one value."""
    pairs = ((hashable(key), value) for key in bounded(interpreter, keys))
    return dict_of(pairs, interpreter.budget)


@kind("dict", dict, fromkeys=Native("dict.fromkeys", from_keys, borrowed=True))
def dict_(interpreter: Interpreter, values: Any = (), **entries: Any) -> dict[Any, Any]:
    """A new dict of pairs or of another dict."""
    return {**entries_of(interpreter, values), **entries}


def entries_of(interpreter: Interpreter, values: Any) -> dict[Any, Any]:
    """The entries of another dict, or of pairs."""
    pairs = values.items() if isinstance(values, dict) else map(iterate, bounded(interpreter, values))
    return dict_of(((hashable(key), value) for key, value in pairs), interpreter.budget)


@builtin("type")
def type_(value: Any) -> Any:
    """The type of a value, to be compared or named."""
    if isinstance(value, UserObject):
        return value.kind
    if isinstance(value, Record):
        return value.kind
    if type(value) in KINDS_OF:
        found = KINDS_OF[type(value)]
        return found(value) if isinstance(found, FunctionType) else found
    for known in BUILTINS.values():
        if isinstance(known, Kind) and known.types[0] is type(value):
            return known
    is_tensor = compared_by_value(value)
    name = python_name(value).rpartition(".")[2] if is_tensor else type_name(value)
    return Kind(name, type_, (type(value),))


KINDS_OF[type(None)] = Kind("NoneType", lambda: None, (type(None),))


@builtin("isinstance")
def isinstance_(value: Any, kinds: Any) -> bool:
    """Whether a value is of one of the types."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(one, (Kind, UserClass, RecordKind)) for one in wanted):
        raise ProgramError(
            "isinstance() needs a type, such as float or list, as its second argument.",
            message_zh="isinstance() 的第二个参数必须是类型，例如 float 或 list。",
            code="wrong_arguments",
            kind="TypeError",
            said="isinstance() arg 2 must be a type, a tuple of types, or a union",
        )
    return any(_is_one(value, one) for one in wanted)


HIDDEN_BASES: dict[type, type] = {}  # a type of ours, and the one of Python's that programs do not see in it


def _is_one(value: Any, kind: Any) -> bool:
    if isinstance(kind, UserClass):
        return isinstance(value, UserObject) and kind in value.kind.line()
    if isinstance(kind, RecordKind):
        return isinstance(value, Record) and value.kind is kind
    if type(value) in HIDDEN_BASES and HIDDEN_BASES[type(value)] in kind.types:
        return False
    return isinstance(value, kind.types)


# -- numbers -----------------------------------------------------------------------------------------


@builtin("abs")
def abs_(interpreter: Interpreter, value: Any) -> Any:
    """The distance from zero."""
    if isinstance(value, np.ndarray):
        interpreter.budget.check_elements(value.shape)
    if isinstance(value, UserObject):
        return value.special("__abs__")
    return abs(value)


@builtin("round")
def round_(value: Any, digits: Any = None) -> Any:
    """Rounded to some digits, or to a whole number."""
    if isinstance(value, UserObject):
        return value.special("__round__", *(() if digits is None else (digits,)))
    if type(value) in ROUNDED:
        return ROUNDED[type(value)](value, digits)
    if concrete(value) is not None:
        value = concrete(value)[()]
    if not any(isinstance(value, kind) for kind in (int, float, np.generic)):
        raise TypeError(f"type {python_name(value)} doesn't define __round__ method")
    return round(value) if digits is None else round(value, int(digits))


@builtin("divmod")
def divmod_(interpreter: Interpreter, a: Any, b: Any) -> Any:
    """Quotient and remainder."""
    divide = DIVIDED.get(type(a)) or DIVIDED.get(type(b))
    if divide is not None:
        return divide(a, b)
    budget = interpreter.budget
    return apply_binary(ast.FloorDiv, a, b, budget), apply_binary(ast.Mod, a, b, budget)
