"""The arrays that a generated function computes in."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np

from engine.execution.tracing.memory import Kind


class Scratch(threading.local):
    """Each thread has arrays of its own, made when it first asks, so that threads may call at once."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.arrays = [np.empty(shape, dtype) for shape, dtype in kinds]

    def __str__(self) -> str:
        made = (f"np.empty({array.shape}, {array.dtype})" for array in self.arrays)
        return f"for each thread [{', '.join(made)}]"
