"""Recorded steps made ready for memory: views become layouts, and what has no place yet is copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.layouts import Layout, own_layout, part_layout, viewed
from engine.execution.backends.numba_loops.nests import ELEMENTWISE
from engine.execution.tracing.recorder import Recorder
from engine.execution.tracing.tracer import FLOAT64, Instruction, NotLowered, Value

BOOL = np.dtype(bool)
COMPUTED = ELEMENTWISE | {"matmul", "reduce"}  # kinds that can put their result into given memory
MOST_STEPS = 2_000  # beyond, compiling takes minutes


class LaidOut:
    """The steps that compute, where their arrays stand, and the arrays that are known.

    layouts:   of every array, by its value's number.
    constants: known arrays and the values that stand for them.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.steps: list[Instruction] = []
        self.layouts: dict[int, Layout] = {}
        self.constants: list[tuple[Value, Any]] = []
        self.values: dict[int, Value] = {}
        self._recorder = recorder
        self._standing: dict[int, Value] = {}

    def give_all(self, values: Iterable[Value]) -> None:
        """Values that are there before the first step."""
        for value in values:
            self.give(value)

    def give(self, value: Value) -> None:
        """A value that is there before the first step."""
        _check(value)
        self.values[value.number] = value
        if not value.is_number:
            self.layouts[value.number] = own_layout(value.number, value.core)

    def give_parts(self, parts: Iterable[Value], whole: Value) -> None:
        """Values that are parts of such a one, end to end."""
        start = 0
        for part in parts:
            self.values[part.number] = part
            self.layouts[part.number] = part_layout(part.number, whole.number, start, part.core)
            start += part.size

    def all(self, steps: Sequence[Instruction]) -> None:
        """Lay out recorded steps. Raises: NotLowered where one does what is not known here."""
        if len(steps) > MOST_STEPS:
            raise NotLowered("too many steps to compile")
        homes = _homes(steps)
        for step in steps:
            for output in step.outputs:
                _check(output)
            getattr(self, f"_{step.kind}", self._other)(step, homes)

    def copy(self, source: Value) -> Value:
        """A value with the same elements in memory of its own."""
        output = self._recorder.value(source.core, source.dtype)
        self._add(Instruction("copy", None, (source,), (output,), None))
        return output

    def copy_at_once(self, source: Value) -> Value:
        """The same, as soon as the elements are there."""
        output = self.copy(source)
        origin = self.layouts[source.number].source
        made = [step.outputs[0].number for step in self.steps]
        self.steps.insert(made.index(origin) + 1 if origin in made else 0, self.steps.pop())
        return output

    def result(self, value: Value) -> Value:
        """The value if it is computed, and in memory of its own; else a copy that is."""
        computed = any(step.outputs[0].number == value.number for step in self.steps)
        if value.is_number or (computed and self.layouts[value.number].root == value.number):
            return value
        return self.copy(value)

    def array(self, item: Any) -> Any:
        """A known array as a value, everything else as it is."""
        if not isinstance(item, np.ndarray) or not item.ndim:
            return item.item() if isinstance(item, (np.ndarray, np.generic)) else item
        if id(item) not in self._standing:
            value = self._recorder.value(item.shape, item.dtype)
            self.give(value)
            self._standing[id(item)] = value
            self.constants.append((value, item))
        return self._standing[id(item)]

    # -- the kinds -------------------------------------------------------------------------------------

    def _other(self, step: Instruction, homes: dict[int, tuple[int, int]]) -> None:
        if step.kind not in COMPUTED or len(step.outputs) != 1:
            raise NotLowered(f"{step.kind} in machine code")
        output = step.outputs[0]
        home = homes.get(output.number)
        layout = part_layout(output.number, *home, output.core) if home else None
        arguments = tuple(map(self.array, step.arguments))
        self._add(replace(step, arguments=arguments), layout)

    def _matmul(self, step: Instruction, homes: dict[int, tuple[int, int]]) -> None:
        left, right = step.arguments
        if not isinstance(left, Value) and left.size == left.shape[-1] and (left == 1).all():
            options = {"axis": (0,), "keepdims": len(step.outputs[0].core) > 1, "dtype": right.dtype}
            self._other(
                replace(step, kind="reduce", function=np.add, arguments=(right,), options=options), homes
            )
            return
        if len(step.outputs[0].core) != 2:
            raise NotLowered("a stack of products")
        if left.shape[-1] == 1:  # a column times a row
            self._other(replace(step, kind="ufunc", function=np.multiply), homes)
            return
        self._other(replace(step, arguments=tuple(map(self._matrix, step.arguments))), homes)

    def _view(self, step: Instruction, homes: dict[int, tuple[int, int]]) -> None:
        source, output = self.array(step.arguments[0]), step.outputs[0]
        layout = viewed(self.layouts[source.number], step)
        if layout is None:
            source = self.copy(source)
            layout = viewed(self.layouts[source.number], step)
            assert layout is not None  # in rows, everything can be a view
        self.values[output.number] = output
        self.layouts[output.number] = layout
        if output.is_number:
            pick = replace(step, kind="pick", arguments=(source,), options={"start": layout.start})
            del self.layouts[output.number]
            self.steps.append(pick)

    def _pack(self, step: Instruction, homes: dict[int, tuple[int, int]]) -> None:
        """The parts that are not computed right in their places are put there."""
        whole, start = step.outputs[0], 0
        self.give(whole)
        for item, shape in zip(step.arguments, step.options["shapes"], strict=True):
            if not (isinstance(item, Value) and homes.get(item.number) == (whole.number, start)):
                output = self._recorder.value(shape, whole.dtype)
                layout = part_layout(output.number, whole.number, start, shape)
                self._add(Instruction("copy", None, (self.array(item),), (output,), step.node), layout)
            start += prod(shape)

    def _matrix(self, item: Any) -> Any:
        """A matrix as BLAS takes it: in rows, or in columns."""
        value = self.array(item)
        layout = self.layouts[value.number]
        if layout.in_rows or layout.turned.in_rows:
            return value
        return self.copy(value)

    def _add(self, step: Instruction, layout: Layout | None = None) -> None:
        output = step.outputs[0]
        self.values[output.number] = output
        if not output.is_number:
            self.layouts[output.number] = layout or own_layout(output.number, output.core)
        self.steps.append(step)


def _check(value: Value) -> None:
    if value.dtype not in (FLOAT64, BOOL):
        raise NotLowered(f"{value.dtype} in machine code")
    if 0 in value.core:
        raise NotLowered("no elements")


def _homes(steps: Sequence[Instruction]) -> dict[int, tuple[int, int]]:
    """What can be computed right in its place in a pack: in which one, and from where on."""
    made = {output.number: step for step in steps for output in step.outputs}
    found: dict[int, tuple[int, int]] = {}
    for step in steps:
        if step.kind != "pack":
            continue
        whole, start = step.outputs[0], 0
        for item, shape in zip(step.arguments, step.options["shapes"], strict=True):
            home = made.get(item.number) if isinstance(item, Value) else None
            if home is not None and home.kind in COMPUTED and (item.core, item.dtype) == (shape, whole.dtype):
                found.setdefault(item.number, (whole.number, start))
            start += prod(shape)
    return found
