"""`tf.layers`: parts of a network, some with variables of their own, and the penalties on variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from engine.errors import ShapeError
from engine.graph.control_flow.building import cond
from engine.graph.graph import Graph
from engine.graph.variables.initializers import Zeros
from engine.graph.variables.variable import Variable
from engine.graph.variables.variable_scopes import VariableScope, get_variable, inside, variable_scope
from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import element_count, written
from engine.ops.base.tensors import Operators, Tensor
from engine.ops.common import measuring
from engine.ops.common import passing as control
from engine.ops.elementwise import arithmetic
from engine.ops.linear_algebra import bias, contraction
from engine.ops.linear_algebra import products as linalg
from engine.ops.networks import convolution, losses
from engine.ops.sources import random

Rule = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Weights:
    """How a layer's own variables begin, and whether training changes them.

    regularizers: functions of a variable whose results are collected as penalties.
    use_bias:     whether there is one number to add for each unit.
    names:        what the two variables are called.
    """

    kernel_initializer: Any = None
    bias_initializer: Any = None
    kernel_regularizer: Rule | None = None
    bias_regularizer: Rule | None = None
    use_bias: bool = True
    trainable: bool = True
    names: tuple[str, str] = ("kernel", "bias")

    def kernel(self, graph: Graph, shape: tuple[int, ...], dtype: str) -> Variable:
        """The variable that the inputs are multiplied by."""
        first, penalty = self.kernel_initializer, self.kernel_regularizer
        name, _ = self.names
        return get_variable(graph, name, shape, dtype, first, self.trainable, None, penalty, beside=False)

    def bias(self, graph: Graph, units: int, dtype: str) -> Variable | None:
        """The variable that is added, zeros at first; None where there is none."""
        if not self.use_bias:
            return None
        first = self.bias_initializer if self.bias_initializer is not None else Zeros()
        penalty = self.bias_regularizer
        _, name = self.names
        return get_variable(graph, name, (units,), dtype, first, self.trainable, None, penalty, beside=False)


@dataclass(slots=True)
class LayerScope:
    """Where a layer that is an object has its variables and nodes: the same place at each call.

    name, reuse: as a program gives them; opened: the scope, once the layer was called.
    """

    name: str | None = None
    reuse: bool | str | None = None
    opened: VariableScope | None = None


@contextmanager
def layer_scope(
    graph: Graph, name: str | LayerScope | None, default: str, reuse: bool | str | None = None
) -> Iterator[bool]:
    """The scope of a layer: one of its own for each call, or that of an object, opened again.

    name: what the program calls it, or the place of a layer that is an object.
    Yields: whether it is new.
    """
    if not isinstance(name, LayerScope):
        count_layer(graph, name, default)
        with variable_scope(graph, name, default, reuse=reuse):
            yield True
    elif name.opened is None:
        with variable_scope(graph, name.name, default, reuse=name.reuse) as name.opened:
            yield True
    else:
        again = name.opened
        with inside(graph, again, reuse=True), graph.name_scope_kept(again.original_name_scope):
            yield False


def count_layer(graph: Graph, name: str | None, kind: str) -> str:
    """What TensorFlow calls a new layer: its own name, or its kind with a number."""
    if name is not None:
        return name
    kept = graph.collection("__layer_kinds")
    if not kept:
        kept.append(Counter())
    kept[0][kind] += 1
    return f"{kind}_{kept[0][kind]}"


def named_block(graph: Graph, name: str | LayerScope | None, default: str) -> AbstractContextManager[Any]:
    """The scope of a layer without variables: of names alone, unless it is an object's."""
    if isinstance(name, LayerScope):
        return layer_scope(graph, name, default)
    count_layer(graph, name, default)
    return name_scope(name, default)


