"""More optimizers of optax: Rprop, NovoGrad and Lookahead, each beside its formula."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import Record, RecordKind, make_record
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import full_like
from engine.languages.surfaces.jax.numpy import (
    linalg,
)
from engine.languages.surfaces.jax.numpy.making import arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    OPTAX,
    Transformation,
    by_rate,
    chain,
    count_of_steps,
    mapped,
    scale,
    zeros,
)
from engine.languages.surfaces.jax.optax_parts.directions import with_state
from engine.languages.surfaces.left_out import takes_only

RPROP = RecordKind("ScaleByRpropState", ("step_sizes", "prev_updates"))
NOVOGRAD = RecordKind("ScaleByNovogradState", ("count", "mu", "nu"))
LOOKAHEAD = RecordKind("LookaheadState", ("fast_state", "steps_since_sync"))
CLIP, SIGN, SQRT, WHERE = (JNP[name] for name in ("clip", "sign", "sqrt", "where"))
EQUAL, GREATER, LESS = (JNP[name] for name in ("equal", "greater", "less"))


@OPTAX.function("scale_by_rprop")
def scale_by_rprop(
    learning_rate: Any,
    eta_minus: Any = 0.5,
    eta_plus: Any = 1.2,
    min_step_size: Any = 1e-6,
    max_step_size: Any = 50.0,
) -> Transformation:
    """A step size for each number, which grows while its gradient keeps its sign.

    Source: Riedmiller & Braun, A Direct Adaptive Method for Faster Backpropagation Learning (1993).
    """

    def grown(s: Any, size: Any) -> Any:
        new = CLIP(size * WHERE(GREATER(s, 0), eta_plus, eta_minus), min_step_size, max_step_size)
        return WHERE(EQUAL(s, 0), size, new)

    def step(g: Any, params: Any, sizes: Any, before: Any) -> Any:
        agrees = mapped(lambda x, old: x * old, g, before)
        sizes = mapped(grown, agrees, sizes)
        now = mapped(lambda s, x, size: WHERE(LESS(s, 0), full_like(x, 0), size * SIGN(x)), agrees, g, sizes)
        found = mapped(
            lambda s, old: WHERE(LESS(s, 0), full_like(old, 0), old), agrees, before
        )  # a step late
        return found, [sizes, now]

    return with_state(RPROP, lambda p: [mapped(lambda x: full_like(x, learning_rate), p), zeros(p)], step)


@OPTAX.function("rprop")
def rprop(
    learning_rate: Any,
    eta_minus: Any = 0.5,
    eta_plus: Any = 1.2,
    min_step_size: Any = 1e-6,
    max_step_size: Any = 50.0,
) -> Any:
    """Rprop."""
    return chain(
        scale_by_rprop(learning_rate, eta_minus, eta_plus, min_step_size, max_step_size), scale(-1.0)
    )


@OPTAX.function("scale_by_novograd")
@takes_only(mu_dtype=(None,))
def scale_by_novograd(
    b1: Any = 0.9,
    b2: Any = 0.25,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    weight_decay: Any = 0.0,
    mu_dtype: Any = None,
) -> Transformation:
    """Momentum of gradients over their norm, a norm for each array. Source: Ginsburg et al. (2019)."""

    def step(g: Any, params: Any, count: Any, mu: Any, nu: Any) -> Any:
        count = count + 1
        is_first = EQUAL(count, 1)
        square = mapped(lambda x: JNP["square"](linalg.norm(x)), g)
        nu = mapped(lambda v, old: WHERE(is_first, v, (1 - b2) * v + b2 * old), square, nu)
        scaled = mapped(lambda x, v, p: x / (SQRT(v + eps_root) + eps) + weight_decay * p, g, nu, params)
        mu = mapped(lambda u, old: WHERE(is_first, u, b1 * old + u), scaled, mu)
        return mu, [count, mu, nu]

    def norms(params: Any) -> Any:
        return mapped(lambda p: arrays.array(0.0, dtype=aval_of(p).dtype), params)

    return with_state(NOVOGRAD, lambda p: [count_of_steps(), zeros(p), norms(p)], step)


@OPTAX.function("novograd")
def novograd(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.25,
    eps: Any = 1e-6,
    eps_root: Any = 0.0,
    weight_decay: Any = 0.0,
) -> Any:
    """NovoGrad."""
    return chain(scale_by_novograd(b1, b2, eps, eps_root, weight_decay), by_rate(interpreter, learning_rate))


# -- Lookahead ---------------------------------------------------------------------------------------


class PairKind(RecordKind):
    """The type of `optax.LookaheadParams`, which also makes two equal sets of parameters of one."""


PAIR = PairKind("LookaheadParams", ("fast", "slow"))
CALLABLES[PairKind] = make_record
OPTAX.value(PAIR, "LookaheadParams")


@members_of(PairKind, "type").method("init_synced")
def init_synced(kind: PairKind, params: Any) -> Record:
    """Fast and slow parameters that are the same."""
    return Record(kind, [params, params])


@OPTAX.function("lookahead")
@takes_only(reset_state=(False,))
def lookahead(
    fast_optimizer: Any, sync_period: Any, slow_step_size: Any, reset_state: Any = False
) -> Transformation:
    """Steps of another optimizer, and now and then one of slow parameters towards where they lead.

    Source: Zhang et al., Lookahead Optimizer: k steps forward, 1 step back (2019).
    """
    if sync_period < 1:
        raise value_error("Synchronization period must be >= 1.", "sync_period 至少为 1。")

    def first(params: Any) -> list[Any]:
        fast = params[0] if isinstance(params, Record) and params.kind is PAIR else params
        return [fast_optimizer.init(fast), arrays.array(0, dtype="int32")]

    def step(g: Any, params: Any, inner: Any, since: Any) -> Any:
        fast, slow = params
        g, inner = fast_optimizer.update(g, inner, fast)
        is_time = EQUAL(since, sync_period - 1)
        ahead = mapped(lambda f, u, s: f + u - s, fast, g, slow)
        slow_step = mapped(lambda d: slow_step_size * is_time * d, ahead)
        fast_step = mapped(lambda u, d: u - is_time * (1 - slow_step_size) * d, g, ahead)
        return Record(PAIR, [fast_step, slow_step]), [inner, (since + 1) % sync_period]

    return with_state(LOOKAHEAD, first, step)
