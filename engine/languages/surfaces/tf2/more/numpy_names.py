"""`tf.experimental.numpy`: TensorFlow's functions under numpy's names, in the types that numpy has.

What numbers of Python's own become is numpy's: 1.5 a float64, 1 an int64; beside a tensor they take its type
where it holds them. Two tensors of different types are brought to the type that numpy brings them to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.namespaces import functions
from engine.languages.surfaces.numpy.module import NUMPY, numpy_dtype, to_array
from engine.languages.surfaces.tf2 import values
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import TEXT, Tensor

ROOM = "experimental.numpy"
NUMBERS = (bool, int, float)
PLAIN = (np.ndarray, np.generic, list, tuple)

PAIRS: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "add": lambda a, b: a + b,
        "subtract": lambda a, b: a - b,
        "multiply": lambda a, b: a * b,
        "divide": lambda a, b: a / b,
        "true_divide": lambda a, b: a / b,
        "floor_divide": lambda a, b: a // b,
        "mod": lambda a, b: a % b,
        **{name: getattr(ops, name) for name in ("maximum", "minimum", "power", "equal", "not_equal")},
        **{name: getattr(ops, name) for name in ("greater", "greater_equal", "less", "less_equal")},
        "matmul": functions.matmul,
    }
)
IN_FLOATS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(  # whose whole numbers become float64
    {
        name: getattr(ops, name)
        for name in ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    }
)
IN_THEIR_TYPE: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "abs": abs,
        "absolute": abs,
        "negative": lambda x: -x,
        "square": ops.square,
        "sign": ops.sign,
    }
)
ALONG: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "sum": ops.reduce_sum,
        "prod": ops.reduce_prod,
        "mean": ops.reduce_mean,
        "std": ops.reduce_std,
        "var": ops.reduce_variance,
        "max": ops.reduce_max,
        "amax": ops.reduce_max,
        "min": ops.reduce_min,
        "amin": ops.reduce_min,
    }
)
MADE = ("zeros", "ones", "full", "eye", "identity", "arange", "linspace", "tri")  # arrays by a rule
VALUES = ("pi", "e", "inf", "newaxis", "float32", "float64", "int32", "int64", "bool_")
LEFT_OUT = (
    *("allclose", "append", "around", "array_equal", "average", "broadcast_to", "cross", "cumprod", "cumsum"),
    *("diag", "diff", "einsum", "flip", "hstack", "inner", "isclose", "kron", "log10", "log2", "meshgrid"),
    *("moveaxis", "ndarray", "outer", "pad", "random", "ravel", "repeat", "roll", "round", "select", "sort"),
    *("split", "swapaxes", "take", "tensordot", "tile", "trace", "tril", "triu", "vdot", "vstack"),
)


def _made(value: Any) -> Any:
    """A tensor of any value: of numbers, lists and arrays in numpy's type. Raises: ValueRefused for texts."""
    if isinstance(value, (list, tuple)) and any(isinstance(one, Tensor) for one in value):
        return ops.stack(together(list(value)))
    tensor = convert_to_tensor(np.asarray(value) if isinstance(value, (*NUMBERS, *PLAIN)) else value)
    if tensor.dtype == TEXT:
        raise ValueRefused(
            "tf.experimental.numpy computes with numbers, not with texts.",
            message_zh="tf.experimental.numpy 计算的是数，不是文本。",
        )
    return tensor


def together(given: Sequence[Any]) -> list[Any]:
    """Tensors of the type that numpy computes in; numbers of Python's own take the tensors' type."""
    made = [one if type(one) in NUMBERS else _made(one) for one in given]
    kind = np.result_type(*[one if type(one) in NUMBERS else np.dtype(one.dtype) for one in made]).name
    return [ops.constant(one, kind) if type(one) in NUMBERS else _as(one, kind) for one in made]


def _as(tensor: Any, kind: str | None) -> Any:
    return tensor if kind is None or tensor.dtype == kind else ops.cast(tensor, kind)


def _floats(value: Any) -> Any:
    tensor = _made(value)
    return tensor if np.dtype(tensor.dtype).kind in "fc" else ops.cast(tensor, "float64")


