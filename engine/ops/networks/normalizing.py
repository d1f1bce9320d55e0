"""Scaling to a common measure: softmax, unit norm, mean and variance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused, quoted
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.element_types import not_accepted
from engine.ops.base.shapes import axis_within, same, whole_number, whole_numbers
from engine.ops.base.tensors import FLOATS, Array, Node, Operators, Tensor
from engine.ops.common import casting, constants, measuring, ranges, reducing
from engine.ops.common.passing import stop_gradient
from engine.ops.elementwise import arithmetic, exponentials, extremes, powers, signs
from engine.ops.elementwise.comparison import is_finite, select


def _from_largest(x: Array) -> Any:
    """x with its largest element taken off each row: the same result, and exp cannot overflow."""
    return x - np.max(x, axis=-1, keepdims=True, initial=-np.inf)


@op(
    "Softmax",
    inputs="logits",
    shape=same,
    latex=r"\frac{e^{{logits}_i}}{\sum_j e^{{logits}_j}}",
    adjoints=[r"(\bar{y} - \textstyle\sum \bar{y}\, y)\, y"],
    derivative=[r"\frac{\partial {out}_i}{\partial {logits}_j} = {out}_i\, ([i = j] - {out}_j)"],
    accepts="floats",
    names={"tf": "nn.softmax", "jax": "jax.nn.softmax", "math": "softmax"},
)
@in_chinese("沿最后一个轴的正的份额，总和为 1。")
def softmax_op(logits: Array) -> Any:
    """Positive shares that add up to 1 along the last axis. Shapes: logits (*S, n) -> y (*S, n)."""
    weights = np.exp(_from_largest(logits))
    return weights / np.sum(weights, axis=-1, keepdims=True)


@softmax_op.gradient
def softmax_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    y = node.outputs[0]
    total = reducing.reduce_sum(dy * y, -1, keepdims=True)
    return [(dy - total) * y]


@op(
    "LogSoftmax",
    inputs="logits",
    shape=same,
    latex=r"{logits}_i - \ln \sum_j e^{{logits}_j}",
    adjoints=[r"\bar{y} - \textstyle\sum \bar{y}\, e^y"],
    derivative=[r"\frac{\partial {out}_i}{\partial {logits}_j} = [i = j] - e^{{out}_j}"],
    accepts="floats",
    names={"tf": "nn.log_softmax", "jax": "jax.nn.log_softmax", "math": "logsoftmax"},
)
@in_chinese("softmax 的对数，不必先算出 softmax。")
def log_softmax_op(logits: Array) -> Any:
    """The logarithm of softmax, without computing softmax. Shapes: logits (*S, n) -> y (*S, n)."""
    shifted = _from_largest(logits)
    return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))


@log_softmax_op.gradient
def log_softmax_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    shares = exponentials.exp(node.outputs[0])
    return [dy - reducing.reduce_sum(dy, -1, keepdims=True) * shares]


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """`tf.nn.softmax`: e^x over its sum, along the last axis or any other. Shapes: logits (*S) -> (*S)."""
    return _along(softmax_op, logits, axis, name)


def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """`tf.nn.log_softmax`: x - log Σ e^x, along the last axis or any other. Shapes: logits (*S) -> (*S)."""
    return _along(log_softmax_op, logits, axis, name)


def _along(compute: OpDef, logits: Any, axis: int | None, name: str | None) -> Tensor:
    """The op works along the last axis; another is swapped with it, and swapped back."""
    if not isinstance(logits, Tensor):
        logits = convert_to_tensor(logits)
    rank = None if logits.shape is None else len(logits.shape)
    if rank == 0:
        raise ShapeError(
            f"{compute.name} works along an axis, but its input is a single number.",
            message_zh=f"{compute.name} 沿一个轴计算，但它的输入只是一个数。",
        )
    axis = -1 if axis is None else whole_number(axis, "axis")
    if axis == -1 or axis == (rank or 0) - 1:
        return compute(logits, name=name)
    measuring.rank_of(logits)  # TensorFlow leaves this constant in the graph
    last = measuring.rank_of(logits)
    place = axis_within(axis, logits.shape) if rank else axis
    swapped = _swap_with_last(logits, place, last)
    result = _swap_with_last(compute(swapped, name=name), place, last)
    result.shape = logits.shape
    return result


def _swap_with_last(x: Tensor, place: int, rank: Tensor) -> Tensor:
    last = arithmetic.sub(rank, 1, name="Sub")
    before, after = ranges.range_of(place), ranges.range_of(place + 1, last)
    return reshaping.transpose(x, joining.concat([before, [last], after, [place]], 0))


def reduce_logsumexp(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.reduce_logsumexp`: ln Σ e^x, with the largest x taken out so that nothing overflows."""
    x = convert_to_tensor(x)
    with name_scope(name, "ReduceLogSumExp"):
        largest = reducing.reduce_max(x, axis, keepdims=True)
        finite = select(is_finite(largest), largest, constants.zeros_like(largest))
        largest = stop_gradient(finite)
        shares = exponentials.exp(arithmetic.sub(x, largest, name="Sub"))
        total = exponentials.log(reducing.reduce_sum(shares, axis, keepdims=keepdims))
        if not keepdims:
            largest = reshaping.reshape(largest, measuring.shape_of(total))
        return arithmetic.add(total, largest)


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """`tf.nn.l2_normalize`: x divided by its norm, which counts as at least the root of epsilon."""
    with name_scope(name, "l2_normalize") as scope:
        x = convert_to_tensor(x, name="x")
        total = reducing.reduce_sum(powers.square(x), axis, keepdims=True)
        inverse = exponentials.rsqrt(extremes.maximum(total, epsilon))
        return arithmetic.mul(x, inverse, name=scope)


