"""TensorFlow 2's functions of whole numbers, through which no gradient goes: bits, bins, places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine import ops
from engine.errors import DtypeError, ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf2.more.arrays import value_now
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Operators


def _whole(value: Any, function: str) -> Any:
    """An array of whole numbers. Raises: DtypeError for others."""
    array = value_now(convert_to_tensor(value), function)
    if array.dtype.kind not in "iu":
        raise DtypeError(
            f"{function} takes whole numbers, not {array.dtype}.",
            hint="Write tf.cast(x, tf.int32).",
            message_zh=f"{function} 需要整数，不能是 {array.dtype}。",
            hint_zh="请写 tf.cast(x, tf.int32)。",
        )
    return array


def _of_bits(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    full = f"tf.bitwise.{name}"

    def call(x: Any, y: Any, name: Any = None) -> Any:
        first, second = (_whole(one, full) for one in (x, y))
        return ops.constant(np.asarray(compute(first, second)))

    return call


def invert(x: Any, name: Any = None) -> Any:
    """`tf.bitwise.invert`: each bit the other way."""
    return ops.constant(np.asarray(np.invert(_whole(x, "tf.bitwise.invert"))))


def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = "int32", name: Any = None
) -> Any:
    """`tf.histogram_fixed_width_bins`: which of equally wide bins each number falls into."""
    array = value_now(convert_to_tensor(values), "tf.histogram_fixed_width_bins")
    return ops.constant(_bins(array, value_range, _count(nbins)), dtype_name(dtype) or "int32")


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = "int32", name: Any = None
) -> Any:
    """`tf.histogram_fixed_width`: how many numbers fall into each; those outside into the first or last."""
    array = value_now(convert_to_tensor(values), "tf.histogram_fixed_width")
    counts = np.bincount(_bins(array, value_range, _count(nbins)).reshape(-1), minlength=_count(nbins))
    return ops.constant(counts, dtype_name(dtype) or "int32")


def _count(nbins: Any) -> int:
    """How many bins. Raises: DtypeError or ProgramError for what is no whole number."""
    array = _whole(nbins, "nbins")
    if array.shape:
        raise ProgramError("nbins must be a single number.", message_zh="nbins 必须是一个数。")
    return int(array)


def _bins(array: Any, value_range: Any, count: int) -> Any:
    bounds = value_now(convert_to_tensor(value_range), "value_range")
    if bounds.shape != (2,) or bounds.dtype.kind not in "fiu":
        raise ProgramError(
            "value_range must be two numbers: where the first bin begins, and where the last one ends.",
            hint="Write [0.0, 5.0].",
            message_zh="value_range 必须是两个数：第一个区间的起点和最后一个区间的终点。",
            hint_zh="请写 [0.0, 5.0]。",
        )
    first, last = bounds.astype(array.dtype)
    places = np.floor((array - first) / (last - first) * array.dtype.type(count))
    return np.clip(places, 0, count - 1).astype(np.int64)


def unravel_index(indices: Any, dims: Any, name: Any = None) -> Any:
    """`tf.unravel_index`: the place along each axis of elements that are counted row by row."""
    places = _whole(indices, "tf.unravel_index")
    lengths = tuple(int(one) for one in _whole(dims, "tf.unravel_index"))
    return ops.constant(np.stack(np.unravel_index(places, lengths)).astype(places.dtype))


def switch_case(
    interpreter: Interpreter, branch_index: Any, branch_fns: Any, default: Any = None, name: Any = None
) -> Any:
    """`tf.switch_case`: what the function of this number gives; of any other number the default, or the last.

    Raises: ProgramError for a number that is no tensor.
    """
    if not isinstance(branch_index, Operators):
        raise ProgramError(
            f"'branch_index' must be a Tensor, got {type(branch_index).__name__}.",
            hint="Write tf.constant(1).",
            message_zh=f"'branch_index' 必须是张量，不能是 {type(branch_index).__name__}。",
            hint_zh="请写 tf.constant(1)。",
            code="wrong_arguments",
            kind="TypeError",
        )
    number = int(_whole(branch_index, "tf.switch_case"))
    is_listed = isinstance(branch_fns, (list, tuple)) and not any(
        isinstance(one, tuple) for one in branch_fns
    )
    listed: Mapping[int, Any] = dict(enumerate(branch_fns) if is_listed else dict(branch_fns).items())
    last = listed[max(listed)] if default is None else default
    return interpreter.call(listed.get(number, last), [], {})


BITS: Mapping[str, Callable[..., Any]] = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "left_shift": np.left_shift,
    "right_shift": np.right_shift,
}
MEMBERS: dict[str, Callable[..., Any]] = {
    **{f"bitwise.{name}": _of_bits(name, compute) for name, compute in BITS.items()},
    "bitwise.invert": invert,
    "histogram_fixed_width": histogram_fixed_width,
    "histogram_fixed_width_bins": histogram_fixed_width_bins,
    "unravel_index": unravel_index,
    "switch_case": switch_case,
}
