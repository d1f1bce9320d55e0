"""`jax.nn.initializers`: functions of a key and a shape that give the first weights of a layer."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.numpy.making.lengths import lengths
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.random.table import FUNCTIONS as RANDOM
from engine.languages.surfaces.left_out import takes_only

CUT = 0.87962566103423978  # the standard deviation of a normal distribution that is cut off at -2 and 2
Made = Callable[[Any, Any, Any], Any]


def _initializer(make: Made) -> Native:
    def init(key: Any, shape: Any, dtype: Any = None, out_sharding: Any = None) -> Any:
        return make(key, shape, dtype)

    return Native("init", init)


def _fans(shape: tuple[int, ...], in_axis: int, out_axis: int) -> tuple[float, float]:
    """How many inputs and outputs each unit has, the places of a window counted."""
    if len(shape) < 2:
        raise value_error(
            "Can't compute input and output sizes of a 1-dimensional weights tensor. Must be at least 2D.",
            "一维的权重没有输入与输出的大小，至少需要二维。",
        )
    into, out = shape[in_axis], shape[out_axis]
    window = prod(shape) / into / out
    return into * window, out * window


@takes_only(batch_axis=((),))
def variance_scaling(
    scale: Any,
    mode: Any,
    distribution: Any,
    in_axis: Any = -2,
    out_axis: Any = -1,
    batch_axis: Any = (),
    dtype: Any = None,
) -> Native:
    """Weights whose variance is `scale` over the number of inputs, of outputs, or the mean of both."""

    def make(key: Any, shape: Any, kind: Any) -> Any:
        sizes = lengths(shape)
        into, out = _fans(sizes, int(in_axis), int(out_axis))
        by = {"fan_in": into, "fan_out": out, "fan_avg": (into + out) / 2}
        if mode not in by:
            raise value_error(
                f"invalid mode for variance scaling initializer: {mode}", f"mode 不能是 {mode!r}。"
            )
        variance = np.float32(scale / by[mode])
        return _sample(distribution, variance, key, sizes, dtype if kind is None else kind)

    return _initializer(make)


def _sample(distribution: Any, variance: Any, key: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    if distribution == "normal":
        return JNP["multiply"](RANDOM["normal"](key, shape, dtype), JNP["sqrt"](variance))
    if distribution == "uniform":
        numbers = RANDOM["uniform"](key, shape, dtype, -1)
        return JNP["multiply"](numbers, JNP["sqrt"](JNP["multiply"](3.0, variance)))
    if distribution == "truncated_normal":
        numbers = RANDOM["truncated_normal"](key, -2, 2, shape, dtype)
        return JNP["multiply"](numbers, JNP["true_divide"](JNP["sqrt"](variance), np.float32(CUT)))
    raise value_error(
        f"invalid distribution for variance scaling initializer: {distribution}",
        f"distribution 不能是 {distribution!r}。",
    )


def _scaled(scale: float, mode: str, distribution: str) -> Callable[..., Any]:
    def initializer(in_axis: Any = -2, out_axis: Any = -1, batch_axis: Any = (), dtype: Any = None) -> Any:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    return initializer


def normal(stddev: Any = 1e-2, dtype: Any = None) -> Native:
    """Numbers of the normal distribution."""
    return _initializer(
        lambda key, shape, kind: JNP["multiply"](
            RANDOM["normal"](key, shape, dtype if kind is None else kind), stddev
        )
    )


def uniform(scale: Any = 1e-2, dtype: Any = None) -> Native:
    """Numbers between 0 and `scale`."""
    return _initializer(
        lambda key, shape, kind: JNP["multiply"](
            RANDOM["uniform"](key, shape, dtype if kind is None else kind), scale
        )
    )


def truncated_normal(stddev: Any = 1e-2, dtype: Any = None, lower: Any = -2.0, upper: Any = 2.0) -> Native:
    """Numbers of the normal distribution between two bounds."""

    def make(key: Any, shape: Any, kind: Any) -> Any:
        numbers = RANDOM["truncated_normal"](key, lower, upper, shape, dtype if kind is None else kind)
        return JNP["multiply"](numbers, stddev)

    return _initializer(make)


def orthogonal(scale: Any = 1.0, column_axis: Any = -1, dtype: Any = None) -> Native:
    """Orthonormal columns times a number. Source: Saxe et al. (2014)."""

    def make(key: Any, shape: Any, kind: Any) -> Any:
        sizes = lengths(shape)
        columns = sizes[column_axis]
        rows = prod(sizes) // columns
        found = RANDOM["orthogonal"](key, rows, (), dtype if kind is None else kind, columns)
        rest = tuple(np.delete(sizes, column_axis).tolist())
        wide = JNP["reshape"](found, (*rest, columns))
        return JNP["multiply"](JNP["moveaxis"](wide, -1, column_axis), scale)

    return _initializer(make)


def constant(value: Any, dtype: Any = None) -> Native:
    """The same number everywhere."""
    return _initializer(
        lambda key, shape, kind: JNP["full"](shape, value, (dtype or "float32") if kind is None else kind)
    )


def zeros(key: Any, shape: Any, dtype: Any = None) -> Any:
    """Zeros."""
    return JNP["zeros"](shape, dtype)


def ones(key: Any, shape: Any, dtype: Any = None) -> Any:
    """Ones."""
    return JNP["ones"](shape, dtype)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "variance_scaling": variance_scaling,
    "normal": normal,
    "uniform": uniform,
    "constant": constant,
    "truncated_normal": truncated_normal,
    "orthogonal": orthogonal,
    "zeros": zeros,
    "ones": ones,
    "glorot_uniform": _scaled(1.0, "fan_avg", "uniform"),
    "glorot_normal": _scaled(1.0, "fan_avg", "truncated_normal"),
    "lecun_uniform": _scaled(1.0, "fan_in", "uniform"),
    "lecun_normal": _scaled(1.0, "fan_in", "truncated_normal"),
    "he_uniform": _scaled(2.0, "fan_in", "uniform"),
    "he_normal": _scaled(2.0, "fan_in", "truncated_normal"),
}
FUNCTIONS["xavier_uniform"], FUNCTIONS["xavier_normal"] = (
    FUNCTIONS["glorot_uniform"],
    FUNCTIONS["glorot_normal"],
)
FUNCTIONS["kaiming_uniform"], FUNCTIONS["kaiming_normal"] = FUNCTIONS["he_uniform"], FUNCTIONS["he_normal"]
