"""Losses: how far an answer is from the one wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused
from engine.ops.arrays import indexing, joining, reshaping
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.degrees import doubled
from engine.ops.base.shapes import axis_within, merge, scalar, whole_number, written
from engine.ops.base.spellings import one_of
from engine.ops.base.tensors import Array, Node, Operators, Shape, Tensor
from engine.ops.common import casting, constants, measuring, ranges
from engine.ops.common.passing import prevent_gradient, stop_gradient
from engine.ops.elementwise import arithmetic, comparison, exponentials, signs
from engine.ops.linear_algebra import products as linalg
from engine.ops.networks import activations, normalizing


@op(
    "L2Loss",
    inputs="t",
    shape=scalar,
    latex=r"\tfrac12 \sum {t}^2",
    adjoints=[r"\bar{y}\, t"],
    derivative=["{t}"],
    degree=doubled,
    accepts="floats",
    symbolic="kernel",
    names={"tf": "nn.l2_loss"},
)
@in_chinese("平方和的一半。")
def l2_loss(t: Array) -> Any:
    """Half the sum of squares. Shapes: t (*S) -> ()."""
    return np.sum(np.square(t), dtype=t.dtype) / np.asarray(2, t.dtype)


@l2_loss.gradient
def l2_loss_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [node.inputs[0] * dy]


# -- cross entropy of shares -------------------------------------------------------------------------


def _rows_and_slopes(features: Shape, labels: Shape) -> list[Shape]:
    both = merge(features, labels)
    return [None if both is None else both[:1], both]


@op(
    "SoftmaxCrossEntropyWithLogits",
    inputs="features labels",
    outputs=("T", "T"),
    shape=_rows_and_slopes,
    latex=r"-\sum_i {labels}_i \ln \mathrm{softmax}({features})_i",
    adjoints=[
        r"\bar{y}\, (\mathrm{softmax}(features) - labels)",
        r"-\bar{y}\, \ln \mathrm{softmax}(features)",
    ],
    derivative=[r"\mathrm{softmax}({features}) - {labels}", r"-\ln \mathrm{softmax}({features})"],
    accepts="floats",
)
@in_chinese("每一行的交叉熵，以及它的梯度 softmax - labels。")
def softmax_cross_entropy_op(features: Array, labels: Array) -> Any:
    """Cross entropy of each row, and its slope, softmax - labels.

    Shapes: features, labels (m, n) -> loss (m,), slope (m, n).
    """
    logs = normalizing.log_softmax_op.kernel(features)
    return [-np.sum(labels * logs, axis=-1), np.exp(logs) - labels]


@softmax_cross_entropy_op.gradient
def softmax_cross_entropy_gradient(node: Node, dy: Tensor, dslope: Tensor) -> Sequence[Tensor]:
    """The slope is at hand already; a gradient of it (second order) adds softmax's own."""
    logits = node.inputs[0]
    by_logits = _times_rows(dy, node.outputs[1])
    if not _is_zero(dslope):
        shares = normalizing.softmax(logits)
        row, column = reshaping.expand_dims(dslope, 1), reshaping.expand_dims(shares, 2)
        along = reshaping.squeeze(linalg.matrix_product(row, column), 1)
        by_logits = by_logits + (dslope - along) * shares
    return [by_logits, _times_rows(dy, -normalizing.log_softmax(logits))]


def _times_rows(dy: Tensor, rows: Tensor) -> Tensor:
    return reshaping.expand_dims(dy, -1) * rows


