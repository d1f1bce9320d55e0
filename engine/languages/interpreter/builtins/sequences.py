"""The built-in functions that go through sequences: range, zip, map, sorted, sum, max and their like."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Sized
from functools import cmp_to_key
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import items_of_type, iterate, no_next_item
from engine.languages.interpreter.builtins.functions import NOTHING, bounded, builtin
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.classes.operations import one_by_one
from engine.languages.interpreter.classes.special import combine
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import (
    HOLDS,
    TRUTHS,
    apply_compare,
    is_symbolic,
    symbolic_in_python,
    truth,
)
from engine.languages.interpreter.values import (
    Lazy,
    Stream,
    concrete,
    one_after_the_other,
    python_name,
    type_name,
)


@builtin("range")
def range_(interpreter: Interpreter, *bounds: Any) -> range:
    """Whole numbers from start to stop."""
    bounds = tuple(operator.index(bound) if hasattr(bound, "__index__") else bound for bound in bounds)
    if not 1 <= len(bounds) <= 3 or not all(isinstance(bound, int) for bound in bounds):
        raise ProgramError(
            f"range() needs whole numbers, not ({', '.join(map(type_name, bounds))}).",
            message_zh=f"range() 需要整数，不能是（{'、'.join(map(type_name, bounds))}）。",
            hint="Convert with int(...).",
            hint_zh="请用 int(...) 转换。",
            code="wrong_arguments",
        )
    for bound in bounds:
        interpreter.budget.check_range(bound)
    return range(*bounds)


@builtin("len")
def len_(interpreter: Interpreter, value: Any) -> int:
    """How many items there are."""
    count = items_of_type(value).count
    if count is not None:
        return count(value)
    if concrete(value) is not None:
        value = concrete(value)
    elif is_symbolic(value):
        raise symbolic_in_python("length", "长度")
    if isinstance(value, np.ndarray) and not value.ndim:
        raise TypeError("len() of unsized object")
    if not isinstance(value, (str, list, tuple, dict, set, frozenset, range, np.ndarray)):
        raise TypeError(f"object of type '{python_name(value)}' has no len()")
    return len(value)


def _left(values: Any) -> Iterable[Any]:
    """The items one by one, so that who breaks off leaves the rest."""
    return _left_of(values if isinstance(values, Lazy) else iterate(values))


def _left_of(items: Iterable[Any]) -> Iterable[Any]:
    return one_after_the_other(items) if isinstance(items, Lazy) else items


def _one_by_one(
    interpreter: Interpreter, name: str, combine: Callable[..., Iterable[Any]], *given: Iterable[Any]
) -> Stream:
    """What `combine` makes of the items, each when it is asked for.

    name: of the built-in function whose object it is.
    """
    return Stream(iter(combine(*map(interpreter.budget.paced, given))), f"{name} object")


def _gathered(
    interpreter: Interpreter, name: str, combine: Callable[..., Iterable[Any]], *sequences: Any
) -> Lazy | Stream:
    """The same at once, where no item is made as it is taken, and none may change until then."""
    budget, shown = interpreter.budget, f"{name} object"
    given: list[Any] = [one if isinstance(one, Lazy) else iterate(one) for one in sequences]
    if any(type(one) is list or not isinstance(one, Sized) for one in given):
        return _one_by_one(interpreter, name, combine, *map(_left_of, given))
    if len(sequences) > 1 and any(isinstance(one, Lazy) for one in given):
        return Lazy(budget.paced(combine(*map(_left_of, given))), shown)
    if len(given) > 1:
        budget.check_cells(min(map(len, given)) * len(given))
    return Lazy(budget.paced(combine(*(bounded(interpreter, items) for items in given))), shown)


@builtin("enumerate")
def enumerate_(interpreter: Interpreter, values: Any, start: int = 0) -> Lazy | Stream:
    """Pairs of a count and an item."""
    return _gathered(interpreter, "enumerate", lambda items: enumerate(items, start), values)


@builtin("zip")
def zip_(interpreter: Interpreter, *sequences: Any, strict: bool = False) -> Lazy | Stream:
    """The first items together, then the second ones, and so on."""
    return _gathered(interpreter, "zip", lambda *items: zip(*items, strict=bool(strict)), *sequences)


@builtin("map")
def map_(interpreter: Interpreter, function: Any, *sequences: Any) -> Stream:
    """The function's value for each item, when it is asked for."""
    if not sequences:
        raise TypeError("map() must have at least two arguments.")

    def called(*items: Iterable[Any]) -> Iterable[Any]:
        return map(lambda *row: interpreter.call(function, row, {}), *items)

    return _one_by_one(interpreter, "map", called, *map(_left, sequences))


