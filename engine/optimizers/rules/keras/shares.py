"""What is left of a share such as β₁: Keras takes it off 1 before it rounds, and so do its rules here.

1 - 0.9 is 0.1 in float32, but 1 less the float32 that is nearest to 0.9 is 0.10000002: the difference of
numbers near 1 has lost the digits. A share is written with few decimals, so that counting them in whole
numbers, which float32 holds exactly, brings them back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DECIMALS = {"float16": 1e3}  # as many as the type holds whole numbers of; of float32 and float64 seven
SEVEN = 1e7


def as_written(share: Any, dtype: Any) -> Any:
    """The share itself in a type that has more digits than float32. Shapes: share () -> ()."""
    scale = DECIMALS.get(str(dtype), SEVEN)
    return np.rint(share * scale) / scale


def rest_of(share: Any, dtype: Any) -> Any:
    """1 - share, rounded once. Shapes: share () -> ()."""
    scale = DECIMALS.get(str(dtype), SEVEN)
    return (scale - np.rint(share * scale)) / scale
