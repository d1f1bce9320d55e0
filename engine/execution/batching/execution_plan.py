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
from engine.execution.tracing.memory import Kind, Memory, Use, plan_memory
from engine.execution.tracing.tracer import Instruction, Lengths, Tracer, needed
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
        self._axes, self._moves = axes, moves
        self._arrays = {leaf.number: array for leaf, array in leaves.items()}
        asked = [*wanted, *moves.values(), *(value for value, _ in homes)]
        taken = needed(steps, {value.number for value in asked if isinstance(value, Tracer)})
        self.steps = [step for step in taken if step.outputs[0].changing]
        self._roots = _roots(taken)
        self._kinds = self._kinds_of(taken)
        self._overlaps = self._overlapping()
        self._refuse_exchanges(wanted)
        self._places = self._homes_of(homes)
        self._places |= self._arrays_of(self._plan(taken, asked), limit)
        for step in taken:
            self._add(step)
        self._put(homes)
        self._put([(new, self._arrays[leaf.number]) for leaf, new in moves.items()])

    def __getitem__(self, value: Tracer) -> Array:
        """The memory of a value, of all runs together."""
        return self._arrays[value.number]

    def execute(self) -> None:
        """Compute everything anew."""
        for call in self.calls:
            call()

    # -- memory ------------------------------------------------------------------------------------------

    def _roots_of(self, values: Iterable[Any]) -> Iterator[int]:
        """The values whose memory these are, or show."""
        numbers = (value.number for value in values if isinstance(value, Tracer))
        return (self._roots.get(number, number) for number in numbers)

    def _kinds_of(self, taken: Sequence[Instruction]) -> dict[int, Kind]:
        """Shape and type of every value; its batch axes are those of its operands, broadcast."""
        axes, kinds = self._axes, {n: (array.shape, array.dtype) for n, array in self._arrays.items()}
        for step in taken:
            batches = [kinds[item.number][0][:axes] for item in step.arguments if isinstance(item, Tracer)]
            batch = np.broadcast_shapes((1,) * axes, *batches)
            if step.kind in ("stack", "repeat"):
                batch = (step.options["rows"], *batch[1:])
            elif step.kind == "view" and step.function == "row":
                batch = (1, *batch[1:])
            kinds |= {output.number: ((*batch, *output.shape), output.dtype) for output in step.outputs}
        return kinds

    def _overlapping(self) -> dict[int, set[int]]:
        """For each leaf those leaves that are moved to and share memory with it, itself among them."""
        moved = [leaf.number for leaf in self._moves]
        return {
            number: {n for n in moved if np.may_share_memory(array, self._arrays[n])}
            for number, array in self._arrays.items()
        }

    def _refuse_exchanges(self, wanted: Sequence[Tracer]) -> None:
        """Raises: Unbatchable where an old value is asked for that its leaf no longer holds then."""
        asked = [(value, frozenset[int]()) for value in wanted]
        asked += [(new, frozenset([leaf.number])) for leaf, new in self._moves.items()]
        for value, own in asked:
            for root in self._roots_of([value]):
                if self._overlaps.get(root, set()) - own:
                    raise Unbatchable("a variable as it was before its own update")

    def _homes_of(self, homes: Sequence[tuple[Tracer, Array]]) -> dict[int, Array]:
        """The arrays of values that are computed right where they are to be put."""
        made = {output.number for step in self.steps if step.kind != "view" for output in step.outputs}
        return {v.number: a for v, a in homes if v.number in made and self._kinds[v.number][0] == a.shape}

    def _plan(self, taken: Sequence[Instruction], asked: Sequence[Any]) -> Memory:
        """Pieces for all that changes; a new value goes where the old one is, if nothing reads that later."""
        own = self._goals()
        given = {leaf: (_name(leaf), self._kind(leaf, leaf)) for leaf in own.values()}
        pieces, uses = set(given), list[Use]()
        for step in taken:
            if step.kind == "view":  # reads nothing itself; what reads it reads its root
                continue
            reads = {number for root in self._roots_of(step.arguments) for number in self._touched(root)}
            over = [n for n in reads & pieces if step.kind == "ufunc" and self._in_place(n, step)]
            made = [output.number for output in step.outputs if output.changing]
            made = [number for number in made if number not in self._places]
            uses.append(Use(reads, [(n, self._kind(n, own.get(n))) for n in made], over))
            pieces.update(made)
        last = {number for root in self._roots_of(asked) for number in self._touched(root)}
        return plan_memory(uses, given, last, {new: _name(leaf) for new, leaf in own.items()})

    def _goals(self) -> dict[int, int]:
        """For new values of leaves, the leaves that they are best computed into."""
        makers = {step.outputs[0].number for step in self.steps if step.kind == "ufunc"}
        found: dict[int, int] = {}
        for leaf, new in self._moves.items():
            free = isinstance(new, Tracer) and new.number in makers - self._places.keys()
            if free and self._kinds[new.number] == self._kinds[leaf.number]:
                found.setdefault(new.number, leaf.number)
        return found

    def _kind(self, number: int, leaf: int | None) -> tuple[Lengths, np.dtype[Any], int | None]:
        """What pieces must share to replace each other; the memory of a leaf takes its new value only."""
        return *self._kinds[number], leaf

    def _touched(self, root: int) -> set[int]:
        """A value and the leaves that share its memory."""
        return {root} | self._overlaps.get(root, set())

    def _in_place(self, number: int, step: Instruction) -> bool:
        """Whether a result may be written over an operand: each number is read where it is written."""
        tracers = [item for item in step.arguments if isinstance(item, Tracer)]
        reading = [
            item for item in tracers if number in self._touched(self._roots.get(item.number, item.number))
        ]
        return all(item.number == number and item.ndim == step.outputs[0].ndim for item in reading)

    def _arrays_of(self, memory: Memory, limit: int | None) -> dict[int, Array]:
        """The array of every value that was given a piece. Raises: Unbatchable beyond the limit."""
        if limit is not None and sum(prod(shape) for shape, _, _ in memory.made.values()) > limit:
            raise Unbatchable("more numbers at once than there is room for")
        arrays = {_name(leaf.number): self._arrays[leaf.number] for leaf in self._moves}
        arrays |= {name: _empty(shape, dtype) for name, (shape, dtype, _) in memory.made.items()}
        return {number: arrays[name] for number, name in memory.of.items() if number not in self._arrays}

    # -- calls -------------------------------------------------------------------------------------------

    def _add(self, step: Instruction) -> None:
        """One call on the arrays of its operands and results; at once where it does not change."""
        if step.kind == "view":
            self._show(step)
            return
        arrays = self._operands(step)
        results = []
        for output in step.outputs:
            array = self._places.get(output.number)
            results.append(_empty(*self._kinds[output.number]) if array is None else array)
            self._arrays[output.number] = results[-1]
        call = call_of(step, self._axes)
        changing = step.outputs[0].changing
        self.elements += sum(result.size for result in results) if changing else 0
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
        rank, aligned = step.outputs[0].ndim, step.kind in ALIGNED
        arrays = [self._arrays[i.number] if isinstance(i, Tracer) else np.asarray(i) for i in step.arguments]
        return [
            widened(array, item.ndim, rank, self._axes) if aligned and isinstance(item, Tracer) else array
            for item, array in zip(step.arguments, arrays, strict=True)
        ]

    def _put(self, places: Iterable[tuple[Any, Array]]) -> None:
        """Copy the values that were not computed in their places."""
        for value, array in places:
            own = self._arrays[value.number] if isinstance(value, Tracer) else value
            if own is not array:
                self.calls.append(partial(np.copyto, array, own))


def _roots(taken: Sequence[Instruction]) -> dict[int, int]:
    """For each view the value whose memory it shows."""
    roots: dict[int, int] = {}
    for step in taken:
        if step.kind == "view":
            of = step.arguments[0].number
            roots[step.outputs[0].number] = roots.get(of, of)
    return roots


def _name(leaf: int) -> str:
    return f"leaf {leaf}"


def _empty(shape: Lengths, dtype: np.dtype[Any]) -> Array:
    return np.empty(shape, dtype if dtype.kind != "U" else object)


def _without_axes(arrays: Sequence[Array]) -> list[Array]:
    return [array.reshape(()) if array.size == 1 else array for array in arrays]
