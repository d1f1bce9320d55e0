"""Which program a class is shown: the one that its state, or the link in it, holds."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import ValidationError

from engine.programs import ProgramRequest
from server.answers.answers import Answers
from server.examples import examples
from server.schemas.requests import Program

PREFIX = "v1="
MOST_BYTES = 1_000_000  # of a packed state, unpacked
FIELDS = ("source", "dialect", "at", "feeds", "data", "inputs", "seed")


async def program_of(state: dict[str, Any], answers: Answers) -> ProgramRequest | None:
    """The program that a state names, as a request; None where it names none."""
    link = state.get("link")
    found = {**await _linked(link, answers), **state} if isinstance(link, str) else state
    if not isinstance(found.get("source"), str):
        return None
    try:
        return Program.model_validate({name: found[name] for name in FIELDS if name in found}).to_engine()
    except ValidationError:
        return None


async def _linked(link: str, answers: Answers) -> dict[str, Any]:
    """The state that a link of the page holds, whichever kind of link it is."""
    parts = urlsplit(link)
    if parts.fragment.startswith(PREFIX):
        return unpacked_state(parts.fragment.removeprefix(PREFIX))
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    short = query.get("link") or parts.path.rpartition("/")[2]
    if short.startswith("l_"):
        kept = await answers.store.links.get(short)
        return dict(json.loads(kept)) if kept else {}
    example = examples().get(query.get("example", ""))
    return {} if example is None else dict(example)


def unpacked_state(letters: str) -> dict[str, Any]:
    """What the page packs into its address: JSON, deflated, in base64. Raises: ValueError."""
    packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    try:
        text = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, MOST_BYTES)
    except zlib.error:
        raise ValueError("not a packed state") from None
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("not a state")
    return found
