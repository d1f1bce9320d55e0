"""What TensorFlow 2 says when an operation does not fit its inputs, for the most frequent ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.languages.interpreter.classes.builtin_exceptions import SAID_BY_OPERATIONS
from engine.ops.base.building import as_array
from engine.ops.base.tensors import IN_CPP, Operators

PLACE = "{{{{function_node __wrapped__{}_device_/job:localhost/replica:0/task:0/device:CPU:0}}}} "
UNNAMED = frozenset({"Reshape"})
INNER = {"MatMul": "_MklMatMul"}


def said(error: GradlensError, op: str, inputs: Sequence[Any]) -> str | None:
    """The message, where it is one of these; None for any other."""
    if error.code in ("dtype_mismatch", "bad_value") and len(inputs) == 2:
        return _dtypes_differ(op, inputs)
    rule = RULES.get(op)
    text = None if rule is None else rule(inputs)
    if text is None and error.code == "shape_mismatch" and len(inputs) == 2 and op not in RULES:
        text = _not_broadcast(inputs)
    if error.code == "division_by_zero":
        text = "Integer division by zero"
    name = "" if op in UNNAMED else " name: "
    return None if text is None else f"{PLACE.format(INNER.get(op, op))}{text} [Op:{op}]{name}"


def _dtypes_differ(op: str, inputs: Sequence[Any]) -> str | None:
    first, second = (_dtype(value) for value in inputs)
    if first == second or not (first and second):
        return None
    place, wanted, found = (1, first, second) if hasattr(inputs[0], "dtype") else (0, second, first)
    return (
        f"cannot compute {op} as input #{place}(zero-based) was expected to be a {wanted} tensor "
        f"but is a {found} tensor [Op:{op}] name: "
    )


def _dtype(value: Any) -> str:
    if isinstance(value, str):
        return "string"
    if value is None:
        return ""
    tensor = value.as_tensor() if isinstance(value, Operators) else as_array(value)
    name = tensor.dtype
    return IN_CPP.get(str(name), str(name))


def _shape(value: Any) -> str:
    shape = value.shape if hasattr(value, "shape") else np.shape(value)
    return f"[{','.join(map(str, shape))}]"


def _not_broadcast(inputs: Sequence[Any]) -> str:
    return f"Incompatible shapes: {_shape(inputs[0])} vs. {_shape(inputs[1])}"


def _product(inputs: Sequence[Any]) -> str | None:
    a, b = inputs
    if min(len(np.shape(a)), len(np.shape(b))) < 2:
        return None
    return f"Matrix size-incompatible: In[0]: {_shape(a)}, In[1]: {_shape(b)}"


def _reshaped(inputs: Sequence[Any]) -> str | None:
    wanted = inputs[1] if isinstance(inputs[1], (list, tuple)) else getattr(inputs[1], "array", None)
    if wanted is None or not all(isinstance(length, (int, np.integer)) for length in wanted):
        return None
    count, asked = prod(inputs[0].shape), prod(map(int, wanted))
    if asked < 0:
        multiple = f"requires a multiple of {-asked}"
        return f"Input to reshape is a tensor with {count} values, but the requested shape {multiple}"
    return f"Input to reshape is a tensor with {count} values, but the requested shape has {asked}"


RULES: Mapping[str, Callable[[Sequence[Any]], str | None]] = {
    "MatMul": _product,
    "Reshape": _reshaped,
    "MatrixInverse": lambda _: "Input is not invertible.",
    "MatrixSolve": lambda _: "Input matrix is not invertible.",
    **dict.fromkeys(("GatherV2", "StridedSlice", "ConcatV2", "Pack", "Select", "SelectV2"), lambda _: None),
    **dict.fromkeys(("Tile", "Transpose", "ExpandDims", "Squeeze", "BroadcastTo", "Pad"), lambda _: None),
    **dict.fromkeys(("Sum", "Mean", "Max", "Min", "Prod", "All", "Any", "ArgMax", "Slice"), lambda _: None),
}
SAID_BY_OPERATIONS.append(said)
