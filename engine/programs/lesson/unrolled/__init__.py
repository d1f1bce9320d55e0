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
from engine.programs.lesson.unrolled.unrolled import Parts, Unrolled, unrolled
from engine.programs.lesson.unrolled.unrolling import CannotUnroll

__all__ = [
    "BranchTaken",
    "CannotUnroll",
    "Happening",
    "LoopEnded",
    "LoopRun",
    "Parts",
    "Path",
    "TurnBegan",
    "Unrolled",
    "VariableWritten",
    "unrolled",
]
