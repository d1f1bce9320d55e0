"""A graph with branches and loops as one run went through it, so that it can be told turn by turn."""

from engine.programs.lesson.unrolled.happenings import (
    BranchTaken,
    Happening,
    LoopEnded,
    LoopRun,
    Path,
    TurnBegan,
    VariableWritten,
)
from engine.programs.lesson.unrolled.unrolled import Unrolled, unrolled

__all__ = [
    "BranchTaken",
    "Happening",
    "LoopEnded",
    "LoopRun",
    "Path",
    "TurnBegan",
    "Unrolled",
    "VariableWritten",
    "unrolled",
]
