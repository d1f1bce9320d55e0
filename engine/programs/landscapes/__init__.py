"""Landscapes: a program's target over one or two variables, with its slopes and its critical points."""

from engine.programs.landscapes.landscape import MAX_COUNT, LandscapeRequest, landscape
from engine.programs.landscapes.surface import AxisRequest

__all__ = ["MAX_COUNT", "AxisRequest", "LandscapeRequest", "landscape"]
