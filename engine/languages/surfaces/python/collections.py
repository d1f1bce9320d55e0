"""Python's `collections`, `itertools` and `functools`, as far as tutorials use them."""

from __future__ import annotations

import ast
import itertools
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from math import exp, fsum, lgamma, log
from typing import Any

from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.functions import Kind, bounded, entries_of
from engine.languages.interpreter.builtins.records import (
    Record,
    RecordKind,
    make_record,
    record_kind,
    replaced,
)
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.special import combine
from engine.languages.interpreter.expressions import hashable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import Lazy, Stream
from engine.languages.surfaces.library import Library

COLLECTIONS = Library("collections", borrowed=True)
ITERTOOLS = Library("itertools", borrowed=True)
FUNCTOOLS = Library("functools", borrowed=True)

NOTHING = object()
LARGEST_LOGARITHM = 100.0  # of a number of rows; none near it would be made


# -- collections -------------------------------------------------------------------------------------


def counter(interpreter: Interpreter, iterable: Any = (), **counts: Any) -> Counter[Any]:
    """How often each item occurs."""
    made: Counter[Any] = Counter()
    update(interpreter, made, iterable)
    made.update(counts)
    return made


def update(interpreter: Interpreter, made: Counter[Any], iterable: Any = ()) -> None:
    """Count more items, or add the counts of a dict."""
    if isinstance(iterable, dict):
        made.update(iterable)
    else:
        made.update(map(hashable, interpreter.budget.paced(bounded(interpreter, iterable))))


def default_dict(
    interpreter: Interpreter, default_factory: Any = None, entries: Any = ()
) -> defaultdict[Any, Any]:
    """A dict that makes a value for a missing key."""
    factory = None if default_factory is None else lambda: interpreter.call(default_factory, [], {})
    return defaultdict(factory, entries_of(interpreter, entries))


def ordered_dict(interpreter: Interpreter, entries: Any = ()) -> OrderedDict[Any, Any]:
    """A dict; every dict keeps its order."""
    return OrderedDict(entries_of(interpreter, entries))


COLLECTIONS.value(Kind("collections.Counter", counter, (Counter,)), "Counter")
COLLECTIONS.value(Kind("collections.defaultdict", default_dict, (defaultdict,)), "defaultdict")
COLLECTIONS.value(Kind("collections.OrderedDict", ordered_dict, (OrderedDict,)), "OrderedDict")
COLLECTIONS.refuse(["deque", "ChainMap"], "Use a list, or a small class.", "请使用列表或小的类。")


@COLLECTIONS.function("namedtuple", field_names=ANY, defaults=ANY)
def named_tuple(
    interpreter: Interpreter,
    typename: Any,
    field_names: Any,
    rename: Any = False,
    defaults: Any = None,
    module: Any = None,
) -> RecordKind:
    """A type of tuples whose items have names."""
    fields = field_names if isinstance(field_names, str) else list(bounded(interpreter, field_names))
    return record_kind(typename, fields, [] if defaults is None else list(bounded(interpreter, defaults)))


RECORD = members_of(Record, "namedtuple")
RECORD.fact("_fields")(lambda record: record.kind.fields)
RECORD.method("_asdict")(lambda record: record.named())
RECORD.method("_replace")(replaced)
RECORD_KIND = members_of(RecordKind, "namedtuple")
RECORD_KIND.fact("_fields")(lambda kind: kind.fields)
RECORD_KIND.fact("__name__")(lambda kind: kind.name)


@RECORD_KIND.method("_make")
def made_of(interpreter: Interpreter, kind: RecordKind, iterable: Any) -> Record:
    """One of these with the items of an iterable."""
    return make_record(interpreter, kind, list(bounded(interpreter, iterable)), {})


COUNTER = members_of(Counter, "Counter")
COUNTER.method("update")(update)
COUNTER.method("most_common")(lambda counts, n=None: counts.most_common(n))
COUNTER.method("total")(lambda counts: counts.total())


def _counter_text(counts: Counter[Any]) -> str:
    inner = ", ".join(f"{to_repr(key)}: {to_repr(count)}" for key, count in counts.most_common())
    return f"Counter({{{inner}}})" if inner else "Counter()"


def _ordered_text(entries: OrderedDict[Any, Any]) -> str:
    return f"OrderedDict({to_repr(list(entries.items()))})" if entries else "OrderedDict()"


def _default_text(entries: defaultdict[Any, Any]) -> str:
    return f"defaultdict(…, {to_repr(dict(entries))})"


SHOWN[Counter] = (_counter_text, _counter_text)
SHOWN[OrderedDict] = (_ordered_text, _ordered_text)
SHOWN[defaultdict] = (_default_text, _default_text)


