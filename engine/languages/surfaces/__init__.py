"""What programs import: one file for each part of each library, its names and our functions."""

from engine.languages.surfaces.catalogue import ASSUMED, EAGER_MODULES, MODULES

__all__ = ["ASSUMED", "EAGER_MODULES", "MODULES"]
