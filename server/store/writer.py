"""The store's one writer: whatever waits to be written goes to the disk together, which is what takes time.

A change is given a connection within a transaction, and returns by how many bytes the store has grown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from sqlite3 import SQLITE_BUSY

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

Change = Callable[[Connection], int]

OURS_S, OTHERS_S = 0.8, 0.2  # to wait for writers here, and in other processes; then nothing is written


class StoreBusy(SQLAlchemyError):
    """Other writers took too long."""


class Writer:
    """Writes in a thread of its own, one transaction at a time.

    size_bytes: of all that is written.
    """

    def __init__(self, engine: Engine) -> None:
        self.size_bytes = 0
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "store")
        self._turn = asyncio.Lock()
        self._line: list[tuple[Change, asyncio.Future[None]]] = []

    async def write(self, change: Change) -> None:
        """Write a change, with those of others.

        Raises: SQLAlchemyError where others take too long, or the disk is full.
        """
        place = change, asyncio.get_running_loop().create_future()
        self._line.append(place)
        try:
            async with asyncio.timeout(OURS_S):
                await self._turn.acquire()
        except TimeoutError:
            if place in self._line:
                raise StoreBusy(f"The store was busy for {OURS_S:g} s.") from None
        else:
            self._begin()
        finally:
            self._line = [other for other in self._line if other is not place]
        await place[1]  # which is being written, perhaps in the turn of another one

    async def close(self) -> None:
        """Let the thread and the file go, once what is under way is written."""
        async with self._turn:
            self._thread.shutdown()
            self._engine.dispose()

    def _begin(self) -> None:
        """Begin with all that waits, and end the turn when it is written, whoever goes away meanwhile."""
        line, self._line = self._line, []
        if not line:  # another one has taken ours along
            self._turn.release()
            return

        def end(writing: asyncio.Future[list[Exception | None]]) -> None:
            self._turn.release()
            for (_, answer), error in zip(line, writing.result(), strict=True):
                if not answer.done():  # else its writer has gone
                    answer.set_exception(error) if error else answer.set_result(None)

        changes = [change for change, _ in line]
        writing = asyncio.get_running_loop().run_in_executor(self._thread, self._write, changes)
        writing.add_done_callback(end)

    def _write(self, changes: Sequence[Change]) -> list[Exception | None]:
        """Write all together, or where that fails, each alone. Returns: what was wrong with each."""
        try:
            with self._engine.begin() as connection:
                grown = sum(change(connection) for change in changes)
            self.size_bytes += grown
        except Exception as error:
            if len(changes) == 1 or is_busy(error):  # another process has it, and all have waited
                return [error] * len(changes)
            return [self._write([change])[0] for change in changes]
        return [None] * len(changes)


def is_busy(error: Exception) -> bool:
    """Whether another process is writing."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code is not None and code & 0xFF == SQLITE_BUSY
