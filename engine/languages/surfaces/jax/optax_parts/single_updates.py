"""Transformations of updates one by one: `optax.zero_nans`, `optax.ema`, `optax.adaptive_grad_clip`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.lax.basics import full_like, shape_of
from engine.languages.surfaces.jax.numpy.making import arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    EMPTY,
    OPTAX,
    Transformation,
    corrected,
    count_of_steps,
    global_norm,
    mapped,
    zeros,
)
from engine.languages.surfaces.jax.optax_parts.directions import moment
from engine.languages.surfaces.left_out import takes_only

EMA = RecordKind("EmaState", ("count", "ema"))
ZERO_NANS = RecordKind("ZeroNansState", ("found_nan",))
WHERE = JNP["where"]


def stateless_of(update: Callable[[Any, Any], Any]) -> Transformation:
    """A transformation without a state: update(g, params)."""
    return Transformation(lambda params: EMPTY, lambda g, s, params: (update(g, params), s))


@OPTAX.function("set_to_zero")
def set_to_zero() -> Transformation:
    """Zeros in place of all updates."""
    return stateless_of(lambda g, params: zeros(g))


@OPTAX.function("zero_nans")
def zero_nans() -> Transformation:
    """0 in place of what is no number."""

    def init(params: Any) -> Any:
        return Record(ZERO_NANS, [mapped(lambda p: arrays.array(False), params)])

    def update(g: Any, state: Any, params: Any) -> Any:
        found = mapped(lambda x: JNP["any"](JNP["isnan"](x)), g)
        return mapped(lambda x: WHERE(JNP["isnan"](x), full_like(x, 0), x), g), Record(ZERO_NANS, [found])

    return Transformation(init, update)


@OPTAX.function("centralize")
def centralize() -> Transformation:
    """Updates without their mean over all axes but the first."""

    def centered(x: Any) -> Any:
        ndim = len(shape_of(x))
        return x if ndim < 2 else x - JNP["mean"](x, axis=tuple(range(1, ndim)), keepdims=True)

    return stateless_of(lambda g, params: mapped(centered, g))


@OPTAX.function("clip_by_block_rms")
def clip_by_block_rms(threshold: Any) -> Transformation:
    """Each array of updates with a root mean square of at most this."""

    def clipped(x: Any) -> Any:
        root = JNP["sqrt"](JNP["mean"](JNP["square"](x)))
        return x / JNP["maximum"](1.0, root / threshold)

    return stateless_of(lambda g, params: mapped(clipped, g))


@OPTAX.function("adaptive_grad_clip")
def adaptive_grad_clip(clipping: Any, eps: Any = 1e-3) -> Transformation:
    """Updates of at most a share of the parameters of their unit. Source: Brock et al., NFNets (2021)."""

    def clipped(x: Any, p: Any) -> Any:
        of_x, of_p = _unit_norm(x), _unit_norm(p)
        most = clipping * JNP["maximum"](of_p, eps)
        return WHERE(of_x < most, x, x * (most / JNP["maximum"](of_x, 1e-6)))

    return stateless_of(lambda g, params: mapped(clipped, g, params))


def _unit_norm(x: Any) -> Any:
    """The norm for each output unit, in the shape of the array."""
    ndim = len(shape_of(x))
    axes = {2: (0,), 3: (0,), 4: (0, 1, 2)}.get(ndim)
    squares = JNP["sum"](JNP["square"](x), axis=axes, keepdims=ndim > 1)
    return JNP["broadcast_to"](JNP["sqrt"](squares), shape_of(x))


@OPTAX.function("normalize_by_update_norm")
def normalize_by_update_norm(scale_factor: Any = 1.0, eps: Any = 1e-6) -> Transformation:
    """Updates over their norm, all leaves together."""

    def update(g: Any, params: Any) -> Any:
        norm = global_norm(g)
        return mapped(lambda x: x * scale_factor / (norm + eps), g)

    return stateless_of(update)


@OPTAX.function("keep_params_nonnegative")
def keep_params_nonnegative() -> Transformation:
    """Updates that end at 0 where parameters would become negative."""
    return stateless_of(lambda g, params: mapped(lambda p, x: WHERE((p + x) < 0.0, -p, x), params, g))


@OPTAX.function("ema")
@takes_only(accumulator_dtype=(None,))
def ema(decay: Any, debias: Any = True, accumulator_dtype: Any = None) -> Transformation:
    """A mean of the updates so far, the older ones the less."""

    def update(g: Any, state: Any, params: Any) -> Any:
        count, mean = state[0] + 1, moment(g, state[1], decay)
        return (corrected(mean, decay, count) if debias else mean), Record(EMA, [count, mean])

    return Transformation(lambda params: Record(EMA, [count_of_steps(), zeros(params)]), update)


@OPTAX.function("stateless")
def stateless(interpreter: Interpreter, f: Any) -> Transformation:
    """A transformation of a function of updates and parameters."""
    return stateless_of(lambda g, params: interpreter.call(f, [g, params], {}))


@OPTAX.function("stateless_with_tree_map")
def stateless_with_tree_map(interpreter: Interpreter, f: Any) -> Transformation:
    """The same for each leaf."""
    return stateless_of(lambda g, params: mapped(lambda x, p: interpreter.call(f, [x, p], {}), g, params))


@OPTAX.function("GradientTransformation", "GradientTransformationExtraArgs")
def gradient_transformation(interpreter: Interpreter, init: Any, update: Any) -> Transformation:
    """A transformation of two functions of the program."""

    def updated(g: Any, state: Any, params: Any) -> Any:
        new, after = interpreter.call(update, [g, state, params], {})
        return new, after

    return Transformation(lambda params: interpreter.call(init, [params], {}), updated)
