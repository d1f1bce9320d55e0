"""Nodes so that each comes after what it needs, by Kahn's rule, and a circle where there is no such order."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

Places = Sequence[Sequence[int]]  # for each node, the places of those it needs


def is_in_order(needs: Places) -> bool:
    """Whether every node stands after what it needs as they are."""
    return not any(needed and max(needed) >= at for at, needed in enumerate(needs))


def in_order(needs: Places) -> list[int]:
    """The places in such an order; those on a circle, and what needs them, are missing.

    Of the nodes that are ready the first goes first, so that little moves.
    """
    if is_in_order(needs):
        return list(range(len(needs)))
    waiting = [len(needed) for needed in needs]
    users: list[list[int]] = [[] for _ in needs]
    for at, needed in enumerate(needs):
        for place in needed:
            users[place].append(at)
    ready = [at for at, count in enumerate(waiting) if count == 0]  # ascending: a heap
    order: list[int] = []
    while ready:
        at = heapq.heappop(ready)
        order.append(at)
        for user in users[at]:
            waiting[user] -= 1
            if waiting[user] == 0:
                heapq.heappush(ready, user)
    return order


def circle_in(needs: Places) -> list[int]:
    """The places on some circle, from the first on, each needing the one before; none in a right order."""
    order = in_order(needs)
    if len(order) == len(needs):
        return []
    left = set(range(len(needs))).difference(order)
    at, way = min(left), dict[int, None]()
    while at not in way:  # each that is left needs another one that is left
        way[at] = None
        at = next(place for place in needs[at] if place in left)
    circle = list(way)
    circle = circle[circle.index(at) :][::-1]
    first = circle.index(min(circle))
    return circle[first:] + circle[:first]
