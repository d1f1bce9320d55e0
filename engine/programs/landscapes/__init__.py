"""Landscapes: a program's target over one or two variables, with its slopes and its critical points."""

from engine.programs.landscapes.bands import Band, Glimpse
from engine.programs.landscapes.landscape import View, landscape
from engine.programs.landscapes.request import MAX_COUNT, AxisRequest, LandscapeRequest

__all__ = ["MAX_COUNT", "AxisRequest", "Band", "Glimpse", "LandscapeRequest", "View", "landscape"]
