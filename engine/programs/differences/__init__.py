"""Two programs, or graphs from files, before and after a change: what differs between them."""

from engine.programs.differences.answer import compare_programs
from engine.programs.differences.numbers import Tolerance
from engine.programs.differences.sides import Compared

__all__ = ["Compared", "Tolerance", "compare_programs"]