@builtin("filter")
def filter_(interpreter: Interpreter, function: Any, values: Any) -> Stream:
    """The items for which the function is true, each when it is asked for."""

    def holds(item: Any) -> bool:
        return truth(item if function is None else interpreter.call(function, [item], {}))

    return _one_by_one(interpreter, "filter", lambda items: filter(holds, items), _left(values))


@builtin("reversed")
def reversed_(interpreter: Interpreter, values: Any) -> Lazy:
    """The items from the last to the first."""
    return Lazy(reversed(list(bounded(interpreter, values))), "list_reverseiterator object")


@builtin("iter")
def iter_(interpreter: Interpreter, values: Any) -> Lazy | Stream:
    """The items, to be taken one by one; what was taken once, is gone for all who take from it."""
    if isinstance(values, (Lazy, Stream)):
        return values
    name = python_name(values)
    kind = {"str": "str_ascii_", "dict": "dict_key"}.get(name, f"{name}_")
    return Stream(iter(interpreter.budget.paced(iterate(values))), f"{kind}iterator object")


@builtin("next")
def next_(items: Any, default: Any = NOTHING) -> Any:
    """The next item."""
    if isinstance(items, UserObject):
        return items.special("__next__") if default is NOTHING else next(one_by_one(items), default)
    if not isinstance(items, (Lazy, Stream)):
        raise TypeError(f"'{python_name(items)}' object is not an iterator")
    if isinstance(items, Lazy) and items:
        return items.pop(0)
    if isinstance(items, Stream):
        found = next(items.items, NOTHING)
        if found is not NOTHING:
            return found
    if default is NOTHING:
        raise no_next_item()
    return default


@builtin("sorted")
def sorted_(interpreter: Interpreter, values: Any, *, key: Any = None, reverse: Any = False) -> list[Any]:
    """A new list in order."""
    return in_order(interpreter, list(bounded(interpreter, values)), key, truth(reverse))


def in_order(interpreter: Interpreter, items: list[Any], key: Any, reverse: bool) -> list[Any]:
    """Sort by Python's comparisons on our values."""

    def compare(a: tuple[Any, Any], b: tuple[Any, Any]) -> int:
        interpreter.budget.step()
        return is_less(interpreter, b[0], a[0]) - is_less(interpreter, a[0], b[0])

    keyed = list(zip(_keys(interpreter, items, key), items, strict=True))
    return [item for _, item in sorted(keyed, key=cmp_to_key(compare), reverse=reverse)]


def _keys(interpreter: Interpreter, items: list[Any], key: Any) -> list[Any]:
    """What items are compared by."""
    if key is None:
        return items
    return [interpreter.call(key, [item], {}) for item in interpreter.budget.paced(items)]


def is_less(interpreter: Interpreter, a: Any, b: Any) -> bool:
    """Whether a comes before b, as the program compares them."""
    return truth(apply_compare(ast.Lt, a, b, interpreter.budget))


@builtin("any")
def any_(interpreter: Interpreter, values: Any) -> bool:
    """Whether one item is true."""
    return any(truth(value) for value in interpreter.budget.paced(_left(values)))


@builtin("all")
def all_(interpreter: Interpreter, values: Any) -> bool:
    """Whether every item is true."""
    return all(truth(value) for value in interpreter.budget.paced(_left(values)))


@builtin("sum")
def sum_(interpreter: Interpreter, values: Any, start: Any = 0) -> Any:
    """All items added up, from the left."""
    total = start
    for value in iterate(values):
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
    items = list(bounded(interpreter, values[0] if len(values) == 1 else values))
    if not items and default is not NOTHING:
        return default
    if not items:
        raise ValueError(f"{name}() arg is an empty sequence")
    keys = _keys(interpreter, items, key)
    best = 0
    for index in interpreter.budget.paced(range(1, len(items))):
        pair = (keys[index], keys[best]) if name == "min" else (keys[best], keys[index])
        if is_less(interpreter, *pair):
            best = index
    return items[best]


def _is_among(items: Any, item: Any) -> bool:
    """`item in iterator`, which takes all up to the one that equals it."""
    left = one_after_the_other(items) if isinstance(items, Lazy) else items.items
    return any(one is item or bool(one == item) for one in left)


HOLDS.update({Lazy: _is_among, Stream: _is_among})
TRUTHS[Lazy] = lambda items: True
