"""How much there is in lists of lists, told without going through it.

A list that holds the same inner list twice, sixty times over, takes sixty lines of memory and unfolds to
2^60 items; whoever prints, compares or converts it would never end. Each container is weighed once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from .budget import over_limit, shown
from .values import Lazy

CONTAINERS = frozenset({list, tuple, dict, set, frozenset, Lazy, Counter, OrderedDict, defaultdict})
MAX_DEPTH = 100  # of lists in lists


def check_weight(value: Any, limit: int) -> None:
    """Stop a program whose value unfolds to more than `limit` items or lies deeper than `MAX_DEPTH`."""
    if type(value) not in CONTAINERS:
        return
    weight = weigh(value)
    if weight > limit:
        raise over_limit(
            "sequence",
            f"Unfolded, this value has {shown(weight)} items; the limit is {limit:,}.",
            f"这个值展开后有 {shown(weight)} 项；上限是 {limit:,}。",
            "Keep fewer lists inside lists.",
            "请减少列表中的列表。",
        )


def weigh(value: Any) -> int:
    """The items of a container, of the containers in it, and so on; a text or an array counts its size.

    Raises: LimitError where containers lie deeper than `MAX_DEPTH`, which a list in itself does.
    """
    weights: dict[int, int] = {}
    path = [(value, iter(_inner(value)))]
    while path:
        container, waiting = path[-1]
        deeper = next((item for item in waiting if id(item) not in weights), None)
        if deeper is None:
            weights[id(container)] = sum(_weight(item, weights) for item in _items(container))
            path.pop()
        elif len(path) == MAX_DEPTH:
            raise _too_deep()
        else:
            path.append((deeper, iter(_inner(deeper))))
    return weights[id(value)]


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
    if CONTAINERS.isdisjoint(map(type, _items(container))):  # a long flat list is soon told
        return []
    return [item for item in _items(container) if type(item) in CONTAINERS]


def _weight(item: Any, weights: dict[int, int]) -> int:
    if type(item) in CONTAINERS:
        return weights[id(item)] + 1
    return (
        len(item) + 1 if isinstance(item, str) else max(item.size, 1) if isinstance(item, np.ndarray) else 1
    )


def _too_deep() -> Exception:
    return over_limit(
        "nesting",
        f"This value has lists inside lists, more than {MAX_DEPTH} levels deep.",
        f"这个值的列表嵌套超过 {MAX_DEPTH} 层。",
        "A list may not hold itself.",
        "列表不能包含自身。",
    )