def _is_zero(gradient: Tensor) -> bool:
    return gradient.node.op.name in ("Zeros", "ZerosLike")


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits`: the labels count as fixed."""
    _check_named(_sentinel, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg") as scope:
        fixed = stop_gradient(labels, name="labels_stop_gradient")
        return softmax_cross_entropy_with_logits_v2(labels=fixed, logits=logits, axis=dim, name=scope)


def softmax_cross_entropy_with_logits_v2(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    axis: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits_v2`: both labels and logits have gradients.

    Shapes: labels, logits (*S, n) -> (*S), with the classes along the last axis or another.
    """
    _check_named(_sentinel, labels, logits)
    along = -1 if axis is None else whole_number(axis, "axis")
    with name_scope(name, "softmax_cross_entropy_with_logits") as scope:
        given = convert_to_tensor(logits, name="logits")
        labels = _as_labels(labels, given.dtype)
        logits = casting.cast(given, "float32") if given.dtype == "float16" else given
        labels = casting.cast(labels, logits.dtype)
        rank, known = measuring.rank_of(logits), logits.shape
        if along != -1:
            logits, labels = (_with_last(one, along, rank) for one in (logits, labels))
        shape = measuring.shape_of(logits)
        cost = softmax_cross_entropy_op(_as_matrix(logits), _as_matrix(labels), name=scope)
        before = arithmetic.sub(rank, 1, name="Sub")
        result = reshaping.reshape(cost, indexing.slice_op(shape, [0], [before]))
        if known is not None:
            place = axis_within(along, known)
            result.shape = (*known[:place], *known[place + 1 :])
        return casting.cast(result, given.dtype)


def _as_labels(labels: Any, dtype: str) -> Tensor:
    """Labels keep a tensor's own type, and are cast to that of the logits; plain numbers take it at once."""
    kind = None if isinstance(labels, Operators) else dtype
    return convert_to_tensor(labels, dtype=kind, name="labels")


def _with_last(x: Tensor, axis: int, rank: Tensor) -> Tensor:
    """One axis brought behind the others."""
    before, after = ranges.range_of(axis), ranges.range_of(axis + 1, rank)
    return reshaping.transpose(x, joining.concat([before, after, [axis]], 0))


def _as_matrix(x: Tensor) -> Tensor:
    """All axes but the last become one."""
    rank, shape = measuring.rank_of(x), measuring.shape_of(x)
    width = indexing.slice_op(shape, [arithmetic.sub(rank, 1, name="Sub")], [1])
    return reshaping.reshape(x, joining.concat([[-1], width], 0))


def _check_named(sentinel: Any, labels: Any, logits: Any) -> None:
    """The first argument by position is TensorFlow's trap for calls without names."""
    if sentinel is not None or labels is None or logits is None:
        raise ValueRefused(
            "The cross entropies take labels and logits by name.",
            hint="Write labels=…, logits=….",
            message_zh="交叉熵函数的 labels 和 logits 必须用参数名给出。",
            hint_zh="请写成 labels=…, logits=…。",
            code="wrong_arguments",
        )


# -- cross entropy of class numbers ------------------------------------------------------------------


def _row_losses(features: Shape, labels: Shape) -> list[Shape]:
    if features is not None and labels is not None and len(features) != len(labels) + 1:
        raise ShapeError(
            f"The labels {written(labels)} need one axis less than the logits {written(features)}.",
            hint="Labels are class numbers here, one per row of the logits.",
            message_zh=f"labels {written(labels)} 应比 logits {written(features)} 少一个轴。",
            hint_zh="这里的 labels 是类别编号，logits 的每一行对应一个。",
        )
    return [labels if labels is not None else None, features]


