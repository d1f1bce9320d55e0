"""Python's `operator` and `functools`."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Callable
from functools import cmp_to_key as python_cmp_to_key
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import hashable, subscript
from engine.languages.interpreter.builtins.functions import bounded
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import attribute_of
from engine.languages.interpreter.classes.special import combine
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.expressions import allowed_name
from engine.languages.interpreter.operators import apply_compare, apply_unary, truth
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.library import Library

OPERATOR = Library("operator", borrowed=True)
FUNCTOOLS = Library("functools", borrowed=True)
NOTHING = object()

# -- operator ----------------------------------------------------------------------------------------

BINARY: dict[str, type[ast.operator]] = {
    "add": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "matmul": ast.MatMult,
    "and_": ast.BitAnd,
    "or_": ast.BitOr,
    "xor": ast.BitXor,
    "lshift": ast.LShift,
    "rshift": ast.RShift,
    "concat": ast.Add,
}
COMPARE: dict[str, type[ast.cmpop]] = {
    "eq": ast.Eq,
    "ne": ast.NotEq,
    "lt": ast.Lt,
    "le": ast.LtE,
    "gt": ast.Gt,
    "ge": ast.GtE,
    "is_": ast.Is,
    "is_not": ast.IsNot,
}


def _binary(kind: type[ast.operator]) -> Callable[..., Any]:
    return lambda interpreter, a, b, /: combine(interpreter, kind, a, b)


def _compare(kind: type[ast.cmpop]) -> Callable[..., Any]:
    return lambda interpreter, a, b, /: apply_compare(kind, a, b, interpreter.budget)


for name, kind in BINARY.items():
    OPERATOR.function(name)(_binary(kind))
for name, comparison in COMPARE.items():
    OPERATOR.function(name)(_compare(comparison))
OPERATOR.function("neg")(lambda interpreter, a, /: apply_unary(ast.USub, a, interpreter.budget))
OPERATOR.function("pos")(lambda interpreter, a, /: apply_unary(ast.UAdd, a, interpreter.budget))
OPERATOR.function("abs")(lambda a, /: abs(a))
OPERATOR.function("not_")(lambda a, /: not truth(a))
OPERATOR.function("truth")(lambda a, /: truth(a))
OPERATOR.function("getitem")(lambda interpreter, a, b, /: subscript(a, b, interpreter.budget))
OPERATOR.function("contains")(lambda interpreter, a, b, /: apply_compare(ast.In, b, a, interpreter.budget))


def _several(found: list[Any]) -> Any:
    return found[0] if len(found) == 1 else tuple(found)


@OPERATOR.function("itemgetter")
def item_getter(interpreter: Interpreter, item: Any, /, *items: Any) -> Native:
    """A function that takes items out of what it is given."""

    def call(value: Any, /) -> Any:
        return _several([subscript(value, key, interpreter.budget) for key in (item, *items)])

    return Native("operator.itemgetter", call)


@OPERATOR.function("attrgetter")
def attribute_getter(interpreter: Interpreter, attr: str, /, *attrs: str) -> Native:
    """A function that reads attributes of what it is given."""

    def read(value: Any, path: str) -> Any:
        for part in path.split("."):
            value = attribute_of(interpreter, value, _allowed(interpreter, value, part))
        return value

    return Native(
        "operator.attrgetter", lambda value, /: _several([read(value, one) for one in (attr, *attrs)])
    )


@OPERATOR.function("methodcaller")
def method_caller(interpreter: Interpreter, name: str, /, *args: Any, **keywords: Any) -> Native:
    """A function that calls a method of what it is given."""

    def call(value: Any, /) -> Any:
        method = attribute_of(interpreter, value, _allowed(interpreter, value, name))
        return interpreter.call(method, list(args), keywords)

    return Native("operator.methodcaller", call)


def _allowed(interpreter: Interpreter, value: Any, name: str) -> str:
    if not isinstance(name, str):
        raise TypeError
    return allowed_name(interpreter, value, name) if name.startswith("__") else name


# -- functools ---------------------------------------------------------------------------------------


@FUNCTOOLS.function("reduce")
def reduce(interpreter: Interpreter, function: Any, iterable: Any, initial: Any = NOTHING) -> Any:
    """The items put together by a function of two, from the left."""
    items = list(bounded(interpreter, iterable))
    if initial is not NOTHING:
        items.insert(0, initial)
    total, *rest = items
    for item in interpreter.budget.paced(rest):
        total = interpreter.call(function, [total, item], {})
    return total


@FUNCTOOLS.function("partial")
def partial(interpreter: Interpreter, func: Any, /, *args: Any, **keywords: Any) -> Native:
    """The function with some of its arguments given."""

    def call(*more: Any, **further: Any) -> Any:
        return interpreter.call(func, [*args, *more], {**keywords, **further})

    return Native("functools.partial", call)


@FUNCTOOLS.function("wraps")
def wraps(wrapped: Any, **which: Any) -> Native:
    """A decorator that gives a function the name and the text of another one."""
    return Native("functools.wraps", lambda wrapper: _named_as(wrapped, wrapper))


def _named_as(wrapped: Any, wrapper: Any) -> Any:
    if isinstance(wrapper, UserFunction):
        doc = wrapped.doc if isinstance(wrapped, UserFunction) else ""
        return wrapper.called(getattr(wrapped, "name", wrapper.name), doc)
    return wrapper


FUNCTOOLS.function("cmp_to_key")(
    lambda interpreter, mycmp: Native(
        "functools.cmp_to_key", lambda value: python_cmp_to_key(interpreter.as_function(mycmp))(value)
    )
)
FUNCTOOLS.function("cached_property")(lambda func: Wrapped("cached_property", func))


class Cached(Native):
    """A function whose values are kept by its arguments."""

    def __init__(self, interpreter: Interpreter, function: Any, most: int | None) -> None:
        super().__init__(getattr(function, "name", "function"), self.value_at)
        self.interpreter = interpreter
        self.cached = function
        self.most = most
        self.kept: OrderedDict[Any, Any] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def value_at(self, *args: Any, **keywords: Any) -> Any:
        """The value for these arguments, worked out once."""
        key = hashable((args, tuple(keywords.items())))
        if key in self.kept:
            self.hits += 1
            self.kept.move_to_end(key)
            return self.kept[key]
        self.misses += 1
        value = self.interpreter.call(self.cached, args, keywords)
        self.kept[key] = value
        if self.most is not None and len(self.kept) > self.most:
            self.kept.popitem(last=False)
        self.interpreter.budget.check_length(len(self.kept))
        return value


@FUNCTOOLS.function("lru_cache")
def lru_cache(interpreter: Interpreter, maxsize: Any = 128, typed: Any = False) -> Native:
    """A decorator that keeps the last values of a function by its arguments."""
    if typed:
        raise TypeError
    if maxsize is None or isinstance(maxsize, int):
        return Native("functools.lru_cache", lambda function: Cached(interpreter, function, maxsize))
    return Cached(interpreter, maxsize, 128)


FUNCTOOLS.function("cache")(lambda interpreter, function: Cached(interpreter, function, None))
CACHED = members_of(Cached, "function")
CACHE_INFO = RecordKind("CacheInfo", ("hits", "misses", "maxsize", "currsize"))


@CACHED.method("cache_info")
def cache_info(function: Cached) -> Record:
    """How often a value was there, and how often not."""
    return Record(CACHE_INFO, (function.hits, function.misses, function.most, len(function.kept)))


@CACHED.method("cache_clear")
def cache_clear(function: Cached) -> None:
    """Forget the values."""
    function.kept.clear()
    function.hits = function.misses = 0


@FUNCTOOLS.function("total_ordering")
def total_ordering(cls: Any) -> Any:
    """The class with the comparisons that follow from one of them and `__eq__`."""
    if not isinstance(cls, UserClass):
        raise TypeError
    for name, other, also_equal in ORDERS:
        if cls.find(name) is MISSING and cls.find(other) is not MISSING:
            cls.write(name, Native(f"{cls.name}.{name}", _ordering(other, also_equal)))
    return cls


ORDERS = (  # what each follows from, and with what besides: `a > b` is "not a < b, and not equal"
    ("__gt__", "__lt__", "neither"),
    ("__le__", "__lt__", "or equal"),
    ("__ge__", "__lt__", "not"),
    ("__lt__", "__gt__", "neither"),
    ("__ge__", "__gt__", "or equal"),
    ("__le__", "__gt__", "not"),
)


def _ordering(other: str, how: str) -> Callable[[Any, Any], Any]:
    def call(owner: Any, value: Any) -> Any:
        found = truth(owner.special(other, value))
        if how == "or equal":
            return found or truth(owner == value)
        return not found and (how == "not" or not truth(owner == value))

    return call