def _pair(compute: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda x1, x2: compute(*together([x1, x2]))


def _one(compute: Callable[[Any], Any], prepare: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x: compute(prepare(x))


def _along(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    def reduce(a: Any, axis: Any = None, keepdims: Any = None) -> Any:
        value = _floats(a) if name in ("mean", "std", "var") else _made(a)
        if name in ("sum", "prod"):  # small whole numbers are added up as numpy does, in 64 bits
            value = _as(value, np.sum(np.zeros(1, value.dtype)).dtype.name)
        return compute(value, axis, bool(keepdims))

    return reduce


def _place(find: Callable[..., Any]) -> Callable[..., Any]:
    def place(a: Any, axis: Any = None) -> Any:
        value = _made(a)
        return find(ops.reshape(value, [-1]) if axis is None else value, 0 if axis is None else axis)

    return place


def _maker(name: str) -> Callable[..., Any]:
    """numpy's function, whose array becomes a tensor."""
    behind: Any = NUMPY.members[name]

    def make(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        return convert_to_tensor(np.asarray(behind.call(interpreter, args, keywords)))

    first = Parameter("interpreter", Parameter.POSITIONAL_OR_KEYWORD)
    own = [one for one in signature(behind.function).parameters.values() if one.name != "interpreter"]
    make.__signature__ = Signature([first, *own])  # type: ignore[attr-defined]
    return make


def array(interpreter: Interpreter, val: Any, dtype: Any = None) -> Any:
    """A tensor of a list, a number, an array or another tensor."""
    if isinstance(val, (list, tuple)) and not any(isinstance(one, Tensor) for one in val):
        val = to_array(interpreter, val)
    return _as(_made(val), numpy_dtype(dtype) if dtype is not None else None)


def zeros_like(a: Any, dtype: Any = None) -> Any:
    """Zeros in the shape of another tensor."""
    return _as(ops.zeros_like(_made(a)), numpy_dtype(dtype) if dtype is not None else None)


def ones_like(a: Any, dtype: Any = None) -> Any:
    """Ones in the shape of another tensor."""
    return _as(ops.ones_like(_made(a)), numpy_dtype(dtype) if dtype is not None else None)


def reshape(a: Any, newshape: Any) -> Any:
    """The same numbers, row by row, in another shape."""
    return ops.reshape(_made(a), newshape if isinstance(newshape, (list, tuple)) else [newshape])


def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order, without one given the last first."""
    return ops.transpose(_made(a), axes)


def expand_dims(a: Any, axis: Any) -> Any:
    """One axis of length 1 more."""
    return ops.expand_dims(_made(a), axis)


def squeeze(a: Any, axis: Any = None) -> Any:
    """Without the axes of length 1."""
    return ops.squeeze(_made(a), axis)


def concatenate(arys: Any, axis: Any = 0) -> Any:
    """One behind the other along an axis."""
    return ops.concat(together(list(iterate(arys))), axis)


def stack(arrays: Any, axis: Any = 0) -> Any:
    """Side by side along a new axis."""
    return ops.stack(together(list(iterate(arrays))), axis)


def where(condition: Any, x: Any, y: Any) -> Any:
    """Of each element the one of x where the condition holds, else that of y."""
    one, other = together([x, y])
    return values.where(ops.cast(_made(condition), "bool"), one, other)


def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """Each number, but none below the one and none above the other."""
    return ops.clip_by_value(*together([a, a_min, a_max]))


def dot(a: Any, b: Any) -> Any:
    """The sum of products along the last axis of the one and the last but one of the other."""
    left, right = together([a, b])
    if not left.shape or not right.shape:
        return left * right
    return ops.tensordot(left, right, [[len(left.shape) - 1], [max(len(right.shape) - 2, 0)]])


def experimental_enable_numpy_behavior(interpreter: Interpreter) -> None:
    """Noted: operators and tensors stay TensorFlow's own here, functions are numpy's already."""
    interpreter.note(
        "numpy_behavior",
        "Operators between tensors keep TensorFlow's types here, and tensors have no methods of numpy's.",
        "这里张量之间的运算符仍用 TensorFlow 的类型，张量也没有 numpy 的方法。",
        "Use the functions of tf.experimental.numpy, which compute in numpy's types.",
        "请使用 tf.experimental.numpy 的函数，它们按 numpy 的类型计算。",
        key="numpy behaviour",
    )


OWN = (
    *(array, zeros_like, ones_like, reshape, transpose, expand_dims, squeeze, concatenate, stack, where),
    *(clip, dot, experimental_enable_numpy_behavior),
)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    made: dict[str, Any] = {name: _pair(compute) for name, compute in PAIRS.items()}
    made |= {name: _one(compute, _floats) for name, compute in IN_FLOATS.items()}
    made |= {name: _one(compute, _made) for name, compute in IN_THEIR_TYPE.items()}
    made |= {name: _along(name, compute) for name, compute in ALONG.items()}
    made |= {"argmax": _place(ops.argmax), "argmin": _place(ops.argmin), "asarray": array}
    made |= {name: _maker(name) for name in MADE} | {own.__name__: own for own in OWN}
    found = {
        f"{ROOM}.{name}": Native(f"tf.{ROOM}.{name}", function, borrowed=True)
        for name, function in made.items()
    }
    return found | {f"{ROOM}.{name}": NUMPY.members[name] for name in VALUES}
