"""`tf.keras.losses`: functions of (y_true, y_pred), and the classes that take their mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.ops import losses
from engine.ops.building import convert_to_tensor
from engine.programs.interpreter.callables import Native


def _pair_of(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    prediction = convert_to_tensor(y_pred)
    truth = convert_to_tensor(y_true)
    return ops.cast(truth, prediction.dtype), prediction


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of squared differences along the last axis."""
    truth, prediction = _pair_of(y_true, y_pred)
    return ops.reduce_mean(ops.squared_difference(prediction, truth), -1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of differences without their signs along the last axis."""
    truth, prediction = _pair_of(y_true, y_pred)
    return ops.reduce_mean(ops.absolute(prediction - truth), -1)


def binary_crossentropy(y_true: Any, y_pred: Any, from_logits: Any = False) -> Any:
    """The mean of -t log p - (1 - t) log(1 - p) along the last axis."""
    truth, prediction = _pair_of(y_true, y_pred)
    if from_logits:
        each = losses.sigmoid_cross_entropy_with_logits(labels=truth, logits=prediction)
    else:
        each = -(truth * ops.log(prediction + 1e-7) + (1 - truth) * ops.log(1 - prediction + 1e-7))
    return ops.reduce_mean(each, -1)


def categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: Any = False) -> Any:
    """-t log p, summed over the classes."""
    truth, prediction = _pair_of(y_true, y_pred)
    if from_logits:
        return losses.softmax_cross_entropy_with_logits_v2(labels=truth, logits=prediction)
    shares = prediction / ops.reduce_sum(prediction, -1, keepdims=True)
    return -ops.reduce_sum(truth * ops.log(ops.maximum(shares, 1e-7)), -1)


def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: Any = False) -> Any:
    """-log p of the class by its number."""
    labels, prediction = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    labels = ops.cast(labels, "int64")
    logits = prediction if from_logits else ops.log(ops.maximum(prediction, 1e-7))
    return losses.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


LOSSES: dict[str, Callable[..., Any]] = {
    "MeanSquaredError": mean_squared_error,
    "MeanAbsoluteError": mean_absolute_error,
    "BinaryCrossentropy": binary_crossentropy,
    "CategoricalCrossentropy": categorical_crossentropy,
    "SparseCategoricalCrossentropy": sparse_categorical_crossentropy,
}
SHORT = {"MeanSquaredError": ("MSE", "mse"), "MeanAbsoluteError": ("MAE", "mae")}


def loss_class(name: str, function: Callable[..., Any]) -> Callable[..., Native]:
    """The class of a loss: calling it makes a function of (y_true, y_pred) that gives the mean over all."""

    def make(from_logits: Any = False, reduction: Any = "sum_over_batch_size", name: Any = None) -> Native:
        options = {"from_logits": True} if from_logits else {}

        def call(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
            each = function(y_true, y_pred, **options)
            if reduction in ("none", None):
                return each
            return ops.reduce_sum(each) if reduction == "sum" else ops.reduce_mean(each)

        return Native(f"tf.keras.losses.{name}", call)

    return make


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found: dict[str, Any] = {}
    for name, function in LOSSES.items():
        underscored = "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")
        for home in ("keras.losses", "losses"):
            found[f"{home}.{name}"] = Native(f"tf.{home}.{name}", loss_class(name, function))
            for short in (underscored, *SHORT.get(name, ())):
                found[f"{home}.{short}"] = Native(f"tf.{home}.{short}", function)
    return found
