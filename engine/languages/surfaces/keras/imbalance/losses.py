"""`tf.keras.losses` for classes of which there are few examples: focal ones, Dice and Tversky.

Focal: each cross entropy times (1 - p)^gamma, p the share of the right class, so what is known well counts
       little.
Dice:  1 - 2 sum(t p) / (sum t + sum p).
Source: Lin et al., Focal loss for dense object detection (2017); Salehi et al., Tversky loss function (2017).
"""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.surfaces.keras.imbalance.values import inside, pair_of, typed

SMALL = 1e-7


def _smoothed(truth: Any, share: Any, classes: int) -> Any:
    return truth * (1.0 - share) + share / classes if share else truth


def binary_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    apply_class_balancing: Any = False,
    alpha: Any = 0.25,
    gamma: Any = 2.0,
    from_logits: Any = False,
    label_smoothing: Any = 0.0,
    axis: Any = -1,
) -> Any:
    """The mean of (1 - p)^gamma times the cross entropy, with balancing times alpha or 1 - alpha."""
    truth, prediction = typed(y_true, y_pred)
    truth = _smoothed(truth, label_smoothing, 2)
    share = ops.sigmoid(prediction) if from_logits else prediction
    kept = inside(share)
    entropy = -(truth * ops.log(kept) + (1.0 - truth) * ops.log(1.0 - kept))
    right = truth * share + (1.0 - truth) * (1.0 - share)
    each = (1.0 - right) ** gamma * entropy
    if apply_class_balancing:
        each = (truth * alpha + (1.0 - truth) * (1.0 - alpha)) * each
    return ops.reduce_mean(each, axis)


def categorical_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    alpha: Any = 0.25,
    gamma: Any = 2.0,
    from_logits: Any = False,
    label_smoothing: Any = 0.0,
    axis: Any = -1,
) -> Any:
    """-alpha (1 - p)^gamma t log p, summed over the classes."""
    truth, prediction = typed(y_true, y_pred)
    truth = _smoothed(truth, label_smoothing, prediction.shape[-1])
    shares = ops.softmax(prediction, axis) if from_logits else prediction
    shares = inside(shares / ops.reduce_sum(shares, axis, keepdims=True))
    each = (1.0 - shares) ** gamma * alpha * (-truth * ops.log(shares))
    return ops.reduce_sum(each, axis)


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Any:
    """1 - 2 sum(t p) / (sum t + sum p), over all axes or over those that are given."""
    truth, prediction = typed(y_true, y_pred)
    both = ops.reduce_sum(truth * prediction, axis)
    either = ops.reduce_sum(truth, axis) + ops.reduce_sum(prediction, axis)
    return 1.0 - (2.0 * both + SMALL) / (either + SMALL)


def tversky(y_true: Any, y_pred: Any, alpha: Any = 0.5, beta: Any = 0.5, axis: Any = None) -> Any:
    """1 - tp / (tp + alpha sum((1 - p) t) + beta sum(p (1 - t))), tp = sum(t p)."""
    truth, prediction = pair_of(y_true, y_pred)
    both = ops.reduce_sum(truth * prediction, axis)
    missed = ops.reduce_sum((1.0 - prediction) * truth, axis)
    wrong = ops.reduce_sum(prediction * (1.0 - truth), axis)
    return 1.0 - (both + SMALL) / (both + alpha * missed + beta * wrong + SMALL)
