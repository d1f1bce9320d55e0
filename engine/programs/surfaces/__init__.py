"""What programs import: one file for each part of each library, its names and our functions."""

from .catalogue import ASSUMED, EAGER_MODULES, MODULES

__all__ = ["ASSUMED", "EAGER_MODULES", "MODULES"]
