"""The built-in functions that a program may call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import GradlensError, ProgramError, RefusedError
from engine.languages.interpreter.attributes import is_borrowed
from engine.languages.interpreter.builtins.containers import dict_of, iterate, set_of, taken
from engine.languages.interpreter.builtins.formatting import format_value
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserClass, UserObject, attribute_of, text_of
from engine.languages.interpreter.expressions import hashable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import (
    PLAIN,
    apply_binary,
    is_symbolic,
    symbolic_in_python,
    truth,
)
from engine.languages.interpreter.values import TYPE_NAMES, concrete, type_name

BUILTINS: dict[str, Any] = {"__name__": "__main__"}

NOTHING = object()


def builtin(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a built-in function, by one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        BUILTINS.update({name: Native(name, function, borrowed=True) for name in names})
        return function

    return enter


class Kind(Native):
    """A type by its name: calling it converts, and `isinstance` asks for it."""

    def __init__(self, name: str, function: Callable[..., Any], types: tuple[type, ...]) -> None:
        super().__init__(name, function, borrowed=all(map(is_borrowed, types)))
        self.types = types

    @property
    def short_name(self) -> str:
        """Its `__name__`: of numpy's types without the module."""
        return self.types[0].__name__ if self.types[0].__module__ == "numpy" else self.name


def _class_text(kind: Kind) -> str:
    """How Python prints a type: numpy's with the module in front."""
    made_of = kind.types[0]
    is_numpy = made_of.__module__ == "numpy"
    return f"<class '{f'numpy.{made_of.__name__}' if is_numpy else kind.name}'>"


SHOWN[Kind] = (_class_text, _class_text)
TYPE_NAMES[Kind] = TYPE_NAMES[Native]


def kind(name: str, *types: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a built-in type."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        BUILTINS[name] = Kind(name, function, types)
        return function

    return enter


# -- text out ----------------------------------------------------------------------------------------


@builtin("print")
def print_(
    interpreter: Interpreter, *values: Any, sep: Any = " ", end: Any = "\n", flush: Any = False
) -> None:
    """Write the values as text."""
    between, texts, length = _text_or(sep, " "), [], len(_text_or(end, "\n"))
    for value in values:
        interpreter.budget.check_print(length)
        texts.append(text_of(interpreter, value))
        length += len(texts[-1]) + len(between)
    interpreter.budget.check_print(length - len(between) if texts else length)
    interpreter.print(between.join(texts) + _text_or(end, "\n"))


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
    return text_of(interpreter, value)


@kind("int", int)
def int_(interpreter: Interpreter, value: Any = 0, base: int = 10) -> int:
    """A whole number of a number or a text."""
    if isinstance(value, str):
        interpreter.budget.check_bits(4 * len(value))
        return int(value, base)
    return int(_one_number(value))


@kind("float", float)
def float_(value: Any = 0.0) -> float:
    """A float of a number or a text."""
    return float(value if isinstance(value, str) else _one_number(value))


def _one_number(value: Any) -> Any:
    array = concrete(value)
    if array is None and is_symbolic(value):
        raise symbolic_in_python("number", "数")
    return value if array is None else array.item()


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


@kind("dict", dict)
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
    for known in BUILTINS.values():
        if isinstance(known, Kind) and known.types[0] is type(value):
            return known
    return Kind(type_name(value), type_, (type(value),))


@builtin("isinstance")
def isinstance_(value: Any, kinds: Any) -> bool:
    """Whether a value is of one of the types."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(one, (Kind, UserClass, RecordKind)) for one in wanted):
        raise ProgramError(
            "isinstance() needs a type, such as float or list, as its second argument.",
            message_zh="isinstance() 的第二个参数必须是类型，例如 float 或 list。",
            code="wrong_arguments",
        )
    return any(_is_one(value, one) for one in wanted)


def _is_one(value: Any, kind: Any) -> bool:
    if isinstance(kind, UserClass):
        return isinstance(value, UserObject) and kind in value.kind.line()
    if isinstance(kind, RecordKind):
        return isinstance(value, Record) and value.kind is kind
    return isinstance(value, kind.types)


@builtin("hasattr")
def hasattr_(interpreter: Interpreter, value: Any, name: Any) -> bool:
    """Whether a value has an attribute, as the tables know it."""
    if not isinstance(name, str):
        raise TypeError
    try:
        attribute_of(interpreter, value, name)
    except ProgramError as error:
        if error.code != "unknown_attribute":
            raise
        return False
    return True


# -- numbers -----------------------------------------------------------------------------------------


@builtin("abs")
def abs_(interpreter: Interpreter, value: Any) -> Any:
    """The distance from zero."""
    if isinstance(value, np.ndarray):
        interpreter.budget.check_elements(value.shape)
    return abs(value)


@builtin("round")
def round_(value: Any, digits: Any = None) -> Any:
    """Rounded to some digits, or to a whole number."""
    if concrete(value) is not None:
        value = concrete(value)[()]
    if type(value) not in PLAIN and not isinstance(value, np.generic):
        raise TypeError
    return round(value) if digits is None else round(value, int(digits))


@builtin("pow")
def pow_(interpreter: Interpreter, base: Any, exponent: Any) -> Any:
    """`base ** exponent`."""
    return apply_binary(ast.Pow, base, exponent, interpreter.budget)


@builtin("divmod")
def divmod_(interpreter: Interpreter, a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient and remainder."""
    budget = interpreter.budget
    return apply_binary(ast.FloorDiv, a, b, budget), apply_binary(ast.Mod, a, b, budget)


# -- what a program may not do -----------------------------------------------------------------------

REFUSED: dict[str, tuple[str, str]] = {
    "input": ("Write the value into the program.", "请把数值直接写进程序。"),
    "open": ("Write the numbers into the program as a list.", "请把数字以列表写进程序。"),
    "xrange": ("Python 3 calls it range.", "Python 3 中它叫 range。"),
    "raw_input": ("Write the value into the program.", "请把数值直接写进程序。"),
    "complex": ("Only real numbers are supported.", "只支持实数。"),
    **dict.fromkeys(
        ("eval", "exec", "compile", "__import__"),
        ("Write the expression itself.", "请直接写出表达式。"),
    ),
    **dict.fromkeys(
        ("getattr", "setattr", "delattr"),
        ("Write value.name with a dot.", "请用点号写 value.name。"),
    ),
    **dict.fromkeys(
        ("vars", "dir", "globals", "locals", "id", "help", "exit", "quit"), ("Leave it out.", "请去掉它。")
    ),
}


def _refused(name: str, hint: str, hint_zh: str) -> Native:
    def refuse(*args: Any, **keywords: Any) -> GradlensError:
        raise RefusedError(
            f"`{name}` is not available here.",
            message_zh=f"这里不能使用 `{name}`。",
            hint=hint,
            hint_zh=hint_zh,
            code="refused_builtin",
        )

    return Native(name, refuse)


BUILTINS.update({name: _refused(name, *hints) for name, hints in REFUSED.items()})
