"""Rows of a variable by number: writing some of them, and finding which numbers occur."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.ops.arrays.gathering import check_inside
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.tensors import Array, Shape

WRITES = ("it writes a variable; differentiate the value instead", "它写入变量；请改为对值求导")


def _like_ref(ref: Shape, indices: Shape, updates: Shape) -> Shape:
    return ref


def _scatter_op(name: str, combine: Callable[..., Any], what: str, what_zh: str, sign: str) -> OpDef:
    def kernel(ref: Array, indices: Array, updates: Array, use_locking: bool = False) -> Any:
        check_inside(indices, len(ref))
        new = ref.copy()
        combine(new, indices, updates)
        return new

    kernel.__doc__ = f"{what} Shapes: ref (n, *S), indices (*I), updates (*I, *S) -> the new value (n, *S)."
    target = "{ref}[{indices}]"
    return op(
        name,
        inputs="ref indices updates",
        types="T Tindices T",
        shape=_like_ref,
        writes=(0,),
        latex=f"{target} \\leftarrow {sign.format(target)} {{updates}}".replace("  ", " "),
        no_gradient=WRITES,
        ends_path=True,
        accepts="numbers" if sign else "all",
    )(in_chinese(what_zh)(kernel))


def _put(new: Array, indices: Array, updates: Array) -> None:
    new[indices] = updates


TWICE = "a row that is named twice is changed twice."
TWICE_ZH = "一行出现两次就改两次。"

scatter_update = _scatter_op(
    "ScatterUpdate", _put, "Rows of a variable are replaced.", "替换变量的若干行。", ""
)
scatter_add = _scatter_op(
    "ScatterAdd",
    np.add.at,
    f"Rows are added to a variable; {TWICE}",
    f"给变量的若干行加上值；{TWICE_ZH}",
    "{} +",
)
scatter_sub = _scatter_op(
    "ScatterSub",
    np.subtract.at,
    f"Rows are taken off a variable; {TWICE}",
    f"从变量的若干行减去值；{TWICE_ZH}",
    "{} -",
)
scatter_mul = _scatter_op(
    "ScatterMul",
    np.multiply.at,
    f"Rows of a variable are multiplied; {TWICE}",
    f"把变量的若干行乘以值；{TWICE_ZH}",
    r"{} \cdot",
)
scatter_div = _scatter_op(
    "ScatterDiv",
    np.divide.at,
    f"Rows of a variable are divided; {TWICE}",
    f"把变量的若干行除以值；{TWICE_ZH}",
    "{} /",
)
