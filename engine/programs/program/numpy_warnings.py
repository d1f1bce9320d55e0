"""Numbers that overflow or have no value are shown to learners, not told on somebody's console."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def undisturbed() -> Iterator[None]:
    """A nan or an infinity is a value to be shown, not a warning on somebody's console."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield
