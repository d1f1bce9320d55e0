"""How fast water leaves a hole: an op in a file of its own, which no other file knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.definition import in_chinese, op
from engine.ops.base.domains import Undefined, shown
from engine.ops.base.kinks import Kink, at_zero
from engine.ops.base.shapes import same
from engine.ops.base.tensors import Array, Node, Tensor


@op(
    "Torricelli",
    inputs="x",
    shape=same,
    latex=r"\sqrt{2 {x}}",
    adjoints=[r"\bar{y} / y"],
    derivative=[r"\frac{1}{{out}}"],
    partials=lambda x, y: [1 / y],
    kink=Kink(at_zero, "torricelli has no finite slope at 0.", "torricelli 在 0 处没有有限的斜率。"),
    accepts="floats",
    symbolic=lambda x: np.sqrt(2 * x),
    names={"tf": "torricelli", "torch": "special.torricelli"},
)
@in_chinese("水深 x 处小孔的出水速度。")
def torricelli(x: Array) -> Any:
    """The speed of water at the depth x. Shapes: x (*S) -> y (*S)."""
    return np.sqrt(2 * x)


@torricelli.domain
def torricelli_domain(x: float) -> Undefined | None:
    return Undefined(f"No water flows at the depth {shown(x)}.", f"深度 {shown(x)} 处没有水流。")


@torricelli.gradient
def torricelli_gradient(node: Node, dy: Tensor) -> Sequence[Any]:
    return [dy / node.outputs[0]]
