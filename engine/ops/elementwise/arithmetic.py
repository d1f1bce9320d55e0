"""Sums, products, quotients, and the choice of the larger: element by element, with broadcasting."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.degrees import of_quotient
from engine.ops.base.derivatives import cases
from engine.ops.base.domains import division
from engine.ops.base.kinks import Kink, at_tie, at_zero
from engine.ops.base.registry import op_called
from engine.ops.base.shapes import broadcast, constant_value, is_static, merge, same
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import FLOATS, Array, Node, Operators, Tensor
from engine.ops.common import casting, constants, measuring, plumbing, reducing
from engine.ops.common import passing as control
from engine.ops.elementwise import comparison

reshape = op_called("Reshape")

# -- undoing broadcasting ------------------------------------------------------------------------


def sum_to(tensor: Tensor, axes: Any, shape: Any) -> Tensor:
    """Sum over the axes that broadcasting stretched, back to `shape`."""
    return reshape(reducing.reduce_sum(tensor, axes), shape)


def broadcast_axes(
    x: Tensor, y: Tensor, dz: Tensor | IndexedSlices
) -> tuple[tuple[Any, Any, bool], tuple[Any, Any, bool]]:
    """For each operand: its shape, the axes to sum its gradient over, and whether it needs that at all.

    With static shapes the axes are constants, found once for each pair of shapes in a graph; with
    unknown ones they are computed when the graph runs.
    """
    if isinstance(dz, IndexedSlices) or not is_static(x.shape, y.shape, dz.shape):
        look = measuring.shape_of if isinstance(dz, IndexedSlices) else measuring.shape_op
        sx, sy = look(x), look(y)
        rx, ry = plumbing.broadcast_gradient_args.node(sx, sy).outputs
        return (sx, rx, True), (sy, ry, True)
    cache = x.graph.broadcast_cache
    if (x.shape, y.shape) not in cache:
        cache[x.shape, y.shape] = _constant_axes(x.shape, y.shape)
    rx, ry = cache[x.shape, y.shape]
    return (x.shape, rx, x.shape != dz.shape), (y.shape, ry, y.shape != dz.shape)


def _constant_axes(x: Any, y: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    shapes = [np.array(shape, dtype=np.int32) for shape in (x, y)]
    outputs = plumbing.broadcast_gradient_args.node(*shapes).outputs
    rx, ry = (constant_value(output) for output in outputs)
    return tuple(map(int, [] if rx is None else rx)), tuple(map(int, [] if ry is None else ry))


def stretched_axes(x: Tensor, y: Tensor) -> tuple[tuple[Any, Tensor], tuple[Any, Tensor]]:
    """For each operand its shape and the axes to sum its gradient over, by nodes whatever the shapes are."""
    sx, sy = measuring.shape_of(x), measuring.shape_of(y)
    rx, ry = plumbing.broadcast_gradient_args.node(sx, sy).outputs
    return (sx, rx), (sy, ry)


def equal_shapes(x: Tensor, y: Tensor, dz: Tensor | IndexedSlices) -> bool:
    """Whether nothing was broadcast, as far as static shapes show."""
    return not isinstance(dz, IndexedSlices) and is_static(x.shape) and x.shape == y.shape == dz.shape


# -- sum, difference, product, quotient ----------------------------------------------------------


def _sum_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if equal_shapes(x, y, dz):
        return [dz, dz]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    return [sum_to(dz, rx, sx) if reduce_x else dz, sum_to(dz, ry, sy) if reduce_y else dz]


HALF_EACH = "Where both are equal, each gets half of the gradient; in TensorFlow the first gets all."


@op(
    "Add",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} + {y}",
    adjoints=[r"\bar{z}", r"\bar{z}"],
    derivative=["1", "1"],
    form="linear",
    accepts="numbers",
    operator="+",
    analytic="kernel",
)
@in_chinese("两个张量之和，即 `tf.add` 所写的。")
def add(x: Array, y: Array) -> Any:
    """Sum of two tensors, as `tf.add` writes it. Shapes: x, y broadcast to z."""
    return np.add(x, y)


add.gradient(_sum_gradient)


@op(
    "AddV2",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} + {y}",
    adjoints=[r"\bar{z}", r"\bar{z}"],
    derivative=["1", "1"],
    form="linear",
    accepts="numbers",
    operator="+",
    analytic="kernel",
)
@in_chinese("两个张量之和，即运算符 `+` 所写的。")
def add_v2(x: Array, y: Array) -> Any:
    """Sum of two tensors, as the operator `+` writes it. Shapes: x, y broadcast to z."""
    return np.add(x, y)


add_v2.gradient(_sum_gradient)


@op(
    "Sub",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} - {y}",
    adjoints=[r"\bar{z}", r"-\bar{z}"],
    derivative=["1", "-1"],
    form="linear",
    accepts="numbers",
    operator="-",
    analytic="kernel",
)
@in_chinese("两个张量之差。")
def sub(x: Array, y: Array) -> Any:
    """Difference of two tensors. Shapes: x, y broadcast to z."""
    return np.subtract(x, y)


@sub.gradient
def sub_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if equal_shapes(x, y, dz):
        return [dz, -dz]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    dx = sum_to(dz, rx, sx) if reduce_x else dz
    return [dx, sum_to(-dz, ry, sy) if reduce_y else -dz]


@op(
    "Mul",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} \cdot {y}",
    adjoints=[r"\bar{z}\, y", r"\bar{z}\, x"],
    derivative=["{y}", "{x}"],
    partials=lambda x, y, z: [y, x],
    form="bilinear",
    accepts="numbers",
    operator="*",
    analytic="kernel",
)
@in_chinese("逐元素的乘积。")
def mul(x: Array, y: Array) -> Any:
    """Product, element by element. Shapes: x, y broadcast to z."""
    return np.multiply(x, y)


@mul.gradient
def mul_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    if equal_shapes(x, y, dz) and dz.dtype in ("float32", "int32"):
        return [mul(dz, y), mul(dz, x)]
    (sx, rx, reduce_x), (sy, ry, reduce_y) = broadcast_axes(x, y, dz)
    dx = sum_to(mul(dz, y), rx, sx) if reduce_x else mul(dz, y)
    return [dx, sum_to(mul(x, dz), ry, sy) if reduce_y else mul(x, dz)]


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`tf.scalar_mul`: a number times a tensor, or times the rows of IndexedSlices."""
    if not isinstance(x, (Operators, IndexedSlices)):
        x = convert_to_tensor(x, name="x")
    factor = convert_to_tensor(scalar, dtype=x.dtype, name="scalar")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(mul(factor, x.values, name=name), x.indices, x.dense_shape)
    return mul(factor, x, name=name)


