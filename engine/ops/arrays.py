"""Making tensors, and giving them another shape, order or type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops import arithmetic, plumbing, reductions
from engine.ops.building import as_array, constant_node, convert_to_tensor, current_graph, name_scope
from engine.ops.definition import op
from engine.ops.shapes import (
    constant_shape,
    constant_value,
    element_count,
    is_static,
    same,
    scalar,
    written,
)
from engine.ops.tensors import DTYPES, FLOATS, Array, Node, Shape, Tensor

RANGE_TYPES = ("int32", "int64", "float32", "float64")  # the later one holds them all
SMALL_CONSTANT = 1000  # elements; a larger array of zeros or ones is a Fill
SOURCE = "it has no inputs; it is what others are differentiated by"
DISCRETE = "its output is an integer count, which does not vary smoothly with x"


# -- constants and placeholders ------------------------------------------------------------------


def _value_shape(*, attributes: Any) -> Shape:
    shape: tuple[int, ...] = attributes["value"].shape
    return shape


@op(
    "Const",
    inputs="",
    outputs=("dtype",),
    shape=_value_shape,
    latex="{value}",
    no_gradient=SOURCE,
    ends_path=True,
)
def const(value: Any = None, dtype: str = "float32") -> Any:
    """A fixed value, part of the graph itself."""
    return value


def constant(value: Any, dtype: str | None = None, shape: Any = None, name: str | None = None) -> Tensor:
    """`tf.constant`: one number fills the shape, a list is reshaped to it.

    Raises: ShapeError where the list holds more values than the shape takes.
    """
    array = as_array(value, dtype)
    if shape is not None:
        array = _filled(array, tuple(int(n) for n in np.atleast_1d(np.asarray(shape, dtype=np.int64))))
    return constant_node(array, name or "Const")


def _filled(array: Array, shape: tuple[int, ...]) -> Array:
    count = int(np.prod(shape, dtype=np.int64))
    if array.ndim == 0:
        return np.broadcast_to(array, shape)
    if array.size == count:
        return array.reshape(shape)
    if array.size == 0 or array.size > count:
        raise ShapeError(
            f"{array.size} values do not fit the shape {written(shape)}.",
            message_zh=f"{array.size} 个值放不进形状 {written(shape)}。",
        )
    flat = np.full(count, array.reshape(-1)[-1], dtype=array.dtype)  # the last value fills the rest
    flat[: array.size] = array.reshape(-1)
    return flat.reshape(shape)


def _declared_shape(*, attributes: Any) -> Shape:
    shape: Shape = attributes["shape"]
    return shape


@op(
    "Placeholder",
    inputs="",
    outputs=("dtype",),
    shape=_declared_shape,
    stateful=True,
    latex="{name}",
    no_gradient=SOURCE,
    ends_path=True,
)
def placeholder_op(dtype: str = "float32", shape: Shape = None) -> Any:
    """A value that is given when the graph runs (`feed_dict`)."""
    raise ValueRefused("A placeholder has no value of its own; feed it.")


def placeholder(dtype: str, shape: Any = None, name: str | None = None) -> Tensor:
    """`tf.placeholder`: shape None means anything, None for an axis any length."""
    lengths = None if shape is None else tuple(None if n is None else int(n) for n in shape)
    return placeholder_op(dtype=dtype, shape=lengths, name=name)


def _fill_shape(dims: Shape, value: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    return constant_shape(inputs[0])


@op(
    "Fill",
    inputs="dims value",
    types="index_type T",
    outputs=("T",),
    shape=_fill_shape,
    latex=r"\mathrm{fill}({dims}, {value})",
    adjoints=["0", r"\sum \bar{y}"],
)
def fill(dims: Array, value: Array) -> Any:
    """One value everywhere. Shapes: dims (r,), value () -> y of shape dims."""
    return np.full(tuple(int(n) for n in dims), value)


@fill.gradient
def fill_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [None, reductions.reduce_sum(dy)]


def zeros(shape: Any, dtype: str = "float32", name: str | None = None) -> Tensor:
    """`tf.zeros`: one constant where the shape is a small tuple, a Fill otherwise."""
    return _uniform(0, shape, dtype, name, "zeros")


def ones(shape: Any, dtype: str = "float32", name: str | None = None) -> Tensor:
    """`tf.ones`: one constant where the shape is a small tuple, a Fill otherwise."""
    return _uniform(1, shape, dtype, name, "ones")


def _uniform(value: int, shape: Any, dtype: str, name: str | None, default: str) -> Tensor:
    with name_scope(name, default) as scope:
        if isinstance(shape, (int, np.integer)):
            shape = (int(shape),)
        if not isinstance(shape, Tensor) and not _has_tensors(shape):
            lengths = tuple(int(n) for n in shape)
            if int(np.prod(lengths, dtype=np.int64)) < SMALL_CONSTANT:
                return constant_node(np.broadcast_to(np.asarray(value, dtype=dtype), lengths), scope)
            shape = constant_node(np.asarray(lengths, dtype=np.int32), "shape_as_tensor")
        elif not isinstance(shape, Tensor):
            _ = _product(shape) < SMALL_CONSTANT  # TensorFlow leaves the question in the graph
        dims = convert_to_tensor(shape, dtype=None, name="packed", prefer="int32")
        return fill(dims, constant_node(np.asarray(value, dtype=dtype), "Const"), name=scope)


def _product(lengths: Sequence[Any]) -> Any:
    total, *rest = lengths
    for length in rest:
        total = total * length
    return total


def _has_tensors(shape: Any) -> bool:
    return any(isinstance(n, Tensor) for n in shape)


@op(
    "ZerosLike",
    inputs="x",
    shape=same,
    latex="0",
    no_gradient="its output is zero whatever x is",
    ends_path=True,
)
def zeros_like_op(x: Array) -> Any:
    """Zeros shaped like x. Shapes: x (*S) -> y (*S)."""
    return np.zeros_like(x)


def zeros_like(x: Any, dtype: str | None = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """`tf.zeros_like`: zeros of a known shape where it is known, else a node that looks."""
    with name_scope(name, "zeros_like") as scope:
        x = convert_to_tensor(x, name="tensor")
        if optimize and is_static(x.shape):
            return zeros(x.shape, dtype or x.dtype, name=scope)
        if dtype is not None and dtype != x.dtype:
            return zeros(shape_op(x), dtype, name=scope)
        return zeros_like_op(x, name=scope)


# -- asking for the shape ------------------------------------------------------------------------


def _rank_long(x: Shape) -> Shape:
    return (None,) if x is None else (len(x),)


@op(
    "Shape",
    inputs="x",
    outputs=("out_type",),
    shape=_rank_long,
    latex=r"\mathrm{shape}\, {x}",
    no_gradient=DISCRETE,
    ends_path=True,
)
def shape_op(x: Array, out_type: str = "int32") -> Any:
    """The lengths of x, one per axis. Shapes: x (*S) -> y (rank of x,)."""
    return np.asarray(x.shape, dtype=out_type)


@op(
    "Size",
    inputs="x",
    outputs=("out_type",),
    shape=scalar,
    latex=r"\#{x}",
    no_gradient=DISCRETE,
    ends_path=True,
)
def size_op(x: Array, out_type: str = "int32") -> Any:
    """How many elements x has. Shapes: x (*S) -> y ()."""
    return np.asarray(x.size, dtype=out_type)


@op(
    "Rank",
    inputs="x",
    outputs=("int32",),
    shape=scalar,
    latex=r"\mathrm{rank}\, {x}",
    no_gradient=DISCRETE,
    ends_path=True,
)
def rank_op(x: Array) -> Any:
    """How many axes x has. Shapes: x (*S) -> y ()."""
    return np.asarray(x.ndim, dtype=np.int32)


def shape_of(x: Any, name: str | None = None, out_type: str = "int32") -> Tensor:
    """`tf.shape`: a constant where the shape is known, else a Shape node."""
    with name_scope(name, "Shape") as scope:
        x = convert_to_tensor(x)
        if is_static(x.shape):
            return constant_node(np.asarray(x.shape, dtype=out_type), scope)
        return shape_op(x, out_type=out_type, name=scope)


def size_of(x: Any, name: str | None = None, out_type: str = "int32") -> Tensor:
    """`tf.size`: a constant where the shape is known, else a Size node."""
    with name_scope(name, "Size") as scope:
        x = convert_to_tensor(x)
        if is_static(x.shape):
            return constant_node(np.asarray(element_count(x.shape), dtype=out_type), scope)
        return size_op(x, out_type=out_type, name=scope)


def rank_of(x: Any, name: str | None = None) -> Tensor:
    """`tf.rank`: a constant where the rank is known, else a Rank node."""
    with name_scope(name, "Rank") as scope:
        x = convert_to_tensor(x)
        if x.shape is not None:
            return constant_node(np.asarray(len(x.shape), dtype=np.int32), scope)
        return rank_op(x, name=scope)


# -- another shape -------------------------------------------------------------------------------


def _reshaped(x: Shape, shape: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    """The lengths asked for; a single unknown one follows from the number of elements."""
    partly = constant_shape(inputs[1])
    count = element_count(x)
    if partly is None or count is None:
        return partly
    wanted = list(partly)
    rest = math.prod(n for n in wanted if n is not None)
    if wanted.count(None) == 1 and rest and count % rest == 0:
        wanted[wanted.index(None)] = count // rest
    elif (value := constant_value(inputs[1])) is not None and (None in wanted or rest != count):
        raise _wrong_count(x, value, count)
    return tuple(wanted)


def _wrong_count(x: Shape, value: Array, count: int) -> ShapeError:
    wanted = written(tuple(int(n) for n in np.atleast_1d(value)))
    return ShapeError(
        f"{written(x)} holds {count} elements, which cannot be reshaped to {wanted}.",
        hint="The product of the lengths must stay the same; one length may be -1.",
        message_zh=f"{written(x)} 有 {count} 个元素，无法变形为 {wanted}。",
        hint_zh="各轴长度的乘积必须保持不变；其中一个长度可以写 -1。",
    )


@op(
    "Reshape",
    inputs="tensor shape",
    types="T Tshape",
    shape=_reshaped,
    latex=r"\mathrm{reshape}({tensor})",
    adjoints=[r"\mathrm{reshape}(\bar{y})", "0"],
)
def reshape(tensor: Array, shape: Array) -> Any:
    """The same elements in another shape; one length may be -1. Shapes: tensor (*S), shape (r,) -> y."""
    return tensor.reshape(tuple(int(n) for n in np.atleast_1d(shape)))


@reshape.gradient
def reshape_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [reshape(dy, shape_of(node.inputs[0])), None]


def _expanded(x: Shape, dim: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    axis = constant_value(inputs[1])
    if x is None or axis is None:
        return None
    place = int(axis.reshape(())) % (len(x) + 1)
    return (*x[:place], 1, *x[place:])


@op(
    "ExpandDims",
    inputs="input dim",
    types="T Tdim",
    shape=_expanded,
    latex=r"\mathrm{expand}({input})",
    adjoints=[r"\mathrm{reshape}(\bar{y})", "0"],
)
def expand_dims_op(input: Array, dim: Array) -> Any:
    """A new axis of length 1 at the place dim. Shapes: input (*S) -> y with one axis more."""
    return np.expand_dims(input, int(dim.reshape(())))


@expand_dims_op.gradient
def expand_dims_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [reshape(dy, shape_of(node.inputs[0])), None]


def expand_dims(x: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tf.expand_dims`."""
    if not isinstance(axis, Tensor):
        axis = np.int32(axis)
    return expand_dims_op(x, axis, name=name)


