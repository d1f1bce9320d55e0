"""Transformations of optax that change updates in other ways, or stand around other transformations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, parameter_names, trees
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.lax.basics import full_like, shape_of
from engine.languages.surfaces.jax.numpy.making import arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    EMPTY,
    OPTAX,
    Transformation,
    chosen_leaves,
    corrected,
    count_of_steps,
    global_norm,
    mapped,
    zeros,
)
from engine.languages.surfaces.jax.optax_parts.directions import moment
from engine.languages.surfaces.left_out import takes_only

EMA = RecordKind("EmaState", ("count", "ema"))
MASKED = RecordKind("MaskedState", ("inner_state",))
PARTITION = RecordKind("PartitionState", ("inner_states",))
HYPERPARAMETERS = RecordKind(
    "InjectStatefulHyperparamsState", ("count", "hyperparams", "hyperparams_states", "inner_state")
)
MULTI_STEPS = RecordKind(
    "MultiStepsState", ("mini_step", "gradient_step", "inner_opt_state", "acc_grads", "skip_state")
)
FINITE = RecordKind(
    "ApplyIfFiniteState", ("notfinite_count", "last_finite", "total_notfinite", "inner_state")
)
APPLY_EVERY = RecordKind("ApplyEvery", ("count", "grad_acc"))
ZERO_NANS = RecordKind("ZeroNansState", ("found_nan",))
WHERE = JNP["where"]


def stateless_of(update: Callable[[Any, Any], Any]) -> Transformation:
    """A transformation without a state: update(g, params)."""
    return Transformation(lambda params: EMPTY, lambda g, s, params: (update(g, params), s))


# -- updates one by one ------------------------------------------------------------------------------


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


# -- around others -----------------------------------------------------------------------------------


@OPTAX.function("apply_every")
def apply_every(k: Any = 1) -> Transformation:
    """The sum of k updates at every kth step, zeros at the others."""

    def update(g: Any, state: Any, params: Any) -> Any:
        count, total = state
        goes_on = JNP["not_equal"](JNP["remainder"](count, k), 0)
        total = mapped(lambda x, t: x + WHERE(goes_on, t, 0), g, total)
        gives = JNP["equal"](JNP["remainder"](count, k), k - 1)
        return mapped(lambda t: WHERE(gives, t, 0.0), total), Record(
            APPLY_EVERY, [JNP["remainder"](count + 1, k), total]
        )

    return Transformation(lambda params: Record(APPLY_EVERY, [count_of_steps(), zeros(params)]), update)


class Masked:
    """What stands for a leaf that a transformation does not see: a tree without leaves."""

    kind = "MaskedNode"


MASKED_NODE = Masked()


def _register() -> None:
    trees().own[Masked.kind] = (lambda one: ([], None), lambda extra, children: MASKED_NODE)


def _seen(tree: Any, chosen: list[bool]) -> Any:
    _register()
    leaves, structure = trees().flatten(tree)
    kept = [leaf if on else MASKED_NODE for leaf, on in zip(leaves, chosen, strict=True)]
    return trees().unflatten(structure, kept)


@OPTAX.function("masked")
def masked(interpreter: Interpreter, inner: Any, mask: Any) -> Transformation:
    """A transformation of some leaves; the other updates stay."""
    one = _transformation(inner)

    def init(params: Any) -> Any:
        return Record(MASKED, [one.init(_seen(params, chosen_leaves(interpreter, mask, params)))])

    def update(g: Any, state: Any, params: Any) -> Any:
        chosen = chosen_leaves(interpreter, mask, g)
        seen = None if params is None else _seen(params, chosen)
        found, after = one.update(_seen(g, chosen), state[0], seen)
        leaves, structure = trees().flatten(g)
        new = iter(trees().flatten(found)[0])
        every = [next(new) if on else leaf for leaf, on in zip(leaves, chosen, strict=True)]
        return trees().unflatten(structure, every), Record(MASKED, [after])

    return Transformation(init, update)


def _transformation(value: Any) -> Transformation:
    if not isinstance(value, Transformation):
        raise type_error(
            "A transformation of optax is needed here, such as optax.adam(1e-3).",
            "这里需要一个 optax 的变换，例如 optax.adam(1e-3)。",
        )
    return value


def _check_labels(labels: Sequence[Any], parts: Mapping[Any, Any]) -> None:
    """Raises: ValueError for a label that no transformation stands under."""
    if set(labels) <= set(parts):
        return
    shown = [to_repr(sorted(keys, key=str)) for keys in (set(labels), set(parts))]
    raise value_error(
        "Some parameters have no corresponding transformation.\n"
        f"Parameter labels: {shown[0]} \nTransforms keys: {shown[1]} \n",
        f"有参数的标签没有对应的变换：标签 {shown[0]}，变换 {shown[1]}。",
    )


@OPTAX.function("multi_transform", "partition")
def multi_transform(interpreter: Interpreter, transforms: Any, param_labels: Any) -> Transformation:
    """One of several transformations for each leaf, by its label."""
    parts = {label: _transformation(one) for label, one in dict(transforms).items()}

    def labels(tree: Any) -> list[Any]:
        is_function = not isinstance(param_labels, (dict, list, tuple, str))
        given = interpreter.call(param_labels, [tree], {}) if is_function else param_labels
        return trees().prefix(given, trees().flatten(tree)[1])

    def init(params: Any) -> Any:
        own = labels(params)
        _check_labels(own, parts)
        made = {
            label: Record(MASKED, [one.init(_seen(params, [x == label for x in own]))])
            for label, one in parts.items()
        }
        return Record(PARTITION, [made])

    def update(g: Any, state: Any, params: Any) -> Any:
        own, after = labels(g), {}
        leaves, structure = trees().flatten(g)
        for label, one in parts.items():
            chosen = [x == label for x in own]
            seen = None if params is None else _seen(params, chosen)
            found, inner = one.update(_seen(g, chosen), state[0][label][0], seen)
            new = iter(trees().flatten(found)[0])
            leaves = [next(new) if on else leaf for leaf, on in zip(leaves, chosen, strict=True)]
            after[label] = Record(MASKED, [inner])
        return trees().unflatten(structure, leaves), Record(PARTITION, [after])

    return Transformation(init, update)


@OPTAX.function("named_chain")
def named_chain(*transforms: Any) -> Transformation:
    """Transformations one after the other, their states by name."""

    def update(g: Any, state: Mapping[str, Any], params: Any) -> Any:
        made = {}
        for name, one in transforms:
            g, made[name] = one.update(g, state[name], params)
        return g, made

    return Transformation(lambda params: {name: one.init(params) for name, one in transforms}, update)


@OPTAX.function("inject_hyperparams", "inject_stateful_hyperparams")
@takes_only(static_args=((),), hyperparam_dtype=(None,))
def inject_hyperparams(
    interpreter: Interpreter, inner_factory: Any, static_args: Any = (), hyperparam_dtype: Any = None
) -> Native:
    """A transformation whose numbers stand in its state, where a program can change them."""

    def factory(*args: Any, **keywords: Any) -> Transformation:
        given = dict(zip(parameter_names(inner_factory), args, strict=False)) | keywords
        given = _with_defaults(inner_factory, given)
        fixed = {k: v for k, v in given.items() if _is_fixed(v)}
        scheduled = {k: v for k, v in given.items() if k not in fixed and not _is_number(v)}
        numbers = {k: v for k, v in given.items() if k not in fixed and k not in scheduled}

        def values(count: Any) -> dict[str, Any]:
            return {k: _float(interpreter.call(v, [count], {})) for k, v in scheduled.items()}

        def inner(now: Mapping[str, Any]) -> Transformation:
            return _transformation(interpreter.call(inner_factory, [], {**fixed, **now}))

        def init(params: Any) -> Any:
            count = count_of_steps()
            now = {**{k: _float(v) for k, v in numbers.items()}, **values(count)}
            return Record(HYPERPARAMETERS, [count, now, {}, inner(now).init(params)])

        def update(g: Any, state: Any, params: Any) -> Any:
            count, now, others, inside = state
            now = {**now, **values(count)}
            found, inside = inner(now).update(g, inside, params)
            return found, Record(HYPERPARAMETERS, [count + 1, now, others, inside])

        return Transformation(init, update)

    return Native("inject_hyperparams", factory, borrowed=True)


def _with_defaults(factory: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The numbers that a factory takes where they are not given, which are in the state, too."""
    import inspect

    if not isinstance(factory, Native):
        return given
    usual = {
        name: one.default
        for name, one in inspect.signature(factory.function).parameters.items()
        if isinstance(one.default, (int, float)) and not isinstance(one.default, bool)
    }
    return {**usual, **given}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or hasattr(value, "aval")


