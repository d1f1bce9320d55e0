"""Layers that bring their own variables: `tf.layers.dense`, and the penalties on variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import ShapeError
from engine.graph.graph import Graph
from engine.graph.initializers import Zeros
from engine.graph.scopes import get_variable, variable_scope
from engine.graph.variables import Variable
from engine.ops import arithmetic, bias, contraction, linalg, losses
from engine.ops.building import convert_to_tensor, name_scope
from engine.ops.shapes import written
from engine.ops.tensors import Tensor

Rule = Callable[..., Any]


def dense(
    graph: Graph,
    inputs: Any,
    units: int,
    activation: Rule | None = None,
    *,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = None,
    kernel_regularizer: Rule | None = None,
    bias_regularizer: Rule | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | str | None = None,
) -> Tensor:
    """`tf.layers.dense`: activation(inputs · kernel + bias), under the layer's own scope.

    Shapes: inputs (*S, n), kernel (n, units), bias (units,) -> (*S, units).
    Raises: ShapeError where the last length of the inputs is not known.
    """
    x = convert_to_tensor(inputs)
    width = _width(x)
    with variable_scope(graph, name, "dense", reuse=reuse):
        kernel = get_variable(
            graph, "kernel", (width, units), x.dtype, kernel_initializer, trainable, None, kernel_regularizer
        )
        offset = None
        if use_bias:
            first = bias_initializer if bias_initializer is not None else Zeros()
            offset = get_variable(graph, "bias", (units,), x.dtype, first, trainable, None, bias_regularizer)
        result = _product(x, kernel)
        if offset is not None:
            result = bias.bias_add(result, offset)
        return result if activation is None else convert_to_tensor(activation(result))


def _width(x: Tensor) -> int:
    if not x.shape or x.shape[-1] is None:
        raise ShapeError(
            f"A dense layer needs inputs whose last length is known, not {written(x.shape)}.",
            hint="Give the placeholder a shape such as [None, 3].",
            message_zh=f"dense 层需要最后一个长度已知的输入，而不是 {written(x.shape)}。",
            hint_zh="请给占位符一个形状，例如 [None, 3]。",
        )
    return x.shape[-1]


def _product(x: Tensor, kernel: Variable) -> Tensor:
    rank = len(x.shape or ())
    if rank > 2:
        return contraction.tensordot(x, kernel, [[rank - 1], [0]])
    return linalg.matrix_product(x, kernel)


def l2_regularizer(scale: float) -> Rule:
    """`tf.contrib.layers.l2_regularizer`: scale times half the sum of squares."""

    def penalty(weights: Any) -> Tensor:
        with name_scope(None, "l2_regularizer") as scope:
            factor = convert_to_tensor(scale, dtype="float32", name="scale")
            return arithmetic.mul(factor, losses.l2_loss(weights), name=scope)

    return penalty
