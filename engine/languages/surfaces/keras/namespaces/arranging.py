"""`keras.ops` as numpy has it: matrices made, arrays turned, rolled and put together, weighted means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.namespaces.renamed import in_floats, of_one_type
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.values import where as broadcast_where
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import FLOATS, Operators


def _kind(dtype: Any) -> str:
    return "float32" if dtype is None else dtype_name(dtype) or "float32"


def _axis(axis: Any, axes: int) -> int:
    place = whole_number(axis, "axis")
    if not -axes <= place < axes:
        raise ValueRefused(
            f"axis {place} is out of bounds for array of dimension {axes}",
            message_zh=f"数组有 {axes} 个轴，没有轴 {place}。",
        )
    return place % axes


# -- made of numbers ---------------------------------------------------------------------------------


def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """1 on the k-th diagonal, 0 beside it. Shapes: -> (N, M)."""
    rows = whole_number(N, "N")
    columns = rows if M is None else whole_number(M, "M")
    return ops.constant(np.eye(rows, columns, whole_number(k, "k")), _kind(dtype))


def identity(n: Any, dtype: Any = None) -> Any:
    """1 on the diagonal, 0 beside it. Shapes: -> (n, n)."""
    return eye(n, dtype=dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """One number everywhere."""
    lengths = [shape] if isinstance(shape, (int, np.integer)) else list(iterate(shape))
    return ops.fill([whole_number(one, "shape") for one in lengths], ops.cast(fill_value, _kind(dtype)))


def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False, dtype: Any = None
) -> Any:
    """So many numbers at equal distances; with `retstep` the distance, too."""
    first, last = (in_floats(one) for one in of_one_type([start, stop]))
    count = whole_number(num, "num")
    step = (last - first) / float(max(count - 1 if endpoint else count, 1))
    made = ops.linspace(first, last, count) if endpoint else first + step * np.arange(count)
    made = made if dtype is None else ops.cast(made, _kind(dtype))
    return (made, step) if retstep else made


def one_hot(x: Any, num_classes: Any, axis: Any = -1, dtype: Any = None) -> Any:
    """1 at the place of each class, along a new axis."""
    places = ops.cast(convert_to_tensor(x), "int32")
    made = ops.one_hot(places, whole_number(num_classes, "num_classes"), axis=axis)
    return ops.cast(made, _kind(dtype))


# -- parts of arrays ---------------------------------------------------------------------------------


def trace(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The sum along a diagonal."""
    return ops.reduce_sum(diagonal(x, offset, axis1, axis2), -1)


def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """What stands on a diagonal of each matrix."""
    tensor: Any = convert_to_tensor(x)
    first, second = (_axis(one, len(tensor.shape)) for one in (axis1, axis2))
    others = [one for one in range(len(tensor.shape)) if one not in (first, second)]
    turned: Any = ops.transpose(tensor, [first, second, *others])
    shift = whole_number(offset, "offset")
    rows, columns = turned.shape[:2]
    count = max(min(rows + min(shift, 0), columns - max(shift, 0)), 0)
    places = np.stack([np.arange(count) - min(shift, 0), np.arange(count) + max(shift, 0)], 1)
    found = ops.gather_nd(turned, places.astype("int32"))
    return ops.transpose(found, [*range(1, len(tensor.shape) - 1), 0])


def diag(x: Any, k: Any = 0) -> Any:
    """A matrix with these numbers on a diagonal; of a matrix the diagonal itself."""
    tensor: Any = convert_to_tensor(x)
    if len(tensor.shape) == 2:
        return diagonal(tensor, k)
    if len(tensor.shape) != 1:
        raise ValueRefused(
            f"`x` must be 1d or 2d. Received: x.shape={tuple(tensor.shape)}",
            message_zh=f"`x` 必须是一维或二维的，而它的形状是 {tuple(tensor.shape)}。",
        )
    shift, count = whole_number(k, "k"), int(tensor.shape[0])
    size = count + abs(shift)
    places = (np.arange(count) - min(shift, 0)) * size + np.arange(count) + max(shift, 0)
    chosen = np.zeros((size * size, count), tensor.dtype)
    chosen[places, np.arange(count)] = 1
    return ops.reshape(ops.matvec(ops.constant(chosen), tensor), [size, size])


