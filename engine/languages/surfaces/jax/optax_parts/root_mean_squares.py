"""RMSProp of optax: updates over the root of a mean of their squares, or over their standard deviation."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.arithmetic import integer_pow
from engine.languages.surfaces.jax.lax.basics import full_like
from engine.languages.surfaces.jax.lax.elementwise import rsqrt, sqrt
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    OPTAX,
    Transformation,
    by_rate,
    chain,
    identity,
    mapped,
    times,
    trace,
    zeros,
)
from engine.languages.surfaces.left_out import takes_only

RMS = RecordKind("ScaleByRmsState", ("nu",))
STDDEV = RecordKind("ScaleByRStdDevState", ("mu", "nu"))


def _mean(tree: Any, old: Any, decay: Any, order: int) -> Any:
    """(1 - decay) gᵏ + decay m, the mean of powers so far."""
    return mapped(lambda x, m: ar.add(times(_power(x, order), 1 - decay), times(m, decay)), tree, old)


def _power(x: Any, order: int) -> Any:
    return x if order == 1 else integer_pow(x, order)


def _over_root(g: Any, square: Any, eps: Any, inside: Any) -> Any:
    """g / √(s + ε), or g / (√s + ε)."""
    if inside:
        return ar.mul(g, rsqrt(JNP["add"](square, eps)))
    return ar.div(g, JNP["add"](sqrt(square), eps))


@OPTAX.function("scale_by_rms")
@takes_only(bias_correction=(False,))
def scale_by_rms(
    decay: Any = 0.9,
    eps: Any = 1e-8,
    initial_scale: Any = 0.0,
    eps_in_sqrt: Any = True,
    bias_correction: Any = False,
) -> Any:
    """Updates over the root of a mean of their squares. Source: Tieleman and Hinton, RMSProp (2012)."""

    def update(g: Any, state: Any, params: Any) -> Any:
        nu = _mean(g, state[0], decay, 2)
        return mapped(lambda x, v: _over_root(x, v, eps, eps_in_sqrt), g, nu), Record(RMS, [nu])

    def init(params: Any) -> Any:
        return Record(RMS, [mapped(lambda x: full_like(x, initial_scale), params)])

    return Transformation(init, update)


@OPTAX.function("scale_by_stddev")
@takes_only(bias_correction=(False,))
def scale_by_stddev(
    decay: Any = 0.9,
    eps: Any = 1e-8,
    initial_scale: Any = 0.0,
    eps_in_sqrt: Any = True,
    bias_correction: Any = False,
) -> Any:
    """Updates over their standard deviation, √(mean of g² - (mean of g)²). Source: Hinton (2012)."""

    def update(g: Any, state: Any, params: Any) -> Any:
        mu, nu = _mean(g, state[0], decay, 1), _mean(g, state[1], decay, 2)
        variance = mapped(lambda m, v: ar.sub(v, integer_pow(m, 2)), mu, nu)
        step = mapped(lambda x, s: _over_root(x, s, eps, eps_in_sqrt), g, variance)
        return step, Record(STDDEV, [mu, nu])

    def init(params: Any) -> Any:
        return Record(STDDEV, [zeros(params), mapped(lambda x: full_like(x, initial_scale), params)])

    return Transformation(init, update)


@OPTAX.function("rmsprop")
@takes_only(bias_correction=(False,))
def rmsprop(
    interpreter: Any,
    learning_rate: Any,
    decay: Any = 0.9,
    eps: Any = 1e-8,
    initial_scale: Any = 0.0,
    eps_in_sqrt: Any = True,
    centered: Any = False,
    momentum: Any = None,
    nesterov: Any = False,
    bias_correction: Any = False,
) -> Any:
    """RMSProp, with momentum where it is given; centered: over the standard deviation."""
    kind = scale_by_stddev if centered else scale_by_rms
    last = identity() if momentum is None else trace(momentum, nesterov)
    return chain(kind(decay, eps, initial_scale, eps_in_sqrt), by_rate(interpreter, learning_rate), last)
