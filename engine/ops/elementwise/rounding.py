"""Rounding to whole numbers. No gradient (None): between the steps these functions are constant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import same
from engine.ops.base.tensors import FLOATS, Array, Node, Tensor


def _no_path(node: Node, dy: Tensor) -> Sequence[None]:
    return [None]


@op(
    "Floor",
    inputs="x",
    shape=same,
    latex=r"\lfloor {x} \rfloor",
    adjoints=["0"],
    derivative=["0"],
    accepts="floats",
    names={"tf": "math.floor", "numpy": "floor", "math": "floor"},
)
@in_chinese("不大于 x 的最大整数。无梯度（None），与 TensorFlow 相同。")
def floor(x: Array) -> Any:
    """The largest whole number not above x. Shapes: x (*S) -> y (*S). No gradient (None), as TensorFlow."""
    return np.floor(x)


@floor.gradient
def floor_gradient(node: Node, dy: Tensor) -> Sequence[None]:
    return [None]


@op(
    "Ceil",
    inputs="x",
    shape=same,
    latex=r"\lceil {x} \rceil",
    adjoints=["0"],
    derivative=["0"],
    accepts="floats",
    names={"tf": "math.ceil", "numpy": "ceil", "math": "ceil"},
)
@in_chinese("不小于 x 的最小整数。")
def ceil(x: Array) -> Any:
    """The smallest whole number not below x. Shapes: x (*S) -> y (*S)."""
    return np.ceil(x)


@op(
    "Round",
    inputs="x",
    shape=same,
    latex=r"\mathrm{round}({x})",
    adjoints=["0"],
    derivative=["0"],
    accepts="numbers",
    names={"tf": "round", "numpy": "round", "math": "round"},
)
@in_chinese("最接近的整数；恰好一半时取偶数。")
def round_op(x: Array) -> Any:
    """The nearest whole number; halves go to the even one. Shapes: x (*S) -> y (*S)."""
    return np.round(x)


@op(
    "Rint",
    inputs="x",
    shape=same,
    latex=r"\mathrm{rint}({x})",
    adjoints=["0"],
    derivative=["0"],
    accepts="floats",
    names={"tf": "math.rint", "numpy": "rint", "torch": "round", "math": "round"},
)
@in_chinese("最接近的整数；恰好一半时取偶数。")
def rint(x: Array) -> Any:
    """The nearest whole number; halves go to the even one. Shapes: x (*S) -> y (*S)."""
    return np.rint(x)


for _rounding in (ceil, round_op, rint):
    _rounding.gradient(_no_path)


def round_of(x: Any, name: str | None = None) -> Tensor:
    """`tf.round`: an integer tensor is given back as it is."""
    x = convert_to_tensor(x, name="x")
    return round_op(x, name=name) if x.dtype in FLOATS else x
