"""Running a graph: plans, sessions, traces and budgets."""

from engine.execution.budget import Limits, Meter, Unmetered
from engine.execution.session import Session
from engine.execution.trace import Run, Update

__all__ = ["Limits", "Meter", "Run", "Session", "Unmetered", "Update"]
