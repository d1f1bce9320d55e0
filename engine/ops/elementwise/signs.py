"""The other sign, the size and the sign of each element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.kinks import Kink, at_zero
from engine.ops.base.shapes import same
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.common import constants, measuring


@op(
    "Neg",
    inputs="x",
    shape=same,
    latex=r"-{x}",
    adjoints=[r"-\bar{y}"],
    derivative=["-1"],
    form="linear",
    accepts="numbers",
    symbolic=lambda x: -x,
)
@in_chinese("相反数。")
def neg(x: Array) -> Any:
    """The number with the other sign. Shapes: x (*S) -> y (*S)."""
    return np.negative(x)


@neg.gradient
def neg_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [-dy]


@op(
    "Abs",
    inputs="x",
    shape=same,
    latex=r"|{x}|",
    adjoints=[r"\bar{y}\, \mathrm{sign}\, x"],
    derivative=[r"\mathrm{sign}({x})"],
    partials=lambda x, y: [np.sign(x)],
    kink=Kink(
        at_zero,
        "abs has a corner at 0; TensorFlow takes the slope 0 there.",
        "abs 在 0 处有拐角；TensorFlow 在那里取斜率 0。",
        elsewhere={"jax": "At 0 the slope of abs is 1 here; in TensorFlow it is 0."},
    ),
    accepts="numbers",
    symbolic="abs",
    analytic="",
    names={"tf": "abs", "numpy": "abs", "math": "abs"},
)
@in_chinese("到 0 的距离。在 0 处梯度是 0，即 0 的符号。")
def absolute(x: Array) -> Any:
    """Distance from 0. Shapes: x (*S) -> y (*S). At 0 the gradient is 0, the sign of 0."""
    return np.abs(x)


@absolute.gradient
def absolute_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    return [dy * sign(x)]


@op(
    "Sign",
    inputs="x",
    shape=same,
    latex=r"\mathrm{sign}\, {x}",
    adjoints=["0"],
    derivative=["0"],
    partials=lambda x, y: [0],
    accepts="numbers",
    symbolic="sign",
    analytic="",
    names={"tf": "sign", "numpy": "sign", "math": "sign"},
)
@in_chinese("-1、0 或 1。在跳变之间是常数，所以梯度是 0。")
def sign(x: Array) -> Any:
    """-1, 0 or 1. Shapes: x (*S) -> y (*S). Constant between the jumps, so its gradient is 0."""
    return np.sign(x)


@sign.gradient
def sign_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    (x,) = node.inputs
    return [constants.zeros(measuring.shape_of(x), x.dtype)]
