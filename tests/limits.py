"""Time for every program that is to end by itself, or by another budget than the clock's."""

from __future__ import annotations

from types import MappingProxyType

from engine.execution import Limits

ROOMY = Limits(wall_s=60, view_s=60)  # however busy the machine
PATIENT = MappingProxyType(  # what a service is started with, for the same reason
    {"GRADLENS_LIMITS__WALL_S": "25", "GRADLENS_LIMITS__VIEW_S": "25"}
)
