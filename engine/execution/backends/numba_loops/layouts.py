"""Where values stand in memory: each result in memory of its own, in rows; a view in that of its source.

What generated machine code computes with is memory alone, numbers one after the other. Shapes, views and
stretching are known here and become steps from one number to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from engine.execution.tracing.tracer import Instruction, Lengths, NotLowered


@dataclass(frozen=True, slots=True)
class Layout:
    """Element (i, j, …) stands at start + i · strides[0] + j · strides[1] + … of the memory `root`.

    root:   the number of the value that the memory was made for.
    source: of the value that the elements were computed as.
    """

    root: int
    source: int
    start: int
    shape: Lengths
    strides: Lengths

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def in_rows(self) -> bool:
        """Whether the elements follow each other, the last axis first."""
        return _same_steps(self.strides, steps_in_rows(self.shape), self.shape)

    @property
    def turned(self) -> Layout:
        """The same elements, with the axes in opposite order."""
        return Layout(self.root, self.source, self.start, self.shape[::-1], self.strides[::-1])

    def stretched(self, shape: Lengths) -> Lengths:
        """The strides when it is broadcast to a shape."""
        lead = len(shape) - len(self.shape)
        own = [0 if length == 1 else step for length, step in zip(self.shape, self.strides, strict=True)]
        return (*[0] * lead, *own)


def own_layout(number: int, shape: Lengths) -> Layout:
    """A result in its own memory."""
    return Layout(number, number, 0, shape, steps_in_rows(shape))


def part_layout(number: int, root: int, start: int, shape: Lengths) -> Layout:
    """A result in a part of another's memory."""
    return Layout(root, number, start, shape, steps_in_rows(shape))


def steps_in_rows(shape: Lengths) -> Lengths:
    """How many elements further each axis leads, where they lie row by row."""
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


def viewed(layout: Layout, step: Instruction) -> Layout | None:
    """The layout of a view, as numpy makes it; None where numpy would copy the elements."""
    memory = np.empty(
        1 + sum((n - 1) * s for n, s in zip(layout.shape, layout.strides, strict=True)), np.int8
    )
    given = np.lib.stride_tricks.as_strided(memory, layout.shape, layout.strides)
    found = _view(given, step.function, step.options["what"])
    if not np.may_share_memory(found, memory):
        return None
    start = found.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    if any(stride < 0 for stride in found.strides):
        raise NotLowered("elements in reverse order")
    return Layout(layout.root, layout.source, layout.start + start, found.shape, found.strides)


def _view(array: Any, how: str, what: Any) -> Any:
    if how == "getitem":
        return array[what if ... in what else (*what, ...)]  # an array of no axes rather than a number
    if how == "broadcast":
        return np.broadcast_to(array, what)
    return array.reshape(what) if how == "reshape" else array.transpose(what)


def merged(shape: Lengths, strides: Sequence[Lengths]) -> tuple[Lengths, list[Lengths]]:
    """The same elements with as few axes as can be, for arrays that are gone through together.

    Two neighbouring axes are one where every array has the same step at their seam as within them.
    """
    axes = [n for n, length in enumerate(shape) if length != 1]
    lengths: list[int] = []
    kept: list[list[int]] = []
    for axis in axes:
        steps = [own[axis] for own in strides]
        if lengths and kept[-1] == [step * shape[axis] for step in steps]:
            lengths[-1] *= shape[axis]
            kept[-1] = steps
        else:
            lengths.append(shape[axis])
            kept.append(steps)
    return tuple(lengths), [tuple(steps[n] for steps in kept) for n in range(len(strides))]


def _same_steps(first: Lengths, second: Lengths, shape: Lengths) -> bool:
    """Along an axis of one element no step is ever taken."""
    return all(n == 1 or a == b for n, a, b in zip(shape, first, second, strict=True))
