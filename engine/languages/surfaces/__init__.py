"""What programs import: a folder for each library, with its names and our functions."""

from engine.languages.surfaces.catalogue import (
    ASSUMED,
    EAGER_MODULES,
    EAGER_MODULES_OF_1,
    MODULES,
    TORCH_MODULES,
)

__all__ = ["ASSUMED", "EAGER_MODULES", "EAGER_MODULES_OF_1", "MODULES", "TORCH_MODULES"]
