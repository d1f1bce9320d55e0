"""Programs: text in, an answer out. Mathematics or a program for a framework, never handed to Python itself."""

from engine.programs.request import ProgramRequest, RunRequest
from engine.programs.service import optimise, run_program, tell_lesson

__all__ = ["ProgramRequest", "RunRequest", "optimise", "run_program", "tell_lesson"]
