"""TensorFlow 2's functions on arrays beside those that it shares with TensorFlow 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.errors import DtypeError, ProgramError, ShapeError, ValueRefused
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.tf2.eager import EagerShape
from engine.languages.surfaces.tf2.functions.signature import shape_of
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import broadcast, whole_number, whole_numbers, written
from engine.ops.base.tensors import INTEGERS, Operators
from engine.ops.common import plumbing


def value_now(tensor: Any, function: str) -> Any:
    """The array that a tensor holds. Raises: ProgramError inside tf.function, where it has none yet."""
    held = concrete(tensor)
    if held is None:
        raise ProgramError(
            f"{function} needs the values of its tensors, which a function that is traced does not have.",
            message_zh=f"{function} 需要张量的值，而正在追踪的函数里还没有值。",
            hint="Call it outside of @tf.function.",
            hint_zh="请在 @tf.function 之外调用它。",
            code="symbolic_value",
        )
    return held


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: Any = 0,
    name: Any = None,
) -> Any:
    """`tf.gather`: slices by number; with batch_dims each row by its own numbers."""
    values, places = convert_to_tensor(params), convert_to_tensor(indices)
    shared = whole_number(batch_dims, "batch_dims")
    shared = shared + len(places.shape or ()) if shared < 0 else shared
    along = shared if axis is None else whole_number(axis, "axis")
    along = along + len(values.shape or ()) if along < 0 else along
    if shared == 0:
        return ops.gather(values, places, along, name=name)
    return _gathered_by_row(values, places, along, shared)


def _gathered_by_row(values: Any, places: Any, along: int, shared: int) -> Any:
    """The axis is brought behind the shared ones, and all positions are written out."""
    rank, own = len(values.shape), len(places.shape) - shared
    moved = [*range(shared), along, *(n for n in range(shared, rank) if n != along)]
    rows = ops.transpose(values, moved) if moved != list(range(rank)) else values
    front = [
        np.broadcast_to(np.arange(length).reshape((-1,) + (1,) * (len(places.shape) - 1 - n)), places.shape)
        for n, length in enumerate(places.shape[:shared])
    ]
    position = ops.stack([*(ops.cast(one, places.dtype) for one in front), places], axis=-1)
    found = ops.gather_nd(rows, position)
    between = along - shared
    if not between:
        return found
    order = [
        *range(shared),
        *range(shared + own, shared + own + between),
        *range(shared, shared + own),
        *range(shared + own + between, rank - 1 + own),
    ]
    return ops.transpose(found, order)


def linspace(start: Any, stop: Any, num: Any, name: Any = None, axis: Any = 0) -> Any:
    """`tf.linspace`: evenly spaced numbers, or arrays along a new axis; whole ends give float64."""
    first = convert_to_tensor(start)
    if first.dtype in INTEGERS:
        stop = convert_to_tensor(stop, dtype=first.dtype)
        first, stop = ops.cast(first, "float64"), ops.cast(stop, "float64")
    last = convert_to_tensor(stop, dtype=first.dtype)
    if first.shape == last.shape == () and not any(concrete(one) is not None for one in (start, stop)):
        return ops.linspace(first, last, num, name=name)
    count = whole_number(concrete(num).item() if concrete(num) is not None else num, "num")
    with name_scope(name, "linspace"):
        shape: list[Any] = list(np.broadcast_shapes(_lengths(first), _lengths(last)))
        place = whole_number(axis, "axis")
        place = place + len(shape) + 1 if place < 0 else place
        first, last = (ops.expand_dims(ops.broadcast_to(one, shape), place) for one in (first, last))
        if count == 1:
            return first
        lengths = [1] * (len(shape) + 1)
        lengths[place] = -1
        inner = ops.reshape(ops.cast(np.arange(1, count - 1), first.dtype), lengths)
        return ops.concat([first, first + (last - first) / float(count - 1) * inner, last], place)


def _lengths(tensor: Any) -> tuple[int, ...]:
    return tuple(int(length) for length in tensor.shape)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = "int32",
    name: Any = None,
) -> Any:
    """`tf.math.confusion_matrix`: how often each label (a row) met each prediction (a column)."""
    with name_scope(name, "confusion_matrix"):
        rows, columns = (ops.cast(convert_to_tensor(one), "int64") for one in (labels, predictions))
        known = [value_now(one, "tf.math.confusion_matrix") for one in (rows, columns)]
        count = int(max(one.max(initial=-1) for one in known)) + 1
        if num_classes is not None:
            count = _checked_count(known, whole_number(num_classes, "num_classes"))
        kind = dtype_name(dtype) or "int32"
        each = ops.ones(rows.shape, kind) if weights is None else ops.cast(convert_to_tensor(weights), kind)
        return ops.scatter_nd(
            ops.stack([rows, columns], axis=1), each, convert_to_tensor([count] * 2, "int64")
        )


def _checked_count(known: list[Any], count: int) -> int:
    """Raises: ValueRefused where a class lies outside."""
    if any(one.size and (one.min() < 0 or one.max() >= count) for one in known):
        raise ValueRefused(
            f"With num_classes={count} the labels and predictions run from 0 to {count - 1}.",
            message_zh=f"num_classes={count} 时，标签和预测应在 0 到 {count - 1} 之间。",
            code="bad_value",
        )
    return count


def ensure_shape(x: Any, shape: Any, name: Any = None) -> Any:
    """`tf.ensure_shape`: the tensor itself. Raises: ShapeError where it has another shape."""
    tensor = convert_to_tensor(x)
    wanted = None if shape is None else shape_of(shape)
    own = tuple(tensor.shape or ())
    fits = wanted is None or (
        len(wanted) == len(own) and all(n is None or n == m for n, m in zip(wanted, own, strict=True))
    )
    if not fits:
        raise ShapeError(
            f"The tensor has the shape {written(own)}, not {written(wanted)}.",
            message_zh=f"张量的形状是 {written(own)}，不是 {written(wanted)}。",
        )
    return ops.identity(tensor, name=name)


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> Any:
    """`tf.broadcast_static_shape`: the shape that two shapes are broadcast to."""
    return EagerShape.of(broadcast(shape_of(shape_x), shape_of(shape_y)))


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """`tf.broadcast_dynamic_shape`: the same as a tensor."""
    first, second = (whole_numbers(_plain(one), "shape").reshape(-1).tolist() for one in (shape_x, shape_y))
    return ops.constant(np.asarray(np.broadcast_shapes(tuple(first), tuple(second)), dtype=np.int32))


def _plain(value: Any) -> Any:
    held = concrete(value)
    return value if held is None else held


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: Any = None) -> Any:
    """`tf.math.unsorted_segment_mean`: the mean of the rows with each number; 0 where there are none."""
    with name_scope(name, "UnsortedSegmentMean"):
        values, ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        count = ops.unsorted_segment_sum(ops.ones(ids.shape, values.dtype), ids, num_segments)
        total = ops.unsorted_segment_sum(values, ids, num_segments)
        more = [1] * (len(_lengths(total)) - 1)
        return total / ops.maximum(ops.reshape(count, [-1, *more]), convert_to_tensor(1, dtype=values.dtype))


def polyval(coeffs: Any, x: Any, name: Any = None) -> Any:
    """`tf.math.polyval`: a polynomial by its coefficients, the highest power's first."""
    with name_scope(name, "polyval"):
        at = convert_to_tensor(x)
        if not coeffs:
            return ops.zeros_like(at)
        total = convert_to_tensor(coeffs[0], dtype=at.dtype)
        for coefficient in coeffs[1:]:
            total = convert_to_tensor(coefficient, dtype=at.dtype) + total * at
        return total


