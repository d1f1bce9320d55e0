"""Making a primitive, and the few that all rules need: constants, broadcasting, conversion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import FLOAT0, KEY, Aval, Shape, cast, held_as, is_complex
from engine.languages.surfaces.jax.core.batching import broadcasting, elementwise, move_axis
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.tangents import MAKE_ZEROS, is_zero, linear
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    Tracer,
    Zero,
    aval_of,
    constant,
    typed,
)
from engine.languages.surfaces.jax.lax.accepted import check_accepted


def shape_of(x: Any) -> Shape:
    """The shape of a value."""
    return aval_of(x).shape


def like(x: Any, number: Any) -> Constant:
    """A number of the type of a value, weak where that is."""
    return _of_type(number, aval_of(x), aval_of(x).weak)


def constant_beside(x: Any, number: Any) -> Constant:
    """The same as derivatives of JAX's primitives write it: weak only beside a single weak number."""
    aval = aval_of(x)
    return _of_type(number, aval, aval.weak and not aval.shape)


def _of_type(number: Any, aval: Any, weak: bool) -> Constant:
    made = typed(number, aval.dtype, weak)
    if weak and type(number) is float:
        made.number = number
    return made


# -- kinds of primitives -----------------------------------------------------------------------------


def unary(name: str, compute: Callable[..., Any], dtype: str | None = None, hidden: Any = None) -> Primitive:
    """A primitive of one array, element by element."""
    primitive = Primitive(name)
    primitive.compute = compute

    def types(x: Aval, **parameters: Any) -> Aval:
        check_accepted(name, [x])
        return Aval(x.shape, dtype or x.dtype, x.weak and dtype is None)

    primitive.types = types
    elementwise(primitive)
    return primitive


def broadcast_shape(name: str, shapes: Sequence[Shape]) -> Shape:
    """The shape of several, numbers aside: lengths are equal or 1. Raises: TypeError where they are not."""
    shapes = [shape for shape in shapes if shape]
    if not shapes:
        return ()
    if len({len(shape) for shape in shapes}) != 1:
        listed = ", ".join(map(str, shapes))
        raise type_error(
            f"{name}: arrays must have same number of dimensions, got {listed}.",
            f"{name}：数组的维数必须相同，但得到 {listed}。",
            code="shape_mismatch",
        )
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise not_broadcast(name, shapes) from None


def not_broadcast(name: str, shapes: Sequence[Shape]) -> Exception:
    """The error for shapes that do not fit together."""
    listed = ", ".join(map(str, shapes))
    error: Exception = type_error(
        f"{name} got incompatible shapes for broadcasting: {listed}.",
        f"{name} 无法广播这些形状：{listed}。",
        "Lengths must be equal, or one of them 1.",
        "各轴长度必须相等，或其中一个为 1。",
        code="shape_mismatch",
    )
    return error


SIMILAR = MappingProxyType(
    {
        "sub": "subtract",
        "mul": "multiply",
        "div": "divide",
        "max": "maximum",
        "min": "minimum",
        "rem": "remainder",
    }
)  # what jnp calls it


def binary(name: str, compute: Callable[..., Any], dtype: str | None = None, same: bool = True) -> Primitive:
    """A primitive of two arrays, element by element, of lengths that are equal or 1."""
    primitive = Primitive(name)
    primitive.compute = compute

    def types(x: Aval, y: Aval, **parameters: Any) -> Aval:
        check_accepted(name, [x, y])
        if same and x.dtype != y.dtype:
            raise type_error(
                f"lax.{name} requires arguments to have the same dtypes, got {x.dtype}, {y.dtype}. "
                f"(Tip: jnp.{SIMILAR.get(name, name)} is a similar function that does automatic type "
                "promotion on inputs).",
                f"lax.{name} 要求参数的元素类型相同，但得到 {x.dtype} 和 {y.dtype}。",
            )
        shape = broadcast_shape(name, [x.shape, y.shape])
        return Aval(shape, dtype or x.dtype, x.weak and y.weak)

    primitive.types = types
    broadcasting(primitive)
    return primitive


# -- broadcast_in_dim --------------------------------------------------------------------------------

broadcast_in_dim_p = Primitive("broadcast_in_dim")


def _broadcast(x: Any, shape: Shape, broadcast_dimensions: Sequence[int]) -> Any:
    lengths = [1] * len(shape)
    for place, length in zip(broadcast_dimensions, x.shape, strict=False):
        lengths[place] = length
    return np.broadcast_to(x.reshape(lengths), shape).copy()