NORMS = ("euclidean", "fro")


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """`tf.norm`: of vectors along one axis, of matrices over a list of two, of all elements without an axis.

    Orders: of vectors 2 ("euclidean"), 1, any p > 0, np.inf; of matrices "fro" (the root of the sum of
            squares), 1 (the largest sum of a column) and np.inf (of a row).
    """
    axes = None if axis is None else tuple(whole_numbers(axis, "axis").ravel().tolist())
    of_matrices = isinstance(axis, (list, tuple)) and len(axis) == 2
    _check_order(ord, of_matrices)
    with name_scope(name, "norm"):
        x = convert_to_tensor(tensor)
        result = _matrix_norm(x, ord, *axes) if of_matrices and axes else _vector_norm(x, ord, axes)
        return result if keepdims else reshaping.squeeze_op(result, squeeze_dims=axes or ())


def _check_order(order: Any, of_matrices: bool) -> None:
    number = isinstance(order, (int, float, np.integer, np.floating))
    if of_matrices and order == 2 and number:
        raise ValueRefused(
            "The norm of order 2 of a matrix, its largest singular value, is not supported.",
            hint="The root of the sum of squares is tf.norm(x, ord='fro', axis=[-2, -1]).",
            message_zh="不支持矩阵的 2 阶范数（最大奇异值）。",
            hint_zh="各元素平方和的平方根是 tf.norm(x, ord='fro', axis=[-2, -1])。",
        )
    fits = order in (*NORMS, 1, np.inf) if of_matrices else order == "euclidean" or (number and order > 0)
    if not fits:
        orders = "1, np.inf or 'fro'" if of_matrices else "1, 2, np.inf, any p > 0 or 'euclidean'"
        orders_zh = "1、np.inf 或 'fro'" if of_matrices else "1、2、np.inf、任意 p > 0 或 'euclidean'"
        kind, kind_zh = ("matrix", "矩阵") if of_matrices else ("vector", "向量")
        raise ValueRefused(
            f"A {kind} norm is of the order {orders}, not {quoted(order)}.",
            message_zh=f"{kind_zh}范数的阶是 {orders_zh}，不能是 {quoted(order)}。",
        )


def _vector_norm(x: Tensor, order: Any, axes: tuple[int, ...] | None) -> Tensor:
    if order in ("euclidean", 2):
        return _root_of_squares(x, axes)
    size, axis = signs.absolute(x), axes[0] if axes else None
    if order == 1:
        return reducing.reduce_sum(size, axis, keepdims=True)
    if order == np.inf:
        return reducing.reduce_max(size, axis, keepdims=True)
    total = reducing.reduce_sum(powers.power(size, order), axes, keepdims=True)
    return powers.power(total, 1.0 / order)


def _matrix_norm(x: Tensor, order: Any, rows: int, columns: int) -> Tensor:
    if order in NORMS:
        return _root_of_squares(x, (rows, columns))
    size, summed, compared = signs.absolute(x), rows, columns
    if order == np.inf:
        summed, compared = columns, rows
    return reducing.reduce_max(reducing.reduce_sum(size, summed, keepdims=True), compared, keepdims=True)


def _root_of_squares(x: Tensor, axes: tuple[int, ...] | None) -> Tensor:
    return exponentials.sqrt(reducing.reduce_sum(x * x, axes, keepdims=True))


def moments(
    x: Any, axes: Any, shift: Any = None, name: str | None = None, keepdims: bool = False
) -> tuple[Tensor, Tensor]:
    """`tf.nn.moments`: mean and variance over these axes; no gradient flows through the mean's part."""
    with name_scope(name, "moments"):
        x = convert_to_tensor(x)
        mean = reducing.reduce_mean(x, axes, keepdims=True, name="mean")
        squares = powers.squared_difference(x, stop_gradient(mean))
        variance = reducing.reduce_mean(squares, axes, keepdims=True, name="variance")
        if keepdims:
            return mean, variance
        return reshaping.squeeze(mean, axes), reshaping.squeeze(variance, axes)


def reduce_variance(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.math.reduce_variance`: the mean squared distance from the mean."""
    with name_scope(name, "reduce_variance"):
        mean = reducing.reduce_mean(x, axis, keepdims=True)
        distances = x - mean
        if distances.dtype not in FLOATS | {"int32", "int64"}:  # as TensorFlow 1; 2 takes floats only
            raise not_accepted(powers.square, "x", distances.name, distances.dtype)
        return reducing.reduce_mean(powers.square(distances), axis, keepdims=keepdims)


def reduce_std(x: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """`tf.math.reduce_std`: the root of the variance."""
    with name_scope(name, "reduce_std"):
        return exponentials.sqrt(reduce_variance(x, axis, keepdims))


def _computing(value: Any) -> Any:
    """A tensor, an array or a number as it is: what TensorFlow computes with by Python's operators."""
    return value if isinstance(value, (Operators, np.ndarray, int, float)) else convert_to_tensor(value)


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """`tf.nn.batch_normalization`: (x - mean) / deviation · scale + offset, as one product and one sum.

    Source: Ioffe & Szegedy, Batch normalization, 2015.
    """
    x = x if isinstance(x, np.ndarray) else convert_to_tensor(x)
    mean, variance = _computing(mean), _computing(variance)
    with name_scope(name, "batchnorm"):
        factor = exponentials.rsqrt(variance + variance_epsilon)
        if scale is not None:
            factor = factor * scale
        dtype = x.dtype.name if isinstance(x, np.ndarray) else x.dtype
        scaled: Tensor = x * casting.cast(factor, dtype)
        shift = -mean * factor if offset is None else offset - mean * factor
        return scaled + casting.cast(shift, dtype)