def _is_fixed(value: Any) -> bool:
    return value is None or isinstance(value, (bool, str))


def _float(value: Any) -> Any:
    return arrays.array(value, dtype="float32") if isinstance(value, (int, float)) else JNP["asarray"](value)


class MultiSteps:
    """`optax.MultiSteps`: the mean gradient of every k steps is given to a transformation."""

    def __init__(self, interpreter: Interpreter, inner: Transformation, every: Any) -> None:
        self.interpreter = interpreter
        self.inner = inner
        self.every = every

    def steps(self, done: Any) -> Any:
        """How many gradients make the next step."""
        return self.every if isinstance(self.every, int) else self.interpreter.call(self.every, [done], {})

    def init(self, params: Any) -> Any:
        """No gradient yet."""
        return Record(
            MULTI_STEPS, [count_of_steps(), count_of_steps(), self.inner.init(params), zeros(params), ()]
        )

    def update(self, g: Any, state: Any, params: Any) -> Any:
        """Zeros, but at every kth step."""
        mini, done, inside, total, skipped = state
        mean = mapped(lambda x, m: m + (x - m) / (mini + 1), g, total)
        found, after = self.inner.update(mean, inside, params)
        emits = JNP["equal"](mini, JNP["subtract"](self.steps(done), 1))
        kept = trees().up_to(trees().flatten(after)[1], inside)
        leaves, structure = trees().flatten(after)
        chosen = [WHERE(emits, a, b) for a, b in zip(leaves, kept, strict=True)]
        new = [
            WHERE(emits, 0, mini + 1),
            WHERE(emits, done + 1, done),
            trees().unflatten(structure, chosen),
            mapped(lambda m: WHERE(emits, full_like(m, 0), m), mean),
            skipped,
        ]
        return mapped(lambda x: WHERE(emits, x, full_like(x, 0)), found), Record(MULTI_STEPS, new)


