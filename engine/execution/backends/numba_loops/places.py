"""Where values stand in one block of numbers; a view is another way through the memory of its source.

Machine code computes in one block of float64 numbers, truth values among them as 1 and 0. What a view looks
like is asked of numpy, on stand-ins of one byte a number, whose strides are those in the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from engine.execution.tracing.recorder import Recorder
from engine.execution.tracing.tracer import BOOL, FLOAT64, Instruction, Lengths, NotLowered, Tracer
from engine.ops.base.tensors import Array

ELEMENTWISE = frozenset({"ufunc", "where", "cast", "fill", "copy"})
COMPUTED = ELEMENTWISE | {"matmul", "reduce"}  # kinds that can put their result into given memory
MOST_STEPS = 2_000  # beyond, compiling takes minutes
Homes = dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where an array stands.

    root:   the number of the value that the memory was made for; start: where in it the first element is.
    source: of the value that the elements were computed as.
    view:   the stand-in.
    """

    root: int
    source: int
    start: int
    view: Array

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements follow each other, the last axis first."""
        return self.view.flags.c_contiguous

    @property
    def is_whole(self) -> bool:
        """Whether it is the memory of its root from the first element on, in order."""
        return not self.start and self.is_contiguous

    def strides(self, shape: Lengths) -> Lengths:
        """From one element to the next along each axis, when it is broadcast to a shape."""
        return np.broadcast_to(self.view, shape).strides


class Places:
    """The steps that compute, where their arrays stand, and the arrays that are known.

    of:    the place of every array, by its value's number; sizes: of the memory made for a value.
    known: arrays that are known, and the values that stand for them.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.steps: list[Instruction] = []
        self.of: dict[int, Place] = {}
        self.sizes: dict[int, int] = {}
        self.known: list[tuple[Tracer, Array]] = []
        self._recorder = recorder
        self._standing: dict[int, Tracer] = {}

    def give(self, value: Tracer) -> None:
        """A value with memory of its own, such as one that is there before the first step."""
        _check(value)
        if not value.is_number:
            self.sizes[value.number] = prod(value.core)
            self.of[value.number] = Place(value.number, value.number, 0, np.empty(value.core, np.int8))

    def give_parts(self, parts: Iterable[Tracer], whole: Tracer) -> None:
        """Values that are parts of such a one, end to end."""
        start = 0
        for part in parts:
            self.of[part.number] = Place(whole.number, part.number, start, np.empty(part.core, np.int8))
            start += prod(part.core)

    def all(self, steps: Sequence[Instruction]) -> None:
        """Place what recorded steps compute. Raises: NotLowered where one does what is not known here."""
        if len(steps) > MOST_STEPS:
            raise NotLowered("too many steps to compile")
        homes = _homes(steps)
        for step in steps:
            for output in step.outputs:
                _check(output)
            getattr(self, f"_{step.kind}", self._other)(step, homes)

    def array(self, item: Any) -> Any:
        """A known array as a value, everything else as it is."""
        if not isinstance(item, np.ndarray) or not item.ndim:
            return item.item() if isinstance(item, (np.ndarray, np.generic)) else item
        if id(item) not in self._standing:
            value = self._standing[id(item)] = self._recorder.value(item.shape, item.dtype)
            self.give(value)
            self.known.append((value, item))
        return self._standing[id(item)]

    def contiguous(self, item: Any) -> Tracer:
        """The array if its elements follow each other, else a copy in which they do."""
        value: Tracer = self.array(item)
        return value if self.of[value.number].is_contiguous else self.copy(value)

    def result(self, value: Tracer) -> Tracer:
        """The value if it is computed, and in memory of its own; else a copy that is."""
        computed = any(step.outputs[0].number == value.number for step in self.steps)
        if value.is_number or (computed and self.of[value.number].root == value.number):
            return value
        return self.copy(value)

    def copy(self, source: Tracer) -> Tracer:
        """A value with the same elements in memory of its own."""
        output = self._recorder.value(source.core, source.dtype)
        self._add(Instruction("copy", None, (source,), (output,), None))
        return output

    def record(self, item: Any, name: str) -> None:
        """Put the elements of an array into the row of that name, as soon as they are there."""
        value = self.contiguous(item)
        step = Instruction("record", name, (value,), (self._recorder.value((), FLOAT64),), None)
        made = [step.outputs[0].number for step in self.steps]
        source = self.of[value.number].source
        self.steps.insert(made.index(source) + 1 if source in made else 0, step)

    # -- the kinds -------------------------------------------------------------------------------------

    def _other(self, step: Instruction, homes: Homes) -> None:
        if step.kind not in COMPUTED or len(step.outputs) != 1:
            raise NotLowered(f"{step.kind} in machine code")
        output = step.outputs[0]
        self._add(replace(step, arguments=tuple(map(self.array, step.arguments))), homes.get(output.number))

    def _matmul(self, step: Instruction, homes: Homes) -> None:
        (left, right), output = step.arguments, step.outputs[0]
        if not isinstance(left, Tracer) and left.size == left.shape[-1] and (left == 1).all():
            sums = {"axis": (0,), "keepdims": len(output.core) > 1, "dtype": right.dtype}
            step = replace(step, kind="reduce", function=np.add, arguments=(right,), options=sums)
        elif len(output.core) != 2:
            raise NotLowered("a stack of products")
        elif left.shape[-1] == 1:  # a column times a row
            step = replace(step, kind="ufunc", function=np.multiply)
        else:
            step = replace(step, arguments=tuple(map(self._matrix, step.arguments)))
        self._other(step, homes)

    def _matrix(self, item: Any) -> Tracer:
        """A matrix as BLAS takes it: C-contiguous, or the transpose of one that is."""
        value: Tracer = self.array(item)
        return value if self.of[value.number].view.T.flags.c_contiguous else self.contiguous(value)

    def _view(self, step: Instruction, homes: Homes) -> None:
        source, output = self.array(step.arguments[0]), step.outputs[0]
        place = _viewed(self.of[source.number], step)
        if place is None:
            source = self.copy(source)
            place = _viewed(self.of[source.number], step)
            assert place is not None  # of a C-contiguous array, every other shape is a view
        if output.is_number:
            self.steps.append(replace(step, kind="pick", function=place, arguments=(source,)))
        else:
            self.of[output.number] = place

    def _pack(self, step: Instruction, homes: Homes) -> None:
        """The parts that are not computed right in their places are put there."""
        whole, start = step.outputs[0], 0
        self.give(whole)
        for item, shape in zip(step.arguments, step.options["shapes"], strict=True):
            if not (isinstance(item, Tracer) and homes.get(item.number) == (whole.number, start)):
                output = self._recorder.value(shape, whole.dtype)
                copy = Instruction("copy", None, (self.array(item),), (output,), step.node)
                self._add(copy, (whole.number, start))
            start += prod(shape)

    def _add(self, step: Instruction, home: tuple[int, int] | None = None) -> None:
        """home: the memory of another value, and where in it the result begins; else it has its own."""
        output = step.outputs[0]
        if home is not None:
            self.of[output.number] = Place(home[0], output.number, home[1], np.empty(output.core, np.int8))
        else:
            self.give(output)
        self.steps.append(step)


