"""A person's own derivative: whether it is right, where it first differs, and what leads to it."""

from engine.differentiation.judging.difference import written
from engine.differentiation.judging.judge import Judged, judge

__all__ = ["Judged", "judge", "written"]
