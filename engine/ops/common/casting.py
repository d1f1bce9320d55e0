"""The same numbers in another type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import DtypeError, ValueRefused, quoted
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import COMPLEX, DTYPES, FLOATS, TEXT, Array, Node, Tensor


@op(
    "Cast",
    inputs="x",
    types="SrcT",
    outputs=("DstT",),
    shape=lambda x: x,
    fixed={"Truncate": False},
    own=("digits",),
    latex=r"\mathrm{cast}({x})",
    adjoints=[r"\mathrm{cast}(\bar{y})"],
    derivative=["1"],
    form="linear",
    symbolic=lambda x: x,
)
@in_chinese("同样的数换一种类型；变成整数时舍去小数部分。")
def cast_op(x: Array, DstT: str = "float32", digits: int = 0) -> Any:
    """The same numbers in another type; an integer drops the fraction. Shapes: x (*S) -> y (*S).

    digits: how many binary digits are kept of each, the last one rounded; 0 for all that the type has.
    """
    cast_to = x.astype(DstT)
    return with_digits(cast_to, digits) if digits else cast_to


def with_digits(x: Array, digits: int) -> Array:
    """The nearest numbers m 2^e with so many binary digits in m, of two the even one. (*S) -> (*S)."""
    m, e = np.frexp(x)  # 1/2 <= |m| < 1
    with np.errstate(over="ignore"):  # to infinity
        nearest: Array = np.ldexp(np.rint(np.ldexp(m, digits)), e - digits)
    return nearest


@cast_op.degree
def cast_degree(node: Node, degrees: Sequence[float]) -> float:
    """Rounding to whole numbers is no polynomial."""
    return degrees[0] if node.outputs[0].dtype in FLOATS else math.inf


@cast_op.gradient
def cast_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    source = node.inputs[0].dtype
    return [cast(dy, source) if source in FLOATS and dy.dtype in FLOATS else None]


def cast(x: Any, dtype: str, name: str | None = None) -> Tensor:
    """`tf.cast`: a tensor that has the type already is given back as it is. Shapes: x (*S) -> (*S).

    Floats are cut to whole numbers towards 0; a truth value is 0 or 1.
    Raises: ValueRefused for an unknown type; DtypeError between texts and numbers.
    """
    if dtype not in (*DTYPES, TEXT):
        raise ValueRefused(
            f"There is no type {quoted(dtype)}.", message_zh=f"没有 {quoted(dtype)} 这种类型。"
        )
    if isinstance(x, Tensor) and x.dtype == dtype:
        return x
    with name_scope(name, "Cast") as scope:
        x = convert_to_tensor(x, name="x")
        if {TEXT, *COMPLEX} & {x.dtype, dtype} and x.dtype != dtype:
            raise _texts_are_not_cast(x.dtype, dtype)
        return x if x.dtype == dtype else cast_op(x, DstT=dtype, name=scope)


def _texts_are_not_cast(source: str, target: str) -> DtypeError:
    return DtypeError(
        f"Cast {source} to {target} is not supported.",
        hint="tf.strings.to_number(…) makes numbers of texts, tf.strings.as_string(…) texts of numbers.",
        message_zh=f"不能把 {source} 转换为 {target}。",
        hint_zh="用 tf.strings.to_number(…) 把文字变成数，用 tf.strings.as_string(…) 把数变成文字。",
        kind="UnimplementedError",
    )


def bounds(dtype: str) -> tuple[Any, Any]:
    """The least and the greatest number of a type."""
    kind = np.dtype(dtype)
    info: Any = np.finfo(kind) if dtype in FLOATS else np.iinfo(kind)
    return info.min, info.max
