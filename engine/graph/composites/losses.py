"""`tf.losses`: a loss for each element, weighted, and their mean over those that count."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused, quoted
from engine.graph.composites.broadcastable import assert_broadcastable
from engine.ops.base.building import control_dependencies, convert_to_tensor, current_graph, name_scope
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Node, Tensor
from engine.ops.common import casting, constants, measuring, reducing
from engine.ops.common import passing as control
from engine.ops.elementwise import arithmetic, comparison, exponentials, extremes, powers, quotients, signs
from engine.ops.networks import activations, losses

LOSSES = "losses"  # the collection that every loss enters
BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
REDUCTIONS = {  # `tf.losses.Reduction`
    "NONE": "none",
    "SUM": "weighted_sum",
    "MEAN": "weighted_mean",
    "SUM_OVER_BATCH_SIZE": "weighted_sum_over_batch_size",
    "SUM_OVER_NONZERO_WEIGHTS": BY_NONZERO_WEIGHTS,
    "SUM_BY_NONZERO_WEIGHTS": BY_NONZERO_WEIGHTS,
}


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_NONZERO_WEIGHTS,
) -> Tensor:
    """The weighted losses' sum, divided by how many of them have a weight; computed as float32.

    Shapes:          losses (*S), weights () or (*S) -> () (reduction "none": (*S)).
    loss_collection: which collection of the graph it enters.
    reduction:       what the losses become, one of `REDUCTIONS`.
    """
    with name_scope(scope, "weighted_loss"):
        per_element = convert_to_tensor(losses, name="losses")
        dtype = per_element.dtype
        with control_dependencies(_fitting(weights, per_element)):
            per_element = casting.cast(per_element, "float32")
            weights = casting.cast(weights, "float32")
            weighted = arithmetic.mul(per_element, weights, name="Mul")
            loss = casting.cast(_reduced(weighted, per_element, weights, reduction), dtype)
        if loss_collection is not None:
            current_graph().collection(loss_collection).append(loss)
        return loss


def _reduced(weighted: Tensor, per_element: Tensor, weights: Tensor, reduction: str) -> Tensor:
    if reduction not in REDUCTIONS.values():
        raise _no_reduction(reduction)
    if reduction == "none":
        return weighted
    total = reducing.reduce_sum(weighted)
    if reduction == "weighted_sum":
        return total
    if reduction == "weighted_mean":
        spread = comparison.ones_like(weighted) * weights
        return _safe_mean(total, reducing.reduce_sum(spread))
    if reduction == "weighted_sum_over_batch_size":
        return _safe_mean(total, _num_elements(per_element))
    return _safe_mean(total, _num_present(per_element, weights))


def _no_reduction(reduction: Any) -> ValueRefused:
    return ValueRefused(
        f"There is no reduction {quoted(reduction)}.",
        hint="Use one of tf.losses.Reduction.",
        message_zh=f"没有 {quoted(reduction)} 这种归约方式。",
        hint_zh="请使用 tf.losses.Reduction 中的一种。",
    )


def _num_elements(per_element: Tensor) -> Tensor:
    """How many losses there are."""
    with name_scope(None, "num_elements") as scope:
        return casting.cast(measuring.size_of(per_element, name=scope), per_element.dtype)


def _safe_mean(total: Tensor, count: Tensor) -> Tensor:
    return quotients.div_no_nan(reducing.reduce_sum(total), count, name="value")


def _num_present(per_element: Tensor, weights: Tensor) -> Tensor:
    """How many losses have a weight other than 0."""
    with name_scope(None, "num_present") as scope:
        none = comparison.equal(weights, 0.0)
        present = comparison.select(none, constants.zeros_like(weights), comparison.ones_like(weights))
        return reducing.reduce_sum(broadcast_weights(present, per_element), name=scope)


def broadcast_weights(weights: Tensor, values: Tensor) -> Tensor:
    """One weight for each value; the weights themselves where there are so many already."""
    with name_scope(None, "broadcast_weights") as scope:
        if weights.shape == values.shape and values.shape is not None and None not in values.shape:
            return weights
        with control_dependencies(_fitting(weights, values)):
            return arithmetic.mul(weights, comparison.ones_like(values), name=scope)


def _fitting(weights: Any, values: Tensor) -> Node:
    return assert_broadcastable(values.graph, weights, values)


def _pair(labels: Any, predictions: Any) -> tuple[Tensor, Tensor]:
    """Both as float32, predictions first; their shapes must agree."""
    if labels is None or predictions is None:
        raise ValueRefused(
            "A loss needs both labels and predictions.",
            message_zh="损失函数同时需要 labels 和 predictions。",
        )
    predictions = casting.cast(predictions, "float32")
    labels = casting.cast(labels, "float32")
    if None not in (labels.shape, predictions.shape) and len(labels.shape or ()) != len(
        predictions.shape or ()
    ):
        wanted, given = written(labels.shape), written(predictions.shape)
        raise ShapeError(
            f"Labels {wanted} and predictions {given} must have the same shape.",
            message_zh=f"labels {wanted} 与 predictions {given} 的形状必须一致。",
        )
    return labels, predictions


Losses = Callable[..., Tensor]


def _weighted(title: str) -> Callable[[Losses], Losses]:
    """Decorator: what a function gives for each element is weighted and put together.

    To the function's own arguments it adds the three that all of `tf.losses` end with: `scope`,
    `loss_collection` and `reduction`. title: the scope's name where the program gives none.
    """
    added = list(signature(compute_weighted_loss).parameters.values())[2:]

    def enter(each: Losses) -> Losses:
        arguments = Signature([*signature(each).parameters.values(), *added])

        @wraps(each)
        def loss(*args: Any, **keywords: Any) -> Tensor:
            bound = arguments.bind(*args, **keywords)
            bound.apply_defaults()
            given = bound.arguments
            with name_scope(given.pop("scope"), title) as scope:
                how = {word: given.pop(word) for word in ("loss_collection", "reduction")}
                return compute_weighted_loss(each(**given), given["weights"], scope, **how)

        loss.__signature__ = arguments  # type: ignore[attr-defined]  # what `inspect.signature` asks for
        return loss

    return enter


@_weighted("mean_squared_error")
def mean_squared_error(labels: Any, predictions: Any, weights: Any = 1.0) -> Tensor:
    """`tf.losses.mean_squared_error`: the mean of the squared differences."""
    labels, predictions = _pair(labels, predictions)
    return powers.squared_difference(predictions, labels)


@_weighted("absolute_difference")
def absolute_difference(labels: Any, predictions: Any, weights: Any = 1.0) -> Tensor:
    """`tf.losses.absolute_difference`: the mean distance."""
    labels, predictions = _pair(labels, predictions)
    return signs.absolute(arithmetic.sub(predictions, labels))


@_weighted("huber_loss")
def huber_loss(labels: Any, predictions: Any, weights: Any = 1.0, delta: float = 1.0) -> Tensor:
    """`tf.losses.huber_loss`: squared up to a distance of delta, straight beyond. Source: Huber, 1964."""
    labels, predictions = _pair(labels, predictions)
    distance = signs.absolute(arithmetic.sub(predictions, labels))
    curved = extremes.minimum(distance, delta)
    straight = arithmetic.sub(distance, curved)
    half = convert_to_tensor(np.asarray(0.5, curved.dtype))
    bent = arithmetic.mul(half, arithmetic.mul(curved, curved))
    return arithmetic.add(bent, arithmetic.mul(delta, straight))


@_weighted("log_loss")
def log_loss(labels: Any, predictions: Any, weights: Any = 1.0, epsilon: float = 1e-7) -> Tensor:
    """`tf.losses.log_loss`: cross entropy of probabilities, kept off 0 by epsilon."""
    labels, predictions = _pair(labels, predictions)
    yes = -arithmetic.mul(labels, exponentials.log(predictions + epsilon))
    no = arithmetic.mul(1 - labels, exponentials.log(1 - predictions + epsilon))
    return yes - no


@_weighted("hinge_loss")
def hinge_loss(labels: Any, logits: Any, weights: Any = 1.0) -> Tensor:
    """`tf.losses.hinge_loss`: max(0, 1 - z x), labels 0 and 1 counted as z = -1 and 1."""
    labels, logits = _pair(labels, logits)
    ones = comparison.ones_like(labels)
    signs = arithmetic.sub(2 * labels, ones)
    margin = arithmetic.sub(ones, arithmetic.mul(signs, logits))
    return activations.relu(margin)


@_weighted("cosine_distance_loss")
def cosine_distance(labels: Any, predictions: Any, axis: int | None = None, weights: Any = 1.0) -> Tensor:
    """`tf.losses.cosine_distance`: 1 - the product of unit vectors along an axis."""
    labels, predictions = _pair(labels, predictions)
    along = reducing.reduce_sum(arithmetic.mul(predictions, labels), (axis,), keepdims=True)
    return 1 - along


@_weighted("sigmoid_cross_entropy_loss")
def sigmoid_cross_entropy_loss(
    multi_class_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0
) -> Tensor:
    """`tf.losses.sigmoid_cross_entropy`; smoothing draws the labels that far towards 1/2."""
    logits = convert_to_tensor(logits)
    labels = casting.cast(multi_class_labels, logits.dtype)
    if label_smoothing > 0:
        labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
    return losses.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")


@_weighted("softmax_cross_entropy_loss")
def softmax_cross_entropy_loss(
    onehot_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0
) -> Tensor:
    """`tf.losses.softmax_cross_entropy`; smoothing draws the labels that far towards equal shares."""
    logits = convert_to_tensor(logits)
    labels = casting.cast(onehot_labels, logits.dtype)
    if label_smoothing > 0:
        classes = casting.cast(measuring.shape_of(labels)[-1], logits.dtype)
        share = label_smoothing / classes
        labels = labels * (1 - label_smoothing) + share
    labels = control.stop_gradient(labels, name="labels_stop_gradient")
    return losses.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")


def sparse_softmax_cross_entropy_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = BY_NONZERO_WEIGHTS,
) -> Tensor:
    """`tf.losses.sparse_softmax_cross_entropy`: labels are class numbers."""
    with name_scope(scope, "sparse_softmax_cross_entropy_loss") as scope:
        with name_scope(None, "remove_squeezable_dimensions"):
            labels = convert_to_tensor(labels)
            logits = convert_to_tensor(logits)
        weights = convert_to_tensor(weights)
        cost = losses.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(cost, weights, scope, loss_collection, reduction)
