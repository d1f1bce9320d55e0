"""numpy without its warnings: numbers that overflow or have no value are shown to learners instead."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def without_warnings() -> Iterator[None]:
    """Run a block, or a function, without numpy's warnings about NaN and infinity."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield
