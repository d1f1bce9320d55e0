"""Links: states of the page that are too long for an address, kept under a hash of their content."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import RedirectResponse

from server.http.body_route import BodyRoute
from server.http.problems import not_found, state_too_large
from server.routes.shared import AnswersOf, problems
from server.schemas.answers.links import LinkAnswer, LinkedState
from server.schemas.requests import Link
from server.serialization.identity import ID_LENGTH

MOST_BYTES = 32_000
LinkId = Annotated[str, Path(pattern=f"^l_[a-z2-7]{{{ID_LENGTH}}}$")]

router = APIRouter(prefix="/links", tags=["links"], route_class=BodyRoute)
short = APIRouter(include_in_schema=False)


@router.post("", response_model=LinkAnswer, responses=problems(413, 422, 503))
async def keep_state(link: Link, answers: AnswersOf) -> dict[str, str]:
    """Keep a state of the page; the same state has the same id."""
    text = json.dumps(link.state, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    if len(text.encode()) > MOST_BYTES:
        raise state_too_large(MOST_BYTES)
    name = link_id(text)
    await answers.store.links.put(name, text)
    return {"id": name, "url": f"l/{name}"}


@router.get("/{link_id}", response_model=LinkedState, responses=problems(404, 422))
async def kept_state(link_id: LinkId, answers: AnswersOf) -> dict[str, Any]:
    """The state that was kept under this id."""
    text = await answers.store.links.get(link_id)
    if text is None:
        raise not_found("link", link_id)
    return {"state": json.loads(text)}


@short.get("/l/{link_id}")
async def open_link(link_id: LinkId) -> RedirectResponse:
    """The page on a kept state."""
    return RedirectResponse(f"../?link={link_id}")


def link_id(text: str) -> str:
    """The id of a state, whichever version of the engine keeps it."""
    return f"l_{base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()[:ID_LENGTH]}"
