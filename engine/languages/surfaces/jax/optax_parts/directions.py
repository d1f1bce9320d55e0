"""Optimizers of optax beyond SGD, Adam, RMSProp and Adagrad: the direction of each, beside its formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.jax import optax as ox
from engine.languages.surfaces.jax.lax.basics import full_like
from engine.languages.surfaces.jax.numpy.making import arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    EMPTY,
    OPTAX,
    Transformation,
    add_decayed_weights,
    by_rate,
    chain,
    corrected,
    count_of_steps,
    identity,
    mapped,
    trace,
    zeros,
)
from engine.languages.surfaces.left_out import takes_only

AMSGRAD = RecordKind("ScaleByAmsgradState", ("count", "mu", "nu", "nu_max"))
BELIEF = RecordKind("ScaleByBeliefState", ("count", "mu", "nu"))
LION = RecordKind("ScaleByLionState", ("count", "mu"))
DELTA = RecordKind("ScaleByAdaDeltaState", ("e_g", "e_x"))
OPTIMISTIC = RecordKind("ScaleByOptimisticGradientState", ("is_initial_step", "previous_gradient"))
ABS, EQUAL, MAX, SIGN, SQRT, SQUARE, WHERE = (
    JNP[name] for name in ("abs", "equal", "maximum", "sign", "sqrt", "square", "where")
)


def moment(g: Any, old: Any, decay: Any, order: int = 1) -> Any:
    """(1 - β) gᵒ + β m."""
    return mapped(lambda x, m: (1 - decay) * (SQUARE(x) if order == 2 else x) + decay * m, g, old)


def _over_root(mu: Any, nu: Any, eps: Any, eps_root: Any) -> Any:
    return mapped(lambda m, v: m / (SQRT(v + eps_root) + eps), mu, nu)


def with_state(
    kind: RecordKind, first: Callable[[Any], list[Any]], step: Callable[..., Any]
) -> Transformation:
    """A transformation whose state is a named tuple: step(g, params, *state) gives updates and new items."""

    def update(g: Any, state: Any, params: Any) -> Any:
        found, items = step(g, params, *state)
        return found, Record(kind, items)

    return Transformation(lambda params: Record(kind, first(params)), update)


@OPTAX.function("scale_by_amsgrad")
def scale_by_amsgrad(b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8, eps_root: Any = 0.0) -> Transformation:
    """Adam with the largest second moment so far. Source: Reddi et al. (2018)."""

    def step(g: Any, params: Any, count: Any, mu: Any, nu: Any, largest: Any) -> Any:
        mu, nu, count = moment(g, mu, b1), moment(g, nu, b2, 2), count + 1
        largest = mapped(MAX, largest, corrected(nu, b2, count))
        return _over_root(corrected(mu, b1, count), largest, eps, eps_root), [count, mu, nu, largest]

    return with_state(AMSGRAD, lambda p: [count_of_steps(), zeros(p), zeros(p), zeros(p)], step)


@OPTAX.function("scale_by_belief")
def scale_by_belief(
    b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-16, eps_root: Any = 1e-16, *, nesterov: Any = False
) -> Transformation:
    """Adam with the moment of how far gradients are from their mean. Source: Zhuang et al. (2020)."""

    def step(g: Any, params: Any, count: Any, mu: Any, nu: Any) -> Any:
        mu, count = moment(g, mu, b1), count + 1
        away = mapped(lambda x, m: x - m, g, mu)
        nu = mapped(lambda v: v + eps_root, moment(away, nu, b2, 2))
        first = _ahead(g, mu, b1, count) if nesterov else corrected(mu, b1, count)
        return _over_root(first, corrected(nu, b2, count), eps, 0.0), [count, mu, nu]

    return with_state(BELIEF, lambda p: [count_of_steps(), zeros(p), zeros(p)], step)


def _ahead(g: Any, mu: Any, b1: Any, count: Any) -> Any:
    """Nesterov's look ahead: the mean of the moment after the next step, and of the gradient now."""
    return mapped(lambda m, x: b1 * m + (1 - b1) * x, corrected(mu, b1, count + 1), corrected(g, b1, count))


