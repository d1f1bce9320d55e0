"""The queue for worker processes: clients take turns, and no client can keep the others out.

- Each client waits in a line of its own. Addresses take turns, and so do the browsers behind one address.
- A client has at most half of the workers at a time.
- Short work goes before long work, of all clients: who runs an endless loop keeps no formula waiting.
- The last free worker is kept for short work, and for an address that has no worker yet.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from cachetools import FIFOCache

from server.http.clients import Client

REMEMBERED = 20_000  # clients whose last turn is known


Key = TypeVar("Key", bound=Hashable)


@dataclass(eq=False, slots=True)
class Turn:
    """One piece of work of a client; `admitted` is done when it may have a worker.

    begun: whether that worker has been given the work.
    """

    client: Client
    short: bool
    begun: bool = False
    admitted: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Full(Exception):
    """Too much work is waiting, of this client or of all together."""


class FairQueue:
    """Shares `places` out among those who wait; at most `capacity` pieces of work run or wait.

    One client can take half of the capacity, and all behind one address three quarters.
    """

    def __init__(self, places: int, capacity: int) -> None:
        self.places = places
        self.capacity = capacity
        self.places_of_a_client = max(1, places // 2)
        self._lines: dict[Client, deque[Turn]] = {}
        self._running: Counter[Client] = Counter()
        self._running_at: Counter[str] = Counter()
        self._last_turns = LastTurns()

    def enter(self, client: Client, *, short: bool) -> Turn:
        """Stand in line; whoever enters has to `leave`. Raises: Full."""
        if self._is_full_for(client):
            raise Full
        turn = Turn(client, short)
        self._lines.setdefault(client, deque()).append(turn)
        self._admit()
        return turn

    def leave(self, turn: Turn) -> None:
        """Give the place back, or leave the line before there was one."""
        if turn.admitted.done() and not turn.admitted.cancelled():
            _decrease(self._running, turn.client)
            _decrease(self._running_at, turn.client.address)
        else:
            self._remove(turn)
        self._admit()

    def free_for(self, client: Client) -> int:
        """How many places this client would be given now."""
        return max(0, min(self._free, self.places_of_a_client - self._running[client]))

    @property
    def running(self) -> int:
        """How many have a place."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """How many wait for one."""
        return sum(map(len, self._lines.values()))

    def _is_full_for(self, client: Client) -> bool:
        """Whether there is no more room for this client, for its address or for anybody."""
        waiting, waiting_at = Counter[Client](), Counter[str]()
        for each, line in self._lines.items():
            waiting[each] += len(line)
            waiting_at[each.address] += len(line)
        of_client = self._running[client] + waiting[client]
        at_address = self._running_at[client.address] + waiting_at[client.address]
        return (
            self._running.total() + waiting.total() >= self.capacity
            or at_address >= max(self.places, self.capacity * 3 // 4)
            or of_client >= max(self.places, self.capacity // 2)
        )

    @property
    def _free(self) -> int:
        return self.places - self._running.total()

    def _admit(self) -> None:
        """Give free places to those whose turn it is."""
        while self._free and (turn := next(self._admissible(), None)):
            self._remove(turn)
            self._running[turn.client] += 1
            self._running_at[turn.client.address] += 1
            self._last_turns.note(turn.client)
            turn.admitted.set_result(None)

    def _admissible(self) -> Iterator[Turn]:
        """Those who may be given a place now: short work first, each kind in the order of turns."""
        clients = sorted(self._lines, key=self._last_turns.of)
        may_begin = [client for client in clients if self._running[client] < self.places_of_a_client]
        yield from (turn for client in may_begin for turn in self._lines[client] if turn.short)
        for client in may_begin:
            if self._free > 1 or self.places < 3 or not self._running_at[client.address]:
                yield from self._lines[client]

    def _remove(self, turn: Turn) -> None:
        line = self._lines[turn.client]
        line.remove(turn)
        if not line:
            del self._lines[turn.client]


class LastTurns:
    """When each address and each client was last given a place: in which order they are given the next."""

    def __init__(self) -> None:
        self._count = 0
        self._turns: FIFOCache[str | Client, int] = FIFOCache(REMEMBERED)

    def note(self, client: Client) -> None:
        """It has been given a place."""
        self._count += 1
        for key in (client.address, client):
            self._turns[key] = self._count

    def of(self, client: Client) -> tuple[int, int]:
        """Sorts addresses, and then the clients at one address: who has waited longest is first."""
        return self._turns.get(client.address, 0), self._turns.get(client, 0)


def _decrease(counter: Counter[Key], key: Key) -> None:
    """One less; a key with none is forgotten."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
