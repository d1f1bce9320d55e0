"""How much there is in lists of lists, found without going through it.

A list that holds the same inner list twice, sixty times over, takes sixty lines of memory and unfolds to
2^60 items; whoever prints, compares or converts it would never end. Each container is weighed once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.budget import over_limit, shown
from engine.languages.interpreter.values import Lazy

CONTAINERS: set[type] = {
    *(list, tuple, dict, set, frozenset, Lazy, Counter, OrderedDict, defaultdict)
}  # other files enter types of their own
MAX_DEPTH = 100  # of lists in lists
PLAIN_ITEMS = frozenset({int, float, bool, str, type(None)})
NUMBERS_ONLY = frozenset({int, float, bool, type(None)})
HEAVY = frozenset({str, np.str_, bytes, range, np.ndarray})  # what may be long itself
FEW = 16  # items; no limit is so low
WRITTEN_AT_MOST = 1000  # elements of an array; of a larger one only the ends of its axes are written
AT_BOTH_ENDS = 6  # of an axis
WRITING_ELEMENT = 20  # how much longer it takes to write an element of an array than a number
WRITING = 50  # how much longer it takes to write an array or an object than a number


def check_written(value: Any, limit: int) -> None:
    """Stop a program whose value would take as long to write as more than `limit` numbers."""
    weight = weigh(value, _writing_weight) if type(value) in CONTAINERS else _writing_weight(value)
    if weight > limit:
        raise over_limit(
            "sequence",
            f"Writing this value takes as long as writing {shown(weight)} numbers; the limit is {limit:,}.",
            f"写出这个值相当于写出 {shown(weight)} 个数；上限是 {limit:,}。",
            "Write a part of it, or its shape.",
            "请只写出其中一部分，或写出它的形状。",
        )


def check_weight(value: Any, limit: int) -> None:
    """Stop a program whose value unfolds to more than `limit` items or lies deeper than `MAX_DEPTH`."""
    if type(value) in CONTAINERS and not is_light(value):
        _check(weigh(value), limit)


def check_convertible(value: Any, limit: int) -> None:
    """Stop a program whose value would make an array of more than `limit` elements."""
    if isinstance(value, range):
        _check(_length(value), limit)
    elif type(value) in CONTAINERS and not is_light(value):
        _check(weigh(value, _elements), limit)


def is_light(container: Any) -> bool:
    """Whether there are few items, and none of them weighs more than 1."""
    if len(container) > FEW:
        return False
    kinds = {*map(type, container)}
    if isinstance(container, dict):
        kinds.update(map(type, container.values()))
    return HEAVY.isdisjoint(kinds) and CONTAINERS.isdisjoint(kinds)


def _check(weight: int, limit: int) -> None:
    if weight > limit:
        raise over_limit(
            "sequence",
            f"Unfolded, this value has {shown(weight)} items; the limit is {limit:,}.",
            f"这个值展开后有 {shown(weight)} 项；上限是 {limit:,}。",
            "Keep fewer lists inside lists.",
            "请减少列表中的列表。",
        )


def weigh(value: Any, of_item: Callable[[Any], int] | None = None) -> int:
    """The items of a container, of the containers in it, and so on; a text or an array counts its size.

    of_item: what any other item weighs, where that is not its size.
    Raises: LimitError where containers lie deeper than `MAX_DEPTH`, which a list in itself does.
    """
    of_item = of_item or _size
    weights: dict[int, int] = {}
    path = [(value, iter(_inner(value)))]
    while path:
        container, waiting = path[-1]
        deeper = next((item for item in waiting if id(item) not in weights), None)
        if deeper is None:
            weights[id(container)] = _weigh_items(container, weights, of_item)
            path.pop()
        elif len(path) == MAX_DEPTH:
            raise _too_deep()
        else:
            path.append((deeper, iter(_inner(deeper))))
    return weights[id(value)]


def shapes_inside(value: Any) -> set[tuple[int, ...]]:
    """The different shapes of the arrays that lie in a container, in one that lies in it, and so on."""
    found: set[tuple[int, ...]] = set()
    seen: set[int] = set()
    waiting = [value] if type(value) in CONTAINERS else []
    while waiting:
        container = waiting.pop()
        if id(container) in seen or PLAIN_ITEMS.issuperset(map(type, _items(container))):
            continue
        seen.add(id(container))
        found.update(item.shape for item in _items(container) if isinstance(item, np.ndarray))
        waiting.extend(_inner(container))
    return found


def held(values: Iterable[Any]) -> int:
    """The items of all containers among these values and inside of them, each container counted once."""
    seen: set[int] = set()
    waiting, total = list(values), 0
    while waiting:
        value = waiting.pop()
        if type(value) in CONTAINERS and id(value) not in seen:
            seen.add(id(value))
            total += len(value)
            waiting.extend(_inner(value))
    return total


def _items(container: Any) -> Iterable[Any]:
    return chain(container, container.values()) if isinstance(container, dict) else container


def _inner(container: Any) -> list[Any]:
    if CONTAINERS.isdisjoint(map(type, _items(container))):  # a long flat list is soon done
        return []
    return [item for item in _items(container) if type(item) in CONTAINERS]


def _weigh_items(container: Any, weights: dict[int, int], of_item: Callable[[Any], int]) -> int:
    if NUMBERS_ONLY.issuperset(map(type, _items(container))):
        return 2 * len(container) if isinstance(container, dict) else len(container)
    return sum(
        weights[id(item)] + 1 if type(item) in CONTAINERS else of_item(item) for item in _items(container)
    )


def _size(item: Any) -> int:
    if isinstance(item, str):
        return len(item) + 1
    return max(item.size, 1) if isinstance(item, np.ndarray) else 1


def _elements(item: Any) -> int:
    return _length(item) if isinstance(item, range) else _size(item)


def _length(numbers: range) -> int:
    """How long a range is, also where Python's `len` cannot count so far."""
    return max(-((numbers.start - numbers.stop) // numbers.step), 0)


def _writing_weight(item: Any) -> int:
    if type(item) in PLAIN_ITEMS:
        return _size(item)
    array = item if isinstance(item, np.ndarray) else getattr(item, "array", None)
    return WRITING + (WRITING_ELEMENT * _written_elements(array) if isinstance(array, np.ndarray) else 0)


def _written_elements(array: Any) -> int:
    """Of a large array numpy writes the ends of every axis; where all are short, that is all of it."""
    large = array.size > WRITTEN_AT_MOST
    return prod(min(length, AT_BOTH_ENDS + 1) for length in array.shape) if large else int(array.size)


def _too_deep() -> Exception:
    return over_limit(
        "nesting",
        f"This value has lists inside lists, more than {MAX_DEPTH} levels deep.",
        f"这个值的列表嵌套超过 {MAX_DEPTH} 层。",
        "A list may not hold itself.",
        "列表不能包含自身。",
    )