@OPTAX.function("scale_by_lion")
def scale_by_lion(b1: Any = 0.9, b2: Any = 0.99) -> Transformation:
    """The sign of a mean of gradients. Source: Chen et al., Symbolic discovery of optimization (2023)."""

    def step(g: Any, params: Any, count: Any, mu: Any) -> Any:
        found = mapped(lambda x, m: SIGN((1 - b1) * x + b1 * m), g, mu)
        return found, [count + 1, moment(g, mu, b2)]

    return with_state(LION, lambda p: [count_of_steps(), zeros(p)], step)


@OPTAX.function("scale_by_radam")
def scale_by_radam(
    b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8, eps_root: Any = 0.0, threshold: Any = 5.0
) -> Transformation:
    """Adam that waits until the variance of its steps can be known. Source: Liu et al., RAdam (2020)."""
    most = 2.0 / (1.0 - b2) - 1.0

    def step(g: Any, params: Any, count: Any, mu: Any, nu: Any) -> Any:
        mu, nu, count = moment(g, mu, b1), moment(g, nu, b2, 2), count + 1
        decayed = JNP["power"](b2, count)
        length = most - 2 * count * decayed / (1 - decayed)
        share = (length - 4.0) * (length - 2.0) * most / ((most - 4.0) * (most - 2.0) * length)
        is_known = length >= threshold
        root = SQRT(WHERE(is_known, share, 1.0))
        plain = corrected(mu, b1, count)
        scaled = _over_root(mapped(lambda m: root * m, plain), corrected(nu, b2, count), eps, eps_root)
        return mapped(lambda a, b: WHERE(is_known, a, b), scaled, plain), [count, mu, nu]

    return with_state(ox.ADAM, lambda p: [count_of_steps(), zeros(p), zeros(p)], step)


@OPTAX.function("scale_by_adamax")
def scale_by_adamax(b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8) -> Transformation:
    """Adam with the largest gradient in place of the second moment. Source: Kingma and Ba (2015)."""

    def step(g: Any, params: Any, count: Any, mu: Any, nu: Any) -> Any:
        count, mu = count + 1, moment(g, mu, b1)
        nu = mapped(lambda x, v: MAX(ABS(x) + eps, b2 * v), g, nu)
        return mapped(lambda m, v: m / v, corrected(mu, b1, count), nu), [count, mu, nu]

    return with_state(ox.ADAM, lambda p: [count_of_steps(), zeros(p), zeros(p)], step)


@OPTAX.function("scale_by_yogi")
def scale_by_yogi(
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-3,
    eps_root: Any = 0.0,
    initial_accumulator_value: Any = 1e-6,
) -> Transformation:
    """v - (1 - β₂) sign(v - g²) g² in place of the second moment. Source: Zaheer et al., Yogi (2018)."""

    def first(params: Any) -> list[Any]:
        filled = mapped(lambda x: full_like(x, initial_accumulator_value), params)
        return [count_of_steps(), filled, filled]

    def step(g: Any, params: Any, count: Any, mu: Any, nu: Any) -> Any:
        count, mu = count + 1, moment(g, mu, b1)
        nu = mapped(lambda x, v: v - (1 - b2) * SIGN(v - SQUARE(x)) * SQUARE(x), g, nu)
        return _over_root(corrected(mu, b1, count), corrected(nu, b2, count), eps, eps_root), [count, mu, nu]

    return with_state(ox.ADAM, first, step)


@OPTAX.function("scale_by_adadelta")
def scale_by_adadelta(rho: Any = 0.9, eps: Any = 1e-6) -> Transformation:
    """Root mean squares of the steps so far over those of the gradients. Source: Zeiler, ADADELTA (2012)."""

    def step(g: Any, params: Any, of_gradients: Any, of_steps: Any) -> Any:
        of_gradients = moment(g, of_gradients, rho, 2)
        found = mapped(lambda x, s, v: SQRT(s + eps) / SQRT(v + eps) * x, g, of_steps, of_gradients)
        return found, [of_gradients, moment(found, of_steps, rho, 2)]

    return with_state(DELTA, lambda p: [zeros(p), zeros(p)], step)


