"""An op in a graph of float64, its gradient there, and the same by central differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine.differentiation import gradients
from engine.execution import Session
from engine.graph import Graph, Tensor
from engine.ops import REGISTRY, convert_to_tensor, placeholder, reduce_sum
from engine.ops.base.tensors import FLOATS

from .samples import Sample

STEP = 1e-6


class Laboratory:
    """One sample of an op: y is the sum of its float outputs, each element weighted differently."""

    def __init__(self, op_name: str, sample: Sample) -> None:
        self.graph = Graph(default_float="float64")
        self.points: dict[Tensor, Any] = {}
        with self.graph.as_default():
            inputs = [self._input(value, place in sample.fixed) for place, value in enumerate(sample.inputs)]
            outputs = REGISTRY[op_name].node(*inputs, **sample.attrs).outputs[: sample.outputs]
            self.y = self.weighted([output for output in outputs if output.dtype in FLOATS])
            self.first = gradients(self.y, self.xs) if self.y is not None and self.xs else []
        self.session = Session(self.graph)

    @property
    def xs(self) -> list[Tensor]:
        return list(self.points)

    def _input(self, value: Any, fixed: bool) -> Any:
        if isinstance(value, list):
            return [self._input(item, fixed) for item in value]
        if value.dtype.name not in FLOATS or fixed:
            return convert_to_tensor(value)
        x = placeholder(value.dtype.name, value.shape)
        self.points[x] = value
        return x

    def weighted(self, tensors: list[Any]) -> Tensor | None:
        """One number that depends on every element in its own way."""
        total = None
        for tensor in tensors:
            if tensor is None:
                continue
            values = convert_to_tensor(tensor)
            size = int(np.prod([n or 0 for n in self.session_shape(values)], dtype=np.int64))
            weights = np.cos(np.arange(1, size + 1) * 1.7).reshape(self.session_shape(values))
            part = reduce_sum(values * convert_to_tensor(weights))
            total = part if total is None else total + part
        return total

    def session_shape(self, tensor: Tensor) -> tuple[int, ...]:
        """The shape that a run gives, where the static one is not fully known."""
        if tensor.shape is not None and None not in tensor.shape:
            return tuple(int(n or 0) for n in tensor.shape)
        shape: tuple[int, ...] = Session(self.graph).run(tensor, self.points).shape
        return shape

    def values(self, tensors: list[Any]) -> list[Any]:
        """The gradients as arrays; None stands for zeros."""
        with self.graph.as_default():
            dense = [None if tensor is None else convert_to_tensor(tensor) for tensor in tensors]
        known = Session(self.graph)
        return [
            np.zeros_like(self.points[x]) if tensor is None else known.run(tensor, self.points)
            for x, tensor in zip(self.points, dense, strict=True)
        ]

    def by_differences(self, y: Tensor) -> list[Any]:
        """dy/dx element by element, (y(x + h) - y(x - h)) / 2h."""
        found = []
        for x, point in self.points.items():
            run = partial(self._value_at, y, x)
            found.append(differences(run, point))
        return found

    def _value_at(self, y: Tensor, x: Tensor, at: Any) -> Any:
        return self.session.run(y, {**self.points, x: at})


def differences(f: Callable[[Any], Any], point: Any) -> Any:
    """The central differences of a function of one array, at a point."""
    result = np.zeros_like(point)
    for place in np.ndindex(*point.shape):
        step = np.zeros_like(point)
        step[place] = STEP
        result[place] = (f(point + step) - f(point - step)) / (2 * STEP)
    return result
