"""`jnp.array`: arrays of numbers, of lists of them, and of other arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.core.avals import Aval, cast
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.primitive import made
from engine.languages.surfaces.jax.core.run import default_float, run_now
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    Tracer,
    aval_of,
    constant,
    no_array,
    overflow,
    typed,
)
from engine.languages.surfaces.jax.lax.basics import broadcast, convert, shape_of
from engine.languages.surfaces.jax.lax.shapes import concatenate
from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
from engine.languages.surfaces.jax.numpy.promotion import common_type
from engine.languages.surfaces.jax.numpy.ufuncs import named


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
    is_staged = run.trace is not run.evaluation and hasattr(run.trace, "held")
    return run.trace.tracer(typed(elements, aval.dtype, weak)) if is_staged and not elements.ndim else found


def _of_list(values: Sequence[Any], dtype: str | None) -> Any:
    leaves = list(_leaves(values))
    if not leaves:
        return on_device(cast(np.asarray(values, default_float()), dtype or default_float()), dtype=dtype)
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