def _viewed(place: Place, step: Instruction) -> Place | None:
    """The place of a view, as numpy makes it; None where numpy would copy the elements."""
    array, how, what = place.view, step.function, step.options["what"]
    if how == "getitem":
        found = array[what if ... in what else (*what, ...)]  # an array of no axes rather than a number
    elif how == "broadcast":
        found = np.broadcast_to(array, what)
    else:
        found = array.reshape(what) if how == "reshape" else array.transpose(what)
    if not np.may_share_memory(found, array):
        return None
    if any(stride < 0 for stride in found.strides):
        raise NotLowered("elements in reverse order")
    start = found.__array_interface__["data"][0] - array.__array_interface__["data"][0]
    return Place(place.root, place.source, place.start + start, found)


def _check(value: Tracer) -> None:
    if value.dtype not in (FLOAT64, BOOL):
        raise NotLowered(f"{value.dtype} in machine code")
    if 0 in value.core:
        raise NotLowered("no elements")


def _homes(steps: Sequence[Instruction]) -> Homes:
    """What can be computed right in its place in a pack: in which one, and from where on."""
    made = {output.number: step for step in steps for output in step.outputs}
    found: Homes = {}
    for step in steps:
        if step.kind != "pack":
            continue
        whole, start = step.outputs[0], 0
        for item, shape in zip(step.arguments, step.options["shapes"], strict=True):
            home = made.get(item.number) if isinstance(item, Tracer) else None
            if home is not None and home.kind in COMPUTED and (item.core, item.dtype) == (shape, whole.dtype):
                found.setdefault(item.number, (whole.number, start))
            start += prod(shape)
    return found
