"""The parts of optax that tutorials use: transformations of gradients, as pairs of init and update."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.arithmetic import integer_pow
from engine.languages.surfaces.jax.lax.basics import convert, full_like, like, shape_of
from engine.languages.surfaces.jax.lax.elementwise import rsqrt, sqrt
from engine.languages.surfaces.jax.numpy.making import arrays
from engine.languages.surfaces.jax.numpy.reducing.sums import sum_
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as NUMPY
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.library import Library

OPTAX = Library("optax", borrowed=True)
State = Any


class Transformation:
    """`init` of parameters gives a state; `update` of gradients, state and parameters: updates and state."""

    def __init__(
        self, init: Callable[[Any], State], update: Callable[..., Any], takes_more: bool = False
    ) -> None:
        self.init = init
        self.update = update
        self.takes_more = takes_more

    def updated(self, g: Any, state: State, params: Any, more: Mapping[str, Any]) -> Any:
        """The updates and the new state; more: what else a program gives, such as the value of the loss."""
        if self.takes_more:
            return self.update(g, state, params, **more)
        return self.update(g, state, params)


MEMBERS = members_of(Transformation, "GradientTransformation")
MEMBERS.fact("init")(lambda one: Native("init", lambda params: one.init(params), borrowed=True))
MEMBERS.fact("update")(
    lambda one: Native(
        "update",
        lambda updates, state, params=None, **more: one.updated(updates, state, params, more),
        borrowed=True,
    )
)


EMPTY = Record(RecordKind("EmptyState", ()), ())
ADAM = RecordKind("ScaleByAdamState", ("count", "mu", "nu"))
BY_SCHEDULE = RecordKind("ScaleByScheduleState", ("count",))
MOMENTUM = RecordKind("TraceState", ("trace",))
RSS = RecordKind("ScaleByRssState", ("sum_of_squares",))


def count_of_steps() -> Any:
    """No step yet."""
    return arrays.array(0, dtype="int32")


def mapped(function: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    leaves, structure = trees().flatten(tree)
    others = [trees().up_to(structure, other) for other in rest]
    found = [function(*map(as_value, each)) for each in zip(leaves, *others, strict=True)]
    return trees().unflatten(structure, found)


def zeros(params: Any) -> Any:
    return mapped(lambda x: full_like(x, 0), params)


def times(x: Any, number: Any) -> Any:
    return NUMPY["multiply"](x, number)


@OPTAX.function("apply_updates")
def apply_updates(params: Any, updates: Any) -> Any:
    """The parameters with the updates added, in the types of the parameters."""
    return mapped(lambda p, u: convert(NUMPY["add"](p, u), aval_of(p).dtype, False), params, updates)


@OPTAX.function("scale")
def scale(step_size: Any) -> Any:
    """Updates times a number."""
    return Transformation(lambda params: EMPTY, lambda g, s, p: (mapped(lambda x: times(x, step_size), g), s))


def by_rate(interpreter: Any, learning_rate: Any) -> Any:
    """Updates times the negative learning rate, which may be a schedule of the number of steps."""
    if isinstance(learning_rate, (int, float)) or hasattr(learning_rate, "aval"):
        return scale(NUMPY["negative"](learning_rate) if hasattr(learning_rate, "aval") else -learning_rate)

    return scale_by_schedule(
        interpreter,
        Native("schedule", lambda at: NUMPY["negative"](interpreter.call(learning_rate, [at], {}))),
    )


@OPTAX.function("scale_by_schedule")
def scale_by_schedule(interpreter: Any, step_size_fn: Any) -> Any:
    """Updates times a number that depends on the number of steps so far."""

    def update(g: Any, state: Any, params: Any) -> Any:
        (count,) = state
        rate = interpreter.call(step_size_fn, [count], {})
        return mapped(lambda x: times(x, rate), g), Record(BY_SCHEDULE, [count + 1])

    return Transformation(lambda params: Record(BY_SCHEDULE, [count_of_steps()]), update)


@OPTAX.function("scale_by_learning_rate")
def scale_by_learning_rate(interpreter: Any, learning_rate: Any) -> Any:
    """Updates times the negative learning rate."""
    return by_rate(interpreter, learning_rate)


@OPTAX.function("trace")
def trace(decay: Any, nesterov: Any = False) -> Transformation:
    """Momentum: a sum of all gradients so far, the older ones the less."""

    def update(g: Any, state: Any, params: Any) -> Any:
        moved = mapped(lambda x, t: ar.add(x, times(t, decay)), g, state[0])
        shown = mapped(lambda x, t: ar.add(x, times(t, decay)), g, moved) if nesterov else moved
        return shown, Record(MOMENTUM, [moved])

    return Transformation(lambda params: Record(MOMENTUM, [zeros(params)]), update)


def corrected(tree: Any, decay: Any, count: Any) -> Any:
    """A moment over 1 - βᵗ: without the pull towards its start at zero."""
    by = NUMPY["subtract"](1, NUMPY["power"](decay, count))
    return mapped(lambda x: ar.div(x, NUMPY["broadcast_to"](_typed(by, x), shape_of(x))), tree)


@OPTAX.function("scale_by_adam")
@takes_only(mu_dtype=(None,))
def scale_by_adam(
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    mu_dtype: Any = None,
    *,
    nesterov: Any = False,
) -> Any:
    """Adam's direction. Source: Kingma and Ba, Adam (2015), algorithm 1."""

    def moment(g: Any, state: Any, decay: Any, order: int) -> Any:
        return mapped(
            lambda x, t: ar.add(times(integer_pow(x, 2) if order == 2 else x, 1 - decay), times(t, decay)),
            g,
            state,
        )

    def update(g: Any, state: Any, params: Any) -> Any:
        count, mu, nu = state
        mu, nu, count = moment(g, mu, b1, 1), moment(g, nu, b2, 2), count + 1
        first = corrected(mu, b1, count)
        if nesterov:
            ahead = corrected(mu, b1, count + 1)
            now = corrected(g, b1, count)
            first = mapped(lambda m, x: ar.add(times(m, b1), times(x, 1 - b1)), ahead, now)
        second = corrected(nu, b2, count)
        step = mapped(
            lambda m, v: ar.div(m, NUMPY["add"](sqrt(NUMPY["add"](v, eps_root)), eps)), first, second
        )
        nu = mapped(lambda x: convert(x, aval_of(x).dtype, False), nu)
        return step, Record(ADAM, [count, mu, nu])

    return Transformation(
        lambda params: Record(ADAM, [count_of_steps(), zeros(params), zeros(params)]), update
    )


