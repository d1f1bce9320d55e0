"""Functions that TensorFlow 2 refuses more of than TensorFlow 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import DtypeError, ProgramError
from engine.graph.variables import initializers
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import FLOATS, INTEGERS

FLOAT32 = np.finfo(np.float32)


def check_range(value: Any) -> None:
    """Raises: ProgramError for a number that float32 has none for; TensorFlow 1 makes an infinity of it."""
    if isinstance(value, float) and isfinite(value) and abs(value) > FLOAT32.max:
        raise ProgramError(
            f"{value} is out of the range of float32.",
            hint="Write tf.constant(…, tf.float64).",
            message_zh=f"{value} 超出了 float32 的范围。",
            hint_zh="请写 tf.constant(…, tf.float64)。",
            code="bad_value",
        )


def constant_initializer(value: Any = 0, support_partition: Any = False) -> Any:
    """One number everywhere, or as many as the shape takes."""
    return initializers.Exact(value)


def add(x: Any, y: Any, name: Any = None) -> Any:
    """The sum; a plain first operand keeps its own type: tf.add(1, x) fails for floats."""
    if isinstance(x, int) and not isinstance(x, bool) and getattr(y, "dtype", "int32") not in INTEGERS:
        raise DtypeError(
            f"The first operand is int32, but the second one is {y.dtype}.",
            hint="Write the number with a point, or x + 1.",
            message_zh=f"第一个操作数是 int32，而第二个是 {y.dtype}。",
            hint_zh="请给数字加上小数点，或写 x + 1。",
        )
    return TF.members["add"].function(x, y, name)


def assert_(condition: Any, data: Any, summarize: Any = None, name: Any = None) -> None:
    """The program stops where the condition does not hold."""
    TF.members["Assert"].function(condition, data, summarize, name)


def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: Any = False, name: Any = None) -> Any:
    """The mean squared distance from the mean, of floats."""
    x = convert_to_tensor(input_tensor)
    if x.dtype not in FLOATS:
        raise DtypeError(
            f"Input must be either real or complex. Received integer type {x.dtype}.",
            hint="Make floats of them first: tf.cast(…, tf.float32).",
            message_zh=f"方差需要浮点数，不能是 {x.dtype}。",
            hint_zh="请先转换成浮点数：tf.cast(…, tf.float32)。",
        )
    return TF.members["math.reduce_variance"].function(x, axis, keepdims, name)


MEMBERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "constant_initializer": constant_initializer,
        **dict.fromkeys(("add", "math.add"), add),
        **dict.fromkeys(("Assert", "debugging.Assert"), assert_),
        "math.reduce_variance": reduce_variance,
    }
)