def _broadcast_types(x: Aval, shape: Shape, broadcast_dimensions: Sequence[int]) -> Aval:
    fits = all(
        length in (1, shape[place]) for length, place in zip(x.shape, broadcast_dimensions, strict=True)
    )
    if not fits:
        raise not_broadcast("broadcast_in_dim", [x.shape, shape])
    return x.with_shape(shape)


def _broadcast_transpose(ct: Any, x: Any, shape: Shape, broadcast_dimensions: Sequence[int]) -> list[Any]:
    if not is_undefined(x):
        return [None]
    if is_zero(ct):
        return [Zero(x.aval)]
    units = [axis for axis, length in enumerate(x.aval.shape) if length == 1]
    places = [place for axis, place in enumerate(broadcast_dimensions) if axis not in units]
    axes = tuple(axis for axis in range(len(shape)) if axis not in places)
    return [expand_dims(reduce_sum(ct, axes), units)]


def _broadcast_batch(
    size: int, values: Any, axes: Any, shape: Shape, broadcast_dimensions: Any
) -> tuple[Any, int]:
    x = move_axis(values[0], axes[0], 0)
    places = (0, *np.add(1, broadcast_dimensions)) if len(broadcast_dimensions) else (0,)
    return broadcast_in_dim(x, (size, *shape), places), 0


def _broadcast_forward(x: Aval, shape: Shape, broadcast_dimensions: Any) -> int | None:
    return 0 if x.shape == tuple(shape) else None


def _broadcast_shown(parameters: Any) -> Any:
    places = parameters["broadcast_dimensions"]
    return {"broadcast_dimensions": tuple(places)} if len(places) else {}


broadcast_in_dim_p.compute = _broadcast
broadcast_in_dim_p.types = _broadcast_types
linear(broadcast_in_dim_p, _broadcast_transpose)
broadcast_in_dim_p.batch = _broadcast_batch
broadcast_in_dim_p.forward = _broadcast_forward
broadcast_in_dim_p.shown = _broadcast_shown


def broadcast_in_dim(x: Any, shape: Sequence[int], places: Sequence[int]) -> Any:
    """The array in a larger shape; places: where each of its axes goes."""
    shape = tuple(shape)
    x = constant(x)
    if shape_of(x) == shape and isinstance(x, (JaxArray, Tracer)):
        return x
    return broadcast_in_dim_p(x, shape=shape, broadcast_dimensions=tuple(places))


def broadcast(x: Any, lengths: Sequence[int]) -> Any:
    """New axes of these lengths in front."""
    if not len(lengths) and isinstance(x, (JaxArray, Tracer)):
        return x
    shape = (*lengths, *shape_of(x))
    return broadcast_in_dim(x, shape, tuple(range(len(lengths), len(shape))))


def expand_dims(x: Any, axes: Sequence[int]) -> Any:
    """New axes of length one at these places of the result."""
    ndim = len(shape_of(x)) + len(axes)
    places = {axis % ndim for axis in axes}
    lengths = iter(shape_of(x))
    shape = [1 if axis in places else next(lengths) for axis in range(ndim)]
    return broadcast_in_dim(x, shape, tuple(axis for axis in range(ndim) if axis not in places))


def full(shape: Sequence[int], value: Any, dtype: str | None = None, weak: bool = False) -> Any:
    """An array of one number."""
    number = constant(value)
    if dtype is not None:
        number = convert(number, dtype, weak)
    return broadcast(number, tuple(shape))


def full_like(x: Any, value: Any, dtype: str | None = None, shape: Shape | None = None) -> Any:
    """An array of one number, shaped and typed like another one."""
    aval = aval_of(x)
    where = aval.shape if shape is None else shape
    return full(where, value, dtype or aval.dtype, dtype is None and aval.weak)


def zeros_like_aval(aval: Aval) -> Any:
    """Zeros of a type."""
    if aval.dtype == FLOAT0:
        return JaxArray(np.zeros(aval.shape, bool), kind=FLOAT0)
    return broadcast(typed(0, aval.dtype, aval.weak), aval.shape)


MAKE_ZEROS.append(zeros_like_aval)

# -- convert_element_type ----------------------------------------------------------------------------

convert_p = Primitive("convert_element_type")


def _convert(x: Any, new_dtype: str, weak_type: bool, sharding: Any = None) -> Any:
    if x.dtype.kind == "c" and not is_complex(new_dtype):
        x = x != 0 if new_dtype == "bool" else x.real
    if x.dtype.kind == "f" and np.dtype(held_as(new_dtype)).kind in "iu":
        return _to_integers(x, np.dtype(new_dtype))
    return cast(x, new_dtype)


