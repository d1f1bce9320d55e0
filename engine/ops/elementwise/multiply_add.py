"""A product and a sum in one step, as processors compute it: rounded once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import broadcast
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common.fused import rounded_once
from engine.ops.elementwise.broadcasting import axes_to_sum, sum_to


def _shape(a: Shape, b: Shape, c: Shape) -> Shape:
    return broadcast(broadcast(a, b), c)


@op(
    "MultiplyAdd",
    inputs="a b c",
    shape=_shape,
    latex=r"{a} \cdot {b} + {c}",
    adjoints=[r"\bar{y}\, b", r"\bar{y}\, a", r"\bar{y}"],
    derivative=["{b}", "{a}", "1"],
    partials=lambda a, b, c, y: [b, a, 1],
    accepts="floats",
    symbolic=lambda a, b, c: a * b + c,
)
@in_chinese("积与和一步算完，只舍入一次。")
def multiply_add(a: Array, b: Array, c: Array) -> Any:
    """A product and a sum, rounded once. Shapes: a, b, c broadcast to y."""
    return rounded_once(a, b, c)


@multiply_add.gradient
def multiply_add_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    a, b, c = node.inputs
    whole = (dy * b, dy * a, dy)
    return [_summed_to(one, slope) for one, slope in zip((a, b, c), whole, strict=True)]


def _summed_to(one: Tensor, slope: Tensor) -> Tensor:
    """The sum of a gradient over the axes along which an input was repeated."""
    if one.shape == slope.shape:
        return slope
    (shape, axes), _ = axes_to_sum(one, slope)
    return sum_to(slope, axes, shape)