def where(condition: Any, x1: Any = None, x2: Any = None) -> Any:
    """x1 where the condition holds, x2 elsewhere; without them the places where it holds."""
    if x1 is None and x2 is None:
        return nonzero(condition)
    left, right = of_one_type([x1, x2])
    return broadcast_where(ops.cast(convert_to_tensor(condition), "bool"), left, right)


def nonzero(x: Any) -> Any:
    """The places of what is not 0, an array for each axis."""
    places = ops.where(ops.cast(convert_to_tensor(x), "bool"))
    return [ops.cast(one, "int32") for one in ops.unstack(places, axis=1)]


def take_along_axis(x: Any, indices: Any, axis: Any = None) -> Any:
    """One number for each place along an axis, the others as they are."""
    tensor: Any = convert_to_tensor(x)
    chosen: Any = np.asarray(array_of(indices))
    if axis is None:
        return ops.gather(ops.reshape(tensor, [-1]), chosen.reshape(-1).astype("int32"))
    along = _axis(axis, chosen.ndim)
    wide = list(np.broadcast_shapes(*(_without(one.shape, along) for one in (tensor, chosen))))
    chosen = np.broadcast_to(chosen, [*wide[:along], chosen.shape[along], *wide[along + 1 :]])
    places: list[Any] = list(np.indices(chosen.shape))
    places[along] = np.where(chosen < 0, chosen + tensor.shape[along], chosen)
    shape = [*wide[:along], tensor.shape[along], *wide[along + 1 :]]
    return ops.gather_nd(ops.broadcast_to(tensor, shape), np.stack(places, -1).astype("int32"))


def _without(shape: Sequence[int], axis: int) -> list[int]:
    return [1 if place == axis else length for place, length in enumerate(shape)]


# -- arrays in another order -------------------------------------------------------------------------


def tile(x: Any, repeats: Any) -> Any:
    """So many of it side by side, along the last axis or along each."""
    tensor: Any = convert_to_tensor(x)
    several = [repeats] if isinstance(repeats, (int, np.integer)) else list(iterate(repeats))
    axes = max(len(several), len(tensor.shape))
    lengths = [1] * (axes - len(tensor.shape)) + [int(one) for one in tensor.shape]
    return ops.tile(ops.reshape(tensor, lengths), [1] * (axes - len(several)) + several)


def ravel(x: Any) -> Any:
    """All of it in a row."""
    return ops.reshape(convert_to_tensor(x), [-1])


def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes in each other's place."""
    tensor: Any = convert_to_tensor(x)
    order = list(range(len(tensor.shape)))
    first, second = _axis(axis1, len(order)), _axis(axis2, len(order))
    order[first], order[second] = second, first
    return ops.transpose(tensor, order)


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Axes at other places; those that are not named keep their order."""
    tensor: Any = convert_to_tensor(x)
    axes = len(tensor.shape)
    begin, end = ([one] if isinstance(one, int) else list(iterate(one)) for one in (source, destination))
    froms = [_axis(one, axes) for one in begin]
    order = [one for one in range(axes) if one not in froms]
    for place, axis in sorted(zip((_axis(one, axes) for one in end), froms, strict=True)):
        order.insert(place, axis)
    return ops.transpose(tensor, order)


def flip(x: Any, axis: Any = None) -> Any:
    """From the end to the beginning, along an axis or along all."""
    tensor: Any = convert_to_tensor(x)
    axes = len(tensor.shape)
    chosen = range(axes) if axis is None else [axis] if isinstance(axis, int) else list(iterate(axis))
    return ops.reverse(tensor, [_axis(one, axes) for one in chosen])


def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """Moved on, what falls off the end comes back at the beginning."""
    tensor: Any = convert_to_tensor(x)
    if axis is None:
        return ops.reshape(ops.roll(ravel(tensor), shift, 0), [int(one) for one in tensor.shape])
    return ops.roll(tensor, shift, axis)


def vstack(xs: Any) -> Any:
    """One behind the other along the first axis; of vectors, too, unlike numpy's."""
    return ops.concat(of_one_type(list(iterate(xs))), 0)


