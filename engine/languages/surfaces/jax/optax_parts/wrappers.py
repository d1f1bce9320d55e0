"""Transformations around others: `optax.masked`, `optax.multi_transform`, `optax.MultiSteps`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, parameter_names, trees
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.lax.basics import full_like
from engine.languages.surfaces.jax.numpy.making import arrays
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import (
    OPTAX,
    Transformation,
    chosen_leaves,
    count_of_steps,
    mapped,
    zeros,
)
from engine.languages.surfaces.left_out import takes_only

MASKED = RecordKind("MaskedState", ("inner_state",))
PARTITION = RecordKind("PartitionState", ("inner_states",))
HYPERPARAMETERS = RecordKind(
    "InjectStatefulHyperparamsState", ("count", "hyperparams", "hyperparams_states", "inner_state")
)
SCHEDULE = RecordKind("WrappedScheduleState", ("count",))
MULTI_STEPS = RecordKind(
    "MultiStepsState", ("mini_step", "gradient_step", "inner_opt_state", "acc_grads", "skip_state")
)
FINITE = RecordKind(
    "ApplyIfFiniteState", ("notfinite_count", "last_finite", "total_notfinite", "inner_state")
)
APPLY_EVERY = RecordKind("ApplyEvery", ("count", "grad_acc"))


@OPTAX.function("apply_every")
def apply_every(k: Any = 1) -> Transformation:
    """The sum of k updates at every kth step, zeros at the others."""

    def update(g: Any, state: Any, params: Any) -> Any:
        count, total = state
        goes_on = JNP["not_equal"](JNP["remainder"](count, k), 0)
        total = mapped(lambda x, t: x + JNP["where"](goes_on, t, 0), g, total)
        gives = JNP["equal"](JNP["remainder"](count, k), k - 1)
        return mapped(lambda t: JNP["where"](gives, t, 0.0), total), Record(
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
        every = _with_defaults(inner_factory, given)
        names = [name for name in parameter_names(inner_factory) if name in every]
        given = {name: every[name] for name in [*names, *every]}
        fixed = {k: v for k, v in given.items() if _is_fixed(v)}
        scheduled = {k: v for k, v in given.items() if k not in fixed and not _is_number(v)}
        numbers = {k: v for k, v in given.items() if k not in fixed and k not in scheduled}

        def values(count: Any) -> dict[str, Any]:
            return {k: _float(interpreter.call(v, [count], {})) for k, v in scheduled.items()}

        def counts(count: Any) -> dict[str, Record]:
            return {name: Record(SCHEDULE, [count]) for name in scheduled}

        def inner(now: Mapping[str, Any]) -> Transformation:
            return _transformation(interpreter.call(inner_factory, [], {**fixed, **now}))

        def init(params: Any) -> Any:
            count = count_of_steps()
            now = {**{k: _float(v) for k, v in numbers.items()}, **values(count)}
            return Record(HYPERPARAMETERS, [count, now, counts(count), inner(now).init(params)])

        def update(g: Any, state: Any, params: Any) -> Any:
            count, now, _, inside = state
            now = {**now, **values(count)}
            found, inside = inner(now).update(g, inside, params)
            return found, Record(HYPERPARAMETERS, [count + 1, now, counts(count + 1), inside])

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
        chosen = [JNP["where"](emits, a, b) for a, b in zip(leaves, kept, strict=True)]
        new = [
            JNP["where"](emits, 0, mini + 1),
            JNP["where"](emits, done + 1, done),
            trees().unflatten(structure, chosen),
            mapped(lambda m: JNP["where"](emits, full_like(m, 0), m), mean),
            skipped,
        ]
        return mapped(lambda x: JNP["where"](emits, x, full_like(x, 0)), found), Record(MULTI_STEPS, new)


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
        bad = JNP["where"](finite, 0, bad + 1)
        goes = JNP["logical_or"](finite, JNP["greater"](bad, max_consecutive_errors))
        found, after = one.update(g, inside, params)
        leaves, structure = trees().flatten(after)
        before = trees().up_to(structure, inside)
        chosen = [JNP["where"](goes, a, b) for a, b in zip(leaves, before, strict=True)]
        items = [bad, finite, JNP["where"](finite, total, total + 1), trees().unflatten(structure, chosen)]
        return mapped(lambda x: JNP["where"](goes, x, full_like(x, 0)), found), Record(FINITE, items)

    return Transformation(init, update)
