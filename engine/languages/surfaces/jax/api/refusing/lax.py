"""What functions of `jax.lax` refuse of shapes and types, in JAX's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.surfaces.jax.core.avals import Shape
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import shape_of

TIPS = {"concatenate": "concatenate", "select": "where"}


def check_same_types(name: str, values: Sequence[Any]) -> None:
    """Raises: TypeError where element types differ, which `jax.lax` does not convert."""
    types = [aval_of(value).dtype for value in values]
    if len(set(types)) < 2:
        return
    listed, tip = ", ".join(types), TIPS.get(name)
    tip = (
        f" (Tip: jnp.{tip} is a similar function that does automatic type promotion on inputs)" if tip else ""
    )
    raise type_error(
        f"lax.{name} requires arguments to have the same dtypes, got {listed}.{tip}{'.' if tip else ''}",
        f"lax.{name} 的各参数元素类型必须相同，但得到 {listed}。",
    )


def check_starts(x: Any, starts: Sequence[Any]) -> None:
    """Raises: where there is not one whole number for each axis."""
    if len(starts) != len(shape_of(x)):
        raise value_error(
            f"Length of slice indices must match number of operand dimensions ({len(starts)} vs "
            f"{shape_of(x)})",
            f"起点有 {len(starts)} 个，而数组的形状是 {shape_of(x)}。",
        )


def check_places(name: str, starts: Sequence[Any]) -> None:
    """Raises: TypeError for computed places that are no single whole numbers."""
    avals = [aval_of(start) for start in starts]
    if any(aval.shape for aval in avals):
        shown = ", ".join(f"ShapedArray({aval.long()})" for aval in avals)
        raise type_error(
            f"start_indices arguments to {name} must be scalars,  got indices "
            f"({shown}{',' * (len(avals) == 1)})",
            "每个起点必须是一个整数。",
        )
    types = [aval.dtype for aval in avals]
    if len(set(types)) > 1 or not all(kind.startswith(("int", "uint")) for kind in types):
        raise type_error(
            f"index arguments to {name} must be integers of the same type, got: {', '.join(types)}",
            f"起点必须是同一种整数，但得到 {', '.join(types)}。",
        )


def check_sizes(shape: Shape, sizes: Sequence[int]) -> None:
    """Raises: TypeError for a part that is longer than the array."""
    if any(size > length for size, length in zip(sizes, shape, strict=False)):
        raise type_error(
            "slice slice_sizes must be less than or equal to operand shape, got slice_sizes "
            f"{tuple(sizes)} for "
            f"operand shape {shape}.",
            f"取出的一段 {tuple(sizes)} 比数组 {shape} 还大。",
        )


def check_update(x: Any, new: Any) -> None:
    """Raises: TypeError for a part that does not fit into the array."""
    check_same_types("dynamic_update_slice", [x, new])
    shape, have = shape_of(x), shape_of(new)
    if len(shape) != len(have):
        raise type_error(
            f"dynamic_update_slice update must have the same rank as operand, got update shape {have} "
            "for operand "
            f"shape {shape}.",
            f"放入的一段形状是 {have}，轴数与数组 {shape} 不同。",
        )
    if any(part > length for part, length in zip(have, shape, strict=True)):
        raise type_error(
            "dynamic_update_slice update shape must be smaller than operand shape, got update shape "
            f"{have} for "
            f"operand shape {shape}.",
            f"放入的一段 {have} 比数组 {shape} 还大。",
        )


def check_permutation(x: Any, order: Sequence[int]) -> None:
    """Raises: TypeError where an order of axes does not name each axis once."""
    if sorted(order) != list(range(len(shape_of(x)))):
        raise type_error(
            "transpose permutation isn't a permutation of operand dimensions, got permutation "
            f"{tuple(order)} for "
            f"operand shape {shape_of(x)}.",
            f"{tuple(order)} 不是形状 {shape_of(x)} 的各轴的排列。",
        )


def check_broadcast(x: Any, shape: Shape, places: Sequence[int]) -> None:
    """Raises: TypeError where the axes of an array have no place in a larger shape."""
    have = shape_of(x)
    if len(places) != len(have):
        raise type_error(
            f"broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got "
            f"broadcast_dimensions {tuple(places)} for operand ndim {len(have)}.",
            f"broadcast_dimensions 必须与数组的轴数 {len(have)} 相同。",
        )
    if not all(0 <= place < len(shape) for place in places):
        raise type_error(
            "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got "
            f"{tuple(places)} for "
            f"operand ndim {len(have)} and shape {shape}.",
            f"broadcast_dimensions {tuple(places)} 超出了形状 {shape} 的各轴。",
        )
    if any(length not in (1, shape[place]) for length, place in zip(have, places, strict=True)):
        raise type_error(
            "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding "
            f"dimensions in the target broadcast shape; got operand of shape {have}, target broadcast shape "
            f"{shape}, broadcast_dimensions {tuple(places)}",
            f"形状 {have} 不能变为 {shape}。",
        )


def check_bound(name: str, bound: Any, x: Any) -> None:
    """Raises: TypeError for bounds that are neither one number nor one for each element."""
    have, shape = shape_of(bound), shape_of(x)
    if have not in ((), shape):
        raise type_error(
            f"clamp requires {name}.shape == operand.shape or {name}.shape == (), got {name}.shape={have}, "
            f"operand.shape={shape}.",
            f"clamp 的 {name} 形状 {have} 必须是 () 或 {shape}。",
        )


def check_dot(x: Any, y: Any) -> None:
    """Raises: ValueError for other than vectors and matrices that fit."""
    a, b = shape_of(x), shape_of(y)
    if not (len(a) in (1, 2) and len(b) in (1, 2) and a[-1] == b[0]):
        raise value_error(
            "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched "
            "matrix-matrix, matrix-vector, or vector-vector products; got "
            f"lhs_shape={a} rhs_shape={b}",
            f"lax.dot 只用于相配的向量和矩阵，但形状是 {a} 和 {b}。",
        )


def check_count(x: Any, count: int) -> None:
    """Raises: ValueError where more largest elements are asked for than there are."""
    shape = shape_of(x)
    if not shape:
        raise value_error("axis -1 is out of bounds for array of dimension 0", "top_k 需要至少一个轴。")
    if count < 0:
        raise value_error(f"k argument to top_k must be nonnegative, got {count}", "top_k 的 k 不能是负数。")
    if count > shape[-1]:
        raise value_error(
            f"k argument to top_k must be no larger than size along axis; got k={count} with "
            f"shape={list(shape)} and axis={len(shape) - 1}",
            f"top_k 的 k={count} 超过了长度 {shape[-1]}。",
        )


def axis_of(axis: int, ndim: int) -> int:
    """An axis, counted from the front. Raises: ValueError where there is none."""
    if not -ndim <= axis < ndim:
        raise value_error(
            f"axis {axis} is out of bounds for array of dimension {ndim}",
            f"轴 {axis} 超出了 {ndim} 维数组的范围。",
        )
    return axis % ndim
