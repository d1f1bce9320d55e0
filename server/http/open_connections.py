"""Open connections: as many as there are file descriptors for.

When there are that many, the one that keeps the service waiting the longest makes room for the next.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import Protocol

MOST_DESCRIPTORS = 4_096
RESERVED_DESCRIPTORS = 250  # for files, worker processes and streams
BACKLOG = 100  # connections that the system takes in advance; they take descriptors all at once
LINGER_S = 1.0  # in which a refused request is still read, so that its sender gets to read why
BODY_BYTES_PER_S = 50_000
STEP_BYTES = 10_000  # that a reader has to take to be one
LOOKS = 8  # at a deadline, before it is over


class Connection(Protocol):
    """A connection, as those who count them see it."""

    address: str

    def __hash__(self) -> int: ...

    def abort(self) -> None:
        """Close at once."""

    def look(self, now: float) -> None:
        """Close where a deadline is over."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long a connection may keep the service waiting, and for how much.

    header_s: for all headers of a request, from the connection's opening or the request's first byte.
    body_s:   without any byte of a body; twice that in all, and what its bytes take at `BODY_BYTES_PER_S`.
    write_s:  without reading `STEP_BYTES` of what is there to be read.
    """

    header_s: float
    body_s: float
    write_s: float
    header_bytes: int

    @property
    def look_s(self) -> float:
        """How often to look who is late."""
        return min(self.header_s, self.body_s, self.write_s, LINGER_S * 2) / LOOKS


class Connections:
    """All open connections; those that keep the service waiting in the order last heard."""

    def __init__(self, limit: int, deadlines: Deadlines) -> None:
        self.limit = limit
        self.deadlines = deadlines
        self.open: set[Connection] = set()
        self._waiting: OrderedDict[Connection, None] = OrderedDict()
        self._waiting_at: defaultdict[str, OrderedDict[Connection, None]] = defaultdict(OrderedDict)
        self._looking: asyncio.TimerHandle | None = None

    def add(self, connection: Connection) -> None:
        """A client has connected, and owes a request; at the limit another one is closed for it."""
        if len(self.open) >= self.limit:
            last_heard = next(iter(self._waiting), connection)
            self._drop(last_heard)
            if last_heard is connection:
                return
        self.open.add(connection)
        self.waits(connection)
        if self._looking is None:
            self._look()

    def remove(self, connection: Connection) -> None:
        """A connection is closed."""
        self.open.discard(connection)
        self.works(connection)

    def waits(self, connection: Connection) -> None:
        """The service waits for whoever is connected, of whom it has just heard."""
        here = self._waiting_at[connection.address]
        for waiting in (self._waiting, here):
            waiting[connection] = None
            waiting.move_to_end(connection)
        if len(here) > max(1, self.limit // 2):
            self._drop(next(iter(here)))

    def works(self, connection: Connection) -> None:
        """Whoever is connected waits for the service."""
        self._waiting.pop(connection, None)
        here = self._waiting_at[connection.address]
        here.pop(connection, None)
        if not here:
            del self._waiting_at[connection.address]

    def _drop(self, connection: Connection) -> None:
        self.remove(connection)
        connection.abort()

    def _look(self) -> None:
        """Close what is late, again and again while anybody is connected."""
        now = time.monotonic()
        for connection in list(self.open):
            connection.look(now)
        again = asyncio.get_running_loop().call_later
        self._looking = again(self.deadlines.look_s, self._look) if self.open else None


def connection_limit(wanted: int) -> int:
    """For how many connections there are file descriptors, of which as many are taken as the system gives."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    free = MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    return min(wanted, max(free - RESERVED_DESCRIPTORS, free // 2))