STEPS = members_of(MultiSteps, "MultiSteps")
STEPS.fact("init")(lambda one: Native("init", lambda params: one.init(params), borrowed=True))
STEPS.fact("update")(
    lambda one: Native(
        "update", lambda updates, state, params=None: one.update(updates, state, params), borrowed=True
    )
)
STEPS.method("gradient_transformation")(lambda one: Transformation(one.init, one.update))
STEPS.method("has_updated")(
    lambda one, state: JNP["logical_and"](JNP["equal"](state[0], 0), JNP["greater"](state[1], 0))
)


@OPTAX.function("MultiSteps")
@takes_only(use_grad_mean=(True,), should_skip_update_fn=(None,))
def multi_steps(
    interpreter: Interpreter,
    opt: Any,
    every_k_schedule: Any,
    use_grad_mean: Any = True,
    should_skip_update_fn: Any = None,
) -> MultiSteps:
    """A transformation that steps once for k gradients."""
    return MultiSteps(interpreter, _transformation(opt), every_k_schedule)


@OPTAX.function("apply_if_finite")
def apply_if_finite(inner: Any, max_consecutive_errors: Any) -> Transformation:
    """A transformation that leaves out steps whose gradients are no finite numbers."""
    one = _transformation(inner)

    def init(params: Any) -> Any:
        none = arrays.array(0, dtype="int32")
        return Record(FINITE, [none, arrays.array(True), none, one.init(params)])

    def update(g: Any, state: Any, params: Any) -> Any:
        bad, _, total, inside = state
        finite: Any = arrays.array(True)
        for leaf in trees().flatten(g)[0]:
            finite = JNP["logical_and"](finite, JNP["all"](JNP["isfinite"](as_value(leaf))))
        bad = WHERE(finite, 0, bad + 1)
        goes = JNP["logical_or"](finite, JNP["greater"](bad, max_consecutive_errors))
        found, after = one.update(g, inside, params)
        leaves, structure = trees().flatten(after)
        before = trees().up_to(structure, inside)
        chosen = [WHERE(goes, a, b) for a, b in zip(leaves, before, strict=True)]
        items = [bad, finite, WHERE(finite, total, total + 1), trees().unflatten(structure, chosen)]
        return mapped(lambda x: WHERE(goes, x, full_like(x, 0)), found), Record(FINITE, items)

    return Transformation(init, update)


# -- parameters --------------------------------------------------------------------------------------


@OPTAX.function("incremental_update")
def incremental_update(new_tensors: Any, old_tensors: Any, step_size: Any) -> Any:
    """step · new + (1 - step) · old."""
    return mapped(lambda new, old: step_size * new + (1.0 - step_size) * old, new_tensors, old_tensors)


@OPTAX.function("periodic_update")
def periodic_update(new_tensors: Any, old_tensors: Any, steps: Any, update_period: Any) -> Any:
    """The new ones at every so many steps, the old ones at the others."""
    now = JNP["equal"](JNP["remainder"](steps, update_period), 0)
    return mapped(lambda new, old: WHERE(now, new, old), new_tensors, old_tensors)


@OPTAX.function("safe_int32_increment", "safe_increment")
def safe_increment(count: Any) -> Any:
    """One more, up to the largest number of the type."""
    return WHERE(JNP["less"](count, 2**31 - 1), JNP["add"](count, 1), count)


@OPTAX.function("safe_norm")
def safe_norm(x: Any, min_norm: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm, at least so large, with a gradient of zero where it is smaller."""
    from engine.languages.surfaces.jax.numpy import linalg

    norm = linalg.FUNCTIONS["norm"](x, ord, axis, True)
    safe = WHERE(norm <= min_norm, 1.0, x)
    found = linalg.FUNCTIONS["norm"](safe, ord, axis, keepdims)
    narrow = norm if keepdims else JNP["squeeze"](norm, axis=axis)
    return WHERE(narrow <= min_norm, min_norm, found)