def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: Any = False, name: Any = None
) -> Any:
    """`tf.math.reduce_euclidean_norm`: the square root of the sum of squares."""
    with name_scope(name, "EuclideanNorm"):
        return ops.sqrt(
            ops.reduce_sum(ops.square(convert_to_tensor(input_tensor)), axis, keepdims=bool(keepdims))
        )


def as_dtype(type_value: Any) -> DType:
    """`tf.as_dtype`: an element type by its name."""
    return DType(dtype_name(type_value) or "float32")


def identity_n(input: Any, name: Any = None) -> Any:
    """`tf.identity_n`: the same tensors."""
    return [ops.identity(convert_to_tensor(one)) for one in input]


def shape_n(input: Any, out_type: Any = "int32", name: Any = None) -> Any:
    """`tf.shape_n`: the shape of each tensor."""
    return [ops.shape_of(one, out_type=dtype_name(out_type) or "int32") for one in input]


def get_static_value(tensor: Any) -> Any:
    """`tf.get_static_value`: a tensor's value as a numpy array; what is no tensor as it is."""
    if not isinstance(tensor, Operators):
        return tensor
    held = concrete(tensor)
    return held if held is None else np.array(held)[()]


def invert_permutation(x: Any, name: Any = None) -> Any:
    """`tf.math.invert_permutation`: where each number stands. Raises: DtypeError for floats."""
    order = convert_to_tensor(x) if not isinstance(x, list | tuple) or len(x) else ops.constant([], "int32")
    if order.dtype not in ("int32", "int64"):
        raise DtypeError(
            f"A permutation is of int32 or int64, not of {order.dtype}.",
            hint="Write tf.cast(x, tf.int32), or tf.argsort(x) for the order of any numbers.",
            message_zh=f"排列的类型是 int32 或 int64，不能是 {order.dtype}。",
            hint_zh="请写 tf.cast(x, tf.int32)；任意数的次序请用 tf.argsort(x)。",
        )
    return plumbing.invert_permutation(order, name=name)


def argmax(input: Any, axis: Any = None, output_type: Any = "int64", name: Any = None) -> Any:
    """`tf.math.argmax`: where the largest number, or the first True, is along an axis."""
    return ops.argmax(_countable(input), axis, name, dtype_name(output_type) or "int64")


def argmin(input: Any, axis: Any = None, output_type: Any = "int64", name: Any = None) -> Any:
    """`tf.math.argmin`: where the smallest number, or the first False, is along an axis."""
    return ops.argmin(_countable(input), axis, name, dtype_name(output_type) or "int64")


def _countable(x: Any) -> Any:
    """Truth values as 0 and 1, anything else as a tensor of it."""
    value = convert_to_tensor(x, name="input")
    return ops.cast(value, "uint8") if value.dtype == "bool" else value


MEMBERS: dict[str, Callable[..., Any]] = {
    "gather": gather,
    "linspace": linspace,
    "math.confusion_matrix": confusion_matrix,
    "ensure_shape": ensure_shape,
    "broadcast_static_shape": broadcast_static_shape,
    "broadcast_dynamic_shape": broadcast_dynamic_shape,
    "math.unsorted_segment_mean": unsorted_segment_mean,
    "math.polyval": polyval,
    "math.reduce_euclidean_norm": reduce_euclidean_norm,
    **dict.fromkeys(("as_dtype", "dtypes.as_dtype"), as_dtype),
    "identity_n": identity_n,
    "shape_n": shape_n,
    "get_static_value": get_static_value,
    "math.invert_permutation": invert_permutation,
    **dict.fromkeys(("argmax", "math.argmax"), argmax),
    **dict.fromkeys(("argmin", "math.argmin"), argmin),
}
