"""A part of a graph as a function: given tensors in, fetched tensors out.

    program = lower([loss, gradient], [x])
    loss_value, gradient_value = program(3.0)

It is one generated Python function for each set of shapes that the arguments come in. What that cannot hold
(branches, loops, random numbers, very large graphs) goes to the interpreter, the session, and so does every
domain error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.array_program import Evaluation
from engine.execution.budget import Meter
from engine.execution.interpreter.buffers import variable_behind
from engine.execution.interpreter.feeds import fed_value
from engine.execution.interpreter.session import Session
from engine.execution.tracing.operands import held, plain
from engine.execution.tracing.tracer import NotLowered
from engine.execution.tracing.walk import lowered_program
from engine.graph import Tensor
from engine.ops.base.shapes import is_static
from engine.ops.base.tensors import array_dtype

NOTHING: Mapping[Tensor, Any] = MappingProxyType({})
Shapes = tuple[tuple[int, ...], ...]


class Program:
    """The fetches as a function of the arguments.

    Values: a float64 number goes in and comes out as a Python float, everything else as a numpy array
            (other numbers may come out as numpy's scalars). Arrays that come out are the caller's own.
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        arguments: Sequence[Tensor],
        feeds: Mapping[Tensor, Any] = NOTHING,
        meter: Meter | None = None,
    ) -> None:
        self.fetches = tuple(fetches)
        self.arguments = tuple(arguments)
        self._feeds = {tensor: fed_value(tensor, value) for tensor, value in feeds.items()}
        self._meter = meter
        self._variants: dict[Shapes, Evaluation | None] = {}

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The fetches' values, in order. Raises: as `Session.run`."""
        arguments = [held(value, tensor.dtype) for value, tensor in zip(values, self.arguments, strict=True)]
        evaluation = self._variant(tuple(np.shape(argument) for argument in arguments))
        return self.interpret(*arguments) if evaluation is None else evaluation(arguments)

    @property
    def function(self) -> Callable[..., tuple[Any, ...]]:
        """The generated function itself: it takes float64 numbers as Python floats, and does not convert.

        Where the graph leaves lengths open, it is this program, which looks at what comes.
        """
        shapes = self._static_shapes()
        if shapes is None:
            return self
        evaluation = self._variant(shapes)
        return self.interpret if evaluation is None else evaluation.function

    def compile(self) -> bool:
        """Wait until the function is machine code; whether it is, as numba and scipy must be there.

        Without waiting, it becomes so when a program with arrays was evaluated for long. Its numbers then
        differ in the last digits. Where the graph leaves lengths open, nothing is compiled.
        """
        shapes = self._static_shapes()
        evaluation = None if shapes is None else self._variant(shapes)
        return evaluation is not None and evaluation.compile()

    @property
    def source(self) -> str:
        """The generated text with the nodes' names, of the last shapes that came; "" where there is none."""
        shapes = self._static_shapes()
        if shapes is not None:
            self._variant(shapes)
        evaluation = next(reversed(self._variants.values())) if self._variants else None
        return "" if evaluation is None else evaluation.source

    def interpret(self, *values: Any) -> tuple[Any, ...]:
        """The same by the interpreter: node by node by the kernels."""
        session = Session(self.fetches[0].graph, meter=self._meter)
        feeds: dict[Tensor, Any] = {}
        given = [*self._feeds.items(), *zip(self.arguments, values, strict=True)]
        for tensor, value in given:
            variable = variable_behind(tensor)
            if variable is None:
                feeds[tensor] = value
            else:
                session.variables[variable] = np.array(value, dtype=array_dtype(tensor.dtype))
        return tuple(map(plain, session.run(list(self.fetches), feeds)))

    def _static_shapes(self) -> Shapes | None:
        shapes = tuple(tensor.shape for tensor in self.arguments)
        if not is_static(*shapes):
            return None
        return shapes  # type: ignore[return-value]  # every length is known

    def _variant(self, shapes: Shapes) -> Evaluation | None:
        """What evaluates arguments of these shapes; None where that stays with the interpreter."""
        if shapes not in self._variants:
            self._variants[shapes] = self._made(shapes)
        return self._variants[shapes]

    def _made(self, shapes: Shapes) -> Evaluation | None:
        try:
            lowered = lowered_program(self.fetches, self.arguments, shapes, self._feeds, meter=self._meter)
        except NotLowered:
            return None
        return Evaluation(lowered, self.interpret)


def lower(
    fetches: Sequence[Tensor],
    arguments: Sequence[Tensor],
    feeds: Mapping[Tensor, Any] = NOTHING,
    *,
    meter: Meter | None = None,
) -> Program:
    """The fetches as a function of the arguments.

    arguments: placeholders, variables (a ref or a read stands for the variable's value), or any other
               tensors, whose values are then given rather than computed.
    feeds:     further tensors, whose values stay the same in every call.
    """
    return Program(fetches, arguments, feeds, meter)
