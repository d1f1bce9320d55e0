"""Nobody waits for the store longer than a request may take: a database that is paused holds up no one.

Work that takes too long is left to end by itself: a driver that is cancelled may wait for the very database
that does not answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

T = TypeVar("T")

READ_S = 0.7  # without any sign of life from the database
LONGEST_READ_S = 2.0  # while it answers others
CLOSE_S = 1.0


class StoreBusy(SQLAlchemyError):
    """The store does not answer in time."""


UNAVAILABLE = (StoreBusy, OperationalError, InterfaceError, NoConnection)  # for now; it may come back


class Patience:
    """Work on the store, each piece of which is waited for so long and no longer."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._answered_at = -READ_S

    async def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work gives; where many ask at once, some wait longer than for a database that is paused.

        Raises: StoreBusy where it takes too long, and what the work raises.
        """
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        began = time.monotonic()
        while not task.done():
            until = min(max(began, self._answered_at) + READ_S, began + LONGEST_READ_S)
            left = until - time.monotonic()
            if left <= 0:
                raise StoreBusy("The store does not answer.")
            await asyncio.wait([task], timeout=left)
        return task.result()

    async def close(self) -> None:
        """Let what is still under way end, or go."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=CLOSE_S)
            for task in late:
                task.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is None:  # whoever waited has it, or has gone
            self._answered_at = time.monotonic()
