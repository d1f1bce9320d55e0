"""`tf.layers.batch_normalization`: mean and variance of each batch, and their averages for later use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import DtypeError, ShapeError, ValueRefused
from engine.graph.composites.layers import LayerScope, layer_scope
from engine.graph.control_flow.building import cond
from engine.graph.graph import Graph
from engine.graph.variables.initializers import Ones, Zeros
from engine.graph.variables.moving_averages import follow
from engine.graph.variables.variable import GLOBAL_VARIABLES, Variable
from engine.graph.variables.variable_scopes import get_variable
from engine.ops.arrays import reshaping
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import constant_value, written
from engine.ops.base.tensors import FLOATS, Node, Operators, Tensor
from engine.ops.common import constants
from engine.ops.common.casting import cast
from engine.ops.networks import fused_normalizing, normalizing
from engine.ops.networks.windows import check_format

UPDATE_OPS = "update_ops"

Rule = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Normalization:
    """How a layer normalizes.

    axes:     those along which each place has a mean of its own.
    momentum: the share of a moving average that stays at each step.
    epsilon:  what is added to the variance.
    center, scale: whether the layer learns what is added, and what it multiplies by.
    initializers:  of beta, gamma, the moving mean and the moving variance; None is zeros or ones.
    regularizers:  of beta and gamma.
    fused:    whether images are normalized by one op, which takes the channels last.
    """

    axes: Sequence[int] = (-1,)
    momentum: float = 0.99
    epsilon: float = 1e-3
    center: bool = True
    scale: bool = True
    initializers: Sequence[Any] = (None, None, None, None)
    regularizers: Sequence[Rule | None] = (None, None)
    trainable: bool = True
    fused: bool = True


def batch_normalization(
    graph: Graph,
    inputs: Any,
    how: Normalization,
    training: Any = False,
    *,
    name: str | LayerScope | None = None,
    reuse: bool | str | None = None,
) -> Tensor:
    """Each element minus the mean, divided by the deviation, times gamma plus beta; both are learned.

    The updates of the moving averages enter the collection `update_ops`; nothing runs them by itself.

    training: whether mean and variance are those of the batch; a tensor may decide it in each run.
    Shapes:   inputs (*S) -> (*S).
    Raises:   ShapeError where rank or lengths along the axes are not known; DtypeError for integers.
    """
    x = convert_to_tensor(inputs)
    axes = _axes(x, how.axes)
    fused = how.fused and len(x.shape or ()) == 4 and len(axes) == 1
    if fused:
        _check_channels(axes)
    with layer_scope(graph, name, "batch_normalization", reuse):
        layer = _Layer(graph, x, axes, how, fused)
        y = layer.by_one_op(training) if fused else layer.by_parts(training)
    if how.trainable:
        graph.collection(UPDATE_OPS).extend(layer.updates)
    y.shape = x.shape
    return y


def _axes(x: Tensor, given: Sequence[int]) -> list[int]:
    if x.dtype not in FLOATS:
        raise DtypeError(
            f"Batch normalization takes only floats, but {x.name} is {x.dtype}.",
            hint="Write tf.cast(…, tf.float32).",
            message_zh=f"批归一化只接受浮点数，但 {x.name} 是 {x.dtype}。",
            hint_zh="请写 tf.cast(…, tf.float32)。",
        )
    rank = len(x.shape or ())
    axes = [axis + rank if axis < 0 else axis for axis in given]
    if not axes or len(set(axes)) != len(axes) or not all(0 <= axis < rank for axis in axes):
        raise ShapeError(
            f"Batch normalization along {list(given)} does not fit inputs of the shape {written(x.shape)}.",
            hint="`axis` counts the axes from 0, each named once; -1 is the last one.",
            message_zh=f"沿 {list(given)} 做批归一化与形状为 {written(x.shape)} 的输入不符。",
            hint_zh="`axis` 从 0 数起，每个轴只写一次；-1 是最后一个轴。",
        )
    if x.shape is None or any(x.shape[axis] is None for axis in axes):
        raise ShapeError(
            f"Batch normalization needs inputs whose length along {list(given)} is known, not "
            f"{written(x.shape)}.",
            hint="Give the placeholder a shape such as [None, 3].",
            message_zh=f"批归一化需要输入沿 {list(given)} 的长度已知，而不是 {written(x.shape)}。",
            hint_zh="请给占位符一个形状，例如 [None, 3]。",
        )
    return axes


def _check_channels(axes: Sequence[int]) -> None:
    """Raises: ValueRefused where the channels of images do not stand last."""
    if axes == [1]:
        check_format("NCHW")
    if axes != [3]:
        raise ValueRefused(
            "Images are normalized along their channels: axis=-1.",
            hint="For any other axis write fused=False.",
            message_zh="图像沿通道归一化：axis=-1。",
            hint_zh="沿其他轴请写 fused=False。",
            code="bad_value",
        )


class _Layer:
    """One layer while its nodes are added: its variables, and the updates of its averages."""

    def __init__(self, graph: Graph, x: Tensor, axes: list[int], how: Normalization, fused: bool) -> None:
        self.graph, self.x, self.axes, self.how = graph, x, axes, how
        self.updates: list[Node] = []
        self.dtype = "float32" if x.dtype == "float16" else x.dtype
        self.broadcast = tuple(n if axis in axes and n else 1 for axis, n in enumerate(x.shape or ()))
        self.shape = self.broadcast if len(axes) > 1 else (self.broadcast[axes[0]],)
        beta, gamma, mean, variance = how.initializers
        self.gamma = self._learned("gamma", gamma or Ones(), how.regularizers[1]) if how.scale else None
        ones = self._constant(1.0) if fused and not how.scale else None
        self.beta = self._learned("beta", beta or Zeros(), how.regularizers[0]) if how.center else None
        zeros = self._constant(0.0) if fused and not how.center else None
        self.multiplied: Any = self.gamma if how.scale else ones
        self.added: Any = self.beta if how.center else zeros
        self.mean = self._average("moving_mean", mean or Zeros())
        self.variance = self._average("moving_variance", variance or Ones())

    def _learned(self, name: str, first: Any, penalty: Rule | None) -> Variable:
        shape, dtype, trainable = self.shape, self.dtype, self.how.trainable
        return get_variable(self.graph, name, shape, dtype, first, trainable, None, penalty, beside=False)

    def _average(self, name: str, first: Any) -> Variable:
        collections = [GLOBAL_VARIABLES]
        return get_variable(self.graph, name, self.shape, self.dtype, first, False, collections)

    def _constant(self, value: float) -> Tensor:
        return constants.constant(value, self.dtype, self.shape)

    # -- written out ---------------------------------------------------------------------------------

    def by_parts(self, training: Any) -> Tensor:
        """Mean and variance by ops of their own, then one product and one sum."""
        known = _known(training)
        gamma, beta = self._broadcastable(self.gamma), self._broadcastable(self.beta)
        mean, variance = self._statistics(training) if known is not False else (self.mean, self.variance)
        statistics = [cast(convert_to_tensor(one), self.x.dtype) for one in (mean, variance)]
        added, multiplied = (None if one is None else cast(one, self.x.dtype) for one in (beta, gamma))
        mean, variance = (self._broadcastable(one) for one in statistics)
        return normalizing.batch_normalization(self.x, mean, variance, added, multiplied, self.how.epsilon)

    def _statistics(self, training: Any) -> tuple[Any, Any]:
        """Those of the batch while training, else the averages, and the updates of these."""
        over = [axis for axis in range(len(self.x.shape or ())) if axis not in self.axes]
        found = normalizing.moments(cast(self.x, self.dtype), over, keepdims=len(self.axes) > 1)
        pairs = list(zip((self.mean, self.variance), found, strict=True))
        mean, variance = (self._taken(training, average, value) for average, value in pairs)
        self._update(training, self.mean, mean)
        self._update(training, self.variance, variance)
        return mean, variance

    def _taken(self, training: Any, average: Variable, value: Tensor) -> Any:
        return self._chosen(training, lambda: value, average.as_tensor)

    def _update(self, training: Any, average: Variable, value: Tensor) -> None:
        def moved() -> Tensor:
            return self._follow(average, value, self.how.momentum)

        self.updates.append(self._chosen(training, moved, lambda: average).node)

    def _broadcastable(self, one: Any) -> Any:
        """What stands along one axis that is not the last, with an axis of length 1 for each other one."""
        is_last = self.axes == [len(self.broadcast) - 1]
        if one is None or is_last or len(self.axes) > 1:
            return one
        return reshaping.reshape(one, self.broadcast)

    # -- one op --------------------------------------------------------------------------------------

    def by_one_op(self, training: Any) -> Tensor:
        """Mean and variance inside one op, which gives them out for the averages."""

        def trained() -> Any:
            return self._fused(is_training=True)

        def used() -> Any:
            return self._fused(mean=self.mean, variance=self.variance, is_training=False)

        found: list[Tensor] = list(self._chosen(training, trained, used))
        y, mean, variance = found
        known, momentum = _known(training), self.how.momentum
        stays = (
            self._chosen(training, lambda: momentum, lambda: 1.0)
            if known is None
            else convert_to_tensor(momentum)
        )
        if known is not False:
            moved = [self._follow(self.mean, mean, stays), self._follow(self.variance, variance, stays)]
            self.updates += [one.node for one in moved]
        return y

    def _fused(self, **statistics: Any) -> tuple[Tensor, Tensor, Tensor]:
        return fused_normalizing.fused_batch_norm(
            self.x, self.multiplied, self.added, epsilon=self.how.epsilon, **statistics
        )

    def _follow(self, average: Variable, value: Tensor, stays: Any) -> Tensor:
        with self.graph.colocate_with(average.node):
            return follow(average, value, stays)

    def _chosen(self, training: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        """One of the two while the graph is built where that is known, else when it runs."""
        known = _known(training)
        if known is None:
            return cond(self.graph, training, yes, no)
        return yes() if known else no()


def _known(training: Any) -> bool | None:
    """Whether the layer is being trained; None where only a run decides."""
    if not isinstance(training, Operators):
        return bool(training)
    value = constant_value(training.as_tensor())
    return None if value is None else bool(value)