@op(
    "RealDiv",
    inputs="x y",
    shape=broadcast,
    latex=r"\frac{{x}}{{y}}",
    adjoints=[r"\bar{z} / y", r"-\bar{z}\, x / y^2"],
    derivative=[r"\frac{1}{{y}}", r"-\frac{{x}}{{y}^2}"],
    partials=lambda x, y, z: [1 / y, -z / y],
    degree=of_quotient,
    domain=division,
    accepts="numbers",
    operator="/",
    analytic="kernel",
)
@in_chinese("浮点数的商。除以 0 得无穷大或 NaN。")
def real_div(x: Array, y: Array) -> Any:
    """Quotient of floats. Shapes: x, y broadcast to z. Division by 0 gives an infinity or NaN."""
    return np.true_divide(x, y)


@real_div.gradient
def real_div_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    (sx, rx), (sy, ry) = stretched_axes(x, y)
    dx = sum_to(real_div(dz, y), rx, sx)
    return [dx, sum_to(dz * real_div(real_div(-x, y), y), ry, sy)]


def true_divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Python's `/`: floats divide, integers become float64 first."""
    with name_scope(name, "truediv") as scope:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype=x.dtype, name="y")
        if x.dtype not in FLOATS:
            wide = "float64" if x.dtype in ("int32", "int64") else "float32"
            x, y = casting.cast(x, wide), casting.cast(y, wide)
        return real_div(x, y, name=scope)


