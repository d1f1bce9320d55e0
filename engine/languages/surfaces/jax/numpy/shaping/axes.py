"""The same elements in another shape, or with their axes in another order: `jnp.reshape`, `jnp.transpose`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.surfaces.jax.api.calling import many, whole
from engine.languages.surfaces.jax.core.errors import index_error, type_error, value_error
from engine.languages.surfaces.jax.core.values import Tracer, aval_of, constant, known
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.lax.basics import expand_dims, shape_of
from engine.languages.surfaces.jax.lax.basics import reshape as reshape_to
from engine.languages.surfaces.jax.numpy.making.lengths import _bad_shape
from engine.languages.surfaces.jax.numpy.promotion import check_arrays
from engine.languages.surfaces.jax.numpy.reducing.axes import axes_of, place_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS, named
from engine.languages.surfaces.left_out import takes_only


def reshaped(x: Any, shape: Sequence[Any], written: Any = None) -> Any:
    """The same elements in another shape, of which one length may be -1.

    written: the shape as the program gave it, which messages say: `3`, `(3,)`, `[3]`.
    """
    lengths = []
    for one in shape:
        if isinstance(one, Tracer) and known(one) is None:
            raise _bad_shape(list(shape), one, "")
        lengths.append(whole(one if not isinstance(one, Tracer) else int(known(one)), "shape"))
    size, said = aval_of(x).size, to_str(tuple(shape) if written is None else written)
    if -1 in lengths:
        rest = prod(n for n in lengths if n != -1)
        if lengths.count(-1) > 1:
            more = f"can only specify one unknown axis size with a `-1` value, got {tuple(lengths)}"
            raise type_error(more, "只能有一个 -1。")
        if rest == 0 or size % rest:
            raise type_error(
                f"cannot reshape array of shape {shape_of(x)} (size {size}) into shape "
                f"{said} because "
                f"the product of specified axis sizes ({rest}) does not evenly divide {size}",
                f"不能把形状 {shape_of(x)} 变为 {said}。",
                code="shape_mismatch",
            )
        lengths[lengths.index(-1)] = size // rest
    if prod(lengths) != size:
        raise type_error(
            f"cannot reshape array of shape {shape_of(x)} (size {size}) into shape {said} "
            f"(size {prod(lengths)})",
            f"不能把形状 {shape_of(x)}（{size} 个元素）变为 {said}（{prod(lengths)} 个元素）。",
            code="shape_mismatch",
        )
    return reshape_to(x, lengths)


@named("reshape")
@takes_only(order=("C", "F"))
def reshape(a: Any, shape: Any = None, order: Any = "C", **_: Any) -> Any:
    """The same elements in another shape; order "F": the first axis goes fastest."""
    (x,) = check_arrays("reshape", [a])
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if order == "F":
        return FUNCTIONS["transpose"](reshaped(FUNCTIONS["transpose"](x), wanted[::-1]))
    return reshaped(x, wanted, shape)


@named("ravel")
@takes_only(order=("C", "F"))
def ravel(a: Any, order: Any = "C") -> Any:
    """All elements along one axis; order "F": the first axis goes fastest."""
    (x,) = check_arrays("ravel", [a])
    x = FUNCTIONS["transpose"](x) if order == "F" else x
    return reshape_to(x, (aval_of(x).size,))


@named("squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    """The array without axes of length one."""
    (x,) = check_arrays("squeeze", [a])
    axes = [i for i, n in enumerate(shape_of(x)) if n == 1] if axis is None else axes_of(x, axis)
    return sh.squeeze(x, axes)


@named("expand_dims")
def expand_dims_(a: Any, axis: Any) -> Any:
    """New axes of length one."""
    (x,) = check_arrays("expand_dims", [a])
    axes = many(axis, "axis")
    places = [place_of(one, len(shape_of(x)) + len(axes)) for one in axes]
    if len(set(places)) < len(places):
        said = f"repeated axis in lax.expand_dims: {axes}"
        raise value_error(said, f"expand_dims 的轴重复：{axes}。")
    return expand_dims(x, places)


@named("transpose", "permute_dims")
def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order, or in the opposite one."""
    (x,) = check_arrays("transpose", [a])
    order = tuple(range(len(shape_of(x))))[::-1] if axes is None else axes_of(x, axes)
    if sorted(order) != list(range(len(shape_of(x)))):
        raise type_error(
            "transpose permutation isn't a permutation of operand dimensions, got permutation "
            f"{order} for operand shape {shape_of(x)}.",
            f"{order} 不是形状 {shape_of(x)} 各轴的一个排列。",
        )
    return sh.transpose(x, order)


@named("matrix_transpose")
def matrix_transpose(x: Any, /) -> Any:
    """The last two axes exchanged."""
    ndim = len(shape_of(constant(x)))
    if ndim < 2:
        raise value_error(
            f"x must be at least two-dimensional for matrix_transpose; got {ndim=}",
            f"matrix_transpose 需要至少二维的数组，但得到 {ndim} 维。",
        )
    return swapaxes(x, -1, -2)


def _place_in_list(axis: int, ndim: int) -> int:
    """An axis, counted from the front. Raises: IndexError, as for the place in a list of axes."""
    if not -ndim <= axis < ndim:
        raise index_error(
            f"index {axis} is out of bounds for axis 0 with size {ndim}",
            f"轴 {axis} 超出了 {ndim} 维数组的范围。",
        )
    return axis % ndim


@named("swapaxes")
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged."""
    (x,) = check_arrays("swapaxes", [a])
    order = list(range(len(shape_of(x))))
    first, second = (_place_in_list(whole(axis, "axis"), len(order)) for axis in (axis1, axis2))
    order[first], order[second] = second, first
    return sh.transpose(x, order)


@named("moveaxis")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes at other places."""
    (x,) = check_arrays("moveaxis", [a])
    ndim = len(shape_of(x))
    sources = [place_of(axis, ndim) for axis in many(source, "source")]
    targets = [place_of(axis, ndim) for axis in many(destination, "destination")]
    order = [axis for axis in range(ndim) if axis not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return sh.transpose(x, order)
