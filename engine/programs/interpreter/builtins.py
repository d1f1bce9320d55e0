"""The built-in functions that a program may call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence, Sized
from functools import cmp_to_key
from typing import Any

import numpy as np

from engine.errors import GradlensError, ProgramError, RefusedError

from .callables import Native
from .classes import UserClass, UserObject, call_special, combine, text_of
from .containers import iterate
from .expressions import hashable
from .formatting import format_value
from .machine import Interpreter
from .operators import PLAIN, apply_binary, apply_compare, is_symbolic, truth
from .scope import MISSING
from .text import SHOWN, to_repr
from .values import Lazy, concrete, type_name

BUILTINS: dict[str, Any] = {"__name__": "__main__"}

NOTHING = object()


def builtin(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a built-in function, by one name or several."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        BUILTINS.update({name: Native(name, function) for name in names})
        return function

    return enter


class Kind(Native):
    """A type by its name: calling it converts, and `isinstance` asks for it."""

    def __init__(self, name: str, function: Callable[..., Any], types: tuple[type, ...]) -> None:
        super().__init__(name, function)
        self.types = types


def _class_text(kind: Kind) -> str:
    """How Python prints a type: numpy's with the module in front."""
    made_of = kind.types[0]
    is_numpy = made_of.__module__ == "numpy"
    return f"<class '{f'numpy.{made_of.__name__}' if is_numpy else kind.name}'>"


SHOWN[Kind] = (_class_text, _class_text)


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
    texts = [text_of(interpreter, value) for value in values]
    interpreter.print(_text_or(sep, " ").join(texts) + _text_or(end, "\n"))


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
        raise _symbolic("number", "数")
    return value if array is None else array.item()


@kind("bool", bool)
def bool_(value: Any = False) -> bool:
    """Whether a value counts as true."""
    return truth(value)


@kind("list", list)
def list_(interpreter: Interpreter, values: Any = ()) -> list[Any]:
    """A new list of the items."""
    return list(_bounded(interpreter, values))


@kind("tuple", tuple)
def tuple_(interpreter: Interpreter, values: Any = ()) -> tuple[Any, ...]:
    """A tuple of the items."""
    return tuple(_bounded(interpreter, values))


@kind("set", set)
def set_(interpreter: Interpreter, values: Any = ()) -> set[Any]:
    """The different items."""
    return {hashable(value) for value in _bounded(interpreter, values)}


@kind("dict", dict)
def dict_(interpreter: Interpreter, values: Any = (), **entries: Any) -> dict[Any, Any]:
    """A new dict of pairs or of another dict."""
    pairs = values.items() if isinstance(values, dict) else _bounded(interpreter, values)
    return {**{hashable(key): value for key, value in map(iterate, pairs)}, **entries}


@builtin("type")
def type_(value: Any) -> Any:
    """The type of a value, to be compared or named."""
    if isinstance(value, UserObject):
        return value.kind
    for known in BUILTINS.values():
        if isinstance(known, Kind) and known.types[0] is type(value):
            return known
    return Kind(type_name(value), type_, (type(value),))


@builtin("isinstance")
def isinstance_(value: Any, kinds: Any) -> bool:
    """Whether a value is of one of the types."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(one, (Kind, UserClass)) for one in wanted):
        raise ProgramError(
            "isinstance() needs a type, such as float or list, as its second argument.",
            message_zh="isinstance() 的第二个参数必须是类型，例如 float 或 list。",
            code="wrong_arguments",
        )
    return any(_is_one(value, one) for one in wanted)


def _is_one(value: Any, kind: Any) -> bool:
    if isinstance(kind, UserClass):
        return isinstance(value, UserObject) and kind in value.kind.line()
    return isinstance(value, kind.types)


# -- going through -----------------------------------------------------------------------------------


def _bounded(interpreter: Interpreter, values: Any) -> Sequence[Any]:
    items = iterate(values)
    if isinstance(items, Sized):
        interpreter.budget.check_length(len(items))
        return items  # type: ignore[return-value]  # what has a length here is a sequence, a set or a dict
    taken: list[Any] = []
    for item in items:
        interpreter.budget.step()
        taken.append(item)
    return taken


@builtin("range")
def range_(interpreter: Interpreter, *bounds: Any) -> range:
    """Whole numbers from start to stop."""
    if not 1 <= len(bounds) <= 3 or not all(isinstance(bound, (int, np.integer)) for bound in bounds):
        raise ProgramError(
            f"range() needs whole numbers, not ({', '.join(map(type_name, bounds))}).",
            message_zh=f"range() 需要整数，不能是（{'、'.join(map(type_name, bounds))}）。",
            hint="Convert with int(...).",
            hint_zh="请用 int(...) 转换。",
            code="wrong_arguments",
        )
    for bound in bounds:
        interpreter.budget.check_range(int(bound))
    return range(*map(int, bounds))


@builtin("len")
def len_(interpreter: Interpreter, value: Any) -> int:
    """How many items there are."""
    own = call_special(interpreter, value, "__len__")
    if own is not MISSING:
        return int(own)
    if concrete(value) is not None:
        value = concrete(value)
    elif is_symbolic(value):
        raise _symbolic("length", "长度")
    if isinstance(value, np.ndarray) and not value.ndim:
        raise TypeError
    if not isinstance(value, (str, list, tuple, dict, set, frozenset, range, np.ndarray)):
        raise TypeError
    return len(value)


@builtin("enumerate")
def enumerate_(interpreter: Interpreter, values: Any, start: int = 0) -> Lazy:
    """Pairs of a count and an item."""
    return Lazy(enumerate(_bounded(interpreter, values), start))


@builtin("zip")
def zip_(interpreter: Interpreter, *sequences: Any, strict: bool = False) -> Lazy:
    """The first items together, then the second ones, and so on."""
    return Lazy(zip(*(_bounded(interpreter, one) for one in sequences), strict=bool(strict)))


@builtin("map")
def map_(interpreter: Interpreter, function: Any, *sequences: Any) -> Lazy:
    """The function's value for each item."""
    rows = zip(*(_bounded(interpreter, one) for one in sequences), strict=False)
    return Lazy([interpreter.call(function, row, {}) for row in rows])