def check_divisor(x: Array, y: Array) -> None:
    """Raises: ValueRefused where a whole number is divided by 0; floats give an infinity or NaN."""
    if y.dtype.kind != "f" and x.size and not np.all(y != 0):
        raise ValueRefused(
            "Integer division by zero",
            hint="Whole numbers have no infinity; make them floats first, with tf.cast(…, tf.float32).",
            message_zh="整数除以零。",
            hint_zh="整数没有无穷大；请先用 tf.cast(…, tf.float32) 转换成浮点数。",
            code="division_by_zero",
        )


@op(
    "FloorDiv",
    inputs="x y",
    shape=broadcast,
    latex=r"\lfloor {x} / {y} \rfloor",
    adjoints=["0", "0"],
    derivative=["0", "0"],
    domain=division,
    accepts="numbers",
    names={"numpy": "floor_divide"},
)
@in_chinese("向下取整的商。整数不能除以 0。")
def floor_div(x: Array, y: Array) -> Any:
    """Quotient rounded down. Shapes: x, y broadcast to z. An integer divided by 0 is an error."""
    if x.dtype.kind == "f":
        return np.floor(np.true_divide(x, y))  # of the rounded quotient, as TensorFlow computes it
    check_divisor(x, y)
    return np.floor_divide(x, y)


@floor_div.gradient
def floor_div_gradient(node: Node, dz: Tensor) -> Sequence[None]:
    return [None, None]


@op(
    "FloorMod",
    inputs="x y",
    shape=broadcast,
    latex=r"{x} \bmod {y}",
    adjoints=[r"\bar{z}", r"-\bar{z} \lfloor x / y \rfloor"],
    derivative=["1", r"-\lfloor {x} / {y} \rfloor"],
    partials=lambda x, y, z: [1, -np.floor(x / y)],
    domain=division,
    accepts="numbers",
    names={"numpy": "mod", "torch": "remainder", "math": "mod"},
)
@in_chinese("余数，符号与 y 相同。整数不能除以 0。")
def floor_mod(x: Array, y: Array) -> Any:
    """Remainder with the sign of y. Shapes: x, y broadcast to z. Of an integer by 0 it is an error."""
    check_divisor(x, y)
    return np.mod(x, y)


@floor_mod.gradient
def floor_mod_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    x, y = node.inputs
    (sx, rx), (sy, ry) = stretched_axes(x, y)
    quotient = floor_div(x, y)
    dx = sum_to(dz, rx, sx)
    return [dx, sum_to(dz * neg(quotient), ry, sy)]


def _all_merge(*shapes: Any) -> Any:
    total = shapes[0]
    for shape in shapes[1:]:
        total = merge(total, shape)
    return total


@op(
    "AddN",
    inputs="*inputs",
    shape=_all_merge,
    latex=r"\sum_i {x}_i",
    adjoints=[r"\bar{z}"],
    derivative=["1"],
    form="linear",
    accepts="numbers",
    symbolic=lambda *terms: reduce(operator.add, terms),
    written="+",
)
@in_chinese("任意多个形状相同的张量之和；多次使用的张量的各个梯度由它汇总。")
def add_n_op(*inputs: Array) -> Any:
    """Sum of any number of tensors of one shape; it gathers the gradients of a tensor that is used often."""
    total = inputs[0]
    for term in inputs[1:]:
        total = np.add(total, term)
    return total


@add_n_op.gradient
def add_n_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return [dz] * len(node.inputs)


def add_n(inputs: Sequence[Any], name: str | None = None) -> Tensor:
    """`tf.add_n`: the sum of a list of tensors; a list of one is that tensor."""
    tensors = [item if isinstance(item, IndexedSlices) else convert_to_tensor(item) for item in inputs]
    if not tensors:
        raise ValueRefused("The list of tensors to add is empty.", message_zh="要相加的张量列表是空的。")
    if len(tensors) > 1:
        return add_n_op(tensors, name=name)
    only = convert_to_tensor(tensors[0])
    return control.identity(only, name=name) if name else only


# -- sign and size -------------------------------------------------------------------------------


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


# -- the larger and the smaller ------------------------------------------------------------------


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


# -- rounding ------------------------------------------------------------------------------------


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