@op(
    "SparseSoftmaxCrossEntropyWithLogits",
    inputs="features labels",
    types="T Tlabels",
    outputs=("T", "T"),
    shape=_row_losses,
    latex=r"-\ln \mathrm{softmax}({features})_{{labels}}",
    adjoints=[r"\bar{y}\, (\mathrm{softmax}(features) - [i = labels])", "0"],
    derivative=[r"\mathrm{softmax}({features})_i - [i = {labels}]", "0"],
    accepts="floats",
)
@in_chinese("每一行与标签所指类别的交叉熵，以及它的梯度。")
def sparse_softmax_cross_entropy_op(features: Array, labels: Array) -> Any:
    """Cross entropy of each row with the class that the label numbers, and its slope.

    Shapes: features (m, n), labels (m,) -> loss (m,), slope (m, n).
    """
    if labels.shape != features.shape[:-1]:
        raise ShapeError(
            f"There are {written(labels.shape)} labels for logits of the shape {written(features.shape)}.",
            hint="Each row of the logits has one label, a number.",
            message_zh=f"logits 的形状是 {written(features.shape)}，而标签的形状是 {written(labels.shape)}。",
            hint_zh="logits 的每一行对应一个标签（编号）。",
        )
    if labels.size and (labels.min() < 0 or labels.max() >= features.shape[-1]):
        raise ValueRefused(
            f"A label lies outside 0 … {features.shape[-1] - 1}.",
            message_zh=f"标签超出 0 … {features.shape[-1] - 1} 的范围。",
            code="index_out_of_range",
        )
    logs = normalizing.log_softmax_op.kernel(features)
    chosen = np.eye(features.shape[-1], dtype=features.dtype)[labels]
    return [-np.sum(chosen * logs, axis=-1), np.exp(logs) - chosen]


NO_SECOND_ORDER = (
    "Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits "
    "due to the fused implementation's interaction with tf.gradients()"
)


@sparse_softmax_cross_entropy_op.gradient
def sparse_softmax_cross_entropy_gradient(node: Node, dy: Tensor, dslope: Tensor) -> Sequence[Tensor | None]:
    slope = prevent_gradient(node.outputs[1], message=NO_SECOND_ORDER)
    return [_times_rows(dy, slope), None]


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`: labels are class numbers.

    Shapes: labels (*S), logits (*S, n) -> (*S).
    """
    _check_named(_sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits"):
        labels = convert_to_tensor(labels)
        logits = convert_to_tensor(logits)
        shape = measuring.shape_of(labels)
        if logits.shape is not None and len(logits.shape) == 2:
            return sparse_softmax_cross_entropy_op(logits, labels, name=name)
        classes = measuring.shape_of(logits)[arithmetic.sub(measuring.rank_of(logits), 1, name="sub")]
        rows = reshaping.reshape(logits, [-1, classes])
        cost = sparse_softmax_cross_entropy_op(rows, reshaping.reshape(labels, [-1]))
        return reshaping.reshape(cost, shape)


# -- cross entropy of single decisions ---------------------------------------------------------------


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits`: max(x, 0) - x z + ln(1 + e^-|x|), which cannot overflow."""
    _check_named(_sentinel, labels, logits)
    with name_scope(name, "logistic_loss") as scope:
        x = convert_to_tensor(logits, name="logits")
        z = convert_to_tensor(labels, dtype=x.dtype, name="labels")
        zeros = constants.zeros_like(x)
        positive = comparison.greater_equal(x, zeros)
        kept = comparison.select(positive, x, zeros)
        minus_size = comparison.select(positive, -x, x)
        return arithmetic.add(kept - x * z, exponentials.log1p(exponentials.exp(minus_size)), name=scope)


def weighted_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    pos_weight: Any = None,
    name: str | None = None,
    targets: Any = None,
) -> Tensor:
    """`tf.nn.weighted_cross_entropy_with_logits`: positive answers count `pos_weight` times."""
    labels = one_of("labels", labels, "targets", targets)
    _check_named(None, labels, logits)
    if pos_weight is None:
        raise ValueRefused(
            "pos_weight must be given.",
            hint="It is how often a positive answer counts: pos_weight=2.0.",
            message_zh="必须给出 pos_weight。",
            hint_zh="它是正样本的权重，例如 pos_weight=2.0。",
            code="wrong_arguments",
        )
    with name_scope(name, "logistic_loss") as scope:
        x = convert_to_tensor(logits, name="logits")
        z = convert_to_tensor(labels, dtype=x.dtype, name="labels")
        weight = 1 + (pos_weight - 1) * z
        negative = (1 - z) * x
        tail = exponentials.log1p(exponentials.exp(-signs.absolute(x))) + activations.relu(-x)
        return arithmetic.add(negative, weight * tail, name=scope)