def norm_of(x: Any) -> Any:
    """The Euclidean norm of one array."""
    return SQRT(JNP["sum"](SQUARE(x)))


@OPTAX.function("scale_by_trust_ratio")
def scale_by_trust_ratio(min_norm: Any = 0.0, trust_coefficient: Any = 1.0, eps: Any = 0.0) -> Transformation:
    """Each array of updates with a norm in proportion to its parameters'. Source: You et al. (2017)."""

    def scaled(g: Any, p: Any) -> Any:
        of_p, of_g = MAX(norm_of(p), min_norm), MAX(norm_of(g), min_norm)
        ratio = trust_coefficient * of_p / (of_g + eps)
        return g * WHERE(EQUAL(of_p, 0.0) | EQUAL(of_g, 0.0), 1.0, ratio)

    return Transformation(lambda params: EMPTY, lambda g, s, p: (mapped(scaled, g, p), s))


@OPTAX.function("scale_by_sign")
def scale_by_sign() -> Transformation:
    """The sign of each number."""
    return Transformation(lambda params: EMPTY, lambda g, s, p: (mapped(SIGN, g), s))


@OPTAX.function("scale_by_optimistic_gradient")
def scale_by_optimistic_gradient(alpha: Any = 1.0, beta: Any = 1.0) -> Transformation:
    """(α + β) gₜ - β gₜ₋₁; at the first step α g. Source: Mokhtari et al. (2020)."""

    def step(g: Any, params: Any, is_first: Any, last: Any) -> Any:
        before = mapped(lambda x, old: WHERE(is_first, x, old), g, last)
        found = mapped(lambda x, old: (alpha + beta) * x - beta * old, g, before)
        return found, [arrays.array(False), g]

    return with_state(OPTIMISTIC, lambda p: [arrays.array(True), zeros(p)], step)


# -- optimizers --------------------------------------------------------------------------------------


@OPTAX.function("amsgrad")
def amsgrad(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
) -> Any:
    """AMSGrad."""
    return chain(scale_by_amsgrad(b1, b2, eps, eps_root), by_rate(interpreter, learning_rate))


@OPTAX.function("optimistic_gradient_descent")
def optimistic_gradient_descent(
    interpreter: Any, learning_rate: Any, alpha: Any = 1.0, beta: Any = 1.0
) -> Any:
    """Gradient descent that looks ahead by the change of the gradient, for games of two players."""
    return chain(scale_by_optimistic_gradient(alpha, beta), by_rate(interpreter, learning_rate))


@OPTAX.function("optimistic_adam")
@takes_only(mu_dtype=(None,))
def optimistic_adam(
    interpreter: Any,
    learning_rate: Any,
    optimism: Any = None,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    mu_dtype: Any = None,
    *,
    nesterov: Any = True,
) -> Any:
    """The same with Adam's direction. Source: Daskalakis et al., Training GANs with optimism (2018)."""
    beta = learning_rate if optimism is None else optimism
    return chain(
        ox.scale_by_adam(b1, b2, eps, eps_root, nesterov=nesterov),
        scale_by_optimistic_gradient(learning_rate, beta),
        by_rate(interpreter, 1.0),
    )


@OPTAX.function("optimistic_adam_v2")
@takes_only(mu_dtype=(None,))
def optimistic_adam_v2(
    interpreter: Any,
    learning_rate: Any,
    *,
    alpha: Any = 1.0,
    beta: Any = 1.0,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    mu_dtype: Any = None,
    nesterov: Any = True,
) -> Any:
    """The same with a learning rate of its own, which may be a schedule."""
    return chain(
        ox.scale_by_adam(b1, b2, eps, eps_root, nesterov=nesterov),
        scale_by_optimistic_gradient(alpha, beta),
        by_rate(interpreter, learning_rate),
    )


@OPTAX.function("adabelief")
def adabelief(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-16,
    eps_root: Any = 1e-16,
    *,
    nesterov: Any = False,
) -> Any:
    """AdaBelief."""
    first = scale_by_belief(b1, b2, eps, eps_root, nesterov=nesterov)
    return chain(first, by_rate(interpreter, learning_rate))


