"""Values that come with a request, checked to be numbers before anything uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.graph import Tensor, Variable
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array, array_dtype

NUMERIC_KINDS = "biuf"


def request_array(name: str, value: Any, dtype: str | None = None) -> Array:
    """A number or a nested list of the request as an array.

    Raises: ValueRefused where it is anything else, or where its rows differ in length.
    """
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.asarray("rows of different lengths")
    if array.dtype.kind not in NUMERIC_KINDS:
        raise ValueRefused(
            f"The value given for `{name}` is not a number or a list of numbers.",
            hint="Give a number, or rows of numbers of equal length.",
            message_zh=f"给 `{name}` 的值不是数字，也不是数字列表。",
            hint_zh="请给一个数字，或各行长度相同的数字列表。",
            code="bad_value",
        )
    return array if dtype is None else array.astype(dtype)


def value_for_variable(name: str, value: Any, shape: tuple[int | None, ...], dtype: str) -> Array:
    """The request's value for a variable. Shapes: () -> shape.

    Raises: ValueRefused where it is no array of numbers, ShapeError where the variable has another shape.
    """
    array = request_array(name, value, dtype)
    if shape != array.shape:
        raise ShapeError(
            f"The value given for `{name}` has shape {written(array.shape)}, "
            f"but the variable has {written(shape)}.",
            message_zh=f"给 `{name}` 的值形状是 {written(array.shape)}，而变量的形状是 {written(shape)}。",
        )
    return array


def fed(feeds: Mapping[Any, Any]) -> dict[Tensor, Array]:
    """Feeds by tensor, each in its tensor's type."""
    found = {key.read if isinstance(key, Variable) else key: value for key, value in feeds.items()}
    return {tensor: np.asarray(value, dtype=array_dtype(tensor.dtype)) for tensor, value in found.items()}