def _typed(number: Any, x: Any) -> Any:
    return convert(number, aval_of(x).dtype)


@OPTAX.function("scale_by_rss")
def scale_by_rss(initial_accumulator_value: Any = 0.1, eps: Any = 1e-7) -> Transformation:
    """g / sqrt(sum of all g² + eps): steps of Adagrad."""

    def init(params: Any) -> Any:
        return Record(RSS, (mapped(lambda p: full_like(as_value(p), initial_accumulator_value), params),))

    def update(g: Any, s: Any, params: Any) -> Any:
        total = mapped(lambda t, x: ar.add(t, integer_pow(as_value(x), 2)), s[0], g)
        found = mapped(lambda x, t: ar.mul(as_value(x), rsqrt(ar.add(t, like(t, eps)))), g, total)
        return found, Record(RSS, (total,))

    return Transformation(init, update)


@OPTAX.function("adagrad")
def adagrad(
    interpreter: Any, learning_rate: Any, initial_accumulator_value: Any = 0.1, eps: Any = 1e-7
) -> Any:
    """Adagrad."""
    return chain(scale_by_rss(initial_accumulator_value, eps), by_rate(interpreter, learning_rate))


@OPTAX.function("add_decayed_weights")
def add_decayed_weights(interpreter: Any, weight_decay: Any = 0.0, mask: Any = None) -> Transformation:
    """Updates plus the parameters times a number; mask: a tree of which parameters, or what makes one."""

    def update(g: Any, state: Any, params: Any) -> Any:
        def decayed(x: Any, p: Any) -> Any:
            return ar.add(x, times(p, weight_decay))

        if mask is None:
            return mapped(decayed, g, params), state
        leaves, structure = trees().flatten(g)
        chosen = chosen_leaves(interpreter, mask, params)
        rows = zip(leaves, trees().up_to(structure, params), chosen, strict=True)
        return trees().unflatten(structure, [decayed(x, p) if on else x for x, p, on in rows]), state

    return Transformation(lambda params: EMPTY, update)


def chosen_leaves(interpreter: Any, mask: Any, tree: Any) -> list[bool]:
    """For each leaf of a tree whether a mask, which may end early or be made of the tree, has it."""
    given = mask if isinstance(mask, (bool, dict, list, tuple)) else interpreter.call(mask, [tree], {})
    return [bool(one) for one in trees().prefix(given, trees().flatten(tree)[1])]


