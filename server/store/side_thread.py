"""A thread beside the event loop that the program does not wait for at its end.

(Those of `concurrent.futures` are joined even when a database has stopped in the middle of an answer.)
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

Work = tuple[Callable[[], Any], asyncio.Future[Any], asyncio.AbstractEventLoop]


class SideThread:
    """One thread, which does one piece of work after the other; it starts with the first."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def do(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """What the work returns, or the error that it raises."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._work.put((work, done, loop))
        return done

    def end(self) -> None:
        """Let the thread go once its work is done."""
        self._work.put(None)

    def join(self) -> None:
        """The same, and wait until it has gone."""
        self.end()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while (next_one := self._work.get()) is not None:
            work, done, loop = next_one
            try:
                result, error = work(), None
            except BaseException as raised:
                result, error = None, raised
            try:
                loop.call_soon_threadsafe(finish, done, result, error)
            except RuntimeError:  # the loop was closed: nobody waits any more
                return


def finish(done: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    """Hand over how the work ended, unless nobody waits for it."""
    if done.cancelled():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)
