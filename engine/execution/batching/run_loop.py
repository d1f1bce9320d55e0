"""A group of a race as one text for a compiler: a loop over steps and, in it, one over runs.

It is written where every value of a run is one float64 number and every operation is exact: IEEE 754
rounds it in one way only (+ - * / sqrt), or it rounds nothing. So machine code and numpy agree in every bit,
and no answer depends on which of them was at hand. Of exp, sin or pow each has its own last digit, and of
0 and -0 each its own larger one; such races stay with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.text import NAMES, OF_BOOLS, OF_FLOATS
from engine.execution.batching.execution_plan import ExecutionPlan
from engine.execution.batching.stacks import Key, Recording
from engine.execution.tracing.distribute import EXACT
from engine.execution.tracing.tracer import BOOL, FLOAT64, Instruction, Tracer
from engine.ops.base.tensors import Array

USED = {name: NAMES[name] for name in ("abs", "isfinite", "isinf", "range", "sqrt")}  # by the texts of these


class NotExact(Exception):
    """Something other than exact operations on numbers."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one trace computes in a step.

    leaves:  whose values the rows of what it is given are.
    results: what it makes for these variables and tensors.
    """

    execution: ExecutionPlan
    leaves: Sequence[tuple[Tracer, Sequence[Key]]]
    results: Sequence[tuple[Sequence[Key], Any]]


@dataclass(frozen=True, slots=True)
class RunLoop:
    """The text, and what to call its function with after the rows, the first run and their number.

    The function's further arguments are the constants, the arrays, and the columns (rows, keys, runs)
    whose places are given here.
    """

    text: str
    constants: Array
    arrays: tuple[Array, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Number:
    """A number in the text. wide: whether each run has its own."""

    text: str
    wide: bool
    dtype: np.dtype[Any] = FLOAT64


def write_run_loop(
    parts: Sequence[Part],
    memory: Sequence[tuple[Sequence[Key], Array]],
    recordings: Sequence[Recording],
    runs: int,
) -> RunLoop:
    """The loop of one group.

    parts:      what is computed in a step, one after the other.
    memory:     the arrays (keys, runs or 1) that hold the variables between two steps.
    recordings: what a row holds; those of other groups are passed over.
    Raises:     NotExact.
    """
    writer = _Writer(runs)
    for keys, array in memory:
        writer.hold(keys, array)
    for part in parts:
        writer.compute(part)
    writer.keep_state()
    mine = [place for place, (_, keys, _) in enumerate(recordings) if writer.knows(keys)]
    for place in mine:
        array, keys, owners = recordings[place]
        width = array.shape[1]
        writer.record(place, keys, width > 1 or runs == 1, everyone=width == owners != runs)
    return writer.finish(tuple(mine))


class _Writer:
    """Lines as they come: before the steps, in a step once for all runs, and for each run."""

    def __init__(self, runs: int) -> None:
        self._runs = runs
        self._before, self._once, self._each = list[str](), list[str](), list[str]()
        self._columns, self._last = list[str](), list[str]()  # at the start and at the end of a step
        self._constants, self._arrays = list[float](), list[Array]()
        self._now: dict[Key, _Number] = {}  # before the updates
        self._homes: dict[Key, _Number] = {}  # where a variable's value stands
        self._new: dict[Key, _Number] = {}
        self._rows: dict[Tracer, list[_Number]] = {}
        self._counter = count()

    def hold(self, keys: Sequence[Key], array: Array) -> None:
        """Variables that stand in memory between two steps."""
        for key, home in zip(keys, self._memory(array), strict=True):
            self._homes[key] = home
            self._now[key] = self._line(home.text, home.wide)

    def compute(self, part: Part) -> None:
        """What a part computes, from what came before."""
        for leaf, keys in part.leaves:
            self._rows[leaf] = [self._now[key] for key in keys]
        for step in part.execution.steps:
            self._rows[step.outputs[0]] = self._computed(step, part.execution)
        for keys, value in part.results:
            rows = self._rows_of(value, part.execution)
            for place, key in enumerate(keys):
                made = self._new if key in self._homes else self._now
                made[key] = _one(rows, place)

    def keep_state(self) -> None:
        """Put the variables' new values in their places."""
        for key, new in self._new.items():
            home = self._homes[key]
            (self._each if home.wide else self._last).append(f"{home.text} = {new.text}")

    def knows(self, keys: Sequence[Key]) -> bool:
        """Whether these are values of this group."""
        return all(key in self._now for key in keys)

    def record(self, place: int, keys: Sequence[Key], wide: bool, everyone: bool) -> None:
        """Put values in their row of a column. everyone: the column is of all groups' runs."""
        for row, key in enumerate(keys):
            name, runs = f"q{place}_{row}", ", start:stop" if wide and everyone else ""
            self._columns.append(f"{name} = q{place}[k, {row}{runs}]")
            lines, at = (self._each, "r") if wide else (self._once, "0")
            lines.append(f"{name}[{at}] = {self._now[key].text}")

    def finish(self, columns: tuple[int, ...]) -> RunLoop:
        """All lines as one function."""
        arrays = [*(f"a{n}" for n in range(len(self._arrays))), *(f"q{n}" for n in columns)]
        given = ", ".join(["rows", "start", "runs", "constants", *arrays])
        lines = [
            f"def race({given}):",
            " stop = start + runs",
            *(f" {line}" for line in self._before),
            " for k in range(rows):",
            *(f"  {line}" for line in (*self._columns, *self._once)),
            "  for r in range(runs):",
            *(f"   {line}" for line in self._each),
            *(f"  {line}" for line in self._last),
        ]
        return RunLoop("\n".join(lines), np.array(self._constants), tuple(self._arrays), columns)

    # -- numbers ---------------------------------------------------------------------------------------

    def _line(self, text: str, wide: bool, dtype: np.dtype[Any] = FLOAT64) -> _Number:
        name = f"v{next(self._counter)}"
        (self._each if wide else self._once).append(f"{name} = {text}")
        return _Number(name, wide, dtype)

    def _memory(self, array: Array) -> list[_Number]:
        """The places of the numbers in an array (keys, runs or 1), key by key."""
        if array.ndim != 2 or array.dtype != FLOAT64:
            raise NotExact(f"{array.dtype} {array.shape}")
        wide, name = array.shape[1] == self._runs, f"a{len(self._arrays)}"
        self._arrays.append(array)
        self._before += [f"{name}_{row} = {name}[{row}]" for row in range(len(array))]
        return [_Number(f"{name}_{row}[{'r' if wide else '0'}]", wide) for row in range(len(array))]

    def _constant(self, value: Any) -> _Number:
        array = np.asarray(value)
        if array.size != 1 or array.dtype != FLOAT64:
            raise NotExact(f"{array.dtype} {array.shape}")
        name = f"c{len(self._constants)}"
        self._before.append(f"{name} = constants[{len(self._constants)}]")
        self._constants.append(float(array.flat[0]))
        return _Number(name, wide=False)

    def _rows_of(self, value: Any, execution: ExecutionPlan) -> list[_Number]:
        """The numbers of a value, one for each of those that lie together along the first batch axis."""
        if not isinstance(value, Tracer):
            return [self._constant(value)]
        if value not in self._rows:
            self._rows[value] = self._looked_up(value, execution)
        return self._rows[value]

    def _looked_up(self, value: Tracer, execution: ExecutionPlan) -> list[_Number]:
        if value.shape:
            raise NotExact("an array")
        if value.changing:
            raise NotExact("a value from elsewhere")
        array = execution[value]
        if array.size == len(array):
            return [self._constant(number) for number in array]
        return [self._line(place.text, place.wide) for place in self._memory(np.array(array, order="C"))]

    # -- operations ------------------------------------------------------------------------------------

    def _computed(self, step: Instruction, execution: ExecutionPlan) -> list[_Number]:
        operands = [self._rows_of(operand, execution) for operand in step.arguments]
        if step.kind == "stack":
            return [number for rows in operands for number in rows]
        if step.kind == "view" and step.function == "row":
            return [_one(operands[0], step.options["what"])]
        return [
            self._operation(step, [_one(rows, row) for rows in operands])
            for row in range(max(map(len, operands), default=0))
        ]

    def _operation(self, step: Instruction, operands: Sequence[_Number]) -> _Number:
        template = _template(step, [operand.dtype for operand in operands])
        text = template.format(*(operand.text for operand in operands))
        return self._line(text, any(operand.wide for operand in operands), step.outputs[0].dtype)


def _one(rows: Sequence[_Number], place: int) -> _Number:
    """One of the values that lie together; what they share is everyone's."""
    return rows[place] if len(rows) > 1 else rows[0]


def _template(step: Instruction, kinds: Sequence[np.dtype[Any]]) -> str:
    """How an operation is written. Raises: NotExact."""
    function, only = step.function, {*kinds}
    if step.outputs[0].shape:
        raise NotExact("an array")
    if step.kind == "ufunc" and function in EXACT and only == {FLOAT64} and function in OF_FLOATS:
        return OF_FLOATS[function]
    if step.kind == "ufunc" and function in EXACT and only == {BOOL} and function in OF_BOOLS:
        return OF_BOOLS[function]
    if step.kind == "where" and [*kinds] == [BOOL, FLOAT64, FLOAT64]:
        return "{1} if {0} else {2}"
    if step.kind == "cast" and function == FLOAT64 and only == {BOOL}:
        return "1.0 if {0} else 0.0"
    raise NotExact(f"{step.kind} {function}")
