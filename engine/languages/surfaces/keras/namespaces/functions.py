"""`keras.ops`: functions of tensors by the names that numpy has for them.

Most are TensorFlow's under another name (`SAME`); those whose arguments mean something else are written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, ShapeError, ValueRefused
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.named import ACTIVATIONS
from engine.languages.surfaces.keras.namespaces import arranging
from engine.languages.surfaces.keras.namespaces.activations import FURTHER
from engine.languages.surfaces.keras.namespaces.renamed import of_one_type, renamed
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number, written

EPSILON = 1e-7  # by which a probability stays away from 0 and 1
OF_MATH = (
    "abs",
    "add",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "log",
    "log1p",
    "logical_and",
    "logical_not",
    "logical_or",
    "maximum",
    "minimum",
    "multiply",
    "not_equal",
    "rsqrt",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "erf",
)
CROSSENTROPIES = ("categorical_", "sparse_categorical_")
SAME: Mapping[str, str] = MappingProxyType(
    {
        **{name: f"math.{name}" for name in OF_MATH},
        **{name: name for name in ("cast", "einsum", "expand_dims", "reshape")},
        **{name: name for name in ("squeeze", "tensordot", "transpose", "zeros", "ones")},
        **{name: name for name in ("zeros_like", "ones_like", "stop_gradient")},
        **{name: f"nn.{name}" for name in ("relu", "relu6", "log_softmax", "selu", "softplus")},
        **{name: f"nn.{name}" for name in ("softsign", "silu", "leaky_relu")},
        **{name: f"keras.activations.{name}" for name in ("softmax", "sigmoid", "hard_sigmoid", "swish")},
        **{name: f"keras.activations.{name}" for name in FURTHER},
        "convert_to_tensor": "convert_to_tensor",
        "array": "convert_to_tensor",
        "clip": "clip_by_value",
        "power": "math.pow",
        "true_divide": "math.divide",
        "ceil": "math.ceil",
        "isnan": "math.is_nan",
        "isfinite": "math.is_finite",
        "mean": "reduce_mean",
        "sum": "reduce_sum",
        "max": "reduce_max",
        "min": "reduce_min",
        "amax": "reduce_max",
        "amin": "reduce_min",
        "prod": "reduce_prod",
        "any": "reduce_any",
        "all": "reduce_all",
        "std": "math.reduce_std",
        "var": "math.reduce_variance",
        "logsumexp": "reduce_logsumexp",
        "norm": "norm",
        **{f"arc{name}": f"math.a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
        **{
            name: name
            for name in ("sort", "argsort", "unstack", "repeat", "meshgrid", "broadcast_to", "cond")
        },
        **{name: f"math.{name}" for name in ("negative", "reciprocal", "logical_xor", "top_k")},
        **{name: f"linalg.{name}" for name in ("det", "inv", "cholesky", "solve", "eigh", "logdet")},
        "absolute": "math.abs",
        "isinf": "math.is_inf",
        "mod": "math.floormod",
        "floor_divide": "math.floordiv",
        "size": "size",
        **{name: name for name in ("slice", "while_loop", "vectorized_map")},
        **{f"{kind}crossentropy": f"keras.backend.{kind}crossentropy" for kind in CROSSENTROPIES},
        "in_top_k": "math.in_top_k",
        "scatter": "scatter_nd",
    }
)


def concatenate(xs: Any, axis: Any = 0) -> Any:
    """One behind the other along an axis."""
    return ops.concat(of_one_type(list(iterate(xs))), axis)


def stack(x: Any, axis: Any = 0) -> Any:
    """Side by side along a new axis."""
    return ops.stack(of_one_type(list(iterate(x))), axis)


def argmax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Where the largest is along an axis; without one, in all of it."""
    return _place(ops.argmax, x, axis, keepdims)


def argmin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Where the smallest is along an axis; without one, in all of it."""
    return _place(ops.argmin, x, axis, keepdims)


def _place(find: Callable[..., Any], x: Any, axis: Any, keepdims: Any) -> Any:
    value = convert_to_tensor(x)
    value = ops.cast(value, "uint8") if value.dtype == "bool" else value
    found = find(ops.reshape(value, [-1]) if axis is None else value, 0 if axis is None else axis)
    if keepdims and axis is not None:
        found = ops.expand_dims(found, axis)
    return ops.cast(found, "int32")


def shape(x: Any) -> Any:
    """The lengths, as a tuple; one that is not known yet is a tensor."""
    tensor: Any = convert_to_tensor(x)
    lengths = tuple(tensor.shape or ())
    if None not in lengths:
        return lengths
    found = ops.shape_of(tensor)
    return tuple(found[place] if length is None else length for place, length in enumerate(lengths))


def dot(x1: Any, x2: Any) -> Any:
    """The sum of products along the last axis of the one and the first of the other, a vector or a matrix.

    Raises: ValueRefused for an array of more axes.
    """
    left, right = of_one_type([x1, x2])
    if not left.shape or not right.shape:
        return left * right
    if len(right.shape) > 2:
        raise ValueRefused(
            "keras.ops.dot takes a vector or a matrix second here.",
            hint="Write keras.ops.matmul(a, b) or keras.ops.tensordot(a, b, axes).",
            message_zh="这里 keras.ops.dot 的第二个参数应是向量或矩阵。",
            hint_zh="请写 keras.ops.matmul(a, b) 或 keras.ops.tensordot(a, b, axes)。",
        )
    return ops.tensordot(left, right, 1)


def matmul(x1: Any, x2: Any) -> Any:
    """The product of two matrices, of a matrix with a vector, or of two vectors."""
    left, right = of_one_type([x1, x2])
    if len(right.shape or ()) == 1:
        return ops.tensordot(left, right, 1)
    if len(left.shape or ()) == 1:
        return ops.squeeze(ops.expand_dims(left, 0) @ right, [-2])
    return left @ right


def split(x: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Parts of one length, or up to each of the places given."""
    value: Any = convert_to_tensor(x)
    if not isinstance(indices_or_sections, (list, tuple)):
        return ops.split(value, whole_number(indices_or_sections, "indices_or_sections"), axis=axis)
    ends = [whole_number(place, "indices_or_sections") for place in indices_or_sections]
    bounds = [0, *ends, int(value.shape[axis])]
    lengths = [last - first for first, last in pairwise(bounds)]
    return ops.split(value, lengths, axis=axis)


