"""The lines of a landscape: a header, its bands as they are computed, a footer with what was found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import Any

import orjson

from engine.programs.landscapes import Band, LandscapeRequest
from server.answers.progress_lines import ProgressLines, Report
from server.http.encoding import unpacked
from server.serialization.answer import Answer
from server.serialization.landscape_bands import WrittenBand, band_of_lines
from server.workers.parts import Progress

IN_HEADER = ("id", "program", "target", "axes")
IN_BAND = ("values", "gradient")


def band_report(
    asked: LandscapeRequest, frame: Mapping[str, Any], cut: Band, part: WrittenBand
) -> dict[str, Any]:
    """What is reported of a band: it is written out only where somebody reads lines."""
    return {"type": "band", "write": lambda: band_of_lines(asked, frame, cut, part)}


class LandscapeLines(ProgressLines):
    """NDJSON for one reader of a landscape. One that was there already, or is small, has a single band."""

    def __init__(self, ask: Callable[[Progress], Coroutine[Any, Any, Answer]]) -> None:
        super().__init__("landscape", ask)

    async def written(self, count: int, report: Report) -> bytes:
        """The line of a header, a band or a footer."""
        return await asyncio.to_thread(_line, count, report)

    async def last(self, count: int, answer: Answer) -> AsyncIterator[bytes]:
        """Nothing after a footer; else the whole answer, taken apart."""
        if count > 0:
            return
        text = b"".join([part async for part in unpacked(answer.packed)])
        for part in await asyncio.to_thread(_taken_apart, text):
            yield part


def _line(count: int, report: Report) -> bytes:
    event = {"type": report["type"], "sequence": count}
    rest = report["write"]() if "write" in report else {key: report[key] for key in report if key != "type"}
    return orjson.dumps({**event, **rest}) + b"\n"


def _taken_apart(text: bytes) -> list[bytes]:
    """The three lines of a whole answer."""
    whole = orjson.loads(text)
    rows = len(whole["axes"][0]["values"])
    band = {"first": 0, "end": rows, **{key: whole[key] for key in IN_BAND}}
    header = {**{key: whole[key] for key in IN_HEADER}, "bands": 1}
    footer = {key: value for key, value in whole.items() if key not in (*IN_HEADER, *IN_BAND)}
    events = ({"type": "header", **header}, {"type": "band", **band}, {"type": "footer", **footer})
    return [_line(count, event) for count, event in enumerate(events)]
