"""The math dialect: one or more lines of mathematics, read with a grammar and built as a graph."""

from .builder import Builder, unknown_at
from .functions import FUNCTIONS
from .parser import parse_math

__all__ = ["FUNCTIONS", "Builder", "parse_math", "unknown_at"]
