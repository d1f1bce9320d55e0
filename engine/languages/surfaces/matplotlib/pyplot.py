"""`matplotlib.pyplot`: its table, filled by the files beside this one."""

from __future__ import annotations

from engine.languages.surfaces.matplotlib import (  # noqa: F401  # for their tables
    axes_calls,
    bars,
    figure_calls,
    looks,
    series_calls,
)
from engine.languages.surfaces.matplotlib.library import PLT

__all__ = ["PLT"]
