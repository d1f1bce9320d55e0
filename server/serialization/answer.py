"""A finished answer as bytes: JSON text, compressed, of a bounded length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from server.serialization.bounded_json import AnswerTooLarge, as_json
from server.serialization.gzip_pieces import compressed

DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer: its JSON text, compressed, and what was asked for, as it was understood.

    checkpoints:   of a run, states on its way, from which its steps are computed.
    out_of_memory: whether there was none left while the program ran.
    """

    id: str
    packed: bytes
    request: ProgramRequest | None = None
    complete: bool = True  # false where the worker had to be stopped, so that another try may do better
    checkpoints: bytes = b""
    out_of_memory: bool = False

    @property
    def size_bytes(self) -> int:
        """What it takes to keep it, with what the program left behind."""
        return len(self.packed) + (len(self.request.ran) if self.request else 0)


def pack(body: dict[str, Any], limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Strict JSON, compressed. Raises: AnswerTooLarge."""
    return compressed(as_json(body, limits.answer_bytes))


def pack_file(data: bytes, limits: Limits) -> bytes:
    """A file for another tool, compressed. Raises: AnswerTooLarge."""
    if len(data) > limits.answer_bytes:
        raise AnswerTooLarge
    return compressed(data)


def line(number: int, event: dict[str, Any], limits: Limits = DEFAULT_LIMITS) -> bytes:
    """One line of a stream, strict JSON. Raises: AnswerTooLarge."""
    return as_json({"type": event["type"], "sequence": number, **event}, limits.answer_bytes) + b"\n"
