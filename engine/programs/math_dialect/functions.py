"""The functions of the math dialect: each builds what its `tf.` namesake builds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from engine import ops

CONSTANTS: dict[str, float] = {"pi": math.pi, "π": math.pi, "e": math.e, "tau": math.tau, "τ": math.tau}


@dataclass(frozen=True, slots=True)
class MathFunction:
    """A function by its written name: how many arguments it takes, and what it builds of them."""

    build: Callable[..., Any]
    least: int = 1
    most: int | None = 1


def log10(x: Any) -> Any:
    """The logarithm to base 10, as `tf.log(x) / np.log(10)`."""
    return ops.log(x) / math.log(10)


def log2(x: Any) -> Any:
    """The logarithm to base 2, as `tf.log(x) / np.log(2)`."""
    return ops.log(x) / math.log(2)


def cbrt(x: Any) -> Any:
    """The real cube root, negative for a negative x."""
    return ops.sign(x) * ops.absolute(x) ** (1 / 3)


def dot(a: Any, b: Any) -> Any:
    """The sum of the products, element by element."""
    return ops.reduce_sum(ops.mul(a, b))


def norm(x: Any) -> Any:
    """The Euclidean length."""
    return ops.sqrt(ops.reduce_sum(ops.square(x)))


def larger(*values: Any) -> Any:
    """The largest of several values, or of the elements of one."""
    return _fold(ops.maximum, ops.reduce_max, values)


def smaller(*values: Any) -> Any:
    """The smallest of several values, or of the elements of one."""
    return _fold(ops.minimum, ops.reduce_min, values)


def _fold(pair: Callable[..., Any], whole: Callable[..., Any], values: Sequence[Any]) -> Any:
    return whole(values[0]) if len(values) == 1 else reduce(pair, values)


FUNCTIONS: dict[str, MathFunction] = {
    "exp": MathFunction(ops.exp),
    "log": MathFunction(ops.log),
    "ln": MathFunction(ops.log),
    "lg": MathFunction(log10),
    "log10": MathFunction(log10),
    "log2": MathFunction(log2),
    "log1p": MathFunction(ops.log1p),
    "expm1": MathFunction(ops.expm1),
    "sqrt": MathFunction(ops.sqrt),
    "rsqrt": MathFunction(ops.rsqrt),
    "cbrt": MathFunction(cbrt),
    "square": MathFunction(ops.square),
    "abs": MathFunction(ops.absolute),
    "sign": MathFunction(ops.sign),
    "sgn": MathFunction(ops.sign),
    "floor": MathFunction(ops.floor),
    "sin": MathFunction(ops.sin),
    "cos": MathFunction(ops.cos),
    "tan": MathFunction(ops.tan),
    "tg": MathFunction(ops.tan),
    "sinh": MathFunction(ops.sinh),
    "cosh": MathFunction(ops.cosh),
    "tanh": MathFunction(ops.tanh),
    **dict.fromkeys(("asin", "arcsin"), MathFunction(ops.asin)),
    **dict.fromkeys(("acos", "arccos"), MathFunction(ops.acos)),
    **dict.fromkeys(("atan", "arctan"), MathFunction(ops.atan)),
    "sigmoid": MathFunction(ops.sigmoid),
    "relu": MathFunction(ops.relu),
    "pow": MathFunction(lambda x, y: x**y, 2, 2),
    "max": MathFunction(larger, 1, None),
    "min": MathFunction(smaller, 1, None),
    "sum": MathFunction(ops.reduce_sum),
    "mean": MathFunction(ops.reduce_mean),
    "norm": MathFunction(norm),
    "dot": MathFunction(dot, 2, 2),
}
