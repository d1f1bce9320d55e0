"""Pictures: what somebody has in sight, as a file that the page cannot make by itself."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from server.http.body_route import BodyRoute
from server.routes.shared import AnswersOf, problems, send_while_there
from server.schemas.pictures import Picture

PDF = "application/pdf"

router = APIRouter(prefix="/pictures", tags=["pictures"], route_class=BodyRoute)


@router.post("", responses={200: {"content": {PDF: {}}}, **problems(413, 422, 503)}, response_class=Response)
async def write_picture(request: Request, picture: Picture, answers: AnswersOf) -> Response:
    """The marks of a picture as a PDF of one page, its texts as text; the same marks are the same bytes."""
    drawing = await asyncio.to_thread(picture.to_engine)
    return await send_while_there(request, answers.picture(drawing), PDF, "graph_part.pdf")
