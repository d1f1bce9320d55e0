"""Corners of a function: points without a derivative, where a convention says what its gradient is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.ops.base.shapes import axes_of
from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True)
class Kink:
    """Where an op has a corner, and what TensorFlow does there, in both languages.

    at:        whether its inputs touch the corner.
    elsewhere: by framework, the comment on code for one that does otherwise.
    """

    at: Callable[[Sequence[Array]], bool]
    note: str
    note_zh: str
    elsewhere: Mapping[str, str] = field(default_factory=dict)


def at_zero(given: Sequence[Array]) -> bool:
    """Whether some element of the first input is 0."""
    return bool((given[0] == 0).any())


def at_tie(given: Sequence[Array]) -> bool:
    """Whether the two inputs are equal somewhere."""
    return bool(np.equal(*np.broadcast_arrays(*given[:2])).any())


def at_tied(extreme: Callable[..., Any]) -> Callable[[Sequence[Array]], bool]:
    """Whether several elements of the first input, along the axes of the second, are its extreme."""

    def tied(given: Sequence[Array]) -> bool:
        if not given[0].size:
            return False
        axes = axes_of(given[1])
        count = np.sum(given[0] == extreme(given[0], axis=axes, keepdims=True), axis=axes)
        return bool((count > 1).any())

    return tied
