"""How what happens in a class reaches the other replicas that students of it are connected to.

A bus may lose, double or delay what it carries: the truth is in the store, where each event has its number,
and replicas look there too (`following.py`). So a bus makes replicas quick, and the store makes them right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Protocol

from server.classes.classroom import Event

Hear = Callable[[str, Sequence[Event]], None]  # called with a class's code and its events


class Bus(Protocol):
    """Carries events of classes from the replica where they happen to all others."""

    @property
    def is_alone(self) -> bool:
        """Whether there are no others."""

    @property
    def is_joined(self) -> bool:
        """Whether what is published now reaches the others at once."""

    async def start(self, hear: Hear) -> None:
        """Begin to carry; what others publish is heard from then on. Does not wait for them."""

    async def stop(self) -> None:
        """Carry nothing any more."""

    def publish(self, code: str, events: Sequence[Event]) -> None:
        """Send events of a class to the other replicas; returns at once, reached or not."""


class LocalBus:
    """The bus of a service that is one process: nobody else is there."""

    is_alone = True
    is_joined = True

    async def start(self, hear: Hear) -> None:
        """Nothing is ever heard."""

    async def stop(self) -> None:
        """Nothing to stop."""

    def publish(self, code: str, events: Sequence[Event]) -> None:
        """Nobody to send it to."""


def packed(code: str, events: Sequence[Event]) -> bytes:
    """Events as they travel."""
    return json.dumps([code, events], ensure_ascii=False, separators=(",", ":")).encode()


def unpacked(message: bytes) -> tuple[str, list[Event]]:
    """The same, arrived. Raises: ValueError where it is none."""
    match json.loads(message):
        case [str(code), list(events)] if all(map(is_event, events)):
            return code, [(seq, kind, data) for seq, kind, data in events]
    raise ValueError("no events of a class")


def is_event(found: object) -> bool:
    """Whether this is an event: a number, a kind, data."""
    match found:
        case [int(), str(), dict()]:
            return True
    return False