# -- itertools ---------------------------------------------------------------------------------------


def _limited(name: str, count: Callable[[int, int], float], make: Callable[..., Any]) -> None:
    """Enter a function whose result may be very long: how long is worked out first.

    count: the logarithm of how many rows there are of so many items, so many chosen.
    """

    def call(interpreter: Interpreter, iterable: Any, r: Any = None) -> Lazy:
        items = list(bounded(interpreter, iterable))
        chosen = len(items) if r is None else int(r)
        if 0 <= chosen <= len(items):
            interpreter.budget.check_length(_rows(count(len(items), chosen)) * max(chosen, 1))
        return Lazy(interpreter.budget.paced(make(items, chosen)))

    ITERTOOLS.function(name)(call)


def _rows(logarithm: float) -> int:
    """How many rows there are, from the logarithm; of very many only that they are."""
    return round(exp(min(logarithm, LARGEST_LOGARITHM)))


def _log_permutations(n: int, r: int) -> float:
    return lgamma(n + 1) - lgamma(n - r + 1)


_limited("combinations", lambda n, r: _log_permutations(n, r) - lgamma(r + 1), itertools.combinations)
_limited("permutations", _log_permutations, itertools.permutations)


@ITERTOOLS.function("product")
def product(interpreter: Interpreter, *iterables: Any, repeat: int = 1) -> Lazy:
    """Every choice of one item from each."""
    given = [list(bounded(interpreter, one)) for one in iterables]
    interpreter.budget.check_length(len(given) * max(int(repeat), 0))
    given *= int(repeat)
    if all(given):
        rows = _rows(fsum(log(len(items)) for items in given))
        interpreter.budget.check_length(rows * max(len(given), 1))
    return Lazy(interpreter.budget.paced(itertools.product(*given)))


@ITERTOOLS.function("chain")
def chain(interpreter: Interpreter, *iterables: Any) -> Stream:
    """The items of one, then those of the next."""
    return Stream(interpreter.budget.paced(itertools.chain.from_iterable(map(iterate, iterables))))


@ITERTOOLS.function("count")
def count(interpreter: Interpreter, start: Any = 0, step: Any = 1) -> Stream:
    """Numbers without end."""
    return Stream(_stepping(interpreter, itertools.count(start, step)))


@ITERTOOLS.function("cycle")
def cycle(interpreter: Interpreter, iterable: Any) -> Stream:
    """The items again and again."""
    return Stream(_stepping(interpreter, itertools.cycle(bounded(interpreter, iterable))))


@ITERTOOLS.function("repeat")
def repeat(interpreter: Interpreter, object: Any, times: Any = None) -> Stream:
    """One item so many times, or without end."""
    endless = itertools.repeat(object) if times is None else itertools.repeat(object, int(times))
    return Stream(_stepping(interpreter, endless))


def _stepping(interpreter: Interpreter, items: Iterator[Any]) -> Iterator[Any]:
    for item in items:
        interpreter.budget.step()
        yield item


@ITERTOOLS.function("islice")
def islice(interpreter: Interpreter, iterable: Any, *bounds: Any) -> Stream:
    """Some of the items, as a slice would take them."""
    return Stream(itertools.islice(interpreter.budget.paced(iterate(iterable)), *bounds))


@ITERTOOLS.function("takewhile")
def take_while(interpreter: Interpreter, predicate: Any, iterable: Any) -> Stream:
    """Items as long as the function is true of them."""
    items = interpreter.budget.paced(iterate(iterable))
    return Stream(itertools.takewhile(lambda x: truth(interpreter.call(predicate, [x], {})), items))


@ITERTOOLS.function("accumulate")
def accumulate(interpreter: Interpreter, iterable: Any, func: Any = None) -> Stream:
    """Sums so far, or what another function of two makes of them."""
    items = interpreter.budget.paced(iterate(iterable))
    return Stream(itertools.accumulate(items, lambda a, b: _of_two(interpreter, func, a, b)))


def _of_two(interpreter: Interpreter, function: Any, a: Any, b: Any) -> Any:
    return combine(interpreter, ast.Add, a, b) if function is None else interpreter.call(function, [a, b], {})


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
def partial(interpreter: Interpreter, func: Any, *args: Any, **keywords: Any) -> Native:
    """The function with some of its arguments given."""

    def call(*more: Any, **further: Any) -> Any:
        return interpreter.call(func, [*args, *more], {**keywords, **further})

    return Native("functools.partial", call)


@FUNCTOOLS.function("wraps")
def wraps(wrapped: Any) -> Native:
    """A decorator that keeps a function's name; functions here keep their own."""
    return Native("functools.wraps", lambda wrapper: wrapper)
