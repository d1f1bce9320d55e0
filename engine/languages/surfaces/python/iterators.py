"""Python's `itertools`, as far as tutorials use it."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from math import exp, fsum, lgamma, log
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.functions import Kind, bounded
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.special import combine
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import Lazy, Stream
from engine.languages.surfaces.library import Library

ITERTOOLS = Library("itertools", borrowed=True)

NOTHING = object()
LARGEST_LOGARITHM = 100.0  # of a number of rows; none near it would be made


def _limited(name: str, count: Callable[[int, int], float], make: Callable[..., Any]) -> None:
    """Enter a function whose result may be very long: how long is worked out first.

    count: the logarithm of how many rows there are of so many items, so many chosen.
    """

    def call(interpreter: Interpreter, iterable: Any, r: Any = None) -> Lazy:
        items = list(bounded(interpreter, iterable))
        chosen = len(items) if r is None else int(r)
        if 0 <= chosen <= len(items):
            interpreter.budget.check_length(_rows(count(len(items), chosen)) * max(chosen, 1))
        return Lazy(interpreter.budget.paced(make(items, chosen)), f"itertools.{name} object")

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
    return Lazy(interpreter.budget.paced(itertools.product(*given)), "itertools.product object")


@ITERTOOLS.function("chain")
def chain(interpreter: Interpreter, *iterables: Any) -> Stream:
    """The items of one, then those of the next."""
    return Stream(interpreter.budget.paced(itertools.chain.from_iterable(map(iterate, iterables))))


def chain_of(interpreter: Interpreter, iterable: Any, /) -> Stream:
    """The items of the first item, then those of the next."""
    items: Stream = chain(interpreter, *bounded(interpreter, iterable))
    return items


ITERTOOLS.value(
    Kind("itertools.chain", chain, (itertools.chain,), {"from_iterable": Native("chain", chain_of)}), "chain"
)


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
def accumulate(
    interpreter: Interpreter, iterable: Any, func: Any = None, *, initial: Any = NOTHING
) -> Stream:
    """Sums so far, or what another function of two makes of them."""
    items: Iterator[Any] = interpreter.budget.paced(iterate(iterable))
    if initial is not NOTHING:
        items = itertools.chain([initial], items)
    return Stream(itertools.accumulate(items, lambda a, b: _of_two(interpreter, func, a, b)))


def _of_two(interpreter: Interpreter, function: Any, a: Any, b: Any) -> Any:
    return combine(interpreter, ast.Add, a, b) if function is None else interpreter.call(function, [a, b], {})


@ITERTOOLS.function("dropwhile")
def drop_while(interpreter: Interpreter, predicate: Any, iterable: Any) -> Stream:
    """Items from the first on of which the function is not true."""
    items = interpreter.budget.paced(iterate(iterable))
    return Stream(itertools.dropwhile(lambda x: truth(interpreter.call(predicate, [x], {})), items))


@ITERTOOLS.function("filterfalse")
def filter_false(interpreter: Interpreter, function: Any, iterable: Any) -> Stream:
    """The items of which the function is not true."""
    items = interpreter.budget.paced(iterate(iterable))

    def holds(item: Any) -> bool:
        return truth(item if function is None else interpreter.call(function, [item], {}))

    return Stream(itertools.filterfalse(holds, items))


@ITERTOOLS.function("starmap")
def star_map(interpreter: Interpreter, function: Any, iterable: Any) -> Stream:
    """The function's value for each row of arguments."""
    rows = interpreter.budget.paced(iterate(iterable))
    return Stream(interpreter.call(function, list(bounded(interpreter, row)), {}) for row in rows)


@ITERTOOLS.function("compress")
def compress(interpreter: Interpreter, data: Any, selectors: Any) -> Stream:
    """The items beside which something true stands."""
    chosen = map(truth, interpreter.budget.paced(iterate(selectors)))
    return Stream(itertools.compress(iterate(data), chosen))


@ITERTOOLS.function("zip_longest")
def zip_longest(interpreter: Interpreter, *iterables: Any, fillvalue: Any = None) -> Stream:
    """The first items together, then the second ones; what is missing at the end is filled."""
    rows = itertools.zip_longest(*map(iterate, iterables), fillvalue=fillvalue)
    return Stream(interpreter.budget.paced(rows))


@ITERTOOLS.function("combinations_with_replacement")
def with_replacement(interpreter: Interpreter, iterable: Any, r: int) -> Lazy:
    """Every choice of r items, where one may be chosen again."""
    items = list(bounded(interpreter, iterable))
    if items and r > 0:
        rows = _rows(lgamma(len(items) + r) - lgamma(r + 1) - lgamma(len(items)))
        interpreter.budget.check_length(rows * r)
    return Lazy(interpreter.budget.paced(itertools.combinations_with_replacement(items, r)))


@ITERTOOLS.function("pairwise")
def pairwise(interpreter: Interpreter, iterable: Any) -> Stream:
    """Each item with the next one."""
    return Stream(itertools.pairwise(interpreter.budget.paced(iterate(iterable))))


@ITERTOOLS.function("tee")
def tee(interpreter: Interpreter, iterable: Any, n: int = 2) -> tuple[Stream, ...]:
    """The same items so many times."""
    interpreter.budget.check_length(n)
    return tuple(map(Stream, itertools.tee(interpreter.budget.counted(iterate(iterable)), n)))


@ITERTOOLS.function("groupby")
def group_by(interpreter: Interpreter, iterable: Any, key: Any = None) -> Stream:
    """Runs of items that have one key, each with the key."""
    items = interpreter.budget.paced(iterate(iterable))
    by = None if key is None else interpreter.as_function(key)
    return Stream((found, Stream(group)) for found, group in itertools.groupby(items, by))