def _squeezed(x: Shape, *, squeeze_dims: Sequence[int]) -> Shape:
    if x is None:
        return None
    if not squeeze_dims:
        return None if None in x else tuple(n for n in x if n != 1)
    drop = {axis % len(x) for axis in squeeze_dims}
    if any(x[axis] not in (1, None) for axis in drop):
        raise ShapeError(
            f"Squeeze drops axes of length 1, but {written(x)} has others at {sorted(drop)}.",
            message_zh=f"Squeeze 只能去掉长度为 1 的轴，但 {written(x)} 在 {sorted(drop)} 处不是 1。",
        )
    return tuple(n for axis, n in enumerate(x) if axis not in drop)


@op(
    "Squeeze",
    inputs="input",
    shape=_squeezed,
    latex=r"\mathrm{squeeze}({input})",
    adjoints=[r"\mathrm{reshape}(\bar{y})"],
)
def squeeze_op(input: Array, squeeze_dims: Sequence[int] = ()) -> Any:
    """Without the axes of length 1 (all of them, or those named). Shapes: input (*S) -> y."""
    return np.squeeze(input, axis=tuple(squeeze_dims) or None)


@squeeze_op.gradient
def squeeze_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [reshape(dy, shape_of(node.inputs[0]))]


def squeeze(x: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """`tf.squeeze`."""
    axes = () if axis is None else tuple(int(n) for n in np.atleast_1d(axis))
    return squeeze_op(x, squeeze_dims=axes, name=name)


def _transposed(x: Shape, perm: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    order = constant_value(inputs[1])
    if x is None:
        return None
    if order is None:
        return (None,) * len(x)
    return tuple(x[int(axis)] for axis in order)


@op(
    "Transpose",
    inputs="x perm",
    types="T Tperm",
    shape=_transposed,
    latex=r"{x}^{\top}",
    adjoints=[r"\bar{y}^{\top}", "0"],
)
def transpose_op(x: Array, perm: Array) -> Any:
    """The axes in another order. Shapes: x (*S), perm (r,) -> y with y.shape[i] = x.shape[perm[i]]."""
    return np.transpose(x, tuple(int(axis) for axis in perm))


@transpose_op.gradient
def transpose_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    order = plumbing.invert_permutation(node.inputs[1])
    return [transpose(dy, order), None]


def transpose(x: Any, perm: Any = None, name: str | None = None) -> Tensor:
    """`tf.transpose`: all axes reversed where no order is given."""
    with name_scope(name, "transpose") as scope:
        x = convert_to_tensor(x, name="x")
        if perm is None:
            perm = _reversed_axes(x)
        return transpose_op(x, perm, name=scope)


def _reversed_axes(x: Tensor) -> Any:
    """The axes from last to first; computed when the graph runs, where their number is unknown."""
    if x.shape is not None:
        return np.arange(len(x.shape), dtype=np.int32)[::-1]
    rank = rank_op(x)
    return arithmetic.sub(rank, 1, name="sub") - range_of(0, rank, 1, name="Range")


# -- another type --------------------------------------------------------------------------------


@op(
    "Cast",
    inputs="x",
    types="SrcT",
    outputs=("DstT",),
    shape=lambda x: x,
    fixed={"Truncate": False},
    latex=r"\mathrm{cast}({x})",
    adjoints=[r"\mathrm{cast}(\bar{y})"],
)
def cast_op(x: Array, DstT: str = "float32") -> Any:
    """The same numbers in another type; an integer drops the fraction. Shapes: x (*S) -> y (*S)."""
    return x.astype(DstT)


@cast_op.gradient
def cast_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    source = node.inputs[0].dtype
    return [cast(dy, source) if source in FLOATS and dy.dtype in FLOATS else None]


def cast(x: Any, dtype: str, name: str | None = None) -> Tensor:
    """`tf.cast`: a tensor that has the type already is given back as it is."""
    if dtype not in DTYPES:
        raise ValueRefused(f"There is no type {dtype!r}.", message_zh=f"没有 {dtype!r} 这种类型。")
    if isinstance(x, Tensor) and x.dtype == dtype:
        return x
    with name_scope(name, "Cast") as scope:
        x = convert_to_tensor(x, name="x")
        return x if x.dtype == dtype else cast_op(x, DstT=dtype, name=scope)


# -- numbers in a row ----------------------------------------------------------------------------


def _range_length(*_: Shape, inputs: Sequence[Tensor]) -> Shape:
    values = [constant_value(tensor) for tensor in inputs]
    known = [value for value in values if value is not None]
    if len(known) < 3 or known[2] == 0:
        return (None,)
    start, limit, delta = (float(value) for value in known)
    return (max(0, int(np.ceil((limit - start) / delta))),)


@op(
    "Range",
    inputs="start limit delta",
    types="Tidx Tidx Tidx",
    outputs=("Tidx",),
    shape=_range_length,
    latex=r"{start}, {start} + {delta}, \ldots",
    no_gradient="its output is a row of evenly spaced numbers, counted rather than computed",
    ends_path=True,
)
def range_op(start: Array, limit: Array, delta: Array) -> Any:
    """Numbers from start up to, without, limit. Shapes: three times () -> y (n,)."""
    return np.arange(start.item(), limit.item(), delta.item(), dtype=start.dtype)


def range_of(
    start: Any, limit: Any = None, delta: Any = 1, dtype: str | None = None, name: str | None = None
) -> Tensor:
    """`tf.range(limit)` or `tf.range(start, limit, delta)`."""
    if limit is None:
        start, limit = 0, start
    with current_graph().name_scope(name or "range") as scope:
        parts = [
            convert_to_tensor(value, dtype=dtype, name=part)
            for value, part in ((start, "start"), (limit, "limit"), (delta, "delta"))
        ]
        widest = dtype or max((part.dtype for part in parts), key=RANGE_TYPES.index)
        return range_op(*(cast(part, widest) for part in parts), name=scope)
