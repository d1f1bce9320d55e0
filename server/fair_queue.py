"""The queue for worker processes: clients take turns, and no client can keep the others out.

- Each client waits in a line of its own. Addresses take turns, and so do the browsers behind one address.
- A client has at most half of the workers at a time.
- The last free worker is kept for work that is known to be short, and for an address that has no worker yet.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from server.clients import Client

SHORT_S = 0.1  # work that took no longer the last time is short
REMEMBERED = 20_000  # pieces of work whose duration is known


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

    Half of the capacity is the most that one client can take.
    """

    def __init__(self, places: int, capacity: int) -> None:
        self.places = places
        self.capacity = capacity
        self.places_of_a_client = max(1, places // 2)
        self._lines: OrderedDict[str, OrderedDict[Client, deque[Turn]]] = OrderedDict()
        self._running: Counter[Client] = Counter()
        self._running_at: Counter[str] = Counter()
        self._waiting: Counter[Client] = Counter()

    def enter(self, client: Client, *, short: bool) -> Turn:
        """Stand in line; whoever enters has to `leave`. Raises: Full."""
        in_all = self._running.total() + self._waiting.total()
        of_client = self._running[client] + self._waiting[client]
        if in_all >= self.capacity or of_client >= max(self.places, self.capacity // 2):
            raise Full
        turn = Turn(client, short)
        self._lines.setdefault(client.address, OrderedDict()).setdefault(client, deque()).append(turn)
        self._waiting[client] += 1
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
    def _free(self) -> int:
        return self.places - self._running.total()

    def _admit(self) -> None:
        """Give free places to those whose turn it is."""
        while self._free and (turn := next(self._admissible(), None)):
            self._remove(turn)
            self._running[turn.client] += 1
            self._running_at[turn.client.address] += 1
            turn.admitted.set_result(None)

    def _admissible(self) -> Iterator[Turn]:
        """Those who may be given a place now, in the order of their turns."""
        for address, clients in self._lines.items():
            for client, line in clients.items():
                if self._running[client] < self.places_of_a_client:
                    open_to_all = self._free > 1 or self.places < 3 or not self._running_at[address]
                    yield from sorted(
                        (turn for turn in line if turn.short or open_to_all), key=lambda turn: not turn.short
                    )

    def _remove(self, turn: Turn) -> None:
        """Take a turn out of its line; its client and its address go to the end of theirs."""
        clients = self._lines[turn.client.address]
        line = clients[turn.client]
        line.remove(turn)
        _decrease(self._waiting, turn.client)
        clients.move_to_end(turn.client)
        self._lines.move_to_end(turn.client.address)
        if not line:
            del clients[turn.client]
        if not clients:
            del self._lines[turn.client.address]


def _decrease(counter: Counter[Key], key: Key) -> None:
    """One less; a key with none is forgotten."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


class Durations:
    """How long pieces of work took the last time, of those seen last."""

    def __init__(self) -> None:
        self._seconds: OrderedDict[Hashable, float] = OrderedDict()

    def note(self, work: Hashable, seconds: float) -> None:
        """Remember how long it took."""
        self._seconds[work] = seconds
        self._seconds.move_to_end(work)
        if len(self._seconds) > REMEMBERED:
            self._seconds.popitem(last=False)

    def is_short(self, work: Hashable) -> bool:
        """Whether it was short the last time."""
        return self._seconds.get(work, SHORT_S) < SHORT_S
