"""Optimizers of optax whose step follows from the loss or the parameters: Adafactor, Polyak's, Fromage.

Source: Shazeer and Stern, Adafactor (2018); Loizou et al., Stochastic Polyak step-size (2021);
        Bernstein et al., On the distance between two neural networks (2020), for Fromage.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    EMPTY,
    OPTAX,
    Transformation,
    add_decayed_weights,
    by_rate,
    chain,
    count_of_steps,
    mapped,
    scale,
    scale_by_schedule,
    sgd,
)
from engine.languages.surfaces.left_out import takes_only

FACTORED = RecordKind("FactoredState", ("count", "v_row", "v_col", "v"))
Axes = tuple[int, int] | None


def factored_axes(shape: tuple[int, ...], factored: Any, least: Any) -> Axes:
    """The second longest axis and the longest, where both are long enough to keep sums along them only."""
    if not factored or len(shape) < 2:
        return None
    second, longest = (int(place) for place in np.argsort(shape)[-2:])
    return (second, longest) if shape[second] >= least else None


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


@OPTAX.function("scale_by_factored_rms")
def scale_by_factored_rms(
    factored: Any = True,
    decay_rate: Any = 0.8,
    step_offset: Any = 0,
    min_dim_size_to_factor: Any = 128,
    epsilon: Any = 1e-30,
) -> Transformation:
    """g / sqrt(v), v a mean of g² with β = 1 - t⁻ᵈ; of long matrices by the means of rows and columns."""

    def axes(p: Any) -> Axes:
        return factored_axes(shape_of(as_value(p)), factored, min_dim_size_to_factor)

    def init(params: Any) -> Any:
        def start(kind: int) -> Any:
            def of_leaf(p: Any) -> Any:
                shape, pair = shape_of(p), axes(p)
                if pair is None:
                    return JNP["zeros"](shape if kind == 2 else (1,))
                return JNP["zeros"]((_without(shape, pair[1]), _without(shape, pair[0]), (1,))[kind])

            return mapped(of_leaf, params)

        return Record(FACTORED, [count_of_steps(), *map(start, range(3))])

    def step(g: Any, p: Any, row: Any, column: Any, v: Any, beta: Any) -> tuple[Any, Any, Any, Any]:
        squares, pair = g * g + epsilon, axes(p)
        if pair is None:
            v = beta * v + (1.0 - beta) * squares
            return g * JNP["power"](v, -0.5), row, column, v
        second, longest = pair
        row = beta * row + (1.0 - beta) * JNP["mean"](squares, longest)
        column = beta * column + (1.0 - beta) * JNP["mean"](squares, second)
        mean = JNP["mean"](row, second - 1 if second > longest else second, keepdims=True)
        by_row = JNP["expand_dims"](JNP["power"](row / mean, -0.5), longest)
        return g * by_row * JNP["expand_dims"](JNP["power"](column, -0.5), second), row, column, v

    def update(g: Any, state: Any, params: Any) -> Any:
        count, *moments = state
        beta = 1.0 - JNP["power"](JNP["astype"](count - step_offset, "float32") + 1.0, -decay_rate)
        leaves, structure = trees().flatten(g)
        others = [trees().up_to(structure, one) for one in (params, *moments)]
        rows = [
            step(*map(as_value, each)) for each in zip(leaves, *others, [beta] * len(leaves), strict=True)
        ]
        found = [trees().unflatten(structure, list(part)) for part in zip(*rows, strict=True)]
        return found[0], Record(FACTORED, [count + 1, *found[1:]])

    return Transformation(init, update)


@OPTAX.function("scale_by_param_block_rms")
def scale_by_param_block_rms(min_scale: Any = 1e-3) -> Transformation:
    """Updates times the root mean square of their parameters."""

    def scaled(x: Any, p: Any) -> Any:
        return x * JNP["maximum"](JNP["sqrt"](JNP["mean"](JNP["square"](p))), min_scale)

    return Transformation(lambda params: EMPTY, lambda g, s, p: (mapped(scaled, g, p), s))


@OPTAX.function("adafactor")
@takes_only(momentum=(None,), dtype_momentum=(None,))
def adafactor(
    interpreter: Any,
    learning_rate: Any = None,
    min_dim_size_to_factor: Any = 128,
    decay_rate: Any = 0.8,
    decay_offset: Any = 0,
    multiply_by_parameter_scale: Any = True,
    clipping_threshold: Any = 1.0,
    momentum: Any = None,
    dtype_momentum: Any = None,
    weight_decay_rate: Any = None,
    eps: Any = 1e-30,
    factored: Any = True,
    weight_decay_mask: Any = None,
) -> Any:
    """Adafactor."""
    parts = [scale_by_factored_rms(factored, decay_rate, decay_offset, min_dim_size_to_factor, eps)]
    if clipping_threshold is not None:
        parts.append(OPTAX.members["clip_by_block_rms"].function(clipping_threshold))
    if learning_rate is not None:
        is_number = isinstance(learning_rate, (int, float)) or hasattr(learning_rate, "aval")
        parts.append(scale(learning_rate) if is_number else scale_by_schedule(interpreter, learning_rate))
    if multiply_by_parameter_scale:
        parts.append(scale_by_param_block_rms())
    if weight_decay_rate is not None:
        parts.append(add_decayed_weights(interpreter, weight_decay_rate, weight_decay_mask))
    return chain(*parts, scale(-1))


@OPTAX.function("scale_by_polyak")
def scale_by_polyak(
    f_min: Any = 0.0, max_learning_rate: Any = 1.0, eps: Any = 0.0, variant: Any = "sps"
) -> Transformation:
    """Updates times min((f - f*) / ‖g‖², most), f the `value` that update is given."""
    if variant not in ("sps", "sps+"):
        said = f"Invalid argument value for Polyak SGD: {variant=}"
        raise value_error(said, f"variant 不能是 {variant!r}。")

    def update(g: Any, state: Any, params: Any, *, value: Any, **_: Any) -> Any:
        squared = sum(JNP["sum"](JNP["square"](leaf)) for leaf in trees().flatten(g)[0])
        gap = JNP["subtract"](value, f_min)
        gap = JNP["maximum"](gap, 0.0) if variant == "sps+" else gap
        step = JNP["minimum"](gap / (squared + eps), max_learning_rate)
        step = JNP["where"](squared + eps <= 0.0, 0.0, step)
        return mapped(lambda x: x * step, g), state

    return Transformation(lambda params: EMPTY, update, takes_more=True)


@OPTAX.function("polyak_sgd")
def polyak_sgd(
    interpreter: Any,
    max_learning_rate: Any = 1.0,
    scaling: Any = 1.0,
    f_min: Any = 0.0,
    eps: Any = 0.0,
    variant: Any = "sps",
) -> Any:
    """Gradient descent with Polyak's step size."""
    return chain(sgd(interpreter, scaling), scale_by_polyak(f_min, max_learning_rate, eps, variant))


@OPTAX.function("fromage")
def fromage(interpreter: Any, learning_rate: Any, min_norm: Any = 1e-6) -> Any:
    """Steps in proportion to the parameters, which shrink by sqrt(1 + η²)."""
    shrink = 1 / JNP["sqrt"](1 + learning_rate**2)
    ratio = OPTAX.members["scale_by_trust_ratio"].function(min_norm)
    decayed = add_decayed_weights(interpreter, shrink - 1)
    return chain(ratio, by_rate(interpreter, learning_rate * shrink), decayed)


OPTAX.value(FACTORED, "FactoredState")
