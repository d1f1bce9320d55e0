"""`jax.example_libraries.optimizers`: an optimizer as init, update and get_params.

Sources: Nesterov (1983); Duchi et al. (2011) for Adagrad; Tieleman & Hinton (2012) for RMSProp; Kingma & Ba
         (2015) for Adam and Adamax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

OPTIMIZER = RecordKind("Optimizer", ("init_fn", "update_fn", "params_fn"))
FUNCTIONS: dict[str, Callable[..., Any]] = {}


class OptimizerState:
    """For each leaf of the parameters what the optimizer knows of it; structure: that of the parameters."""

    kind = "OptimizerState"

    def __init__(self, leaves: Sequence[tuple[Any, ...]], structure: Any) -> None:
        self.leaves = [tuple(each) for each in leaves]
        self.structure = structure


SHOWN[OptimizerState] = (
    lambda state: f"OptimizerState({len(state.leaves)} leaves)",
    lambda state: f"OptimizerState({len(state.leaves)} leaves)",
)


def _register() -> None:
    """States are trees, too."""
    trees().own[OptimizerState.kind] = (
        lambda state: (state.leaves, state.structure),
        lambda structure, leaves: OptimizerState(leaves, structure),
    )


def _state(value: Any) -> OptimizerState:
    if not isinstance(value, OptimizerState):
        raise type_error(
            "opt_state must be what opt_init or opt_update has given.",
            "opt_state 必须来自 opt_init 或 opt_update。",
        )
    return value


def of_leaves(init: Callable[[Any], tuple[Any, ...]], update: Callable[..., tuple[Any, ...]]) -> Record:
    """An optimizer of trees, of one that works on one array: update(i, gradient, parameter, *more)."""

    def init_fn(x0: Any) -> OptimizerState:
        _register()
        leaves, structure = trees().flatten(x0)
        return OptimizerState([init(JNP["asarray"](leaf)) for leaf in leaves], structure)

    def update_fn(i: Any, grad_tree: Any, opt_state: Any) -> OptimizerState:
        _register()
        state = _state(opt_state)
        grads = trees().up_to(state.structure, grad_tree)
        rows = zip(grads, state.leaves, strict=True)
        return OptimizerState([update(i, as_value(g), *parts) for g, parts in rows], state.structure)

    def params_fn(opt_state: Any) -> Any:
        state = _state(opt_state)
        return trees().unflatten(state.structure, [parts[0] for parts in state.leaves])

    functions: tuple[Callable[..., Any], ...] = (init_fn, update_fn, params_fn)
    natives = zip(OPTIMIZER.fields, functions, strict=True)
    return Record(OPTIMIZER, [Native(name, function, borrowed=True) for name, function in natives])


def named(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: a function of the module under its own name."""
    FUNCTIONS[function.__name__] = function
    return function


def _rate(interpreter: Interpreter, step_size: Any) -> Callable[[Any], Any]:
    """The learning rate of a step: a number, or a function of the number of the step."""
    if isinstance(step_size, (int, float, np.generic)) or hasattr(step_size, "aval"):
        return lambda i: step_size
    return lambda i: interpreter.call(step_size, [i], {})


def _zeros(x: Any) -> Any:
    return JNP["zeros_like"](x)


# -- optimizers --------------------------------------------------------------------------------------


@named
def sgd(interpreter: Interpreter, step_size: Any) -> Record:
    """x - η g."""
    rate = _rate(interpreter, step_size)
    return of_leaves(lambda x: (x,), lambda i, g, x: (x - rate(i) * g,))


@named
def momentum(interpreter: Interpreter, step_size: Any, mass: Any) -> Record:
    """v = μ v + g; x - η v."""
    rate = _rate(interpreter, step_size)

    def update(i: Any, g: Any, x: Any, v: Any) -> Any:
        v = mass * v + g
        return x - rate(i) * v, v

    return of_leaves(lambda x: (x, _zeros(x)), update)


@named
def nesterov(interpreter: Interpreter, step_size: Any, mass: Any) -> Record:
    """v = μ v + g; x - η (μ v + g)."""
    rate = _rate(interpreter, step_size)

    def update(i: Any, g: Any, x: Any, v: Any) -> Any:
        v = mass * v + g
        return x - rate(i) * (mass * v + g), v

    return of_leaves(lambda x: (x, _zeros(x)), update)


def adagrad(interpreter: Interpreter, step_size: Any, momentum: Any = 0.9) -> Record:
    """s = s + g²; m = (1 - μ) g / √s + μ m; x - η m."""
    rate = _rate(interpreter, step_size)

    def update(i: Any, g: Any, x: Any, s: Any, m: Any) -> Any:
        s = s + JNP["square"](g)
        by_root = JNP["where"](s > 0, 1.0 / JNP["sqrt"](s), 0.0)
        m = (1.0 - momentum) * (g * by_root) + momentum * m
        return x - rate(i) * m, s, m

    return of_leaves(lambda x: (x, _zeros(x), _zeros(x)), update)


def rmsprop(interpreter: Interpreter, step_size: Any, gamma: Any = 0.9, eps: Any = 1e-8) -> Record:
    """s = γ s + (1 - γ) g²; x - η g / √(s + ε)."""
    rate = _rate(interpreter, step_size)

    def update(i: Any, g: Any, x: Any, s: Any) -> Any:
        s = s * gamma + JNP["square"](g) * (1.0 - gamma)
        return x - rate(i) * g / JNP["sqrt"](s + eps), s

    return of_leaves(lambda x: (x, _zeros(x)), update)