def dense(
    graph: Graph,
    inputs: Any,
    units: int,
    weights: Weights,
    activation: Rule | None = None,
    *,
    name: str | LayerScope | None = None,
    reuse: bool | str | None = None,
    default_name: str = "dense",
) -> Tensor:
    """`tf.layers.dense`: activation(inputs · kernel + bias), under the layer's own scope.

    Shapes: inputs (*S, n), kernel (n, units), bias (units,) -> (*S, units).
    Raises: ShapeError where the last length of the inputs is not known.
    """
    x = convert_to_tensor(inputs)
    width = _width(x)
    with layer_scope(graph, name, default_name, reuse):
        kernel = weights.kernel(graph, (width, units), x.dtype)
        offset = weights.bias(graph, units, x.dtype)
        return _finished(_product(x, kernel), offset, activation)


def conv2d(
    graph: Graph,
    inputs: Any,
    filters: int,
    size: tuple[int, ...],
    weights: Weights,
    activation: Rule | None = None,
    *,
    strides: tuple[int, ...] = (1, 1, 1, 1),
    padding: str = "VALID",
    name: str | LayerScope | None = None,
    reuse: bool | str | None = None,
) -> Tensor:
    """`tf.layers.conv2d`: activation(inputs * kernel + bias), under the layer's own scope.

    size: (1, rows, columns, 1) of the filter, as of the strides.
    Shapes: inputs (n, rows, columns, c) -> (n, rows', columns', filters).
    """
    x = convert_to_tensor(inputs)
    channels = _width(x)
    with layer_scope(graph, name, "conv2d", reuse) as is_new:
        kernel = weights.kernel(graph, (*size[1:3], channels, filters), x.dtype)
        offset = weights.bias(graph, filters, x.dtype)
        if is_new:
            convert_to_tensor([1, 1], dtype="int32", name="dilation_rate")  # TensorFlow leaves it there
        product = convolution.conv2d_op(x, kernel, strides=strides, padding=padding)
        return _finished(product, offset, activation)


def _finished(product: Tensor, offset: Variable | None, activation: Rule | None) -> Tensor:
    """What follows the product in a layer: the bias, then the activation."""
    result = product if offset is None else bias.bias_add(product, offset)
    return result if activation is None else convert_to_tensor(activation(result))


def flatten(graph: Graph, inputs: Any, name: str | LayerScope | None = None) -> Tensor:
    """`tf.layers.flatten`: one row for each example. Shapes: inputs (n, *S) -> (n, product of S)."""
    x = convert_to_tensor(inputs)
    if not x.shape:
        raise ShapeError(
            f"flatten needs examples along the first axis, but the shape is {written(x.shape)}.",
            message_zh=f"flatten 需要第一个轴是样本，但形状是 {written(x.shape)}。",
        )
    with named_block(graph, name, "flatten"):
        count = x.shape[0]
        rows = measuring.shape_of(x)[0] if count is None else count
        flat = reshaping.reshape(x, (rows, -1))
        flat.shape = (count, element_count(x.shape[1:]))
        return flat


def dropout(
    graph: Graph,
    inputs: Any,
    rate: Any = 0.5,
    noise_shape: Any = None,
    seed: int | None = None,
    training: Any = False,
    name: str | LayerScope | None = None,
) -> Any:
    """`tf.layers.dropout`: elements dropped while training, which a tensor may decide in each run.

    rate: the probability with which an element is 0; what is kept is divided by 1 - rate.
    Shapes: inputs (*S) -> (*S).
    """
    x = convert_to_tensor(inputs)

    def dropped() -> Any:
        return random.dropout(x, rate=rate, noise_shape=noise_shape, seed=seed)

    with named_block(graph, name, "dropout"):
        if isinstance(training, Operators):
            return cond(graph, training, dropped, lambda: control.identity(x))
        return dropped() if training else control.identity(x)


def _width(x: Tensor) -> int:
    if not x.shape or x.shape[-1] is None:
        raise ShapeError(
            f"This layer needs inputs whose last length is known, not {written(x.shape)}.",
            hint="Give the placeholder a shape such as [None, 3].",
            message_zh=f"这一层需要最后一个长度已知的输入，而不是 {written(x.shape)}。",
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
