"""Initial values of variables by a rule: called with a shape and a dtype, each adds the nodes of a value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import current_graph
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Operators, Tensor
from engine.ops.common import casting, constants
from engine.ops.linear_algebra import diagonals
from engine.ops.sources import random

Lengths = Sequence[int]


def _repeatable(make: Callable[[Any, Lengths, str], Tensor]) -> Callable[[Any, Lengths, str], Tensor]:
    """Decorator: with a seed of its own, an initializer makes the same values each time that it is called."""

    @wraps(make)
    def call(self: Any, shape: Lengths, dtype: str) -> Tensor:
        graph: Any = current_graph()
        with nullcontext() if self.seed is None else graph.repeatable_draws():
            return make(self, shape, dtype)

    return call


@dataclass(frozen=True, slots=True)
class Zeros:
    """`tf.zeros_initializer`."""

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        return constants.zeros(tuple(shape), dtype)


@dataclass(frozen=True, slots=True)
class Ones:
    """`tf.ones_initializer`."""

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        return constants.ones(tuple(shape), dtype)


@dataclass(frozen=True, slots=True)
class Constant:
    """`tf.constant_initializer`: one number everywhere, or these numbers in order."""

    value: Any = 0
    verify_shape: bool = False

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        if self.verify_shape:
            constants.verify_shape(self.value, tuple(shape))
        return constants.constant(self.value, dtype=dtype, shape=tuple(shape))


@dataclass(frozen=True, slots=True)
class Exact:
    """TensorFlow 2's constant: one number everywhere, or as many as the shape takes."""

    value: Any = 0

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        given = np.size(self.value)
        if np.ndim(self.value) and given != math.prod(shape):
            raise ShapeError(
                f"{given} values do not fit the shape {written(tuple(shape))}.",
                message_zh=f"{given} 个值放不进形状 {written(tuple(shape))}。",
            )
        return constants.constant(self.value, dtype=dtype, shape=tuple(shape))


@dataclass(frozen=True, slots=True)
class Filling:
    """Keras' constant: one number everywhere, or numbers broadcast to the shape; float32 at first."""

    value: Any = 0

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        given = self.value
        if isinstance(given, Operators):
            return casting.cast(given, dtype) * constants.ones(tuple(shape), dtype)
        value = constants.constant(given, dtype="float32")
        return casting.cast(value, dtype) * constants.ones(tuple(shape), dtype)


@dataclass(frozen=True, slots=True)
class Typed:
    """A rule with the element type that it takes where none is asked for."""

    rule: Callable[[Lengths, str], Tensor]
    dtype: str

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        return self.rule(shape, dtype)


@dataclass(frozen=True, slots=True)
class RandomNormal:
    """`tf.random_normal_initializer`."""

    mean: float = 0.0
    stddev: float = 1.0
    seed: Any = None

    @_repeatable
    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        return random.random_normal(_vector(shape), self.mean, self.stddev, dtype, self.seed)


@dataclass(frozen=True, slots=True)
class TruncatedNormal:
    """`tf.truncated_normal_initializer`."""

    mean: float = 0.0
    stddev: float = 1.0
    seed: Any = None

    @_repeatable
    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        return random.truncated_normal(_vector(shape), self.mean, self.stddev, dtype, self.seed)


@dataclass(frozen=True, slots=True)
class RandomUniform:
    """`tf.random_uniform_initializer`."""

    minval: float = 0.0
    maxval: float | None = None
    seed: Any = None

    @_repeatable
    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        return random.random_uniform(_vector(shape), self.minval, self.maxval, dtype, self.seed)


@dataclass(frozen=True, slots=True)
class VarianceScaling:
    """Random numbers whose spread shrinks with the number of connections.

    scale / n is the variance, n the connections into a unit (fan_in), out of it (fan_out) or their mean
    (fan_avg). Glorot's initializers are scale 1 with fan_avg.
    Source: Glorot & Bengio (2010); He et al. (2015) for scale 2 with fan_in.
    """

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"
    seed: Any = None
    narrowing: float = 0.87962566103423978  # the deviation that is left when it is cut off at 2

    @_repeatable
    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        fan_in, fan_out = _connections(shape)
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, count)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * variance)
            return random.random_uniform(_vector(shape), -limit, limit, dtype, self.seed)
        if self.distribution == "untruncated_normal":
            return random.random_normal(_vector(shape), 0.0, math.sqrt(variance), dtype, self.seed)
        stddev = math.sqrt(variance) / self.narrowing
        return random.truncated_normal(_vector(shape), 0.0, stddev, dtype, self.seed)


@dataclass(frozen=True, slots=True)
class Identity:
    """`tf.initializers.identity`: the identity matrix times a gain."""

    gain: float = 1.0

    def __call__(self, shape: Lengths, dtype: str) -> Tensor:
        if len(shape) != 2:
            raise ShapeError(
                f"The identity is a matrix, so the variable needs two lengths, not {written(tuple(shape))}.",
                message_zh=f"单位矩阵需要两个维度，变量的形状却是 {written(tuple(shape))}。",
            )
        rows, columns = shape
        return self.gain * diagonals.eye(rows, columns, dtype=dtype)


def _vector(shape: Lengths) -> Any:
    return np.asarray(shape, dtype=np.int32)


def _connections(shape: Lengths) -> tuple[float, float]:
    """Fan-in and fan-out: a vector counts as both; axes before the last two multiply them."""
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    if any(n < 0 for n in shape):
        raise ShapeError(
            f"A variable needs a length for each axis, but its shape is {written(tuple(shape))}.",
            hint="Give it whole numbers, such as [3, 2].",
            message_zh=f"变量的每个轴都需要确定的长度，但它的形状是 {written(tuple(shape))}。",
            hint_zh="请给出整数，例如 [3, 2]。",
        )
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


GLOROT_UNIFORM = VarianceScaling(1.0, "fan_avg", "uniform")

RULES = (
    *(Zeros, Ones, Constant, Exact, Filling, Identity, Typed),
    *(RandomNormal, TruncatedNormal, RandomUniform, VarianceScaling),
)
