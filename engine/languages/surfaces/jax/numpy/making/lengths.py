"""Shapes as arguments give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.jax.core.errors import concretization, origin, type_error
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, known


def lengths(shape: Any, context: str = "") -> tuple[int, ...]:
    """A shape. Raises: TypeError where a length is not a known whole number; context: what asked for it."""
    items = list(shape) if isinstance(shape, (tuple, list)) else [shape]
    if isinstance(shape, (np.ndarray, JaxArray)) and np.ndim(np.asarray(getattr(shape, "array", shape))):
        items = list(np.asarray(getattr(shape, "array", shape)))
    found = []
    for item in items:
        array = (
            item if isinstance(item, (int, np.integer)) else known(item) if hasattr(item, "aval") else None
        )
        if array is None or (hasattr(array, "ndim") and array.ndim) or isinstance(item, bool):
            raise _bad_shape(items, item, context)
        number = int(array)
        if isinstance(array, np.ndarray) and array.dtype.kind == "f":
            raise _bad_shape(items, item, context)
        found.append(number)
    if any(n < 0 for n in found):
        raise type_error(
            f"broadcast_in_dim shape must have every element be nonnegative, got {tuple(found)}.",
            f"形状不能有负的长度：{tuple(found)}。",
        )
    run_now().budget.check_elements(tuple(found))
    return tuple(found)


def known_number(value: Any, context: str) -> Any:
    """The numbers of an array, which the shape of a result depends on; anything else as it is.

    context: what asked for them, as JAX says it. Raises: ConcretizationTypeError where the array is traced.
    """
    if not isinstance(value, (Tracer, JaxArray, Constant)):
        return value
    array = known(value)
    if isinstance(value, Tracer) and array is None:
        raise concretization(value, context)
    return array[()]


def _bad_shape(items: Sequence[Any], item: Any, context: str) -> Exception:
    shown = ", ".join(one.short() if isinstance(one, Tracer) else to_repr(one) for one in items)
    text = f"({shown},)" if len(items) == 1 else f"({shown})"
    said = f"Shapes must be 1D sequences of concrete values of integer type, got {text}."
    said += f" {context}" * bool(context)
    if isinstance(item, Tracer):
        said += "\nIf using `jit`, try using `static_argnums` or applying `jit` to smaller subfunctions."
        said += origin(item)
    error: Exception = type_error(said, "形状必须由具体的整数组成。")
    return error
