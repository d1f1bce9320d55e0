"""Functions of jnp that make arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.core.avals import Aval, ElementType, cast, is_floating
from engine.languages.surfaces.jax.core.calls import library_jit
from engine.languages.surfaces.jax.core.errors import concretization, origin, type_error, value_error
from engine.languages.surfaces.jax.core.primitive import made
from engine.languages.surfaces.jax.core.run import canonical, default_float, run_now
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    Tracer,
    aval_of,
    constant,
    known,
    no_array,
    overflow,
    typed,
)
from engine.languages.surfaces.jax.lax import arithmetic as ar
from engine.languages.surfaces.jax.lax.basics import (
    broadcast,
    broadcast_in_dim,
    convert,
    full,
    full_like,
    reshape,
    shape_of,
)
from engine.languages.surfaces.jax.lax.shapes import concatenate, iota
from engine.languages.surfaces.jax.numpy.equal_steps import equal_steps
from engine.languages.surfaces.jax.numpy.promotion import check_arrays, common_type, promote_types
from engine.languages.surfaces.jax.numpy.ufuncs import as_array, named
from engine.languages.surfaces.left_out import takes_only

PYTHON = {"float": "float32", "int": "int32", "bool": "bool"}
WIDE = {"float": "float64", "int": "int64", "bool": "bool"}
TYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)
ALIASES = {"bool_": "bool", "double": "float64", "single": "float32", "half": "float16", "int_": "int64"}
ALIASES |= {"float_": "float64", "uint": "uint64"}
ALIASES |= {
    f"{kind[0]}{bits // 8}": f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (16, 32, 64)
}


def dtype_of(value: Any) -> str | None:
    """The element type that an argument names, made narrower as long as 64 bits are not enabled."""
    if value is None:
        return None
    name = _written(value)
    if isinstance(value, Kind) and name in PYTHON:
        name = WIDE[name]
    name = ALIASES.get(name, name)
    name = {"float": "float64", "int": "int64", "complex": "complex128"}.get(name, name)
    if name not in TYPES:
        raise type_error(f"data type {name!r} not understood", f"不认识的元素类型 {name!r}。")
    return canonical(name)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (np.dtype, ElementType)):
        return value.name
    if isinstance(value, (Kind, Native)):
        return value.name.rpartition(".")[2]
    dtype = getattr(value, "dtype", None)
    return str(dtype if dtype is not None else to_repr(value))


def lengths(shape: Any) -> tuple[int, ...]:
    """A shape. Raises: TypeError where a length is not a known whole number."""
    items = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    if isinstance(shape, (np.ndarray, JaxArray)) and np.ndim(np.asarray(getattr(shape, "array", shape))):
        items = list(np.asarray(getattr(shape, "array", shape)))
    found = []
    for item in items:
        array = (
            item if isinstance(item, (int, np.integer)) else known(item) if hasattr(item, "aval") else None
        )
        if array is None or (hasattr(array, "ndim") and array.ndim) or isinstance(item, bool):
            raise _bad_shape(items, item)
        number = int(array)
        if isinstance(array, np.ndarray) and array.dtype.kind == "f":
            raise _bad_shape(items, item)
        found.append(number)
    if any(n < 0 for n in found):
        raise type_error(
            f"broadcast_in_dim shape must have every element be nonnegative, got {tuple(found)}.",
            f"形状不能有负的长度：{tuple(found)}。",
        )
    run_now().budget.check_elements(tuple(found))
    return tuple(found)


def _bad_shape(items: Sequence[Any], item: Any) -> Exception:
    shown = ", ".join(one.short() if isinstance(one, Tracer) else to_repr(one) for one in items)
    text = f"({shown},)" if len(items) == 1 else f"({shown})"
    said = f"Shapes must be 1D sequences of concrete values of integer type, got {text}."
    if isinstance(item, Tracer):
        said += "\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions."
        said += origin(item)
    error: Exception = type_error(said, "形状必须由具体的整数组成。")
    return error


# -- array -------------------------------------------------------------------------------------------


@named("array", "asarray")
def array(
    object: Any, dtype: Any = None, copy: Any = None, order: Any = None, ndmin: Any = 0, **_: Any
) -> Any:
    """An array of numbers, lists of them, or other arrays."""
    found = _array(object, dtype_of(dtype))
    missing = int(ndmin) - len(shape_of(found))
    return broadcast(found, (1,) * missing) if missing > 0 else found


def _array(value: Any, dtype: str | None) -> Any:
    if isinstance(value, (JaxArray, Tracer)):
        weak = aval_of(value).weak and dtype is None
        return convert(value, dtype or aval_of(value).dtype, weak)
    if isinstance(value, (list, tuple)):
        return _of_list(value, dtype)
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray, Constant)):
        weak = isinstance(value, (int, float, complex)) and not isinstance(value, bool) and dtype is None
        if isinstance(value, (int, float)) and dtype is not None:
            check_room([value], dtype)
        elements = constant(value).array if dtype is None else convert_elements(value, dtype)
        return on_device(elements, weak, dtype)
    if isinstance(value, range):
        return _of_list(list(value), dtype)
    if value is None or isinstance(value, str):
        raise no_array(value, np.asarray(value))
    raise type_error(
        f"Value '{to_repr(value)}' with dtype object is not a valid JAX array type. Only arrays of numeric "
        "types are supported by JAX.",
        f"{python_name(value)} 不能变为 JAX 数组。",
    )


def check_room(leaves: Sequence[Any], dtype: str) -> None:
    """Raise OverflowError for a number of Python that a type of whole numbers has no room for."""
    if not dtype.startswith(("int", "uint")):
        return
    ends = np.iinfo(dtype)
    for leaf in leaves:
        if isinstance(leaf, (int, float)) and np.isfinite(leaf) and not ends.min <= int(leaf) <= ends.max:
            raise overflow(f"Python integer {int(leaf)} out of bounds for {dtype}", int(leaf), dtype)


def convert_elements(value: Any, dtype: str) -> Any:
    """Elements of Python or numpy in a type."""
    array = value.array if isinstance(value, Constant) else np.asarray(value)
    return cast(array, dtype)


def on_device(elements: Any, weak: bool = False, dtype: str | None = None) -> Any:
    """Known elements as an array, which a trace takes for a constant."""
    elements = np.array(elements)
    aval = Aval(elements.shape, dtype or elements.dtype.name, weak)
    run = run_now()
    run.budget.check_elements(aval.shape)
    found = made(elements, aval)
    if elements.ndim == 0 and run.trace is not run.evaluation and not _only_derivatives(run.trace):
        return run.trace.tracer(typed(elements, aval.dtype, weak)) if hasattr(run.trace, "held") else found
    return found


def _only_derivatives(trace: Any) -> bool:
    return not hasattr(trace, "held")


def _of_list(values: Sequence[Any], dtype: str | None) -> Any:
    leaves = list(_leaves(values))
    if not leaves:
        return on_device(cast(np.asarray(values, default_float()), dtype or default_float()), dtype=dtype)
    if all(isinstance(leaf, (bool, int, float, np.generic)) for leaf in leaves):
        return on_device(_elements(values, leaves, dtype), dtype=dtype)
    if all(isinstance(leaf, (bool, int, float, np.generic, np.ndarray)) for leaf in leaves):
        return on_device(_elements(values, leaves, dtype), dtype=dtype)
    if any(isinstance(leaf, complex) for leaf in leaves):
        return _stacked(values, dtype or "complex64")
    kind, _ = common_type([constant(leaf) for leaf in leaves])
    return _stacked(values, dtype or kind)


def _leaves(values: Any) -> Any:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _leaves(value)
        else:
            yield value


def _elements(values: Sequence[Any], leaves: Sequence[Any], dtype: str | None) -> Any:
    try:
        found = np.asarray(values)
    except ValueError as error:
        raise value_error(str(error), "各行的长度不同，不能组成数组。") from None
    if found.dtype.kind not in "biuf":
        raise type_error(
            f"Value '{to_repr(values)}' with dtype {found.dtype} is not a valid JAX array type.",
            "这些值不能组成数值数组。",
        )
    if dtype is None:
        dtype, _ = common_type([constant(0 if type(leaf) is int else leaf) for leaf in leaves])
    check_room(leaves, dtype)
    return cast(found, dtype)


def _stacked(values: Sequence[Any], dtype: str) -> Any:
    """Lists with arrays among their items."""
    rows = []
    for value in values:
        inner = isinstance(value, (list, tuple))
        row = _stacked(value, dtype) if inner else convert(constant(value), dtype)
        rows.append(broadcast(row, (1,)))
    shapes = [shape_of(row)[1:] for row in rows]
    if len({*shapes}) > 1:
        listed = ", ".join(map(str, shapes))
        raise value_error(
            f"All input arrays must have the same shape. Got {listed}.", f"各项形状不同：{listed}。"
        )
    return concatenate(rows, 0)


# -- filled arrays -----------------------------------------------------------------------------------


@named("zeros", "empty")
def zeros(shape: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of zeros."""
    return _filled(shape, 0, dtype)


