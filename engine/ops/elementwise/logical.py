"""Truth values: and, or, not."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import Array, Tensor

BOOLEAN = (
    "its output is true or false, which does not vary smoothly with x",
    "它的输出是真或假，不随 x 连续变化",
)


def _connective(name: str, sign: str, operator: str, compute: Any, doc: str, doc_zh: str) -> OpDef:
    def kernel(x: Array, y: Array) -> Any:
        return compute(x, y)

    kernel.__doc__ = f"{doc} Shapes: x, y (bool) broadcast to z (bool)."
    return op(
        name,
        inputs="x y",
        types="bool bool",
        outputs=("bool",),
        shape=broadcast,
        latex=f"{{x}} {sign} {{y}}",
        no_gradient=BOOLEAN,
        ends_path=True,
        operator=operator,
        names={"tf": compute.__name__, "numpy": compute.__name__},
    )(in_chinese(doc_zh)(kernel))


logical_and: OpDef = _connective(
    "LogicalAnd", r"\land", "&", np.logical_and, "Whether both hold.", "两者是否都成立。"
)
logical_or: OpDef = _connective(
    "LogicalOr", r"\lor", "|", np.logical_or, "Whether at least one holds.", "是否至少有一个成立。"
)


@op(
    "LogicalNot",
    inputs="x",
    types="bool",
    outputs=("bool",),
    shape=same,
    latex=r"\lnot {x}",
    no_gradient=BOOLEAN,
    ends_path=True,
    names={"tf": "logical_not", "numpy": "logical_not"},
)
@in_chinese("x 是否不成立。")
def logical_not(x: Array) -> Any:
    """Whether x does not hold. Shapes: x (*S) (bool) -> y (*S) (bool)."""
    return np.logical_not(x)


def logical_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`tf.logical_xor`: one of the two, not both. Without a name its parts stand outside its scope."""
    either = logical_or(x, y)
    both = logical_and(x, y)
    return logical_and(either, logical_not(both), name=name or "LogicalXor")


def xor(x: Any, y: Any, name: str) -> Tensor:
    """Python's `^`, its parts in its own scope."""
    either = logical_or(x, y)
    return logical_and(either, logical_not(logical_and(x, y)), name=name)


@op(
    "IsNan",
    inputs="x",
    outputs=("bool",),
    shape=same,
    latex=r"{x} \ne {x}",
    no_gradient=BOOLEAN,
    ends_path=True,
    accepts="floats",
    names={"tf": "math.is_nan", "numpy": "isnan"},
)
@in_chinese("x 是否为 NaN。")
def is_nan(x: Array) -> Any:
    """Whether x is NaN. Shapes: x (*S) -> y (*S) (bool)."""
    return np.isnan(x)


@op(
    "IsInf",
    inputs="x",
    outputs=("bool",),
    shape=same,
    latex=r"|{x}| = \infty",
    no_gradient=BOOLEAN,
    ends_path=True,
    accepts="floats",
    names={"tf": "math.is_inf", "numpy": "isinf"},
)
@in_chinese("x 是否为无穷大。")
def is_inf(x: Array) -> Any:
    """Whether x is infinite. Shapes: x (*S) -> y (*S) (bool)."""
    return np.isinf(x)
