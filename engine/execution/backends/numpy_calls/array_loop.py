"""A training loop with arrays as a function of numpy's calls, or as machine code, and the memory for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.array_code import MachineWay
from engine.execution.backends.numba_loops.array_machine import machine_loop
from engine.execution.backends.numpy_calls.looping import Recorded, recorded, write_loop
from engine.execution.backends.python_numbers.column_by_column import Taken
from engine.execution.backends.templates import function_of
from engine.execution.tracing.fuse import end_to_end, parts_of
from engine.execution.tracing.walk import Lowered
from engine.graph import Tensor
from engine.ops.base.tensors import Array


class ArrayLoop:
    """Steps with arrays, up to the first that goes wrong.

    They are numpy's calls or machine code, whose last digits differ: what takes a loop's first step takes
    all. Machine code that is compiled while numpy's calls take long is for the next loop that is alike.
    """

    def __init__(self, lowered: Lowered, record: Sequence[Tensor]) -> None:
        self._record = record
        self._recorded = recorded(lowered)
        self._by_numpy = write_loop(lowered, self._recorded)
        self._function = function_of(self._by_numpy.code, self._by_numpy.names)
        self._machine = MachineWay(lambda: machine_loop(lowered))
        self._begun = False

    @property
    def source(self) -> str:
        """The text of its function."""
        return self._machine.source if self._machine.ready else self._by_numpy.shown

    def compile(self) -> bool:
        """Wait for machine code, and take all further steps by it; whether there is any."""
        self._begun = True
        return self._machine.wait()

    def run(self, values: Sequence[Any], steps: int, careful: bool) -> Taken:
        """The steps before the first domain error, or all of them. values: of the variables; not changed."""
        if not self._begun:
            self._begun = True
            self._machine.look()
        if self._machine.ready is not None:
            taken = self._taken(self._machine.ready, values, steps, ())
            if _all_finite(taken):
                return taken  # else numpy's calls find where it went wrong
        started = time.process_time()
        taken = self._taken(self._function, values, steps, self._by_numpy.arrays)
        self._machine.spend(time.process_time() - started)
        return taken

    def _taken(self, function: Callable[..., Any], values: Sequence[Any], steps: int, arrays: Any) -> Taken:
        """Steps by one of the functions, which computes in such arrays."""
        found, record = self._recorded, self._record
        width = len(found.stepwise)
        put, numbers = Struct(f"{width}d").pack_into, np.empty((steps, width))
        rows = [np.empty((steps, *shape), dtype) for shape, dtype in found.rows.values()]
        packs = _pack_rows(found, values, steps)
        rows += [whole for whole, _ in packs.values()]
        scratch = _scratch(arrays)
        done, *after = function(steps, put, numbers, *rows, *_own(values, found), *scratch)
        if done < steps and any(isinstance(value, np.ndarray) for value in after):
            # what was overwritten before the domain error is computed again, up to the step that it struck
            _, *after = function(done, put, numbers, *rows, *_own(values, found), *scratch)
        columns: dict[int, Any] = {
            n: _numbers(place, numbers[:done], record[n].dtype) for n, place in found.numbers.items()
        }
        columns |= {n: row[:done] for n, row in zip(found.rows, rows, strict=False)}
        columns |= {n: packs[pack][1][part][:done] for n, (pack, part) in found.parts.items()}
        return done, [columns[n] for n in range(len(record))], after


def _all_finite(taken: Taken) -> bool:
    """Whether the numbers that were recorded are, and what the variables hold."""
    _, columns, after = taken
    return all(np.isfinite(item).all() for item in [*(c for c in columns if c.ndim == 1), *after])


def _own(values: Sequence[Any], found: Recorded) -> list[Any]:
    """The state in arrays that may be overwritten; those of a pack are parts of one, which follow."""
    wholes = []
    packed: dict[int, Any] = {}
    for places in found.packs:
        wholes.append(end_to_end([values[place] for place in places]))
        packed |= zip(places, parts_of(wholes[-1], [values[n].shape for n in places]), strict=True)
    own = [np.array(value, order="C") if isinstance(value, np.ndarray) else value for value in values]
    return [*(packed.get(place, value) for place, value in enumerate(own)), *wholes]


def _pack_rows(found: Recorded, values: Sequence[Any], steps: int) -> dict[int, tuple[Any, list[Any]]]:
    """Of each pack that is recorded as a whole, the rows, and the same as rows of its parts."""
    rows = {}
    for place in found.pack_rows:
        parts = [values[n] for n in found.packs[place]]
        whole = np.empty((steps, sum(part.size for part in parts)), parts[0].dtype)
        rows[place] = whole, parts_of(whole, [part.shape for part in parts])
    return rows


def _scratch(arrays: Any) -> list[Any]:
    """The arrays that a loop computes in, each followed by its parts."""
    made = []
    for shape, dtype, shapes in arrays:
        made.append(np.empty(shape, dtype))
        made += parts_of(made[-1], shapes) if shapes else []
    return made


def _numbers(place: Any, recorded: Array, dtype: str) -> Array:
    """One column, out of the numbers recorded step by step; or one known number at every step."""
    if isinstance(place, np.ndarray):
        return np.full(len(recorded), place, dtype)
    return recorded[:, place].astype(dtype, copy=False)
