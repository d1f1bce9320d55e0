"""What a worker process does with two programs or files of graphs: a finished answer, as bytes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from engine.programs.differences import Compared, Tolerance, compare_programs
from server.serialization.answer import Answer, pack
from server.workers.import_tasks import uncompressed


@dataclass(frozen=True, slots=True)
class NamedSide:
    """One of the two by its id: a program, with what it left behind where that is known, or a packed file."""

    id: str
    content: ProgramRequest | bytes

    @property
    def compared(self) -> Compared:
        """The same as the engine takes it."""
        return uncompressed(self.content) if isinstance(self.content, bytes) else self.content


def answer_differences(
    key: str, before: NamedSide, after: NamedSide, detail: str, tolerance: Tolerance, limits: Limits
) -> Answer:
    """What differs between the two: the answer of `POST /differences`."""
    body = compare_programs(before.compared, after.compared, limits, detail, tolerance)
    for part, side in (("before", before), ("after", after)):
        body[part] = {"id": side.id, **body[part]}
    return Answer(key, pack(body, limits))