def _to_integers(x: Any, dtype: np.dtype[Any]) -> Any:
    """Floats as whole numbers: cut at the ends of the range, and 0 for what is no number, as XLA does."""
    info = np.iinfo(dtype)
    wide = np.trunc(np.nan_to_num(x.astype("float64"), nan=0.0, posinf=np.inf, neginf=-np.inf))
    inside = np.clip(wide, float(info.min), float(info.max))
    exact = np.where(inside >= float(info.max), 0.0, inside).astype(dtype)
    return np.where(inside >= float(info.max), dtype.type(info.max), exact)


def _convert_transpose(ct: Any, x: Any, new_dtype: str, weak_type: bool, sharding: Any = None) -> list[Any]:
    if is_zero(ct):
        return [Zero(x.aval)]
    if not x.aval.is_inexact:
        return [Zero(x.aval.tangent())]
    return [convert_p(ct, new_dtype=x.aval.dtype, weak_type=x.aval.weak)]


def _convert_tangent(
    primals: Any, tangents: Any, new_dtype: str, weak_type: bool, sharding: Any = None
) -> tuple[Any, Any]:
    out = convert_p(primals[0], new_dtype=new_dtype, weak_type=weak_type)
    if not aval_of(out).is_inexact:
        return out, Zero(aval_of(out).tangent())
    return out, convert_p(tangents[0], new_dtype=new_dtype, weak_type=weak_type)


def _convert_forward(x: Aval, new_dtype: str, weak_type: bool, sharding: Any = None) -> int | None:
    return 0 if (x.dtype, x.weak) == (new_dtype, weak_type) and sharding is None else None


def _convert_stage(trace: Any, tracers: Any, parameters: Any) -> Any:
    """A number of the program is converted at once."""
    known = tracers[0].lowered()
    if isinstance(known, Constant) and known.array.ndim == 0:
        array = _convert(known.array, parameters["new_dtype"], False)
        return trace.tracer(typed(array, parameters["new_dtype"], parameters["weak_type"]))
    return None


convert_p.compute = _convert
convert_p.types = lambda x, new_dtype, weak_type, sharding=None: Aval(x.shape, new_dtype, weak_type)
convert_p.tangent = _convert_tangent
convert_p.transpose = _convert_transpose
convert_p.forward = _convert_forward
convert_p.stage = _convert_stage
convert_p.shown = lambda parameters: {key: parameters[key] for key in ("new_dtype", "weak_type")}
elementwise(convert_p)


def convert(x: Any, dtype: str | None, weak: bool = False) -> Any:
    """The array in another element type; the same array where it is of that one."""
    x = constant(x)
    aval = aval_of(x)
    dtype = dtype or aval.dtype
    if aval.dtype == KEY:
        return x
    if isinstance(x, Constant) and x.array.ndim == 0:
        if aval.dtype == dtype and aval.weak == weak:
            return x
        return typed(_convert(x.array, dtype, weak), dtype, weak)
    if aval.dtype == dtype and aval.weak == weak and not isinstance(x, Constant):
        return x
    return convert_p(x, new_dtype=dtype, weak_type=weak)


def strong(x: Any) -> Any:
    """The array in its own type, which does not give way to others."""
    return convert(x, aval_of(x).dtype)


# -- sums, which transposes need ---------------------------------------------------------------------

reduce_sum_p = Primitive("reduce_sum")


def reduce_sum(x: Any, axes: Sequence[int]) -> Any:
    """The sum along some axes."""
    return reduce_sum_p(x, axes=tuple(axes), out_sharding=None)


def maybe_broadcast(shape: Shape, x: Any) -> Any:
    """A tangent in the shape of the result."""
    have = shape_of(x)
    if have == shape:
        return x
    if not have:
        return broadcast_in_dim(x, shape, ())
    axes = [axis for axis, (a, b) in enumerate(zip(have, shape, strict=True)) if a == b]
    return broadcast_in_dim(reshape(x, [have[axis] for axis in axes]), shape, axes)


def unbroadcast(aval: Aval, x: Any) -> Any:
    """A cotangent summed to the shape of what was broadcast."""
    have = shape_of(x)
    if have == aval.shape:
        return x
    if not aval.shape:
        return reduce_sum(x, range(len(have)))
    axes = [axis for axis, (a, b) in enumerate(zip(have, aval.shape, strict=True)) if a != b]
    return reshape(reduce_sum(x, axes) if axes else x, aval.shape)


reshape_p = Primitive("reshape")


def reshape(x: Any, shape: Sequence[int], dimensions: Any = None) -> Any:
    """The same elements in another shape."""
    x = constant(x)
    shape = tuple(int(length) for length in shape)
    if shape_of(x) and shape_of(x) == shape and isinstance(x, (JaxArray, Tracer)):
        return x
    return reshape_p(x, new_sizes=shape, dimensions=None, sharding=None)
