"""What programs import: one file for each part of each library, names on the left, our functions on the right."""

from .catalogue import ASSUMED, MODULES

__all__ = ["ASSUMED", "MODULES"]
