"""Running a graph: plans, sessions, programs, training loops, traces and budgets."""

from engine.execution.budget import Limits, Meter, Unmetered
from engine.execution.columns import Columns
from engine.execution.interpreter.session import Session
from engine.execution.interpreter.trace import Run, Update
from engine.execution.program import Program, lower
from engine.execution.training_loop import TrainingLoop, lower_training

__all__ = [
    "Columns",
    "Limits",
    "Meter",
    "Program",
    "Run",
    "Session",
    "TrainingLoop",
    "Unmetered",
    "Update",
    "lower",
    "lower_training",
]
