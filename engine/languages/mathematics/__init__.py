"""The math dialect: one or more lines of mathematics, read with a grammar and built as a graph."""

from engine.languages.mathematics.ambiguity_notes import AmbiguityNotes
from engine.languages.mathematics.builder import Builder, unknown_at
from engine.languages.mathematics.functions import FUNCTIONS
from engine.languages.mathematics.parser import parse_math

__all__ = ["FUNCTIONS", "AmbiguityNotes", "Builder", "parse_math", "unknown_at"]
