"""`tf.constant`, `tf.concat` and `tf.where` as TensorFlow 2 has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, ShapeError
from engine.graph import Tensor
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.optimizers import (  # noqa: F401  # for their tables
    optimizer,
    schedules,
    state,
)
from engine.languages.surfaces.tf1 import module as tf1_module  # noqa: F401  # for its table
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf2 import op_errors as op_errors_module  # noqa: F401  # for its texts
from engine.languages.surfaces.tf2 import (
    strict,
)
from engine.languages.surfaces.tf2.looping import body as looping_body  # noqa: F401  # for its table
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import element_count, written
from engine.ops.base.tensors import Operators


def constant(
    interpreter: Interpreter, value: Any, dtype: Any = None, shape: Any = None, name: Any = "Const"
) -> Tensor:
    """A fixed value; a tensor that is there already stays the same. A list has to hold all that fits."""
    if isinstance(value, Operators):
        tensor = convert_to_tensor(value, dtype=dtype_name(dtype))
        return tensor if shape is None else ops.reshape(tensor, shape, name=name)
    if dtype_name(dtype) in (None, "float32"):
        strict.check_range(value)
    made: Tensor = TF.members["constant"].function(interpreter, value, dtype, shape, name)
    given = np.size(value)
    if shape is not None and given not in (1, element_count(made.shape)):
        raise _not_of_the_shape(given, made)
    return made


def _not_of_the_shape(given: int, made: Tensor) -> ShapeError:
    wanted = written(made.shape)
    return ShapeError(
        f"{given} values do not fill the shape {wanted}.",
        hint="Give as many values as the shape has elements, or a single one for all.",
        message_zh=f"{given} 个值不能填满形状 {wanted}。",
        hint_zh="请给出与形状元素个数相同的值，或只给一个值。",
        kind="TypeError",
    )


def concat(values: Any, axis: Any, name: Any = "concat") -> Tensor:
    """Tensors one after the other along an axis, which may stand in a list by itself."""
    place = axis[0] if isinstance(axis, (list, tuple)) and len(axis) == 1 else axis
    joined: Tensor = TF.members["concat"].function(values, place, name)
    return joined


def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Any:
    """Elements of x where the condition holds, of y elsewhere; shapes are broadcast."""
    if (x is None) != (y is None):
        raise ProgramError(
            "x and y must both be non-None or both be None.",
            message_zh="x 和 y 必须同时给出，或者都不给。",
            code="wrong_arguments",
        )
    if x is None:
        return TF.members["where"].function(condition, name=name)
    test = convert_to_tensor(condition)
    a, b = _alike(x, y)
    if not test.shape == a.shape == b.shape:
        test, a, b = _of_one_shape(test, a, b)
    return ops.select(test, a, b, name=name)


def _of_one_shape(*tensors: Tensor) -> list[Tensor]:
    """Three tensors broadcast against each other."""
    shapes = [one.shape for one in tensors]
    if any(shape is None or None in shape for shape in shapes):
        zeros = [ops.zeros_like(one, dtype="int32") for one in tensors]
        whole = ops.shape_of(zeros[0] + zeros[1] + zeros[2])
        return [ops.broadcast_to(one, whole) for one in tensors]
    try:
        shape = np.broadcast_shapes(*(tuple(length or 0 for length in shape or ()) for shape in shapes))
    except ValueError:
        raise _not_together(shapes) from None
    return [one if one.shape == shape else ops.broadcast_to(one, list(shape)) for one in tensors]


def _not_together(shapes: list[Any]) -> ShapeError:
    condition, then, other = map(written, shapes)
    return ShapeError(
        f"The condition {condition} and the values {then} and {other} cannot be broadcast to one shape.",
        hint="Lengths must be equal, or one of them 1.",
        message_zh=f"条件 {condition} 与值 {then}、{other} 不能广播成同一形状。",
        hint_zh="各轴长度必须相等，或其中一个为 1。",
        kind="InvalidArgumentError",
    )


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Both as tensors of one type; a plain number takes the type of the other."""
    if concrete(x) is None and concrete(y) is not None:
        return convert_to_tensor(x, dtype=y.dtype), convert_to_tensor(y)
    first = convert_to_tensor(x)
    return first, convert_to_tensor(y, dtype=None if concrete(y) is not None else first.dtype)


MEMBERS: dict[str, Callable[..., Any]] = {
    "constant": constant,
    "contrib.eager.constant": constant,
    "concat": concat,
    "where": where,
}