@OPTAX.function("global_norm")
def global_norm(updates: Any) -> Any:
    """The norm of all leaves together."""
    total: Any = None
    for leaf in trees().flatten(updates)[0]:
        part = sum_(integer_pow(as_value(leaf), 2))
        total = part if total is None else ar.add(total, part)
    return sqrt(arrays.array(0.0) if total is None else total)  # of no leaves: None is a tree of none


@OPTAX.function("clip_by_global_norm")
def clip_by_global_norm(max_norm: Any) -> Transformation:
    """Updates of at most this norm, all leaves together."""

    def update(g: Any, state: Any, params: Any) -> Any:
        norm = global_norm(g)
        below = NUMPY["less"](norm, max_norm)

        def clipped(x: Any) -> Any:
            return NUMPY["where"](below, x, times(ar.div(x, convert(norm, aval_of(x).dtype)), max_norm))

        return mapped(clipped, g), state

    return Transformation(lambda params: EMPTY, update)


@OPTAX.function("clip")
def clip(max_delta: Any) -> Transformation:
    """Each number of the updates between two bounds."""
    return Transformation(
        lambda params: EMPTY,
        lambda g, s, p: (mapped(lambda x: NUMPY["clip"](x, -max_delta, max_delta), g), s),
    )


@OPTAX.function("chain")
def chain(*args: Any) -> Any:
    """Transformations one after the other."""

    if not args:
        raise value_error("not enough values to unpack (expected 2, got 0)", "chain 至少需要一个变换。")

    def update(g: Any, state: Sequence[Any], params: Any, **more: Any) -> Any:
        made = []
        if state is None:
            raise type_error("object of type 'NoneType' has no len()", "缺少优化器的状态。")
        if len(state) != len(args):
            raise value_error(
                "The number of updates and states has to be the same in chain! Make sure you have "
                "called init "
                "first!",
                "chain 的状态数与变换数不同：请先调用 init。",
            )
        for one, of_one in zip(args, state, strict=True):
            g, after = one.updated(g, of_one, params, more)
            made.append(after)
        return g, tuple(made)

    def init(params: Any) -> State:
        strange = next((one for one in args if not isinstance(one, Transformation)), None)
        if strange is not None:
            said = f"'{python_name(strange)}' object has no attribute 'init'"
            zh = f"{python_name(strange)} 不是优化器的变换。"
            raise ProgramError(
                said, message_zh=zh, code="unknown_attribute", kind="AttributeError", said=said
            )
        return tuple(one.init(params) for one in args)

    return Transformation(init, update, takes_more=True)


@OPTAX.function("identity")
def identity() -> Transformation:
    """The updates as they are."""
    return Transformation(lambda params: EMPTY, lambda g, s, p: (g, s))


@OPTAX.function("sgd")
@takes_only(accumulator_dtype=(None,))
def sgd(
    interpreter: Any,
    learning_rate: Any,
    momentum: Any = None,
    nesterov: Any = False,
    accumulator_dtype: Any = None,
) -> Any:
    """Gradient descent, with momentum where it is given."""
    first = identity() if momentum is None else trace(momentum, nesterov)
    return chain(first, by_rate(interpreter, learning_rate))


@OPTAX.function("adam")
@takes_only(mu_dtype=(None,))
def adam(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    mu_dtype: Any = None,
    *,
    nesterov: Any = False,
) -> Any:
    """Adam."""
    return chain(scale_by_adam(b1, b2, eps, eps_root, nesterov=nesterov), by_rate(interpreter, learning_rate))


@OPTAX.function("adamw")
@takes_only(mu_dtype=(None,))
def adamw(
    interpreter: Any,
    learning_rate: Any,
    b1: Any = 0.9,
    b2: Any = 0.999,
    eps: Any = 1e-8,
    eps_root: Any = 0.0,
    mu_dtype: Any = None,
    weight_decay: Any = 1e-4,
    mask: Any = None,
    *,
    nesterov: Any = False,
) -> Any:
    """Adam with weight decay beside it."""
    return chain(
        scale_by_adam(b1, b2, eps, eps_root, nesterov=nesterov),
        add_decayed_weights(interpreter, weight_decay, mask),
        by_rate(interpreter, learning_rate),
    )
