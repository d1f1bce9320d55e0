"""Calls that do more than add nodes: while a function is traced, each is a step, done again at every call.

A rule is given what is traced, the function and its arguments; it adds the step, and gives what stands for
the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from engine import ops
from engine.differentiation.tape import Tape, flat, shaped_like
from engine.graph import Node, Tensor, Variable
from engine.graph.reachability import closure
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.callables import BoundMethod, Native
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import Lazy, Stream
from engine.languages.surfaces.keras.metrics import Pairs, Values
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.running import untraced
from engine.languages.surfaces.tf2.functions.said import said_cond
from engine.languages.surfaces.tf2.functions.steps import (
    CallStep,
    CloseStep,
    Handle,
    OpenStep,
    Running,
    leaves,
    mapped,
)
from engine.languages.surfaces.tf2.functions.traced import PASSED, TracedTensor
from engine.languages.surfaces.tf2.own_gradient import OwnGradient
from engine.languages.surfaces.tf2.tape import ProgramTape
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Shape
from engine.ops.common.ranges import range_of

Rule = Callable[[Any, Any, Sequence[Any], Mapping[str, Any]], Any]

RULES: dict[str, Rule] = {}


def deferred(function: Any, args: Sequence[Any], converts: bool) -> Rule | None:
    """The rule for a call, where it has one."""
    if converts and id(function) in AUTOGRAPH:
        takes_tensor = any(isinstance(one, (Tensor, Variable)) for one in args)
        return AUTOGRAPH[id(function)] if takes_tensor else None
    if isinstance(function, (Native, BoundMethod)):
        if isinstance(function, OwnGradient):
            return _with_own_gradient
        rule = RULES.get(function.name)
        if rule is None and function.name.startswith(ASSERTS):
            return plain
        return rule
    if isinstance(function, (Values, Pairs)):
        return _metric
    return None


ASSERTS = ("tf.debugging.", "tf.assert_")


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Decorator: how functions of these names are traced."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


def add(staging: Any, function: Any, args: Any, keywords: Any, gives: Any = None, joined: Any = None) -> Any:
    """A step that calls a function with what its arguments are then."""
    given = [_as_now(one) for one in args]
    named = {key: _as_now(one) for key, one in keywords.items()}
    staging.graph.add(CallStep(staging.graph.trail, function, given, named, gives, joined or {}))
    return gives


def _as_now(argument: Any) -> Any:
    """An argument as it is now, whatever becomes of it; of items made one by one, all of them."""
    items = Lazy(argument.items, argument.shown) if isinstance(argument, Stream) else argument
    return mapped(items, lambda leaf: leaf)


@rule("tf.print", "Optimizer.apply_gradients", "Optimizer.apply", "Optimizer.minimize")
@rule("Metric.update_state", "Metric.reset_state", "Metric.reset_states")
def plain(staging: Any, function: Any, args: Any, keywords: Any) -> None:
    """A call for its effect."""
    add(staging, function, args, keywords)


@rule("Variable.assign", "Variable.assign_add", "Variable.assign_sub")
def _assigned(staging: Any, function: Any, args: Any, keywords: Any) -> Tensor:
    """An assignment, whose result is the variable's new value."""
    owner = function.owner
    made: list[Tensor] = staging.graph.passed([], [(owner.dtype, owner.shape)], "AssignVariableOp")
    add(staging, function.method, [owner, *args], keywords, made[0])
    return made[0]


@rule("Variable.numpy")
def _no_numpy(staging: Any, function: Any, args: Any, keywords: Any) -> None:
    """Raises: ProgramError, since what the variable will be is not known."""
    raise mistakes.no_numpy()


@rule("Metric.result")
def _metric(staging: Any, function: Any, args: Any, keywords: Any) -> Tensor:
    """The figure of a metric so far; called itself, it takes in a batch first."""
    inputs = [one for one in leaves([args, keywords]) if isinstance(one, Tensor)]
    (made,) = staging.graph.passed(inputs, [("float32", ())], "result")
    result: Tensor = add(staging, function, args, keywords, made)
    return result


