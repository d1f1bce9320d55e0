"""Whether the service can answer: looked at by really writing, at most once a second, and within a second."""

from __future__ import annotations

import asyncio
import time

import structlog

from server.answers.store import Store
from server.workers.workers import Workers

CHECK_S = 1.0  # for which a result is given again, and which a look may take

log = structlog.get_logger("gradlens")


class Readiness:
    """The parts that the service needs; however many ask, the disk is written to once a second."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store = store
        self.workers = workers
        self._look: asyncio.Task[bool] | None = None
        self._since = 0.0

    async def parts(self) -> dict[str, bool]:
        """Each part, and whether it is ready."""
        return {"store": await self._is_writable(), "workers": self.workers.alive}

    async def _is_writable(self) -> bool:
        """What the last look has found, or a new one; a disk that does not answer is not ready."""
        look = self._look
        if look is None or (look.done() and time.monotonic() - self._since >= CHECK_S):
            look = self._look = asyncio.ensure_future(self._write())
            self._since = time.monotonic()
        done, _ = await asyncio.wait([look], timeout=CHECK_S)
        return bool(done) and look.result()

    async def _write(self) -> bool:
        try:
            await self.store.check_writing()
        except Exception:  # whatever it is, the store keeps nothing
            log.exception("the store cannot be written")
            return False
        return True
