"""TensorFlow's functions that compute, with its own argument names: arithmetic, reductions, control."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import numpy as np

from engine import ops
from engine.errors import DtypeError
from engine.graph import Tensor
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.argument_kinds import LIST
from engine.languages.surfaces.library import Library
from engine.languages.workspace import Clip
from engine.ops.base.building import as_array, graph_now, holds_tensor
from engine.ops.base.spellings import one_of
from engine.ops.base.tensors import Operators

TF = Library("tf")

Build = Callable[..., Any]
RECORDED: WeakSet[Build] = WeakSet()  # those that do nothing but what a turn records of them


def in_turn(function: Build) -> Build:
    """Decorator: a function of its arguments alone, which in a turn like those before only computes."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        turn = getattr(graph_now(), "turn", None)
        if turn is None:
            return function(*args, **keywords)
        return turn.call(
            function, (*args, *keywords, *keywords.values()), lambda: function(*args, **keywords)
        )

    RECORDED.add(call)
    return call


def unary(build: Build) -> Build:
    """A function of one tensor, with TensorFlow's names for its arguments."""
    return in_turn(lambda x, name=None: build(x, name=name))


def features(build: Build) -> Build:
    """The same where TensorFlow calls the tensor `features`."""
    return in_turn(lambda features, name=None: build(features, name=name))


def binary(build: Build) -> Build:
    """A function of two tensors. It raises DtypeError as `_check_leading` does."""

    @in_turn
    def pair(x: Any, y: Any, name: Any = None) -> Any:
        _check_leading(x, y)
        return build(x, y, name=name)

    return pair


def _check_leading(x: Any, y: Any) -> None:
    """Where a graph is built first, a plain first operand keeps its own type: tf.add(1, x) fails for floats.

    Raises: DtypeError where the second operand is a tensor of another type.
    """
    if not _is_plain(x) or not isinstance(y, Operators) or concrete(y) is not None:
        return
    own, other = as_array(x).dtype.name, y.as_tensor().dtype
    if own != other:
        raise DtypeError(
            f"The first operand is {own}, but the second one is {other}.",
            hint=f"Put the tensor first, or make the number one of {other}.",
            message_zh=f"第一个操作数是 {own}，而第二个是 {other}。",
            hint_zh=f"请把张量放在前面，或把数字写成 {other}。",
        )


def _is_plain(x: Any) -> bool:
    return isinstance(x, (bool, int, float, list, tuple, np.ndarray, np.generic)) and not holds_tensor(x)


def reduction(build: Build) -> Build:
    """A function over axes, with the argument names of before TensorFlow 1.5 as well."""

    @in_turn
    def reduce(
        input_tensor: Any,
        axis: Any = None,
        keepdims: Any = None,
        name: Any = None,
        reduction_indices: Any = None,
        keep_dims: Any = None,
    ) -> Any:
        over = one_of("axis", axis, "reduction_indices", reduction_indices)
        keep = bool(one_of("keepdims", keepdims, "keep_dims", keep_dims))
        return build(input_tensor, over, keepdims=keep, name=name)

    return reduce


def enter_in_math(kind: Callable[[Build], Build], **builds: Build) -> None:
    """Functions under their names, in `tf` and in `tf.math`; `kind` gives them TensorFlow's arguments."""
    for word, build in builds.items():
        TF.function(word, f"math.{word}")(kind(build))


enter_in_math(
    unary,
    sin=ops.sin,
    cos=ops.cos,
    tan=ops.tan,
    asin=ops.asin,
    acos=ops.acos,
    atan=ops.atan,
    sinh=ops.sinh,
    cosh=ops.cosh,
    tanh=ops.tanh,
    exp=ops.exp,
    expm1=ops.expm1,
    log=ops.log,
    log1p=ops.log1p,
    sqrt=ops.sqrt,
    rsqrt=ops.rsqrt,
    square=ops.square,
    abs=ops.absolute,
    sign=ops.sign,
    floor=ops.floor,
    negative=ops.neg,
    reciprocal=ops.reciprocal,
    sigmoid=ops.sigmoid,
    is_finite=ops.is_finite,
)
enter_in_math(
    binary,
    add=ops.add,
    subtract=ops.sub,
    multiply=ops.mul,
    floormod=ops.floor_mod,
    mod=ops.floor_mod,
    pow=ops.power,
    maximum=ops.maximum,
    minimum=ops.minimum,
    squared_difference=ops.squared_difference,
    equal=ops.equal,
    not_equal=ops.not_equal,
    less=ops.less,
    less_equal=ops.less_equal,
    greater=ops.greater,
    greater_equal=ops.greater_equal,
)
enter_in_math(
    reduction,
    reduce_sum=ops.reduce_sum,
    reduce_mean=ops.reduce_mean,
    reduce_prod=ops.reduce_prod,
    reduce_max=ops.reduce_max,
    reduce_min=ops.reduce_min,
)