@rule("tf.Variable")
def _variable(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    """A variable is made once, outside of the function."""
    if not staging.makes_variables:
        raise mistakes.new_variable()
    staging.made += 1
    bound, rest, named = function.signature.bind(function.name, args, keywords)
    first = bound.get("initial_value")
    with untraced(staging.interpreter):
        if isinstance(first, TracedTensor):
            bound["initial_value"] = _computed(staging, first)
        return staging.interpreter.call(function, rest, {**bound, **named})


def _computed(staging: Any, tensor: TracedTensor) -> Tensor:
    """The value of a tensor of the trace, now."""
    steps = staging.graph.steps_behind(tensor)
    running = Running(staging.interpreter, staging.graph.eager, {}, frozenset([tensor]))
    running.steps(steps)
    result: Tensor = running.now(tensor)
    return result


# -- tapes -------------------------------------------------------------------------------------------


class TracedTape(ProgramTape, Handle):
    """A tape of a function that is being traced; each call has its own."""


@contextmanager
def _open_traced(interpreter: Interpreter, tape: TracedTape) -> Any:
    graph: Any = tape.graph
    graph.add(OpenStep(graph.trail, tape))
    with graph.recording(tape.tape):
        yield tape
    graph.add(CloseStep(graph.trail, tape))


CONTEXTS[TracedTape] = _open_traced


class Paused(Handle):
    """The block of `tape.stop_recording()`."""

    def __init__(self, tape: TracedTape) -> None:
        self.tape = tape


@contextmanager
def _open_paused(interpreter: Interpreter, paused: Paused) -> Any:
    graph: Any = paused.tape.graph
    graph.add(OpenStep(graph.trail, paused))
    with graph.not_recording(paused.tape.tape):
        yield None
    graph.add(CloseStep(graph.trail, paused))


CONTEXTS[Paused] = _open_paused


@rule("tf.GradientTape")
def _tape(staging: Any, function: Any, args: Any, keywords: Any) -> TracedTape:
    bound, _, _ = function.signature.bind(function.name, args, keywords)
    tape = Tape(**{name: bool(value) for name, value in bound.items()})
    made = TracedTape(tape, staging.graph, 0, staging.interpreter.place)
    add(staging, function, args, keywords, made)
    return made


@rule("GradientTape.watch")
def _watch(staging: Any, function: Any, args: Any, keywords: Any) -> None:
    function.call(staging.interpreter, args, keywords)
    add(staging, function.method, [function.owner, *args], keywords)


@rule("GradientTape.stop_recording")
def _pause(staging: Any, function: Any, args: Any, keywords: Any) -> Paused:
    made = Paused(function.owner)
    add(staging, function.method, [function.owner, *args], keywords, made)
    return made


@rule("GradientTape.gradient")
def _gradient(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    """Which gradients there are is known when the function is traced; what they are, at each call."""
    tape = function.owner
    bound, _, _ = function.method.signature.bind(function.name, [tape, *args], keywords)
    sources = bound["sources"]
    targets, xs = _asked(staging, tape, bound["target"], sources)
    zeros = bound.get("unconnected_gradients") == "zero"
    found, certain = _found(staging, tape.tape, targets, xs, zeros)
    given = [one for one in leaves(bound.get("output_gradients")) if isinstance(one, Tensor)]
    inputs = [*targets, *given, *map(_buffer, xs)]
    made = [_like(staging, inputs, x, g) for x, g in zip(xs, found, strict=True)]
    joined = {} if certain else {g: x for g, x in zip(made, xs, strict=True) if g is not None}
    gives = shaped_like(sources, iter(made))
    return add(staging, function.method, [tape, *args], keywords, gives, joined)


def _asked(staging: Any, tape: TracedTape, target: Any, sources: Any) -> tuple[list[Tensor], list[Any]]:
    targets = [y.as_tensor() if isinstance(y, Variable) else y for y in flat(target)]
    if tape.tape in staging.graph.tapes and not tape.tape.persistent:
        staging.graph.stop(tape.tape)
    tape.tape.use()
    return targets, flat(sources)


def _found(
    staging: Any, tape: Tape, targets: list[Tensor], xs: list[Any], zeros: bool
) -> tuple[list[Any], bool]:
    """For each x something, or None where there is no gradient; and whether no branch leaves that open."""
    if any(not isinstance(one, Tensor) for one in targets):
        return [None] * len(xs), True
    behind = closure(targets, lambda tensor: _sources(tape, tensor))
    if any(one.node.op is PASSED for one in behind if one.node in tape.entries):
        return [x if zeros or _buffer(x) in behind else None for x in xs], False
    with staging.graph.block(), staging.graph.not_recording():
        return tape.gradient(targets, xs, zeros=zeros), True


def _sources(tape: Tape, tensor: Tensor) -> list[Tensor]:
    entry = tape.entries.get(tensor.node)
    return [] if entry is None else [one for one in entry.inputs if one in tape.tracked]


def _buffer(x: Any) -> Any:
    return x.ref if isinstance(x, Variable) else x


def _like(staging: Any, inputs: list[Any], x: Any, gradient: Any) -> Any:
    """What stands for the gradient of x."""
    if gradient is None:
        return None
    if isinstance(gradient, IndexedSlices):
        parts = (gradient.values, gradient.indices, gradient.dense_shape)
        kinds = [(one.dtype, one.shape) for one in parts if one is not None]
        made = staging.graph.passed(inputs, kinds, "gradient")
        return IndexedSlices(*made)
    (one,) = staging.graph.passed(inputs, [(x.dtype, x.shape)], "gradient")
    return one


@rule("GradientTape.jacobian")
def _jacobian(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    tape = function.owner
    bound, _, _ = function.method.signature.bind(function.name, [tape, *args], keywords)
    targets, xs = _asked(staging, tape, bound["target"], bound["sources"])
    zeros = bound.get("unconnected_gradients") == "zero"
    found, _ = _found(staging, tape.tape, targets, xs, zeros)
    made = [
        None if g is None else _derivative(staging, targets[0], x) for x, g in zip(xs, found, strict=True)
    ]
    gives = shaped_like(bound["sources"], iter(made))
    return add(staging, function.method, [tape, *args], keywords, gives)


def _derivative(staging: Any, y: Tensor, x: Any, kept: int = 0) -> Tensor:
    known = y.shape is not None and x.shape is not None
    shape: Shape = (*y.shape, *x.shape[kept:]) if known else None  # type: ignore[misc]  # both are known
    (made,) = staging.graph.passed([y, _buffer(x)], [(y.dtype, shape)], "jacobian")
    result: Tensor = made
    return result


@rule("GradientTape.batch_jacobian")
def _batch_jacobian(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    tape = function.owner
    bound, _, _ = function.method.signature.bind(function.name, [tape, *args], keywords)
    targets, xs = _asked(staging, tape, bound["target"], bound["source"])
    gives = _derivative(staging, targets[0], xs[0], kept=1)
    return add(staging, function.method, [tape, *args], keywords, gives)


# -- functions of functions --------------------------------------------------------------------------


def _with_own_gradient(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    """A function with its own gradient: its value is traced for the shape, its rule runs at each call."""
    with staging.graph.block(), staging.graph.not_recording():
        value, _ = staging.interpreter.call(function.inner, list(args), {})
    inputs = [one for one in leaves(list(args)) if isinstance(one, Tensor)]
    gives = mapped(value, lambda one: _copy(staging, inputs, one))
    return add(staging, function, args, keywords, gives)


def _copy(staging: Any, inputs: list[Any], one: Any) -> Any:
    if not isinstance(one, Tensor):
        return one
    (made,) = staging.graph.passed(inputs, [(one.dtype, one.shape)], "custom")
    return made


@rule("tf.cond")
def _cond(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    bound, _, _ = function.signature.bind(function.name, args, keywords)
    if not isinstance(bound["pred"], (Tensor, Variable)):
        return MISSING
    call = staging.interpreter.call
    sides = [lambda: call(bound["true_fn"], [], {}), lambda: call(bound["false_fn"], [], {})]
    said = said_cond(staging.interpreter, bound["true_fn"], bound["false_fn"])
    return staging.flow.branch(bound["pred"], sides, said=said)


@rule("tf.case")
def _case(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    bound, _, _ = function.signature.bind(function.name, args, keywords)
    pairs, call = list(bound["pred_fn_pairs"]), staging.interpreter.call
    last = bound.get("default") or pairs.pop()[1]

    def chosen(index: int) -> Any:
        if index == len(pairs):
            return call(last, [], {})
        test, then = pairs[index]
        return staging.flow.branch(test, [lambda: call(then, [], {}), lambda: chosen(index + 1)])

    return chosen(0)


@rule("tf.while_loop")
def _while_loop(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    bound, _, _ = function.signature.bind(function.name, args, keywords)
    return staging.flow.while_loop(
        bound["cond"], bound["body"], bound["loop_vars"], bound.get("maximum_iterations")
    )


# -- Python's functions, as AutoGraph reads them -----------------------------------------------------


def _range(staging: Any, function: Any, args: Any, keywords: Any) -> Tensor:
    tensors: Any = [staging.flow.tensor(one) for one in args]
    start, limit, delta = (0, *tensors, 1) if len(tensors) == 1 else (*tensors, 1)[:3]
    result: Tensor = range_of(start, limit, delta)
    return result


def _len(staging: Any, function: Any, args: Any, keywords: Any) -> Any:
    tensor = staging.flow.tensor(args[0])
    if tensor.shape is not None and tensor.shape and tensor.shape[0] is not None:
        return tensor.shape[0]
    return ops.shape_of(tensor)[0]


def _cast(dtype: str) -> Rule:
    def convert(staging: Any, function: Any, args: Any, keywords: Any) -> Tensor:
        tensor = staging.flow.tensor(args[0])
        made: Tensor = tensor if tensor.dtype == dtype else ops.cast(tensor, dtype)
        return made

    return convert


AUTOGRAPH: dict[int, Rule] = {
    id(BUILTINS["range"]): _range,
    id(BUILTINS["len"]): _len,
    id(BUILTINS["int"]): _cast("int32"),
    id(BUILTINS["float"]): _cast("float32"),
}

__all__ = ["Node", "TracedTensor", "deferred"]
