"""The bias that follows a matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import SUMMED
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring
from engine.ops.elementwise import comparison
from engine.ops.linear_algebra import products as linalg


def _like_value(value: Shape, bias: Shape) -> Shape:
    if value is None or bias is None:
        return value
    if len(bias) != 1 or len(value) < 2 or (None not in (value[-1], bias[0]) and value[-1] != bias[0]):
        raise ShapeError(
            f"BiasAdd adds one number per column: {written(bias)} does not fit {written(value)}.",
            hint="The bias is a vector as long as the last axis.",
            message_zh=f"BiasAdd 给每一列加一个数：{written(bias)} 与 {written(value)} 不匹配。",
            hint_zh="偏置是一个向量，长度等于最后一个轴的长度。",
        )
    return (*value[:-1], bias[0] if value[-1] is None else value[-1])


@op(
    "BiasAdd",
    inputs="value bias",
    shape=_like_value,
    latex=r"{value} + {bias}",
    adjoints=[r"\bar{y}", r"\textstyle\sum_{\mathrm{rows}} \bar{y}"],
    derivative=["1", (r"1 \text{ in every row}", r"\text{每一行都是 } 1")],
    form="linear",
    accepts="numbers",
    operator="+",
    symbolic="kernel",
    names={"tf": "nn.bias_add"},
)
@in_chinese("给每一列加上一个数。")
def bias_add_op(value: Array, bias: Array, data_format: str = "NHWC") -> Any:
    """One number added to every column. Shapes: value (*S, n), bias (n,) -> y (*S, n)."""
    return value + bias


@bias_add_op.gradient
def bias_add_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [dy, bias_add_grad(dy, data_format=node.attrs["data_format"])]


def _last_axis(dy: Shape) -> Shape:
    return (None,) if dy is None else dy[-1:]


@op(
    "BiasAddGrad",
    inputs="out_backprop",
    shape=_last_axis,
    latex=r"\textstyle\sum_{\mathrm{rows}} {out_backprop}",
    adjoints=[r"\bar{z} \text{ for every row}"],
    derivative=[SUMMED],
    accepts="numbers",
)
@in_chinese("偏置的梯度：所有行之和。")
def bias_add_grad(out_backprop: Array, data_format: str = "NHWC") -> Any:
    """The gradient of a bias: the sum of all rows. Shapes: (*S, n) -> (n,)."""
    return np.sum(out_backprop, axis=tuple(range(out_backprop.ndim - 1)), dtype=out_backprop.dtype)


@bias_add_grad.gradient
def bias_add_grad_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    (dy,) = node.inputs
    shape, bias_shape = measuring.shape_of(dy), measuring.shape_of(dz)
    ones = comparison.ones_like(shape[:-1])
    one_row = joining.concat([ones, bias_shape], 0)
    copies = joining.concat([shape[:-1], [1]], 0)
    return [joining.tile(reshaping.reshape(dz, one_row), copies)]


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """`tf.nn.bias_add`."""
    with name_scope(name, "BiasAdd") as scope:
        value = convert_to_tensor(value, name="input")
        bias = convert_to_tensor(bias, dtype=value.dtype, name="bias")
        return bias_add_op(value, bias, name=scope)


def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """`tf.nn.xw_plus_b`: a dense layer without its activation."""
    with name_scope(name, "xw_plus_b") as scope:
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(weights, name="weights")
        biases = convert_to_tensor(biases, name="biases")
        return bias_add(linalg.matrix_product(x, weights), biases, name=scope)