def hstack(xs: Any) -> Any:
    """Side by side; vectors one behind the other."""
    given = of_one_type(list(iterate(xs)))
    return ops.concat(given, 0 if len(given[0].shape) < 2 else 1)


def outer(x1: Any, x2: Any) -> Any:
    """Every number of the one times every number of the other. Shapes: (*S), (*T) -> (|S|, |T|)."""
    left, right = of_one_type([x1, x2])
    return ops.reshape(left, [-1, 1]) * ops.reshape(right, [1, -1])


# -- figures of arrays -------------------------------------------------------------------------------


def average(x: Any, axis: Any = None, weights: Any = None) -> Any:
    """The mean, or sum(w x) / sum(w)."""
    tensor: Any = in_floats(x)
    if weights is None:
        return ops.reduce_mean(tensor, axis)
    values, shares = of_one_type([tensor, in_floats(weights)])
    if axis is not None and len(shares.shape) == 1 < len(values.shape):
        place = _axis(axis, len(values.shape))
        lengths = [1] * len(values.shape)
        lengths[place] = int(shares.shape[0])
        shares = ops.broadcast_to(ops.reshape(shares, lengths), [int(one) for one in values.shape])
    return ops.reduce_sum(values * shares, axis) / ops.reduce_sum(shares, axis)


def count_nonzero(x: Any, axis: Any = None) -> Any:
    """How many are not 0."""
    return ops.reduce_sum(ops.cast(ops.cast(convert_to_tensor(x), "bool"), "int32"), axis)


def ndim(x: Any) -> int:
    """How many axes there are."""
    return len(convert_to_tensor(x).shape or ())


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor, not an array or a number."""
    return isinstance(x, Operators)


def logaddexp(x1: Any, x2: Any) -> Any:
    """log(exp x1 + exp x2)."""
    left, right = (in_floats(one) for one in of_one_type([x1, x2]))
    most = ops.maximum(left, right)
    return most + ops.log1p(ops.exp(-ops.absolute(left - right)))


def isclose(x1: Any, x2: Any, rtol: Any = 1e-5, atol: Any = 1e-8) -> Any:
    """Whether |x1 - x2| is at most atol + rtol |x2|."""
    left, right = (in_floats(one) for one in of_one_type([x1, x2]))
    return ops.less_equal(ops.absolute(left - right), atol + rtol * ops.absolute(right))


def round_to(x: Any, decimals: Any = 0) -> Any:
    """The nearest number with so many digits behind the point; of two the even one."""
    tensor: Any = convert_to_tensor(x)
    places = whole_number(decimals, "decimals")
    if tensor.dtype not in FLOATS:
        return tensor
    return ops.rint(tensor) if places == 0 else ops.rint(tensor * 10.0**places) / 10.0**places


def elu(x: Any, alpha: Any = 1.0) -> Any:
    """x above 0, alpha (e^x - 1) below."""
    tensor: Any = in_floats(x)
    if alpha == 1.0:
        return ops.elu(tensor)
    return broadcast_where(tensor > 0.0, tensor, alpha * ops.expm1(ops.minimum(tensor, 0.0)))


round_to.__name__ = "round"
OWN = (
    *(eye, identity, full, linspace, one_hot, trace, diagonal, diag, where, nonzero, take_along_axis),
    *(tile, ravel, swapaxes, moveaxis, flip, roll, vstack, hstack, outer),
    *(average, count_nonzero, ndim, is_tensor, logaddexp, isclose, elu, round_to),
)
