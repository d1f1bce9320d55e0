"""Numbers in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ValueRefused
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import constant_value
from engine.ops.base.tensors import Array, Shape, Tensor
from engine.ops.common import casting

RANGE_TYPES = ("int32", "int64", "float32", "float64")  # the later one holds them all


def _range_length(*_: Shape, inputs: Sequence[Tensor]) -> Shape:
    values = [constant_value(tensor) for tensor in inputs]
    known = [value for value in values if value is not None]
    if len(known) < 3 or known[2] == 0:
        return (None,)
    start, limit, delta = (float(value) for value in known)
    return (max(0, int(np.ceil((limit - start) / delta))),)


@op(
    "Range",
    inputs="start limit delta",
    types="Tidx Tidx Tidx",
    outputs=("Tidx",),
    shape=_range_length,
    latex=r"{start}, {start} + {delta}, \ldots",
    no_gradient=(
        "its output is a row of evenly spaced numbers, counted rather than computed",
        "它的输出是一行等间距的数，是数出来的，不是算出来的",
    ),
    ends_path=True,
    names={"tf": "range"},
)
@in_chinese("从 start 到 limit（不含）的数。")
def range_op(start: Array, limit: Array, delta: Array) -> Any:
    """Numbers from start up to, without, limit. Shapes: three times () -> y (n,)."""
    if delta == 0 or (limit - start) * np.sign(delta) < 0:
        raise ValueRefused(
            f"A range from {start} to {limit} has no steps of {delta}.",
            hint="The step is positive where the range goes up, negative where it goes down, and never 0.",
            message_zh=f"从 {start} 到 {limit} 不能以 {delta} 为步长。",
            hint_zh="向上时步长为正，向下时为负，且不能为 0。",
            code="bad_value",
        )
    return np.arange(start.item(), limit.item(), delta.item(), dtype=start.dtype)


def range_of(
    start: Any, limit: Any = None, delta: Any = 1, dtype: str | None = None, name: str | None = None
) -> Tensor:
    """`tf.range(limit)` or `tf.range(start, limit, delta)`; the limit is left out.

    Shapes: () each -> (⌈(limit - start) / delta⌉,). Raises: DtypeError for truth values and texts.
    """
    if limit is None:
        start, limit = 0, start
    with current_graph().name_scope(name or "range") as scope:
        parts = [
            convert_to_tensor(value, dtype=dtype, name=part)
            for value, part in ((start, "start"), (limit, "limit"), (delta, "delta"))
        ]
        if any(part.dtype not in RANGE_TYPES for part in parts):
            raise DtypeError(
                "A range counts in numbers, not in truth values.",
                message_zh="range 用数字计数，不能用真假值。",
            )
        widest = dtype or max((part.dtype for part in parts), key=RANGE_TYPES.index)
        return range_op(*(casting.cast(part, widest) for part in parts), name=scope)
