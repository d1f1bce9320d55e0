"""A part of a graph as a function: given tensors in, fetched tensors out.

program = lower([loss, gradient], [x])
loss_value, gradient_value = program(3.0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.plan import variable_behind
from engine.execution.session import Session
from engine.graph import Tensor
from engine.ops.tensors import Array

NOTHING: Mapping[Tensor, Any] = MappingProxyType({})


class Program:
    """The fetches as a function of the arguments.

    Values: a float64 number goes in and comes out as a Python float, everything else as a numpy array.
    """

    def __init__(
        self, fetches: Sequence[Tensor], arguments: Sequence[Tensor], feeds: Mapping[Tensor, Any] = NOTHING
    ) -> None:
        self.fetches = tuple(fetches)
        self.arguments = tuple(arguments)
        self._feeds = dict(feeds)

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The fetches' values, in order. Raises: as `Session.run`."""
        return self.interpret(*values)

    def interpret(self, *values: Any) -> tuple[Any, ...]:
        """The same by tier 0: node by node, each by its own kernel."""
        session = Session(self.fetches[0].graph)
        feeds = dict(self._feeds)
        for tensor, value in zip(self.arguments, values, strict=True):
            variable = variable_behind(tensor)
            if variable is None:
                feeds[tensor] = value
            else:
                session.variables[variable] = np.array(value, dtype=tensor.dtype)
        return tuple(map(plain, session.run(list(self.fetches), feeds)))


def lower(
    fetches: Sequence[Tensor], arguments: Sequence[Tensor], feeds: Mapping[Tensor, Any] = NOTHING
) -> Program:
    """The fetches as a function of the arguments.

    arguments: placeholders, variables (a ref or a read stands for the variable's value), or any other
               tensors, whose values are then given rather than computed.
    feeds:     further tensors, whose values stay the same in every call.
    """
    return Program(fetches, arguments, feeds)


def plain(value: Array) -> Any:
    """A float64 number as a Python float, everything else as the array that it is."""
    return float(value) if value.ndim == 0 and value.dtype == np.float64 else value
