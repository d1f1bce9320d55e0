"""Landscapes: a program's target over one or two variables, with its slopes and its critical points."""

from engine.programs.landscapes.landscape import LandscapeRequest, landscape
from engine.programs.landscapes.surface import AxisRequest

__all__ = ["AxisRequest", "LandscapeRequest", "landscape"]
