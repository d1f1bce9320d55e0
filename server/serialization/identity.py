"""Ids that follow from content: the same request has the same id, on every host and after every restart."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, is_dataclass
from typing import Any, TypeVar

import orjson

from engine.interchange.picture import Drawing
from engine.programs import ProgramRequest, RunRequest
from engine.programs.landscapes import LandscapeRequest
from engine.programs.races import RaceRequest
from engine.version import ANSWERS_VERSION

T = TypeVar("T")

ID_LENGTH = 20  # base32 characters: 100 bits
ITEMS_PER_PART = 2_000  # written at once; half a millisecond
PLAIN = frozenset({int, float, bool, type(None)})
QUICK_FROM = 16_000  # characters
LONG_INTEGER = re.compile("[0-9]{19}")
TEXT_PER_ITEM = 100  # characters that are written as quickly as a number


def program_id(request: ProgramRequest, dialect: str) -> str:
    """The id of the answer to `request`, whose text was read as `dialect`."""
    return f"p_{digest({**fields_of(request), 'dialect': dialect})}"


def run_id(program: str, run: RunRequest) -> str:
    """The id of a run of the program called `program`."""
    return f"r_{digest({'program': program, **fields_of(run)})}"


def race_id(program: str, race: RaceRequest) -> str:
    """The id of a race of the program called `program`."""
    runs = [fields_of(run) for run in race.runs]
    return f"race_{digest({'program': program, 'runs': runs, 'steps': race.steps, 'record': race.record})}"


def landscape_id(program: str, asked: LandscapeRequest) -> str:
    """The id of a landscape of the program called `program`."""
    asked_of = {
        "program": program,
        "axes": [asdict(axis) for axis in asked.axes],
        "gradient": asked.gradient,
        "points": asked.points,
        "run": asked.run and fields_of(asked.run),
        "encoding": asked.encoding,
    }
    return f"land_{digest(asked_of)}"


def import_id(data: bytes) -> str:
    """The id of a graph's file, whichever version of the engine keeps it."""
    return f"i_{base64.b32encode(hashlib.sha256(data).digest()).decode().lower()[:ID_LENGTH]}"


def picture_id(drawing: Drawing) -> str:
    """The id of a picture of these marks."""
    return f"picture_{digest(asdict(drawing))}"


def fields_of(request: ProgramRequest | RunRequest) -> dict[str, Any]:
    """Every field of a request, as JSON holds it; what the program left behind is none."""
    return {field.name: getattr(request, field.name) for field in fields(request) if field.name != "ran"}


def run_from_fields(found: dict[str, Any]) -> RunRequest:
    """The run whose fields these are."""
    return RunRequest(**{**found, "process": tuple(found["process"])})


def program_from_fields(found: dict[str, Any]) -> ProgramRequest:
    """The program whose fields these are."""
    wrt = found["wrt"]
    lines = tuple(found.get("inputs", ()))
    return ProgramRequest(**{**found, "inputs": lines, "wrt": None if wrt is None else tuple(wrt)})


def canonical(fields: Any) -> str:
    """One text for equal fields: sorted keys, plain ASCII."""
    return "".join(_written(fields))


def read_canonical(text: str) -> Any:
    """The fields that `canonical` wrote; a long text five times as quickly where that is exact."""
    if len(text) > QUICK_FROM and not LONG_INTEGER.search(text):
        with suppress(orjson.JSONDecodeError):  # NaN, for one
            return orjson.loads(text)
    return json.loads(text)


def _written(value: Any) -> Iterator[str]:
    """The text in parts, none of which takes long: elsewhere the event loop waits for its turn."""
    if is_small(value):
        yield _json(value)
    elif isinstance(value, dict):
        yield "{"
        for place, key in enumerate(sorted(value)):
            yield f"{',' if place else ''}{_json(key)}:"
            yield from _written(value[key])
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for place in range(0, len(value), ITEMS_PER_PART):
            yield "," if place else ""
            yield from _items(value[place : place + ITEMS_PER_PART])
        yield "]"
    else:
        yield _json(value)


def _items(values: Sequence[Any]) -> Iterator[str]:
    if is_small(values, 2 * ITEMS_PER_PART):
        yield _json(values)[1:-1]
        return
    for place, value in enumerate(values):
        yield "," if place else ""
        yield from _written(value)


def is_small(value: Any, room: int = ITEMS_PER_PART) -> bool:
    """Whether a value or a request has few items in all."""
    return _room_left(value, room) > 0


def _room_left(value: Any, room: int) -> int:
    """How many items more there may be; looks at no more of them than that."""
    if isinstance(value, str):
        return room - 1 - len(value) // TEXT_PER_ITEM
    if isinstance(value, dict):
        items: Iterable[Any] = value.values()
    elif isinstance(value, list | tuple):
        items = value
    elif is_dataclass(value):
        items = [getattr(value, name) for name in value.__dataclass_fields__ if name != "ran"]
    else:
        return room - 1
    room -= 1
    for item in items:
        room = room - 1 if type(item) in PLAIN else _room_left(item, room)
        if room <= 0:
            break
    return room


_json = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


async def aside(function: Callable[..., T], *requests: Any) -> T:
    """`function` of requests, which writes them: beside the event loop where one of them is large."""
    if all(map(is_small, requests)):
        return function(*requests)
    return await asyncio.to_thread(function, *requests)


def digest(fields: Any) -> str:
    """A short hash of `fields` and of the engine that answers them."""
    text = f"{ANSWERS_VERSION}\n{canonical(fields)}"
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()[:ID_LENGTH]
