"""What a worker process does with the marks of a picture: a finished file."""

from __future__ import annotations

from engine.execution.budget import Limits
from engine.interchange.picture import Drawing, to_pdf
from server.serialization.answer import Answer, pack_file


def answer_picture(key: str, drawing: Drawing, limits: Limits) -> Answer:
    """The picture as PDF: the answer of `POST /pictures`."""
    return Answer(key, pack_file(to_pdf(drawing), limits))
