"""Python's `heapq`: lists whose first item is the least."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.builtins.functions import bounded
from engine.languages.interpreter.builtins.sequences import in_order, is_less
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Lazy
from engine.languages.surfaces.library import Library

HEAPQ = Library("heapq", borrowed=True)


class Item:
    """An item of a heap, compared as the program compares it."""

    __slots__ = ("interpreter", "value")

    def __init__(self, interpreter: Interpreter, value: Any) -> None:
        self.interpreter = interpreter
        self.value = value

    def __lt__(self, other: Item) -> bool:
        self.interpreter.budget.step()
        return is_less(self.interpreter, self.value, other.value)


def _in_heap(name: str, function: Callable[..., Any]) -> None:
    """Enter a function that takes a heap, and perhaps an item."""

    def call(interpreter: Interpreter, heap: Any, *item: Any) -> Any:
        if not isinstance(heap, list):
            raise TypeError
        items = [Item(interpreter, one) for one in bounded(interpreter, heap)]
        try:
            found = function(items, *(Item(interpreter, one) for one in item))
        finally:
            heap[:] = [one.value for one in items]
        return None if found is None else found.value

    HEAPQ.function(name)(call)


for _name in ("heapify", "heappush", "heappop", "heappushpop", "heapreplace"):
    _in_heap(_name, getattr(heapq, _name))


@HEAPQ.function("nlargest")
def nlargest(interpreter: Interpreter, n: int, iterable: Any, key: Any = None) -> list[Any]:
    """The n largest items, the largest first."""
    return in_order(interpreter, list(bounded(interpreter, iterable)), key, True)[: max(int(n), 0)]


@HEAPQ.function("nsmallest")
def nsmallest(interpreter: Interpreter, n: int, iterable: Any, key: Any = None) -> list[Any]:
    """The n smallest items, the smallest first."""
    return in_order(interpreter, list(bounded(interpreter, iterable)), key, False)[: max(int(n), 0)]


@HEAPQ.function("merge")
def merge(interpreter: Interpreter, *iterables: Any, key: Any = None, reverse: Any = False) -> Any:
    """The items of several lists in order, one after the other."""
    items = [one for part in iterables for one in bounded(interpreter, part)]
    return Lazy(iter(in_order(interpreter, items, key, bool(reverse))))
