"""Rows of a variable by number: writing some of them, and finding which numbers occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.arrays.gathering import check_inside, gather_nd
from engine.ops.arrays.indexing import MASKS, python_key
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.derivatives import PLACED, Words
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import constants

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
scatter_max = _scatter_op(
    "ScatterMax",
    np.maximum.at,
    "Rows of a variable become the larger of what they are and a value.",
    "变量的若干行取原值与给定值中较大的。",
    r"\max {}",
)
scatter_min = _scatter_op(
    "ScatterMin",
    np.minimum.at,
    "Rows of a variable become the smaller of what they are and a value.",
    "变量的若干行取原值与给定值中较小的。",
    r"\min {}",
)


# -- elements and slices by their positions ----------------------------------------------------------


def _positions(indices: Array, shape: Sequence[int]) -> tuple[Any, ...]:
    """The indices as numpy takes them. Raises: ValueRefused where one lies outside."""
    parts = tuple(np.moveaxis(indices, -1, 0))
    for part, length in zip(parts, shape, strict=False):
        check_inside(part, length)
    return parts


def _check_fit(indices: Array, updates: Array, shape: Sequence[int]) -> None:
    """Raises: ValueRefused where the updates are not shaped like what they are put in place of."""
    wanted = (*indices.shape[:-1], *shape[indices.shape[-1] :])
    if updates.shape != wanted:
        raise ValueRefused(
            f"The updates need the shape {wanted}, but have {updates.shape}.",
            hint="It is that of the indices without their last axis, then that of one slice.",
            message_zh=f"更新值的形状应为 {wanted}，但这里是 {updates.shape}。",
            hint_zh="它由下标去掉最后一个轴后的形状和一个切片的形状组成。",
            code="shape_mismatch",
        )


def _put_at(combine: Callable[..., Any]) -> Callable[..., Any]:
    def changed(old: Array, indices: Array, updates: Array) -> Any:
        _check_fit(indices, updates, old.shape)
        new = old.copy()
        combine(new, _positions(indices, old.shape), updates)
        return new

    return changed


CHANGES: dict[str, Callable[..., Any]] = {
    "Update": _put_at(_put),
    "Add": _put_at(np.add.at),
    "Sub": _put_at(np.subtract.at),
}


def _scatter_nd_op(how: str, what: str, what_zh: str, sign: str) -> OpDef:
    change = CHANGES[how]

    def kernel(ref: Array, indices: Array, updates: Array, use_locking: bool = True) -> Any:
        return change(ref, indices, updates)

    shapes = "ref (*S), indices (*I, k), updates (*I, *S[k:]) -> the new value (*S)."
    kernel.__doc__ = f"{what} Shapes: {shapes}"
    target = "{ref}[{indices}]"
    return op(
        f"ScatterNd{how}",
        inputs="ref indices updates",
        types="T Tindices T",
        shape=_like_ref,
        writes=(0,),
        latex=f"{target} \\leftarrow {sign.format(target)} {{updates}}".replace("  ", " "),
        no_gradient=WRITES,
        ends_path=True,
        accepts="numbers" if sign else "all",
    )(in_chinese(what_zh)(kernel))


scatter_nd_update = _scatter_nd_op(
    "Update", "Elements of a variable are replaced.", "替换变量的若干元素。", ""
)
scatter_nd_add = _scatter_nd_op(
    "Add", "Values are added to elements of a variable.", "给变量的若干元素加上值。", "{} +"
)
scatter_nd_sub = _scatter_nd_op(
    "Sub", "Values are taken off elements of a variable.", "从变量的若干元素减去值。", "{} -"
)

KEPT: Words = (
    r"1 \text{ where nothing is put, else } 0",
    r"\text{未放入新值处为 } 1 \text{，其余为 } 0",
)


def _tensor_scatter_op(how: str, what: str, what_zh: str, sign: str) -> OpDef:
    change = CHANGES[how]

    def kernel(tensor: Array, indices: Array, updates: Array) -> Any:
        return change(tensor, indices, updates)

    kernel.__doc__ = f"{what} Shapes: tensor (*S), indices (*I, k), updates (*I, *S[k:]) -> y (*S)."
    minus, joined = "-" if how == "Sub" else "", sign or r"\text{ with }"
    return op(
        f"TensorScatter{how}",
        inputs="tensor indices updates",
        types="T Tindices T",
        shape=_like_ref,
        latex=rf"{{tensor}} {joined} {{updates}} \text{{ at }} {{indices}}",
        adjoints=[
            r"\bar{y}" if sign else r"\bar{y} \text{ where nothing is put, else } 0",
            "0",
            rf"{minus}\bar{{y}}_{{indices}}",
        ],
        derivative=["1" if sign else KEPT, "0", _negative(PLACED) if minus else PLACED],
        accepts="numbers" if sign else "all",
    )(in_chinese(what_zh)(kernel))


def _negative(words: Words) -> Words:
    return (f"-{words[0]}", words[1].replace("1", "-1", 1))


tensor_scatter_update = _tensor_scatter_op(
    "Update", "A tensor with some elements replaced.", "替换了若干元素的张量。", ""
)
tensor_scatter_add = _tensor_scatter_op(
    "Add", "A tensor with values added to some elements.", "若干元素加上了值的张量。", "+"
)
tensor_scatter_sub = _tensor_scatter_op(
    "Sub", "A tensor with values taken off some elements.", "若干元素减去了值的张量。", "-"
)


@tensor_scatter_update.gradient
def tensor_scatter_update_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    _, indices, updates = node.inputs
    kept = tensor_scatter_update(dy, indices, constants.zeros_like(updates))
    return [kept, None, gather_nd(dy, indices)]


@tensor_scatter_add.gradient
def tensor_scatter_add_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [dy, None, gather_nd(dy, node.inputs[1])]


@tensor_scatter_sub.gradient
def tensor_scatter_sub_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [dy, None, -gather_nd(dy, node.inputs[1])]


@op(
    "StridedSliceAssign",
    inputs="ref begin end strides value",
    types="T Index Index Index T",
    shape=lambda ref, *rest: ref,
    writes=(0,),
    latex=r"{ref}[{begin} : {end} : {strides}] \leftarrow {value}",
    no_gradient=WRITES,
    ends_path=True,
)
@in_chinese("给变量的一部分赋值。")
def strided_slice_assign(
    ref: Array,
    begin: Array,
    end: Array,
    strides: Array,
    value: Array,
    begin_mask: int = 0,
    ellipsis_mask: int = 0,
    end_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any:
    """A part of a variable is written. Shapes: ref (*S), value that of the part -> the new value (*S)."""
    given = (begin_mask, ellipsis_mask, end_mask, new_axis_mask, shrink_axis_mask)
    key = python_key(begin, end, strides, dict(zip(MASKS, given, strict=True)))
    new = ref.copy()
    if new[key].shape != value.shape:
        raise ShapeError(
            f"This part of the variable has the shape {new[key].shape}, but the value has {value.shape}.",
            hint="A value for a part of a variable is shaped like the part.",
            message_zh=f"变量的这一部分形状是 {new[key].shape}，但值的形状是 {value.shape}。",
            hint_zh="赋给变量一部分的值，形状要与该部分相同。",
        )
    new[key] = value
    return new