@OPTAX.function("lion")
@takes_only(mu_dtype=(None,))
def lion(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.99,
    mu_dtype: Any = None,
    weight_decay: Any = 1e-3,
) -> Any:
    """Lion."""
    decay = add_decayed_weights(interpreter, weight_decay)
    return chain(scale_by_lion(b1, b2), decay, by_rate(interpreter, learning_rate))


@OPTAX.function("nadam")
def nadam(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
) -> Any:
    """Adam with Nesterov's look ahead. Source: Dozat (2016)."""
    return chain(ox.scale_by_adam(b1, b2, eps, eps_root, nesterov=True), by_rate(interpreter, learning_rate))


@OPTAX.function("nadamw")
@takes_only(mu_dtype=(None,))
def nadamw(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    mu_dtype: Any = None,
    weight_decay: Any = 1e-4,
) -> Any:
    """The same with weight decay beside it."""
    first = ox.scale_by_adam(b1, b2, eps, eps_root, nesterov=True)
    return chain(first, add_decayed_weights(interpreter, weight_decay), by_rate(interpreter, learning_rate))


@OPTAX.function("radam")
def radam(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    threshold: Any = 5.0,
) -> Any:
    """RAdam."""
    return chain(scale_by_radam(b1, b2, eps, eps_root, threshold), by_rate(interpreter, learning_rate))


@OPTAX.function("adamax")
def adamax(interpreter: Any, learning_rate: Any, b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8) -> Any:
    """Adamax."""
    return chain(scale_by_adamax(b1, b2, eps), by_rate(interpreter, learning_rate))


@OPTAX.function("adamaxw")
def adamaxw(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    weight_decay: Any = 1e-4,
) -> Any:
    """The same with weight decay beside it."""
    decay = add_decayed_weights(interpreter, weight_decay)
    return chain(scale_by_adamax(b1, b2, eps), decay, by_rate(interpreter, learning_rate))


@OPTAX.function("yogi")
def yogi(interpreter: Any, learning_rate: Any, b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-3) -> Any:
    """Yogi."""
    return chain(scale_by_yogi(b1, b2, eps), by_rate(interpreter, learning_rate))


@OPTAX.function("adadelta")
def adadelta(
    interpreter: Any, learning_rate: Any = None, rho: Any = 0.9, eps: Any = 1e-6, weight_decay: Any = 0.0
) -> Any:
    """Adadelta."""
    last = identity() if learning_rate is None else by_rate(interpreter, learning_rate)
    return chain(add_decayed_weights(interpreter, weight_decay), scale_by_adadelta(rho, eps), last)


@OPTAX.function("lamb")
def lamb(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-6,
    eps_root: Any = 0.0,
    weight_decay: Any = 0.0,
) -> Any:
    """Adam in proportion to the parameters. Source: You et al., LAMB (2020)."""
    return chain(
        ox.scale_by_adam(b1, b2, eps, eps_root),
        add_decayed_weights(interpreter, weight_decay),
        scale_by_trust_ratio(),
        by_rate(interpreter, learning_rate),
    )


@OPTAX.function("lars")
@takes_only(weight_decay_mask=(True,), trust_ratio_mask=(True,))
def lars(
    interpreter: Any,
    learning_rate: Any,
    weight_decay: Any = 0.0,
    weight_decay_mask: Any = True,
    trust_coefficient: Any = 0.001,
    eps: Any = 0.0,
    trust_ratio_mask: Any = True,
    momentum: Any = 0.9,
    nesterov: Any = False,
) -> Any:
    """Gradient descent in proportion to the parameters. Source: You et al., LARS (2017)."""
    return chain(
        add_decayed_weights(interpreter, weight_decay),
        scale_by_trust_ratio(trust_coefficient=trust_coefficient, eps=eps),
        by_rate(interpreter, learning_rate),
        trace(momentum, nesterov),
    )


@OPTAX.function("sign_sgd")
def sign_sgd(interpreter: Any, learning_rate: Any) -> Any:
    """Steps of one length for each number. Source: Bernstein et al. (2018)."""
    return chain(scale_by_sign(), by_rate(interpreter, learning_rate))
