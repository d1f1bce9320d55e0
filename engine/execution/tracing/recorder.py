"""What kernels do with values that are not there yet, written down instruction by instruction.

What depends on known arrays only is computed at once; what is computed twice is recorded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.tracing.operands import (
    as_operand,
    core_of,
    result_dtype,
    seen_as,
    shape_of,
    simplified,
    stretched,
    type_of,
)
from engine.execution.tracing.tracer import Instruction, Lengths, NotLowered, Value
from engine.graph import Node


class Recorder:
    """The instructions so far.

    node:  whose kernel is running.
    functions: what stands in for the numpy functions that are no ufuncs (`functions.py`).
    """

    def __init__(self) -> None:
        self.node: Node | None = None
        self.instructions: list[Instruction] = []
        self.functions: Mapping[Any, Callable[..., Any]] = {}
        self._count = 0
        self._found: dict[Any, Value] = {}
        self._kept: list[Any] = []  # arrays whose id is a key of _found

    def value(self, core: Lengths, dtype: Any, shape: Lengths | None = None) -> Value:
        """A new value."""
        self._count += 1
        return Value(self, self._count - 1, core if shape is None else shape, core, np.dtype(dtype))

    def mark(self) -> int:
        """Where the recording stands, to come back to."""
        return len(self.instructions)

    def forget(self, mark: int) -> None:
        """Take back what was recorded since the mark."""
        gone = {output.number for step in self.instructions[mark:] for output in step.outputs}
        del self.instructions[mark:]
        self._found = {key: value for key, value in self._found.items() if value.number not in gone}

    def record(
        self, kind: str, function: Any, arguments: Sequence[Any], output: Value, **options: Any
    ) -> Value:
        """Add a step with one result, or find the same step done before."""
        key = (kind, function, output.core, tuple(map(self._key, arguments)), tuple(sorted(options.items())))
        found = self._found.get(key)
        if found is not None:
            return seen_as(found, output.shape)
        self._found[key] = output
        self.instructions.append(Instruction(kind, function, tuple(arguments), (output,), self.node, options))
        return output

    def _key(self, argument: Any) -> Any:
        if isinstance(argument, Value):
            return argument.number, argument.core
        if isinstance(argument, np.ndarray):
            self._kept.append(argument)
            return "array", id(argument)
        return type(argument), repr(argument)

    # -- element by element --------------------------------------------------------------------------

    def elementwise(self, ufunc: Any, inputs: Sequence[Any]) -> Any:
        """A ufunc: computed at once where everything is known, else recorded."""
        if not any(isinstance(item, Value) for item in inputs):
            return ufunc(*inputs)
        operands = [as_operand(item) for item in inputs]
        shape = stretched(map(shape_of, inputs))
        plain = simplified(ufunc, operands)
        if isinstance(plain, Value):
            return seen_as(plain, shape)
        if plain is not None:
            ufunc, operands = plain
        dtype = result_dtype(ufunc, tuple(map(type_of, operands)))
        return self._aligned("ufunc", ufunc, operands, shape, dtype)

    def choose(self, condition: Any, x: Any, y: Any) -> Any:
        """`numpy.where` with three arguments."""
        inputs = (condition, x, y)
        if not any(isinstance(item, Value) for item in inputs):
            return np.where(*inputs)
        operands = [as_operand(item) for item in inputs]
        shape = stretched(map(shape_of, inputs))
        kinds = [kind for kind in map(type_of, operands[1:]) if isinstance(kind, np.dtype)]
        if not kinds or type_of(operands[0]) != np.dtype(bool):
            raise NotLowered("where of plain numbers")
        return self._aligned("where", np.where, operands, shape, np.result_type(*kinds))

    def _aligned(
        self, kind: str, function: Any, operands: Sequence[Any], shape: Lengths, dtype: np.dtype[Any]
    ) -> Value:
        core = stretched(map(core_of, operands))
        return self.record(kind, function, operands, self.value(core, dtype, shape))

    def cast(self, value: Value, dtype: np.dtype[Any]) -> Value:
        """The same numbers in another type."""
        if value.dtype == dtype:
            return value
        return self.record("cast", dtype, [value], self.value(value.core, dtype, value.shape))

    def end_to_end(self, parts: Sequence[Any], shapes: Sequence[Lengths]) -> Value:
        """Arrays, known or not, laid end to end."""
        count = sum(int(np.prod(shape, dtype=np.int64)) for shape in shapes)
        output = self.value((count,), parts[0].dtype)
        return self.record("pack", None, parts, output, shapes=tuple(shapes))

    # -- other shapes of the same elements -------------------------------------------------------------

    def view(self, value: Value, core: Lengths, how: str, what: Any) -> Value:
        """A view on the held array: `how` is "reshape", "transpose", "broadcast" or "getitem"."""
        return self.record("view", how, [value], self.value(core, value.dtype), what=what)

    def whole(self, value: Any) -> Any:
        """Held in full: core and shape are the same."""
        if not isinstance(value, Value) or value.core == value.shape:
            return value
        if value.is_number:
            return self.record("fill", np.full, [value], self.value(value.shape, value.dtype))
        return self.view(value, value.shape, "broadcast", value.shape)
