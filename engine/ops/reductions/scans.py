"""Running sums and products along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.elementwise import division, quotients


def _running(compute: Any, neutral: int, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
    """Accumulate along an axis; exclusive: each place holds what came before it, beginning with neutral."""
    if not x.ndim:
        raise ShapeError(
            "A single number has no axis to sum or multiply along.",
            message_zh="单个数没有可以累加或累乘的轴。",
        )
    if reverse:
        return np.flip(_running(compute, neutral, np.flip(x, axis), axis, exclusive, False), axis)
    total: Array = compute(x, axis=axis, dtype=x.dtype)
    if exclusive:
        total = np.roll(total, 1, axis)
        np.moveaxis(total, axis, 0)[:1] = neutral
    return total


def _same_as_first(x: Shape, axis: Shape) -> Shape:
    return x


@op(
    "Cumsum",
    inputs="x axis",
    types="T Tidx",
    shape=_same_as_first,
    latex=r"y_i = \sum_{j \le i} {x}_j",
    adjoints=[r"\sum_{j \ge i} \bar{y}_j", "0"],
    derivative=[
        (r"1 \text{ for } j \le i \text{, else } 0", r"j \le i \text{ 时为 } 1 \text{，否则为 } 0"),
        "0",
    ],
    form="linear",
    accepts="numbers",
    analytic="kernel",
    call="axis",
    names={"tf": "cumsum"},
)
@in_chinese("沿一个轴，到每个元素为止的和。")
def cumsum_op(x: Array, axis: Array, exclusive: bool = False, reverse: bool = False) -> Any:
    """Sum of all elements up to each, along an axis. Shapes: x (*S), axis () -> y (*S)."""
    return _running(np.cumsum, 0, x, int(axis), exclusive, reverse)


@cumsum_op.gradient
def cumsum_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    flags = {"exclusive": node.attrs["exclusive"], "reverse": not node.attrs["reverse"]}
    return [cumsum(dy, node.inputs[1], **flags), None]


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """`tf.cumsum`: exclusive leaves each element out of its own sum; reverse counts from the end."""
    with name_scope(name, "Cumsum") as scope:
        x = convert_to_tensor(x, name="x")
        return cumsum_op(x, axis, exclusive=exclusive, reverse=reverse, name=scope)


@op(
    "Cumprod",
    inputs="x axis",
    types="T Tidx",
    shape=_same_as_first,
    latex=r"y_i = \prod_{j \le i} {x}_j",
    adjoints=[r"\frac{1}{x_i} \sum_{j \ge i} \bar{y}_j\, y_j", "0"],
    derivative=[
        (
            r"\frac{{out}_i}{{x}_j} \text{ for } j \le i \text{, else } 0",
            r"j \le i \text{ 时为 } \frac{{out}_i}{{x}_j} \text{，否则为 } 0",
        ),
        "0",
    ],
    accepts="numbers",
    analytic="kernel",
)
@in_chinese("沿一个轴，到每个元素为止的乘积。")
def cumprod_op(x: Array, axis: Array, exclusive: bool = False, reverse: bool = False) -> Any:
    """Product of all elements up to each, along an axis. Shapes: x (*S), axis () -> y (*S)."""
    return _running(np.cumprod, 1, x, int(axis), exclusive, reverse)


@cumprod_op.gradient
def cumprod_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """Divides by x: where x is 0, TensorFlow 1 gives NaN and TensorFlow 2 gives 0."""
    x, axis = node.inputs
    flags = {"exclusive": node.attrs["exclusive"], "reverse": node.attrs["reverse"]}
    products = cumprod(x, axis, **flags)
    flags["reverse"] = not flags["reverse"]
    divide = division.true_divide if node.graph.release == 1 else quotients.div_no_nan
    return [divide(cumsum(products * dy, axis, **flags), x), None]


def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """`tf.cumprod`: exclusive leaves each element out of its own product; reverse counts from the end."""
    with name_scope(name, "Cumprod") as scope:
        x = convert_to_tensor(x, name="x")
        return cumprod_op(x, axis, exclusive=exclusive, reverse=reverse, name=scope)