@named("ones")
def ones(shape: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of ones."""
    return _filled(shape, 1, dtype)


def _filled(shape: Any, value: int, dtype: Any) -> Any:
    return full(lengths(shape), value, dtype_of(dtype) or default_float())


@named("full")
def full_(shape: Any, fill_value: Any, dtype: Any = None, **_: Any) -> Any:
    """An array of one number."""
    kind = dtype_of(dtype)
    if kind is not None and isinstance(fill_value, int):
        value = typed(fill_value, kind)
    else:
        value = array(fill_value) if isinstance(fill_value, (list, tuple)) else constant(fill_value)
    kind, weak = kind or aval_of(value).dtype, dtype is None and aval_of(value).weak
    if shape_of(value):
        return broadcast_to(convert(value, kind, weak), shape)
    return broadcast(convert(value, kind, weak), lengths(shape))


@named("zeros_like", "empty_like")
def zeros_like(a: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """Zeros in the shape and type of an array."""
    return _like("zeros_like", a, 0, dtype, shape)


@named("ones_like")
def ones_like(a: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """Ones in the shape and type of an array."""
    return _like("ones_like", a, 1, dtype, shape)


@named("full_like")
def full_like_(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
    """One number, or what broadcasts, in the shape and type of an array."""
    fill_value = array(fill_value) if isinstance(fill_value, (list, tuple)) else fill_value
    if shape_of(constant(fill_value)):
        (like_it,) = check_arrays("full_like", [a])
        kind = dtype_of(dtype) or aval_of(like_it).dtype
        return full_(shape_of(like_it) if shape is None else shape, fill_value, kind)
    return _like("full_like", a, constant(fill_value), dtype, shape)


def _like(name: str, a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    (a,) = check_arrays(name, [a])
    return full_like(a, value, dtype_of(dtype), None if shape is None else lengths(shape))


@named("eye")
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, **_: Any) -> Any:
    """Ones along a diagonal."""
    rows, columns = lengths(N)[0], lengths(N if M is None else M)[0]
    shape = (rows, columns)
    row, column = iota("int32", shape, 0), iota("int32", shape, 1)
    on = ar.eq(ar.add(row, Constant(np.int32(int(k)))), column)
    return convert(on, dtype_of(dtype) or default_float())


@named("identity")
def identity(n: Any, dtype: Any = None) -> Any:
    """Ones along the diagonal."""
    return eye(n, dtype=dtype)


@named("tri")
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """Ones on and below a diagonal."""
    shape = (lengths(N)[0], lengths(N if M is None else M)[0])
    return convert(triangle(shape, int(k)), dtype_of(dtype) or default_float())


def triangle(shape: tuple[int, int], k: int) -> Any:
    """Where an element stands on or below a diagonal."""
    rows = ar.add(iota("int32", shape, 0), Constant(np.int32(k)))
    return ar.ge(rows, iota("int32", shape, 1))


# -- ranges ------------------------------------------------------------------------------------------

NARROW = ("float16", "bfloat16")  # whose ranges are made in float32


def _concrete(value: Any, what: str) -> Any:
    if isinstance(value, Tracer):
        array = known(value)
        if array is None:
            raise concretization(value, f"It arose in the jnp.arange argument '{what}'")
        return array[()]
    return value.array[()] if isinstance(value, (JaxArray, Constant)) else value


@named("arange")
def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None, **_: Any) -> Any:
    """Numbers at equal distances, up to a bound that is left out."""
    names = ("stop", "stop", "step") if stop is None else ("start", "stop", "step")
    first: Any
    last: Any
    by: Any
    first, last, by = (
        _concrete(value, name) if value is not None else None
        for value, name in zip((start, stop, step), names, strict=True)
    )
    kind = dtype_of(dtype)
    if last is None:
        first, last = (0 if by is None else type(first)(0)), first
    given = [x for x in (first, last, by) if x is not None]
    kind = kind or common_type([constant(x) for x in given])[0]
    count = max(int(np.ceil((last - first) / (1 if by is None else by))), 0)
    run_now().budget.check_elements((count,))
    is_wide = by is not None or (kind == "bfloat16" and first != 0)
    wide = "float32" if kind in NARROW and is_wide else kind
    found = iota(wide, (count,))
    if by is not None:
        found = ar.mul(_number(by, wide), found)
    if by is not None or first != 0:
        found = ar.add(_number(first, wide), found)
    return found if wide == kind else convert(found, kind)


def _number(value: Any, kind: str) -> Constant:
    return Constant(np.asarray(value).astype(kind))


@library_jit(2, name="_linspace")
def _linspace(start: Any, stop: Any, num: int, endpoint: bool, dtype: str, axis: int) -> Any:
    inexact = dtype if is_floating(dtype) else default_float()
    first, last = convert(start, inexact), convert(stop, inexact)
    shape = np.broadcast_shapes(shape_of(first), shape_of(last))
    first, last = broadcast_to(first, shape), broadcast_to(last, shape)
    if num == 1:
        return convert(broadcast(first, (1,)), dtype)
    pieces = num - 1 if endpoint else num
    ar.div(ar.sub(last, first), typed(pieces, inexact))
    count = pieces if endpoint else num
    grid = ar.div(iota(inexact, (count,)), typed(pieces, inexact))
    grid = reshape(grid, (count, *([1] * len(shape))))
    ones = typed(1, inexact)
    out = ar.add(
        ar.mul(reshape(first, (1, *shape)), ar.sub(ones, grid)), ar.mul(reshape(last, (1, *shape)), grid)
    )
    if endpoint:
        out = concatenate([out, broadcast(last, (1,))], 0)
    return convert(out, dtype)


def _are_known_numbers(*values: Any) -> bool:
    """Whether they are numbers of the program itself, and nothing is compiled."""
    run = run_now()
    return run.trace is run.evaluation and all(isinstance(x, Constant) and x.array.ndim == 0 for x in values)


@named("linspace")
@takes_only(axis=(0,))
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Numbers at equal distances, both ends among them."""
    start, stop = check_arrays("linspace", [start, stop])
    if isinstance(num, int) and num < 0:
        raise value_error(f"Number of samples, {num}, must be non-negative.", f"个数 {num} 不能是负数。")
    count = lengths(num)[0]
    kind = dtype_of(dtype) or promote_types([start, stop], inexact=True)[0].aval.dtype
    pieces = count - 1 if endpoint else count
    if pieces > 0 and kind == "float32" and _are_known_numbers(start, stop):
        out = on_device(equal_steps(start.array, stop.array, pieces, bool(endpoint)))
    else:
        out = _linspace(start, stop, num=count, endpoint=bool(endpoint), dtype=kind, axis=int(axis))
    if not retstep:
        return out
    return out, ar.div(ar.sub(convert(stop, kind), convert(start, kind)), typed(pieces, kind))


@named("logspace")
@takes_only(axis=(0,))
def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """Powers at equal ratios."""
    from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS

    grid = linspace(start, stop, num, endpoint)
    found = FUNCTIONS["float_power"](constant(base), grid)
    return found if dtype is None else convert(found, dtype_of(dtype))


@named("geomspace")
@takes_only(axis=(0,))
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> Any:
    """Numbers at equal ratios, both ends among them."""
    from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS

    ends = [
        FUNCTIONS["log10"](value) for value in promote_types([constant(start), constant(stop)], inexact=True)
    ]
    return logspace(*ends, num, endpoint, dtype=dtype)


@named("broadcast_to")
def broadcast_to(array: Any, shape: Any) -> Any:
    """The array in a larger shape."""
    x = constant(array)
    want, have = lengths(shape), shape_of(x)
    if want == have:
        return as_array(x)
    try:
        fits = np.broadcast_shapes(have, want) == want
    except ValueError:
        fits = False
    if not fits:
        raise value_error(
            f"Incompatible types for broadcasting: input type={aval_of(x).long()} and requested "
            f"type={Aval(want, aval_of(x).dtype).long()}",
            f"形状 {have} 不能广播为 {want}。",
            code="shape_mismatch",
        )
    return broadcast_in_dim(x, want, tuple(range(len(want) - len(have), len(want))))


@named("meshgrid")
def meshgrid(*xi: Any, indexing: Any = "xy", sparse: Any = False, copy: Any = True) -> list[Any]:
    """Grids of coordinates."""
    axes = [reshape(x, (-1,)) if not shape_of(x) else x for x in check_arrays("meshgrid", xi)]
    order = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        order[0], order[1] = 1, 0
    shape: list[int] = [0] * len(axes)
    for x, place in zip(axes, order, strict=True):
        shape[place] = shape_of(x)[0]
    if sparse:
        return [
            reshape(x, [n if i == place else 1 for i, n in enumerate(shape)])
            for x, place in zip(axes, order, strict=True)
        ]
    return [broadcast_in_dim(x, shape, (place,)) for x, place in zip(axes, order, strict=True)]


@named("diag")
def diag(v: Any, k: Any = 0) -> Any:
    """A matrix of its diagonal, or the diagonal of a matrix."""
    (x,) = check_arrays("diag", [v])
    if len(shape_of(x)) not in (1, 2):
        raise value_error("diag input must be 1d or 2d", "diag 的参数必须是一维或二维数组。")
    return _diag(x, k=int(k))


@library_jit(1, name="_diag")
def _diag(x: Any, k: int) -> Any:
    shape = shape_of(x)
    if len(shape) == 1:
        size = shape[0] + abs(k)
        if size == 0:
            return full((0, 0), 0, aval_of(x).dtype)
        from engine.languages.surfaces.jax.lax.shapes import pad
        from engine.languages.surfaces.jax.numpy.ufuncs import where_jitted

        config = [(max(k, 0), max(-k, 0), 0)]
        wide = pad(x, typed(0, aval_of(x).dtype), config)
        rows = broadcast_in_dim(wide, (size, size), (1,))
        zeros_ = full((size, size), 0, aval_of(x).dtype)
        return where_jitted(eye(size, k=k, dtype="bool"), rows, zeros_)
    return diagonal(x, k)


@named("diagonal")
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The elements of a diagonal."""
    from engine.languages.surfaces.jax.lax.shapes import transpose
    from engine.languages.surfaces.jax.numpy.indexing import getitem

    (x,) = check_arrays("diagonal", [a])
    ndim, k = len(shape_of(x)), int(offset)
    first, second = int(axis1) % ndim, int(axis2) % ndim
    order = [axis for axis in range(ndim) if axis not in (first, second)]
    x = transpose(x, (*order, first, second))
    rows, columns = shape_of(x)[-2:]
    count = max(0, min(rows + min(k, 0), columns - max(k, 0)))
    line = np.arange(count)
    places = (on_device((line + max(-k, 0)).astype("int32")), on_device((line + max(k, 0)).astype("int32")))
    return getitem(x, (Ellipsis, *places))


def refused_dtype(name: str) -> ProgramError:
    """The error for an element type that is left out."""
    return ProgramError(f"{name} is not supported.", message_zh=f"不支持 {name}。", code="refused_name")
