"""Time for every program that is to end by itself, or by another budget than the clock's."""

from __future__ import annotations

from engine.execution import Limits

ROOMY = Limits(wall_s=60)  # however busy the machine