def take(x: Any, indices: Any, axis: Any = None) -> Any:
    """The parts at these places along an axis; without one, of all of it in a row."""
    value = convert_to_tensor(x)
    return ops.gather(ops.reshape(value, [-1]) if axis is None else value, indices, axis=axis or 0)


def convert_to_numpy(x: Any) -> Any:
    """The values as an array."""
    return array_of(x)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Numbers at equal distances, up to the last before `stop`."""
    first, last = (0, start) if stop is None else (start, stop)
    return ops.range_of(first, last, step, dtype_name(dtype))


def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Sums up to each place along an axis; without one, of all of it in a row."""
    return _running(ops.cumsum, x, axis, dtype)


def cumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Products up to each place along an axis; without one, of all of it in a row."""
    return _running(ops.cumprod, x, axis, dtype)


def _running(total: Callable[..., Any], x: Any, axis: Any, dtype: Any) -> Any:
    value = convert_to_tensor(x) if dtype is None else ops.cast(x, dtype_name(dtype) or "float32")
    return total(ops.reshape(value, [-1]) if axis is None else value, axis or 0)


def gelu(x: Any, approximate: Any = True) -> Any:
    """x times the share of a normal distribution below x; by default nearly so, unlike the activation."""
    activation = ACTIVATIONS["gelu"]
    return activation(x, approximate)


def binary_crossentropy(target: Any, output: Any, from_logits: Any = False) -> Any:
    """-t log p - (1 - t) log(1 - p) of each number, p kept away from 0 and 1."""
    truth, given = of_one_type([target, output])
    if from_logits:
        return ops.sigmoid_cross_entropy_with_logits(labels=truth, logits=given)
    p = ops.clip_by_value(given, EPSILON, 1.0 - EPSILON)
    return -(truth * ops.log(p) + (1.0 - truth) * ops.log(1.0 - p))


def pad(x: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = None) -> Any:
    """Numbers before and behind each axis, as numpy has it: (before, behind) of each.

    Raises: ProgramError for an axis without a pair.
    """
    tensor = convert_to_tensor(x)
    axes = len(tensor.shape or ())
    given = np.asarray(pad_width)
    if given.shape != (axes, 2):
        raise ProgramError(
            f"`pad_width` must have the same length as `x.shape`. Received: pad_width={pad_width} "
            f"(of length {given.size // 2}) and x.shape={written(tensor.shape)}",
            message_zh=f"`pad_width` 应为每个轴给出一对数；x 的形状是 {written(tensor.shape)}。",
            code="bad_value",
            kind="ValueError",
        )
    filled = 0 if constant_values is None else constant_values
    return ops.pad(tensor, given.tolist(), str(mode).upper(), constant_values=filled)


def _triangle(lower: Any, upper: Any) -> Callable[..., Any]:
    def cut(x: Any, k: Any = 0) -> Any:
        tensor: Any = convert_to_tensor(x)
        below, above = lower(whole_number(k, "k")), upper(whole_number(k, "k"))
        if len(tensor.shape) < 2:
            raise ShapeError(
                f"A triangle is cut out of a matrix, not out of the shape {written(tensor.shape)}.",
                message_zh=f"三角部分取自矩阵，不能取自形状 {written(tensor.shape)}。",
                kind="ValueError",
            )
        rows, columns = tensor.shape[-2:]
        place = np.arange(columns)[None, :] - np.arange(rows)[:, None]
        kept = np.broadcast_to((place >= below) & (place <= above), tensor.shape)
        return ops.where(convert_to_tensor(kept), tensor, ops.zeros_like(tensor))

    return cut


TRIANGLES: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "tril": _triangle(lambda k: -np.inf, lambda k: k),
        "triu": _triangle(lambda k: k, lambda k: np.inf),
    }
)
OWN = (
    binary_crossentropy,
    pad,
    cumprod,
    cumsum,
    gelu,
    arange,
    concatenate,
    stack,
    argmax,
    argmin,
    shape,
    dot,
    matmul,
    split,
    take,
    convert_to_numpy,
)


def members(others: Mapping[str, Any]) -> dict[str, Any]:
    """The names below `tf.` that this file offers.

    others: what stands below `tf.` already.
    """
    found = {}
    for name, path in SAME.items():
        behind = others.get(path) or others.get(path.rpartition(".")[2])
        if behind is not None:
            found[f"keras.ops.{name}"] = renamed(name, behind)
    found |= {f"keras.ops.{name}": Native(f"tf.keras.ops.{name}", cut) for name, cut in TRIANGLES.items()}
    every = (*OWN, *arranging.OWN)
    return found | {f"keras.ops.{own.__name__}": Native(f"tf.keras.ops.{own.__name__}", own) for own in every}
