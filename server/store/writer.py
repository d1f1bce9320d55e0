"""The store's one writer: whatever waits to be written goes to the disk together, which is what takes time.

A change is given a connection within a transaction, and returns by how many bytes the store has grown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from sqlite3 import SQLITE_BUSY

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from server.store.deadlines import CLOSE_S, StoreBusy
from server.store.side_thread import SideThread

Change = Callable[[Connection], int]

OURS_S = 0.8  # to wait for writers here; then nothing is written
WRITE_S = 1.2  # in all; what is under way by then may still be written
NO_ROOM = "53"  # how PostgreSQL's codes for a full disk begin


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """A change that is to be written, who waits for it, and what is called when it is written."""

    change: Change
    answer: asyncio.Future[None]
    then: Callable[[], None] | None


class Writer:
    """Writes in a thread of its own, one transaction at a time.

    size_bytes: of all that is written.
    """

    def __init__(self, engine: Engine) -> None:
        self.size_bytes = 0
        self._engine = engine
        self._thread = SideThread("store")
        self._turn = asyncio.Lock()
        self._line: list[Waiting] = []

    async def write(self, change: Change, then: Callable[[], None] | None = None) -> None:
        """Write a change, with those of others.

        then: called when it is written, also where whoever asked for it no longer waits.
        Raises: SQLAlchemyError where the store does not answer, others take too long, or the disk is full.
        """
        place = Waiting(change, asyncio.get_running_loop().create_future(), then)
        self._line.append(place)
        try:
            async with asyncio.timeout(WRITE_S):
                await self._begin_in_turn(place)
                await place.answer  # which is being written, perhaps in the turn of another one
        except TimeoutError:
            raise StoreBusy(f"The store has not written for {WRITE_S:g} s.") from None

    async def close(self) -> None:
        """Let the thread and the file go, once what is under way is written; or at once where that hangs."""
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._turn.acquire()
        except TimeoutError:
            self._thread.end()
            return
        self._thread.join()
        self._engine.dispose()

    async def _begin_in_turn(self, place: Waiting) -> None:
        """Wait for one's turn, and begin; unless another one has taken this along."""
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

    def _begin(self) -> None:
        """Begin with all that waits, and end the turn when it is written, whoever goes away meanwhile."""
        line, self._line = self._line, []
        if not line:  # another one has taken ours along
            self._turn.release()
            return

        def end(writing: asyncio.Future[list[Exception | None]]) -> None:
            self._turn.release()
            for place, error in zip(line, writing.result(), strict=True):
                if error is None and place.then is not None:
                    place.then()
                if not place.answer.done():  # else its writer has gone
                    place.answer.set_exception(error) if error else place.answer.set_result(None)

        changes = [place.change for place in line]
        self._thread.do(lambda: self._write(changes)).add_done_callback(end)

    def _write(self, changes: Sequence[Change]) -> list[Exception | None]:
        """Write all together, or where that fails, each alone. Returns: what was wrong with each."""
        try:
            with self._engine.begin() as connection:
                grown = sum(change(connection) for change in changes)
            self.size_bytes += grown
        except Exception as error:
            if len(changes) == 1 or concerns_all(error):
                return [error] * len(changes)
            return [self._write([change])[0] for change in changes]
        return [None] * len(changes)


def concerns_all(error: Exception) -> bool:
    """Whether the store is away, or others have it, so that no change would fare better by itself.

    (Nor may one be tried again whose commit was under way when the connection broke: it may be written.)
    """
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return bool(code & 0xFF == SQLITE_BUSY)
    return not str(getattr(error.orig, "sqlstate", None) or "").startswith(NO_ROOM)