# Names from before TensorFlow 1.0, and the neural-network spellings.
TF.function("neg")(unary(ops.neg))
TF.function("inv")(unary(ops.reciprocal))
TF.function("sub")(binary(ops.sub))
TF.function("mul")(binary(ops.mul))
TF.function("nn.sigmoid")(unary(ops.sigmoid))
TF.function("nn.tanh")(unary(ops.tanh))
TF.function("nn.relu")(features(ops.relu))
TF.function("nn.relu6")(features(ops.relu6))


@TF.function("truediv", "math.truediv")
def truediv(x: Any, y: Any, name: Any = None) -> Any:
    """The quotient; where a graph is built first, a plain second operand keeps its own type as well."""
    _check_leading(x, y)
    if _is_plain(y) and isinstance(x, Operators) and concrete(x) is None:
        own, other = as_array(y).dtype.name, x.as_tensor().dtype
        if own != other:
            raise DtypeError(
                f"The first operand is {other}, but the second one is {own}.",
                hint=f"Write x / y, or make the number one of {other}.",
                message_zh=f"第一个操作数是 {other}，而第二个是 {own}。",
                hint_zh=f"请写 x / y，或把数字写成 {other}。",
            )
    return ops.true_divide(x, y, name=name)


@TF.function("matmul", "linalg.matmul")
@in_turn
def matmul(a: Any, b: Any, transpose_a: Any = False, transpose_b: Any = False, name: Any = None) -> Tensor:
    """The matrix product."""
    flags = {"transpose_a": bool(transpose_a), "transpose_b": bool(transpose_b)}
    return ops.matrix_product(a, b, **flags, name=name)


@TF.function("add_n", "math.add_n")
def add_n(inputs: Any, name: Any = None) -> Tensor:
    """The sum of a list of tensors."""
    return ops.add_n(list(inputs), name=name)


@TF.function("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: Any = None) -> Any:
    """A number times a tensor."""
    return ops.scalar_mul(scalar, x, name=name)


@TF.function("clip_by_norm")
def clip_by_norm(interpreter: Interpreter, t: Any, clip_norm: Any, axes: Any = None, name: Any = None) -> Any:
    """Scaled down so that its norm is at most `clip_norm`."""
    clipped = ops.clip_by_norm(t, clip_norm, axes, name=name)
    if axes is None:
        interpreter.workspace.clips.append(Clip(t, clip_norm, clipped, interpreter.place))
    return clipped


@TF.function("identity")
def identity(input: Any, name: Any = None) -> Tensor:
    """The same value."""
    return ops.identity(input, name=name)


@TF.function("stop_gradient")
def stop_gradient(input: Any, name: Any = None) -> Tensor:
    """The same value, without a gradient."""
    return ops.stop_gradient(input, name=name)


@TF.function("group")
def group(*inputs: Any, name: Any = None) -> Any:
    """One operation that waits for all of these."""
    return ops.group(*inputs, name=name)


@TF.function("tuple", tensors=LIST, control_inputs=LIST)
def tuple_(tensors: Any, name: Any = None, control_inputs: Any = None) -> list[Any]:
    """The tensors, each given out only when all of them are computed."""
    return ops.tuple_of(
        list(tensors), name=name, control_inputs=[] if control_inputs is None else list(control_inputs)
    )


@TF.function("no_op")
def no_op(name: Any = None) -> Any:
    """An operation that does nothing."""
    return ops.no_op.node(name=name)