@builtin("filter")
def filter_(interpreter: Interpreter, function: Any, values: Any) -> Lazy:
    """The items for which the function is true."""
    keep = [
        item
        for item in _bounded(interpreter, values)
        if truth(item if function is None else interpreter.call(function, [item], {}))
    ]
    return Lazy(keep)


@builtin("reversed")
def reversed_(interpreter: Interpreter, values: Any) -> Lazy:
    """The items from the last to the first."""
    return Lazy(reversed(list(_bounded(interpreter, values))))


@builtin("iter")
def iter_(interpreter: Interpreter, values: Any) -> Lazy:
    """The items, to be taken with `next`."""
    return Lazy(_bounded(interpreter, values))


@builtin("next")
def next_(items: Any, default: Any = NOTHING) -> Any:
    """The next item."""
    if not isinstance(items, Lazy):
        raise TypeError
    if items:
        return items.pop(0)
    if default is NOTHING:
        raise ProgramError("There is no next item.", message_zh="没有下一项了。", code="no_next_item")
    return default


@builtin("sorted")
def sorted_(interpreter: Interpreter, values: Any, *, key: Any = None, reverse: Any = False) -> list[Any]:
    """A new list in order."""
    return in_order(interpreter, list(_bounded(interpreter, values)), key, truth(reverse))


def in_order(interpreter: Interpreter, items: list[Any], key: Any, reverse: bool) -> list[Any]:
    """Sort by Python's comparisons on our values."""

    def compare(a: tuple[Any, Any], b: tuple[Any, Any]) -> int:
        interpreter.budget.step()
        return _less(interpreter, b[0], a[0]) - _less(interpreter, a[0], b[0])

    keyed = [(item if key is None else interpreter.call(key, [item], {}), item) for item in items]
    return [item for _, item in sorted(keyed, key=cmp_to_key(compare), reverse=reverse)]


def _less(interpreter: Interpreter, a: Any, b: Any) -> bool:
    return truth(apply_compare(ast.Lt, a, b, interpreter.budget))


@builtin("any")
def any_(interpreter: Interpreter, values: Any) -> bool:
    """Whether one item is true."""
    return any(truth(value) for value in _bounded(interpreter, values))


@builtin("all")
def all_(interpreter: Interpreter, values: Any) -> bool:
    """Whether every item is true."""
    return all(truth(value) for value in _bounded(interpreter, values))


# -- numbers -----------------------------------------------------------------------------------------


@builtin("sum")
def sum_(interpreter: Interpreter, values: Any, start: Any = 0) -> Any:
    """All items added up, from the left."""
    total = start
    for value in _bounded(interpreter, values):
        interpreter.budget.step()
        total = combine(interpreter, ast.Add, total, value)
    return total


@builtin("min")
def min_(interpreter: Interpreter, *values: Any, key: Any = None, default: Any = NOTHING) -> Any:
    """The smallest item."""
    return _extreme(interpreter, "min", values, key, default)


@builtin("max")
def max_(interpreter: Interpreter, *values: Any, key: Any = None, default: Any = NOTHING) -> Any:
    """The largest item."""
    return _extreme(interpreter, "max", values, key, default)


def _extreme(interpreter: Interpreter, name: str, values: tuple[Any, ...], key: Any, default: Any) -> Any:
    items = list(_bounded(interpreter, values[0] if len(values) == 1 else values))
    if not items and default is not NOTHING:
        return default
    if not items:
        raise ValueError
    keys = [item if key is None else interpreter.call(key, [item], {}) for item in items]
    best = 0
    for index in range(1, len(items)):
        pair = (keys[index], keys[best]) if name == "min" else (keys[best], keys[index])
        if _less(interpreter, *pair):
            best = index
    return items[best]


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
        ("getattr", "setattr", "hasattr", "delattr"),
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


def _symbolic(what: str, what_zh: str) -> ProgramError:
    return ProgramError(
        f"A symbolic tensor has no {what} in Python: its value is only known inside a run.",
        message_zh=f"符号张量在 Python 中没有{what_zh}：它的值只有在运行时才知道。",
        hint="Use the result of `sess.run(...)`.",
        hint_zh="请使用 `sess.run(...)` 的结果。",
        code="symbolic_value",
    )
