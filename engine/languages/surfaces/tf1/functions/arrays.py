"""TensorFlow's functions that make arrays and change their shape, with TensorFlow's own argument names."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from engine import ops
from engine.errors import DtypeError, ProgramError, ShapeError, ValueRefused
from engine.graph import Tensor
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.argument_kinds import ANY_DTYPE, AXIS, COUNT, LIST, WHOLE
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.tf1.functions.ops import TF, Build
from engine.ops.arrays import joining, reshaping
from engine.ops.base.spellings import one_of
from engine.ops.base.tensors import Operators
from engine.ops.common import constants


@TF.function("constant", dtype=ANY_DTYPE)
def constant(
    interpreter: Interpreter,
    value: Any,
    dtype: Any = None,
    shape: Any = None,
    name: Any = "Const",
    verify_shape: Any = False,
) -> Tensor:
    """A fixed value."""
    if shape is not None:
        shape = known_shape(interpreter, shape)
        if verify_shape:
            constants.verify_shape(plain(value), tuple(shape))
    return ops.constant(plain(value), dtype_name(dtype), shape, name=name)


@TF.function("convert_to_tensor", dtype=ANY_DTYPE, preferred_dtype=ANY_DTYPE, dtype_hint=ANY_DTYPE)
def convert_to_tensor(
    value: Any, dtype: Any = None, name: Any = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """A tensor for any value; of plain numbers in the type that is preferred, where they fit into it."""
    kind = dtype_name(dtype)
    wanted = dtype_name(one_of("dtype_hint", dtype_hint, "preferred_dtype", preferred_dtype))
    if kind is None and wanted is not None and not isinstance(value, Operators):
        with suppress(DtypeError, ValueRefused):
            return ops.convert_to_tensor(plain(value), wanted, name=name)
    return ops.convert_to_tensor(plain(value), kind, name=name)


@TF.function("zeros", dtype=ANY_DTYPE)
def zeros(interpreter: Interpreter, shape: Any, dtype: Any = "float32", name: Any = None) -> Tensor:
    """Zeros of a shape."""
    return ops.zeros(_lengths(interpreter, shape), dtype_name(dtype) or "float32", name=name)


@TF.function("ones")
def ones(interpreter: Interpreter, shape: Any, dtype: Any = "float32", name: Any = None) -> Tensor:
    """Ones of a shape."""
    return ops.ones(_lengths(interpreter, shape), dtype_name(dtype) or "float32", name=name)


@TF.function("fill")
def fill(interpreter: Interpreter, dims: Any, value: Any, name: Any = None) -> Tensor:
    """One value everywhere."""
    return ops.fill(known_shape(interpreter, dims), value, name=name)


@TF.function("zeros_like", dtype=ANY_DTYPE)
def zeros_like(tensor: Any, dtype: Any = None, name: Any = None, optimize: Any = True) -> Tensor:
    """Zeros shaped like a tensor."""
    return ops.zeros_like(tensor, dtype_name(dtype), name=name)


@TF.function("ones_like")
def ones_like(tensor: Any, dtype: Any = None, name: Any = None, optimize: Any = True) -> Tensor:
    """Ones shaped like a tensor."""
    return ops.ones_like(tensor, dtype_name(dtype), name=name)


@TF.function("as_dtype", "dtypes.as_dtype", type_value=ANY_DTYPE)
def as_dtype(type_value: Any) -> Any:
    """The element type that a name, or a type of numpy's or Python's, stands for."""
    return DType(dtype_name(type_value) or "float32")


@TF.function("cast", "dtypes.cast", dtype=ANY_DTYPE)
def cast(x: Any, dtype: Any, name: Any = None) -> Tensor:
    """Another element type."""
    return ops.cast(x, dtype_name(dtype) or "float32", name=name)


def _converter(dtype: str, name: str) -> Build:
    def convert(x: Any, name: Any = name) -> Tensor:
        return ops.cast(x, dtype, name=name)

    return convert


TF.function("to_float")(_converter("float32", "ToFloat"))
TF.function("to_double")(_converter("float64", "ToDouble"))
TF.function("to_int32")(_converter("int32", "ToInt32"))
TF.function("to_int64")(_converter("int64", "ToInt64"))


@TF.function("reshape")
def reshape(tensor: Any, shape: Any, name: Any = None) -> Tensor:
    """The same elements in another shape, which a graph wants as a list."""
    if isinstance(shape, WHOLE) and isinstance(tensor, Operators) and concrete(tensor) is None:
        raise ShapeError(
            f"Shape must be rank 1 but is rank 0: write [{shape}].",
            message_zh=f"形状应是列表：请写 [{shape}]。",
        )
    return reshaping.reshape(tensor, shape, name=name)


@TF.function("transpose")
def transpose(a: Any, perm: Any = None, name: Any = None, conjugate: Any = False) -> Tensor:
    """Axes in another order."""
    return ops.transpose(a, perm, name=name)


@TF.function("expand_dims")
def expand_dims(input: Any, axis: Any = None, name: Any = None, dim: Any = None) -> Tensor:
    """A new axis of length 1."""
    return ops.expand_dims(input, one_of("axis", axis, "dim", dim), name=name)


@TF.function("squeeze")
def squeeze(input: Any, axis: Any = None, name: Any = None, squeeze_dims: Any = None) -> Tensor:
    """Without the axes of length 1."""
    return ops.squeeze(input, one_of("axis", axis, "squeeze_dims", squeeze_dims), name=name)


@TF.function("concat", values=LIST, axis=AXIS)
def concat(values: Any, axis: Any, name: Any = "concat") -> Tensor:
    """Tensors one after the other along an axis."""
    return ops.concat(values if isinstance(values, Operators) else list(values), axis, name=name)


@TF.function("stack", "pack", values=LIST, axis=AXIS)
def stack(values: Any, axis: int = 0, name: Any = "stack") -> Tensor:
    """Tensors side by side along a new axis."""
    return ops.stack(values, axis, name=name)


@TF.function("unstack", axis=COUNT, num=COUNT)
def unstack(value: Any, num: Any = None, axis: int = 0, name: Any = "unstack") -> list[Any]:
    """The parts along an axis."""
    return list(ops.unstack(value, num, axis, name=name))


@TF.function("split", axis=AXIS)
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: Any = "split"
) -> list[Any]:
    """Equal parts along an axis."""
    return list(ops.split(value, num_or_size_splits, axis, name=name))


@TF.function("tile")
def tile(interpreter: Interpreter, input: Any, multiples: Any, name: Any = None) -> Tensor:
    """Repeated along its axes."""
    return joining.tile(input, multiples, name=name)


@TF.function("slice")
def slice_(input_: Any, begin: Any, size: Any, name: Any = None) -> Tensor:
    """A part, by where it begins and how long it is."""
    return ops.slice_op(input_, begin, size, name=name)


@TF.function("pad")
def pad(tensor: Any, paddings: Any, mode: Any = "CONSTANT", name: Any = None) -> Tensor:
    """Zeros around."""
    if mode != "CONSTANT":
        raise ProgramError(
            f"tf.pad has only the mode CONSTANT here, not {mode}.",
            message_zh=f"这里 tf.pad 只支持 CONSTANT 模式，不支持 {mode}。",
            code="bad_value",
        )
    return ops.pad(tensor, paddings, name=name)


@TF.function("shape")
def shape(input: Any, name: Any = None, out_type: Any = "int32") -> Tensor:
    """The shape as a tensor."""
    return ops.shape_of(input, name=name, out_type=dtype_name(out_type) or "int32")


@TF.function("size")
def size(input: Any, name: Any = None, out_type: Any = "int32") -> Tensor:
    """The number of elements as a tensor."""
    return ops.size_of(input, name=name, out_type=dtype_name(out_type) or "int32")


@TF.function("rank")
def rank(input: Any, name: Any = None) -> Tensor:
    """The number of axes as a tensor."""
    return ops.rank_of(input, name=name)


@TF.function("range")
def range_(
    interpreter: Interpreter,
    start: Any,
    limit: Any = None,
    delta: Any = 1,
    dtype: Any = None,
    name: Any = "range",
) -> Tensor:
    """Evenly spaced numbers."""
    return ops.range_of(start, limit, delta, dtype_name(dtype), name=name)


@TF.function("where")
def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Tensor:
    """Elements of x where the condition holds, of y elsewhere."""
    if x is None or y is None:
        raise ProgramError(
            "tf.where needs both branches here: tf.where(condition, x, y).",
            message_zh="这里 tf.where 需要两个分支：tf.where(condition, x, y)。",
            code="wrong_arguments",
        )
    return ops.select(condition, x, y, name=name)


def plain(value: Any) -> Any:
    """An array of the program copied, so that changing it later leaves the graph alone."""
    return np.array(value) if isinstance(value, np.ndarray) else value


def _lengths(interpreter: Interpreter, shape: Any) -> Any:
    """The same, but a number by itself stays one: TensorFlow has no constant for it, and fills a tensor."""
    known = known_shape(interpreter, shape)
    return int(shape) if isinstance(shape, WHOLE) else known


def known_shape(interpreter: Interpreter, shape: Any) -> Any:
    """A shape of plain numbers with its size checked; a shape tensor as it is."""
    if hasattr(shape, "as_tensor"):
        return shape
    if shape is None:
        raise ValueRefused(
            "A shape is a list of whole numbers, not None.",
            message_zh="形状应是整数列表，不能是 None。",
            hint="Write the length along each axis, such as [2, 3]; a single number has the shape [].",
            hint_zh="请写出每一维的长度，例如 [2, 3]；单个数的形状是 []。",
        )
    lengths = [shape] if isinstance(shape, WHOLE) else list(shape)
    if not all(isinstance(length, WHOLE) for length in lengths):
        return shape
    if any(length < 0 for length in lengths):
        raise ShapeError(
            f"A shape has no negative lengths, but this is {tuple(lengths)}.",
            hint="-1 means “whatever fits” in tf.reshape only.",
            message_zh=f"形状中不能有负的长度，但这里是 {tuple(lengths)}。",
            hint_zh="只有 tf.reshape 中的 -1 表示“自动计算”。",
        )
    interpreter.budget.check_elements([int(length) for length in lengths])
    return [int(length) for length in lengths]