def rmsprop_momentum(
    interpreter: Interpreter, step_size: Any, gamma: Any = 0.9, eps: Any = 1e-8, momentum: Any = 0.9
) -> Record:
    """The same with momentum."""
    rate = _rate(interpreter, step_size)

    def update(i: Any, g: Any, x: Any, s: Any, m: Any) -> Any:
        s = s * gamma + JNP["square"](g) * (1.0 - gamma)
        m = momentum * m + rate(i) * g / JNP["sqrt"](s + eps)
        return x - m, s, m

    return of_leaves(lambda x: (x, _zeros(x), _zeros(x)), update)


def adam(interpreter: Interpreter, step_size: Any, b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8) -> Record:
    """m = (1 - β₁) g + β₁ m; v = (1 - β₂) g² + β₂ v; x - η m̂ / (√v̂ + ε)."""
    rate = _rate(interpreter, step_size)

    def unbiased(moment: Any, decay: Any, i: Any) -> Any:
        return moment / (1 - JNP["asarray"](decay, aval_of(moment).dtype) ** (i + 1))

    def update(i: Any, g: Any, x: Any, m: Any, v: Any) -> Any:
        m = (1 - b1) * g + b1 * m
        v = (1 - b2) * JNP["square"](g) + b2 * v
        step = rate(i) * unbiased(m, b1, i) / (JNP["sqrt"](unbiased(v, b2, i)) + eps)
        return x - step, m, v

    return of_leaves(lambda x: (x, _zeros(x), _zeros(x)), update)


def adamax(
    interpreter: Interpreter, step_size: Any, b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8
) -> Record:
    """m = (1 - β₁) g + β₁ m; v = max(β₂ v, |g|); x - η / (1 - β₁ᵗ) m / (v + ε)."""
    rate = _rate(interpreter, step_size)

    def update(i: Any, g: Any, x: Any, m: Any, v: Any) -> Any:
        m = (1 - b1) * g + b1 * m
        v = JNP["maximum"](b2 * v, JNP["abs"](g))
        decayed = 1 - JNP["asarray"](b1, aval_of(m).dtype) ** (i + 1)
        return x - (rate(i) / decayed) * m / (v + eps), m, v

    return of_leaves(lambda x: (x, _zeros(x), _zeros(x)), update)


for _function in (adagrad, rmsprop, rmsprop_momentum, adam, adamax):
    named(_function)

# -- schedules ---------------------------------------------------------------------------------------


def _schedule(function: Callable[[Any], Any]) -> Native:
    return Native("schedule", lambda i: function(i), borrowed=True)


@named
def constant(step_size: Any) -> Native:
    """The same for all steps."""
    return _schedule(lambda i: step_size)


@named
def exponential_decay(step_size: Any, decay_steps: Any, decay_rate: Any) -> Native:
    """η r^(i / n)."""
    return _schedule(
        lambda i: JNP["multiply"](step_size, JNP["power"](decay_rate, JNP["true_divide"](i, decay_steps)))
    )


@named
def inverse_time_decay(step_size: Any, decay_steps: Any, decay_rate: Any, staircase: Any = False) -> Native:
    """η / (1 + r i / n); in whole steps of n where it is a staircase."""

    def rate(i: Any) -> Any:
        share = JNP["true_divide"](i, decay_steps)
        share = (
            JNP["floor"](share)
            if staircase
            else JNP["true_divide"](JNP["multiply"](decay_rate, i), decay_steps)
        )
        below = JNP["multiply"](decay_rate, share) if staircase else share
        return JNP["true_divide"](step_size, JNP["add"](1, below))

    return _schedule(rate)


@named
def polynomial_decay(step_size: Any, decay_steps: Any, final_step_size: Any, power: Any = 1.0) -> Native:
    """(1 - i / n)ᵖ (η - η′) + η′, for n steps."""

    def rate(i: Any) -> Any:
        now = JNP["minimum"](i, decay_steps)
        share = JNP["power"](JNP["subtract"](1, JNP["true_divide"](now, decay_steps)), power)
        return JNP["add"](JNP["multiply"](share, step_size - final_step_size), final_step_size)

    return _schedule(rate)


@named
def piecewise_constant(boundaries: Any, values: Any) -> Native:
    """One rate after the other, the next one beyond each boundary."""
    bounds, rates = JNP["array"](boundaries), JNP["array"](values)
    return _schedule(lambda i: getitem(rates, JNP["sum"](JNP["greater"](i, bounds))))


# -- norms -------------------------------------------------------------------------------------------


@named
def l2_norm(tree: Any) -> Any:
    """The Euclidean norm of all leaves together."""
    total: Any = 0
    for leaf in trees().flatten(tree)[0]:
        x = JNP["ravel"](leaf)
        total = JNP["add"](total, JNP["vdot"](x, x))
    return JNP["sqrt"](total)


@named
def clip_grads(grad_tree: Any, max_norm: Any) -> Any:
    """Gradients of at most this norm, all leaves together."""
    norm = l2_norm(grad_tree)
    leaves, structure = trees().flatten(grad_tree)
    found = [JNP["where"](norm < max_norm, g, g * (max_norm / norm)) for g in map(as_value, leaves)]
    return trees().unflatten(structure, found)
