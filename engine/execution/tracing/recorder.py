"""What kernels do with arrays that are not there yet, written down instruction by instruction.

What depends on known arrays only is computed at once; what is computed twice is recorded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.tracing.operands import (
    as_operand,
    batch_operands,
    broadcast_shape,
    core_of,
    result_dtype,
    shape_of,
    simplified,
    type_of,
)
from engine.execution.tracing.tracer import Instruction, Lengths, NotLowered, Tracer
from engine.graph import Node
from engine.ops.base.tensors import array_dtype

Rules = Mapping[Any, Callable[..., Any]]
SMALL = 16  # elements; arrays up to here are the same where their elements are


class Recorder:
    """The instructions so far.

    rules:      what stands in for the numpy functions that are no ufuncs (`numpy_rules.py`).
    batch_axes: how many axes stand in front of every tracer's own: 0 for one run.
    node:       whose kernel is running.
    exact:      whether sums are added in the interpreter's own order, to the last digit.
    """

    def __init__(self, rules: Rules, batch_axes: int = 0) -> None:
        self.rules = rules
        self.batch_axes = batch_axes
        self.node: Node | None = None
        self.exact = False
        self.instructions: list[Instruction] = []
        self._count = 0
        self._found: dict[Any, Instruction] = {}
        self._kept: list[Any] = []  # arrays whose id is a key of _found

    def value(
        self, core: Lengths, dtype: Any, shape: Lengths | None = None, *, changing: bool = True
    ) -> Tracer:
        """A new tracer. Raises: NotLowered for texts."""
        kind = array_dtype(dtype) if isinstance(dtype, str) else np.dtype(dtype)
        if kind.kind == "O":
            raise NotLowered("an object that is no number")
        self._count += 1
        shape = core if shape is None else shape
        return Tracer(self, self._count - 1, shape, core, kind, changing=changing)

    def mark(self) -> int:
        """Where the recording stands, to come back to."""
        return len(self.instructions)

    def forget(self, mark: int) -> None:
        """Take back what was recorded since the mark."""
        gone = {id(step) for step in self.instructions[mark:]}
        del self.instructions[mark:]
        self._found = {key: step for key, step in self._found.items() if id(step) not in gone}

    def record(
        self, kind: str, function: Any, arguments: Sequence[Any], output: Tracer, **options: Any
    ) -> Tracer:
        """Add a step with one result, or find the same step done before."""
        key = (
            kind,
            function,
            output.core,
            tuple(map(self.identity, arguments)),
            tuple(sorted(options.items())),
        )
        found = self._found.get(key)
        if found is not None:
            return self.seen_as(found.outputs[0], output.shape)
        self._found[key] = self._add(kind, function, arguments, (output,), options)
        return output

    def call(
        self,
        kernel: Callable[..., Any],
        arguments: Sequence[Any],
        kinds: Sequence[tuple[Lengths, Any]],
        parameters: Mapping[str, Any],
    ) -> tuple[Tracer, ...]:
        """Add a call of a whole kernel, whose results have these shapes and types."""
        outputs = tuple(self.value(shape, dtype) for shape, dtype in kinds)
        self._add("call", kernel, arguments, outputs, parameters)
        return outputs

    def draw(self, function: Callable[[], Any], shape: Lengths, dtype: Any) -> Tracer:
        """Add a draw of random numbers; every run of a batch has the same ones."""
        output = self.value(shape, dtype)
        self.instructions.append(Instruction("draw", function, (), (output,), self.node))
        return output

    def _add(
        self,
        kind: str,
        function: Any,
        arguments: Sequence[Any],
        outputs: tuple[Tracer, ...],
        options: Mapping[str, Any],
    ) -> Instruction:
        changing = any(item.changing for item in arguments if isinstance(item, Tracer))
        for output in outputs:
            output.changing = changing
        step = Instruction(kind, function, tuple(arguments), outputs, self.node, options)
        self.instructions.append(step)
        return step

    def identity(self, argument: Any) -> Any:
        """What makes an argument the same one: which tracer it is, or its elements where they are few."""
        if isinstance(argument, Tracer):
            return argument.number, argument.core
        if isinstance(argument, np.ndarray):
            if argument.size <= SMALL and argument.dtype != object:
                return argument.dtype, argument.shape, argument.tobytes()
            self._kept.append(argument)
            return "array", id(argument)
        return type(argument), repr(argument)

    # -- element by element --------------------------------------------------------------------------

    def elementwise(self, ufunc: Any, inputs: Sequence[Any]) -> Any:
        """A ufunc: computed at once where everything is known, else recorded."""
        if not any(isinstance(item, Tracer) for item in inputs):
            return ufunc(*inputs)
        operands = self._operands(inputs)
        shape = broadcast_shape(map(shape_of, inputs))
        plain = simplified(ufunc, operands)
        if isinstance(plain, Tracer):
            return self.seen_as(plain, shape)
        if plain is not None:
            ufunc, operands = plain
        dtype = result_dtype(ufunc, tuple(map(type_of, operands)))
        return self._aligned("ufunc", ufunc, operands, shape, dtype)

    def choose(self, condition: Any, x: Any, y: Any) -> Any:
        """`numpy.where` with three arguments."""
        inputs = (condition, x, y)
        if not any(isinstance(item, Tracer) for item in inputs):
            return np.where(*inputs)
        operands = self._operands(inputs)
        shape = broadcast_shape(map(shape_of, inputs))
        kinds = [kind for kind in map(type_of, operands[1:]) if isinstance(kind, np.dtype)]
        if not kinds or type_of(operands[0]) != np.dtype(bool):
            raise NotLowered("where of plain numbers")
        return self._aligned("where", np.where, operands, shape, np.result_type(*kinds))

    def _operands(self, inputs: Sequence[Any]) -> list[Any]:
        return batch_operands(inputs) if self.batch_axes else [as_operand(item) for item in inputs]

    def _aligned(
        self, kind: str, function: Any, operands: Sequence[Any], shape: Lengths, dtype: np.dtype[Any]
    ) -> Tracer:
        core = shape if self.batch_axes else broadcast_shape(map(core_of, operands))
        return self.record(kind, function, operands, self.value(core, dtype, shape))

    def cast(self, value: Tracer, dtype: np.dtype[Any]) -> Tracer:
        """The same numbers in another type."""
        if value.dtype == dtype:
            return value
        return self.record("cast", dtype, [value], self.value(value.core, dtype, value.shape))

    def end_to_end(self, parts: Sequence[Any], shapes: Sequence[Lengths]) -> Tracer:
        """Arrays, known or not, laid end to end."""
        count = sum(int(np.prod(shape, dtype=np.int64)) for shape in shapes)
        output = self.value((count,), parts[0].dtype)
        return self.record("pack", None, parts, output, shapes=tuple(shapes))

    # -- other shapes of the same elements -------------------------------------------------------------

    def seen_as(self, value: Tracer, shape: Lengths) -> Tracer:
        """The same elements in a shape that they broadcast to; of one run, nothing is done for it."""
        if value.shape == shape:
            return value
        if self.batch_axes:
            return self._view(value, shape, "broadcast", shape)
        return Tracer(self, value.number, shape, value.core, value.dtype)

    def view(self, value: Tracer, shape: Lengths, how: str, what: Any) -> Tracer:
        """A view: `how` is "reshape", "transpose" or "getitem"; in a batch also "flip" or "row"."""
        if not value.core and not self.batch_axes:  # all elements are one number, and go on being it
            return self.seen_as(value, shape)
        return self._view(self.whole(value), shape, how, what)

    def _view(self, value: Tracer, shape: Lengths, how: str, what: Any) -> Tracer:
        return self.record("view", how, [value], self.value(shape, value.dtype), what=what)

    def whole(self, value: Any) -> Any:
        """Held in full: core and shape are the same."""
        if not isinstance(value, Tracer) or value.core == value.shape:
            return value
        if value.is_number:
            return self.record("fill", np.full, [value], self.value(value.shape, value.dtype))
        return self._view(value, value.shape, "broadcast", value.shape)
