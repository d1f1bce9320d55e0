"""A class opens the page at once: every file and the first answers, for each of sixty browsers."""

from __future__ import annotations

import asyncio
import json
import posixpath
import random
import re
import time

from tests.reliability.figures import Figure, spread
from tests.reliability.http import Connection, Target, request_bytes
from tests.reliability.processes import Service

LINES = 6  # connections of a browser
NAMED = re.compile(rb"""["'](\./[^"'\s]+?|assets/[^"'\s]+?)["']""")
DEFAULT = {"source": "y = exp(sin(x))", "at": {"x": 3}}


async def visits(service: Service, browsers: int = 60, within_s: float = 10) -> list[Figure]:
    """So many browsers come within so many seconds, none of which has been here before."""
    files = await files_of_the_page(service.target)
    chance = random.Random(60)
    begun = time.perf_counter()
    starts = sorted(chance.uniform(0, within_s * 0.8) for _ in range(browsers))
    found = [Browser(service.target, files) for _ in starts]
    await asyncio.gather(*(each.visit(start) for each, start in zip(found, starts, strict=True)))
    return [
        Figure("files of a visit", len(files), "", None),
        Figure("visits without a file", float(len(files) < 10)),
        Figure("requests that failed", sum(each.failed for each in found)),
        *spread("a file", [time_s for each in found for time_s in each.files_s], 150),
        *spread("the first graph and lesson", [each.graph_s for each in found]),
        Figure("all visits", time.perf_counter() - begun, "s", within_s, timed=True),
    ]


class Browser:
    """One that has nothing of the page yet: six connections take what is left to be fetched."""

    def __init__(self, target: Target, files: list[str]) -> None:
        self.files_s: list[float] = []
        self.graph_s = 0.0
        self.failed = 0
        self._target = target
        self._left = list(reversed(files))

    async def visit(self, after_s: float) -> None:
        """Come after a while, fetch the page, then the rest of its files and the first answers."""
        await asyncio.sleep(after_s)
        began = time.perf_counter()
        connections = [await Connection.open(self._target) for _ in range(LINES)]
        await self._file(connections[0], self._left.pop())
        await asyncio.gather(self._answers(connections[0], began), *map(self._files, connections[1:]))
        for each in connections:
            each.close()

    async def _files(self, connection: Connection) -> None:
        while self._left:
            await self._file(connection, self._left.pop())

    async def _file(self, connection: Connection, path: str) -> None:
        began = time.perf_counter()
        request = request_bytes("GET", path, base="", accept_encoding="gzip")
        status, _, _ = await connection.ask(request)
        if status == 0:  # closed for having been idle, just then; a browser asks again, too
            status, _, _ = await connection.ask(request)
        self.files_s.append(time.perf_counter() - began)
        self.failed += status != 200

    async def _answers(self, connection: Connection, began: float) -> None:
        posted = request_bytes("POST", "/programs", DEFAULT, accept_encoding="identity")
        status, _, body = await connection.ask(posted)
        lesson = f"/programs/{json.loads(body)['id']}/lesson" if status == 200 else "/health"
        answers = [await connection.ask(request_bytes("GET", path)) for path in (lesson, "/examples")]
        self.graph_s = time.perf_counter() - began
        self.failed += (status != 200) + sum(each[0] != 200 for each in answers)


async def files_of_the_page(target: Target) -> list[str]:
    """The page, and all files that it names, and they name in turn, as they are asked for."""
    connection = await Connection.open(target)
    found, seen, waiting = [], {"/"}, ["/"]
    while waiting:
        path = waiting.pop()
        status, _, body = await connection.ask(request_bytes("GET", path, base=""))
        if status == 200:
            found.append(path)
            named = {
                posixpath.normpath(posixpath.join(posixpath.dirname(path), name.decode()))
                for name in NAMED.findall(body)
            }
            new = sorted(name for name in named - seen if "." in posixpath.basename(name))
            seen.update(new)
            waiting += new
    connection.close()
    return found
