"""An execution plan: recorded instructions as numpy calls on memory for as many runs as there are.

A plan makes the same calls on the same arrays each time that it is executed: nothing is allocated and no
graph is walked. What depends on nothing that changes is computed once, while planning; what nobody asks for
is left out; memory is used again when its value is of no more use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.batching.numpy_calls import Unbatchable, call_of, view_of, widened
from engine.execution.tracing.tracer import Instruction, Tracer
from engine.ops.base.tensors import Array

Leaves = Mapping[Tracer, Array]
NO_MOVES: Mapping[Tracer, Any] = MappingProxyType({})
ALIGNED = frozenset({"ufunc", "where", "matmul"})  # kinds whose operands are broadcast to each other


class ExecutionPlan:
    """Instructions with their memory, for the runs that the leaves hold.

    moves:    for a leaf the value that its array shall hold after each execution.
    homes:    where to put a value.
    limit:    how many numbers may be kept at once.
    calls:    what an execution does, one after the other.
    steps:    which of the instructions it executes.
    elements: how many numbers one execution computes.
    """

    def __init__(
        self,
        steps: Sequence[Instruction],
        axes: int,
        wanted: Sequence[Tracer],
        leaves: Leaves,
        *,
        moves: Mapping[Tracer, Any] = NO_MOVES,
        homes: Sequence[tuple[Tracer, Array]] = (),
        limit: int | None = None,
    ) -> None:
        self.calls: list[Callable[[], Any]] = []
        self.elements = 0
        self._axes, self._room, self._limit = axes, 0, limit
        self._arrays = {leaf.number: array for leaf, array in leaves.items()}
        self._roots: dict[int, int] = {}  # of a view, the value whose memory it shows
        self._made: dict[int, int] = {}  # which call fills a value's own memory
        self._free: dict[Any, list[Array]] = {}
        asked = [*wanted, *moves.values(), *(value for value, _ in homes)]
        needed = self._needed(steps, asked)
        self.steps = [step for step in needed if step.outputs[0].changing]
        self._place = {step.outputs[0].number: place for place, step in enumerate(needed)}
        last = self._last_uses(needed)
        for step in needed:  # what shows a leaf
            if step.kind == "view" and step.arguments[0].number in self._arrays:
                self._show(step)
        made = {output.number for step in self.steps if step.kind != "view" for output in step.outputs}
        self._homes = {value.number: array for value, array in homes if value.number in made}
        self._homes |= self._written_over(moves, last)
        self._recycled = made - self._homes.keys()
        ends = {step.outputs[0].number for step in self.steps if step.kind == "ufunc"}
        ends -= last.keys() | set(self._roots.values())
        last |= dict.fromkeys(self._numbers(asked), len(needed))
        for place, step in enumerate(needed):
            self._add(step, place, last)
        self._ends = {number: self._made[number] for number in ends}
        self._free.clear()
        self._put(homes)
        self._put([(new, self._arrays[leaf.number]) for leaf, new in moves.items()])

    def __getitem__(self, value: Tracer) -> Array:
        """The memory of a value, of all runs together."""
        return self._arrays[value.number]

    def send(self, value: Tracer, array: Array) -> bool:
        """Have a value computed right into another array from now on; whether that is possible.

        It is where the value fills all of the array and nothing else reads it.
        """
        place = self._ends.get(value.number)
        own = self._arrays[value.number]
        if place is None or own.shape != array.shape or own.dtype != array.dtype:
            return False
        call = self.calls[place]
        self.calls[place] = partial(call.func, *call.args[:-1], array)  # type: ignore[attr-defined]  # a partial
        self._arrays[value.number] = array
        return True

    def execute(self) -> None:
        """Compute everything anew."""
        for call in self.calls:
            call()

    # -- what is needed, and for how long ----------------------------------------------------------------

    def _needed(self, steps: Sequence[Instruction], asked: Iterable[Any]) -> list[Instruction]:
        """The instructions that these values depend on, in order."""
        wanted = {value.number for value in asked if isinstance(value, Tracer)}
        found = []
        for step in reversed(steps):
            if any(output.number in wanted for output in step.outputs):
                found.append(step)
                wanted.update(item.number for item in step.arguments if isinstance(item, Tracer))
        for step in reversed(found):
            if step.kind == "view":
                of = step.arguments[0].number
                self._roots[step.outputs[0].number] = self._roots.get(of, of)
        return found[::-1]

    def _numbers(self, values: Iterable[Any]) -> Iterator[int]:
        """The values whose memory these are, or show."""
        numbers = (value.number for value in values if isinstance(value, Tracer))
        return (self._roots.get(number, number) for number in numbers)

    def _last_uses(self, needed: Sequence[Instruction]) -> dict[int, int]:
        """The place of the last instruction that reads the memory of each value."""
        return {
            number: place
            for place, step in enumerate(needed)
            if step.kind != "view"
            for number in self._numbers(step.arguments)
        }

    def _written_over(self, moves: Mapping[Tracer, Any], last: Mapping[int, int]) -> dict[int, Array]:
        """The new values that are computed right into their leaf, since nothing reads the old one later."""
        made = {step.outputs[0].number: step for step in self.steps if step.kind == "ufunc"}
        found: dict[int, Array] = {}
        for leaf, new in moves.items():
            step = made.get(new.number) if isinstance(new, Tracer) else None
            if step is None or new.number in found or new.number in self._homes:
                continue
            array = self._arrays[leaf.number]
            over = [n for n in last if n in self._arrays and np.may_share_memory(self._arrays[n], array)]
            place = self._place[new.number]
            read = max((last[number] for number in over), default=-1)
            if read < place or (
                read == place and over == [leaf.number] and self._in_place(leaf.number, step)
            ):
                found[new.number] = array
        return found

    # -- memory ------------------------------------------------------------------------------------------

    def _add(self, step: Instruction, place: int, last: Mapping[int, int]) -> None:
        """Plan one call: its operands' arrays, and memory for its results."""
        if step.kind == "view":
            if step.outputs[0].number not in self._arrays:
                self._show(step)
            return
        arrays = self._operands(step)
        batch, changing = self._batch(step), step.outputs[0].changing
        dying = [number for number in set(self._numbers(step.arguments)) if last[number] == place]
        over = {number for number in dying if step.kind == "ufunc" and self._in_place(number, step)}
        self._release(over)
        results = [self._memory(output, (*batch, *output.shape)) for output in step.outputs]
        self._release({*dying} - over)
        for output, result in zip(step.outputs, results, strict=True):
            self._arrays[output.number] = result
            self._made[output.number] = len(self.calls)
            self.elements += result.size if changing else 0
        call = call_of(step, self._axes)
        if step.kind == "ufunc":  # numpy is quickest with one number if it has no axes
            arrays, results = _without_axes(arrays), _without_axes(results)
        if changing:
            self.calls.append(partial(call, *arrays, *results))
        else:
            call(*arrays, *results)

    def _show(self, step: Instruction) -> None:
        """The array of a view; a copy of the elements where numpy cannot do without."""
        (of,), (output,) = step.arguments, step.outputs
        source = self._arrays[of.number]
        shown = self._arrays[output.number] = view_of(step, source, self._axes)
        if output.changing and not np.may_share_memory(shown, source):
            self.calls.append(lambda: np.copyto(shown, view_of(step, source, self._axes)))

    def _operands(self, step: Instruction) -> list[Any]:
        """The arrays that a call takes."""
        return [
            self._operand(item, step) if isinstance(item, Tracer) else np.asarray(item)
            for item in step.arguments
        ]

    def _operand(self, item: Tracer, step: Instruction) -> Array:
        array, rank = self._arrays[item.number], step.outputs[0].ndim
        return widened(array, item.ndim, rank, self._axes) if step.kind in ALIGNED else array

    def _batch(self, step: Instruction) -> tuple[int, ...]:
        """The batch axes of a result: those of its operands, broadcast to each other."""
        axes = self._axes
        batches = [self._arrays[i.number].shape[:axes] for i in step.arguments if isinstance(i, Tracer)]
        batch = np.broadcast_shapes((1,) * axes, *batches)
        return (step.options["rows"], *batch[1:]) if step.kind in ("stack", "repeat") else batch

    def _in_place(self, root: int, step: Instruction) -> bool:
        """Whether a result may be written over an operand: each number is read where it is written."""
        own = self._arrays[root]
        shown = [self._operand(item, step) for item in step.arguments if root in self._numbers([item])]
        return all(array.shape == own.shape and array.strides == own.strides for array in shown)

    def _memory(self, output: Tracer, shape: tuple[int, ...]) -> Array:
        """An array for a result: its home, one that is free, or a new one."""
        home = self._homes.get(output.number)
        if home is not None and home.shape == shape:
            return home
        free = self._free.get((shape, output.dtype))
        if output.changing and free:
            return free.pop()
        self._room += prod(shape) if output.changing else 0
        if self._limit is not None and self._room > self._limit:
            raise Unbatchable("more numbers at once than there is room for")
        return np.empty(shape, output.dtype if output.dtype.kind != "U" else object)

    def _release(self, numbers: Iterable[int]) -> None:
        """The memory of these values may be used again, if it was made here and is filled each time."""
        for number in numbers:
            if number in self._recycled:
                array = self._arrays[number]
                self._free.setdefault((array.shape, array.dtype), []).append(array)

    def _put(self, places: Iterable[tuple[Any, Array]]) -> None:
        """Copy the values that were not computed in their places."""
        for value, array in places:
            own = self._arrays[value.number] if isinstance(value, Tracer) else value
            if own is not array:
                self.calls.append(partial(np.copyto, array, own))


def _without_axes(arrays: Sequence[Array]) -> list[Array]:
    return [array.reshape(()) if array.size == 1 else array for array in arrays]
