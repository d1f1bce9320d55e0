"""The larger and the smaller of two tensors, element by element, with broadcasting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import cases
from engine.ops.base.kinks import Kink, at_tie
from engine.ops.base.shapes import broadcast
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.common import constants, measuring, plumbing
from engine.ops.elementwise import comparison
from engine.ops.elementwise.broadcasting import sum_to

HALF_EACH = "Where both are equal, each gets half of the gradient; in TensorFlow the first gets all."


def _chosen(node: Node, dz: Tensor, choose: OpDef) -> Sequence[Tensor]:
    """All of the gradient to the chosen operand, nothing to the other; a tie goes to the first."""
    x, y = node.inputs
    sx, sy, sz = measuring.shape_of(x), measuring.shape_of(y), measuring.shape_of(dz)
    nothing = constants.zeros(sz, dz.dtype)
    mask = choose(x, y)
    rx, ry = plumbing.broadcast_gradient_args.node(sx, sy).outputs
    dx = sum_to(comparison.select(mask, dz, nothing), rx, sx)
    return [dx, sum_to(comparison.select(mask, nothing, dz), ry, sy)]


@op(
    "Maximum",
    inputs="x y",
    shape=broadcast,
    latex=r"\max({x}, {y})",
    adjoints=[r"\bar{z}\, [x \ge y]", r"\bar{z}\, [x < y]"],
    derivative=[cases(r"{x} \ge {y}"), cases("{x} < {y}")],
    partials=lambda x, y, z: [x >= y, x < y],
    kink=Kink(
        at_tie,
        "maximum has a corner where both are equal; TensorFlow gives the whole gradient to the first.",
        "maximum 在两者相等处有拐角；TensorFlow 把全部梯度给第一个。",
        elsewhere=dict.fromkeys(("torch", "jax"), HALF_EACH),
    ),
    accepts="numbers",
    names={"tf": "maximum", "numpy": "maximum", "math": "max"},
)
@in_chinese("两者中较大的。相等时全部梯度归 x。")
def maximum(x: Array, y: Array) -> Any:
    """The larger of two. Shapes: x, y broadcast to z. At a tie the whole gradient goes to x."""
    return np.maximum(x, y)


@maximum.gradient
def maximum_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return _chosen(node, dz, comparison.greater_equal)


@op(
    "Minimum",
    inputs="x y",
    shape=broadcast,
    latex=r"\min({x}, {y})",
    adjoints=[r"\bar{z}\, [x \le y]", r"\bar{z}\, [x > y]"],
    derivative=[cases(r"{x} \le {y}"), cases("{x} > {y}")],
    partials=lambda x, y, z: [x <= y, x > y],
    kink=Kink(
        at_tie,
        "minimum has a corner where both are equal; TensorFlow gives the whole gradient to the first.",
        "minimum 在两者相等处有拐角；TensorFlow 把全部梯度给第一个。",
        elsewhere=dict.fromkeys(("torch", "jax"), HALF_EACH),
    ),
    accepts="numbers",
    names={"tf": "minimum", "numpy": "minimum", "math": "min"},
)
@in_chinese("两者中较小的。相等时全部梯度归 x。")
def minimum(x: Array, y: Array) -> Any:
    """The smaller of two. Shapes: x, y broadcast to z. At a tie the whole gradient goes to x."""
    return np.minimum(x, y)


@minimum.gradient
def minimum_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return _chosen(node, dz, comparison.less_equal)
