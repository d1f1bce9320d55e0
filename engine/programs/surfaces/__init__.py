"""What programs import: one file for each part of each library, its names and our functions."""

from .catalogue import ASSUMED, MODULES

__all__ = ["ASSUMED", "MODULES"]
