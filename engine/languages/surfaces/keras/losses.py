"""`tf.keras.losses`: functions of (y_true, y_pred), and the classes that take their mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, ShapeError, ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, concrete
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.fitting.logits import logits_before
from engine.languages.surfaces.keras.imbalance import losses as imbalance
from engine.languages.surfaces.keras.imbalance.values import (  # metrics take them from here
    EPSILON,
    inside,
    pair_of,
    same_rank,
    typed,
)
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import written
from engine.ops.base.tensors import FLOATS, Operators
from engine.ops.networks import losses


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of squared differences along the last axis."""
    truth, prediction = pair_of(y_true, y_pred)
    return ops.reduce_mean(ops.squared_difference(prediction, truth), -1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of differences without their signs along the last axis."""
    truth, prediction = pair_of(y_true, y_pred)
    return ops.reduce_mean(ops.absolute(prediction - truth), -1)


def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0.0, axis: Any = -1
) -> Any:
    """The mean of -t log p - (1 - t) log(1 - p) along an axis."""
    truth, prediction = typed(y_true, y_pred)
    _check_ranks(truth, prediction)
    if label_smoothing:
        truth = truth * (1.0 - label_smoothing) + 0.5 * label_smoothing
    prediction, from_logits = _before(prediction, "Sigmoid", from_logits)
    if from_logits:
        each = losses.sigmoid_cross_entropy_with_logits(labels=truth, logits=prediction)
    else:
        share = inside(prediction)
        each = -(truth * ops.log(share) + (1 - truth) * ops.log(1 - share))
    return ops.reduce_mean(each, axis)


def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0.0, axis: Any = -1
) -> Any:
    """-t log p, summed over the classes."""
    truth, prediction = typed(y_true, y_pred)
    _check_ranks(truth, prediction)
    if label_smoothing:
        classes = prediction.shape[-1]
        truth = truth * (1.0 - label_smoothing) + label_smoothing / classes
    prediction, from_logits = _before(prediction, "Softmax", from_logits)
    if from_logits:
        return losses.softmax_cross_entropy_with_logits_v2(labels=truth, logits=prediction, axis=axis)
    shares = inside(prediction / ops.reduce_sum(prediction, axis, keepdims=True))
    return -ops.reduce_sum(truth * ops.log(shares), axis)


def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, ignore_class: Any = None, axis: Any = -1
) -> Any:
    """-log p of the class by its number."""
    if axis != -1:
        raise ProgramError(
            "The classes are along the last axis here.",
            hint="Leave `axis` out, and move the axis with tf.transpose.",
            message_zh="这里的类别在最后一个轴上。",
            hint_zh="请去掉 `axis`，并用 tf.transpose 移动该轴。",
            code="unknown_argument",
        )
    labels, prediction = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    labels = ops.cast(labels, "int64")
    if len(labels.shape or ()) == len(prediction.shape or ()) and (labels.shape or ())[-1:] == (1,):
        labels = ops.squeeze(labels, [-1])
    prediction, from_logits = _before(prediction, "Softmax", from_logits)
    logits = prediction if from_logits else ops.log(inside(prediction))
    if ignore_class is None:
        return losses.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    counts = ops.not_equal(labels, ops.cast(convert_to_tensor(ignore_class), "int64"))
    labels = labels * ops.cast(counts, "int64")
    each = losses.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return ops.where(counts, each, ops.zeros_like(each))


def _before(prediction: Any, activation: str, from_logits: Any) -> tuple[Any, Any]:
    """What went into the activation that made a prediction, which Keras computes the loss from.

    So the logarithm of a share too small for float32 is there still. Where there was none, what is given.
    """
    logits = logits_before(prediction, activation)
    return (prediction, from_logits) if logits is None else (logits, True)


def _check_ranks(truth: Any, prediction: Any) -> None:
    """Refuse labels and predictions that would be spread against each other."""
    if len(truth.shape or ()) != len(prediction.shape or ()):
        shapes = written(truth.shape), written(prediction.shape)
        raise ShapeError(
            f"Labels {shapes[0]} and predictions {shapes[1]} need equally many axes.",
            hint="Write tf.reshape(y, [-1, 1]) for labels of one column, or use the class of the loss.",
            message_zh=f"标签 {shapes[0]} 与预测 {shapes[1]} 的轴数必须相同。",
            hint_zh="单列标签请写 tf.reshape(y, [-1, 1])，或使用该损失的类。",
        )


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of differences in per cent of the label, along the last axis."""
    truth, prediction = pair_of(y_true, y_pred)
    share = ops.absolute((truth - prediction) / ops.maximum(ops.absolute(truth), EPSILON))
    return 100.0 * ops.reduce_mean(share, -1)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of (log(1 + t) - log(1 + p))^2 along the last axis."""
    logarithms = [ops.log(ops.maximum(one, EPSILON) + 1.0) for one in pair_of(y_true, y_pred)]
    return ops.reduce_mean(ops.squared_difference(*logarithms), -1)


def poisson(y_true: Any, y_pred: Any) -> Any:
    """The mean of p - t log p along the last axis."""
    truth, prediction = typed(y_true, y_pred)
    return ops.reduce_mean(prediction - truth * ops.log(prediction + EPSILON), -1)


def cosine_similarity(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Minus the cosine of the angle between the two, along an axis."""
    truth, prediction = (ops.l2_normalize(one, axis, EPSILON**2) for one in pair_of(y_true, y_pred))
    return -ops.reduce_sum(truth * prediction, axis)


def huber(y_true: Any, y_pred: Any, delta: Any = 1.0) -> Any:
    """Half the square of a difference up to delta, a straight line beyond; the mean along the last axis."""
    truth, prediction = pair_of(y_true, y_pred)
    error = prediction - truth
    size = ops.absolute(error)
    near, far = 0.5 * ops.square(error), delta * size - 0.5 * delta * delta
    return ops.reduce_mean(ops.where(size <= delta, near, far), -1)


def hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(0, 1 - t p) along the last axis; labels 0 and 1 count as -1 and 1."""
    return ops.reduce_mean(_margins(y_true, y_pred), -1)


def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of max(0, 1 - t p)^2 along the last axis; labels 0 and 1 count as -1 and 1."""
    return ops.reduce_mean(ops.square(_margins(y_true, y_pred)), -1)


def _margins(y_true: Any, y_pred: Any) -> Any:
    truth, prediction = typed(y_true, y_pred)
    binary = ops.reduce_all(ops.logical_or(ops.equal(truth, 0.0), ops.equal(truth, 1.0)))
    sides = 2.0 * truth - 1.0 if bool(concrete(binary)) else truth
    return ops.maximum(1.0 - sides * prediction, 0.0)


def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """max(0, 1 + the largest wrong score - the right one's)."""
    truth, prediction = typed(y_true, y_pred)
    right = ops.reduce_sum(truth * prediction, -1)
    wrong = ops.reduce_max((1.0 - truth) * prediction, -1)
    return ops.maximum(wrong - right + 1.0, 0.0)


def kl_divergence(y_true: Any, y_pred: Any) -> Any:
    """t log(t / p), summed along the last axis; both kept between 1e-7 and 1."""
    truth, prediction = (ops.clip_by_value(one, 1e-7, 1.0) for one in typed(y_true, y_pred))
    return ops.reduce_sum(truth * ops.log(truth / prediction), -1)


def log_cosh(y_true: Any, y_pred: Any) -> Any:
    """The mean of log(cosh(p - t)) along the last axis."""
    truth, prediction = pair_of(y_true, y_pred)
    error = prediction - truth
    return ops.reduce_mean(
        error + ops.softplus(-2.0 * error) - float(np.float32(math.log(2.0))), -1
    )  # rounded as Keras does


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = None, name: Any = None) -> Any:
    """`tf.nn`'s: labels come first, and have gradients as well."""
    return losses.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=axis, name=name)


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: Any = None) -> Any:
    """`tf.nn`'s: labels, which are class numbers, come first."""
    return losses.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: Any = None) -> Any:
    """`tf.nn`'s: labels come first."""
    return losses.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


BY_POSITION = (
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    sigmoid_cross_entropy_with_logits,
)  # TensorFlow 1 takes these by name only

LOSSES: dict[str, Callable[..., Any]] = {
    "MeanSquaredError": mean_squared_error,
    "MeanAbsoluteError": mean_absolute_error,
    "BinaryCrossentropy": binary_crossentropy,
    "CategoricalCrossentropy": categorical_crossentropy,
    "SparseCategoricalCrossentropy": sparse_categorical_crossentropy,
    "Huber": huber,
    "Hinge": hinge,
    "KLDivergence": kl_divergence,
    "LogCosh": log_cosh,
    "MeanAbsolutePercentageError": mean_absolute_percentage_error,
    "MeanSquaredLogarithmicError": mean_squared_logarithmic_error,
    "SquaredHinge": squared_hinge,
    "CategoricalHinge": categorical_hinge,
    "Poisson": poisson,
    "CosineSimilarity": cosine_similarity,
    "BinaryFocalCrossentropy": imbalance.binary_focal_crossentropy,
    "CategoricalFocalCrossentropy": imbalance.categorical_focal_crossentropy,
    "Dice": imbalance.dice,
    "Tversky": imbalance.tversky,
}
SHORT = {
    "MeanSquaredError": ("MSE", "mse"),
    "MeanAbsoluteError": ("MAE", "mae"),
    "MeanAbsolutePercentageError": ("MAPE", "mape"),
    "MeanSquaredLogarithmicError": ("MSLE", "msle"),
    "KLDivergence": ("KLD", "kld"),
}


MEAN = "sum_over_batch_size"
REDUCTIONS = (MEAN, "mean", "mean_with_sample_weight", "sum", "none", None, "auto")
LAST = [
    Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default)
    for name, default in (("reduction", MEAN), ("name", None), ("dtype", None))
]


def loss_named(name: str) -> Callable[..., Native] | None:
    """The class of the loss that a text names, as `compile` takes it: mse, mean_squared_error, MSE."""
    return next((loss_class(kind, LOSSES[kind]) for kind in LOSSES if name in _spellings(kind)), None)


def known_names() -> list[str]:
    """Every name that `loss_named` knows."""
    return [spelled for kind in LOSSES for spelled in _spellings(kind)]


def mean_over_all(loss: Any) -> Any:
    """A loss for each example as their mean; one number as it is."""
    return ops.reduce_mean(loss) if loss.shape else loss


def sum_over_all(loss: Any) -> Any:
    """What a layer adds to the loss: of several numbers their sum."""
    loss = convert_to_tensor(loss)
    return ops.reduce_sum(loss) if loss.shape else loss


def _spellings(name: str) -> tuple[str, ...]:
    """Under which names the function of a loss is known."""
    return (LOSSES[name].__name__, *SHORT.get(name, ()))


def loss_class(name: str, function: Callable[..., Any]) -> Callable[..., Native]:
    """The class of a loss: calling it makes a function of (y_true, y_pred) that gives the mean over all."""
    settable = tuple(signature(function).parameters.values())[2:]
    options = [*settable, *LAST]
    if name == "SparseCategoricalCrossentropy":  # Keras has the axis behind the reduction
        options[2], options[3] = options[3], options[2]
    order = tuple(option.name for option in options)

    def make(reduction: Any, dtype: Any, settings: dict[str, Any]) -> Native:
        kind = float_kind(name, dtype) or "float32"  # labels and predictions alike, whatever they were
        _check_reduction(reduction)

        def call(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
            pair = (in_kind(value, kind) for value in (y_true, y_pred))
            each = function(*same_rank(*pair, column=True), **settings)
            weights = _weights(each, y_true, sample_weight, settings.get("ignore_class"), reduction)
            if weights is not None:
                each = each * weights
                if reduction == "mean_with_sample_weight":
                    return ops.reduce_sum(each) / ops.reduce_sum(weights)
            if reduction in ("none", None):
                return each
            return ops.reduce_sum(each) if reduction == "sum" else ops.reduce_mean(each)

        return Native(f"tf.keras.losses.{name}", call)

    def called(*args: Any, **keywords: Any) -> Native:
        given = dict(zip(order, args, strict=False)) | keywords
        own = given.pop("name", None) or NAMES.get(name, function.__name__)
        reduction = given.pop("reduction", MEAN)
        made = make(reduction, given.pop("dtype", None), given)
        settings = {option.name: given.get(option.name, option.default) for option in settable}
        return KerasLoss(made, function, {"name": own, "reduction": reduction}, settings)

    called.__signature__ = Signature(options)  # type: ignore[attr-defined]
    return called


class KerasLoss(Native):
    """A loss that a class of Keras makes: a function of (y_true, y_pred), with its name and its settings."""

    def __init__(
        self, call: Native, each: Callable[..., Any], facts: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> None:
        super().__init__(call.name, call.function)
        self.each = each
        self.facts = facts
        self.settings = settings

    @property
    def config(self) -> dict[str, Any]:
        """What `get_config` gives: Keras leaves the settings of some losses out."""
        usual = CROSSENTROPY if "from_logits" in self.settings else OVERLAP
        order = ORDERS.get(self.name.rpartition(".")[2], usual)
        return {**self.facts, **{one: self.settings[one] for one in order if one in self.settings}}


CROSSENTROPY = ("from_logits", "label_smoothing", "axis", "apply_class_balancing", "alpha", "gamma")
OVERLAP = ("alpha", "beta", "axis")
ORDERS: Mapping[str, tuple[str, ...]] = {
    "SparseCategoricalCrossentropy": ("from_logits", "ignore_class"),
    "CosineSimilarity": (),
}
NAMES = {"Huber": "huber_loss"}
LOSS_MEMBERS = members_of(KerasLoss, "Loss")
TYPE_NAMES[KerasLoss] = lambda loss: loss.name.rpartition(".")[2]
LOSS_MEMBERS.fact("name")(lambda loss: loss.facts["name"])
LOSS_MEMBERS.fact("reduction")(lambda loss: loss.facts["reduction"])
LOSS_MEMBERS.fact("dtype")(lambda loss: "float32")
LOSS_MEMBERS.method("get_config")(lambda loss: loss.config)
LOSS_MEMBERS.method("call")(lambda loss, y_true, y_pred: loss.each(y_true, y_pred, **loss.settings))


def _check_reduction(reduction: Any) -> None:
    """Raises: ValueRefused for a word that Keras does not know."""
    if not isinstance(reduction, (str, type(None))) or reduction not in REDUCTIONS:
        listed = ", ".join(repr(one) for one in REDUCTIONS if one != "auto")
        raise ValueRefused(
            f"`reduction` of a loss is one of {listed}.",
            message_zh=f"损失函数的 `reduction` 可以是 {listed}。",
            code="bad_value",
        )


def _get(interpreter: Interpreter, identifier: Any) -> Any:
    """`keras.losses.get`: the function that a text names, or what is given as it is."""
    if isinstance(identifier, Mapping) and identifier.get("class_name") in LOSSES:
        name, given = identifier["class_name"], dict(identifier.get("config") or {})
        return interpreter.call(Native(f"tf.keras.losses.{name}", loss_class(name, LOSSES[name])), [], given)
    if not isinstance(identifier, str):
        return identifier
    found = next((one for kind, one in LOSSES.items() if identifier in (kind, *_spellings(kind))), None)
    if found is None:
        raise ValueRefused(
            f"There is no loss named {identifier!r}; there are: {', '.join(known_names())}.",
            message_zh=f"没有名为 {identifier!r} 的损失函数；已有：{'、'.join(known_names())}。",
            code="bad_value",
        )
    return Native(f"tf.keras.losses.{found.__name__}", found)


def _weights(each: Any, y_true: Any, sample_weight: Any, ignored: Any, reduction: Any) -> Any:
    """One weight for each loss, 0 where the class is left out; None where all count alike.

    A mean goes over the losses that count: the others' weights are as much larger.
    """
    weights = None if sample_weight is None else weights_for(each, sample_weight)
    if ignored is None:
        return weights
    labels = ops.reshape(convert_to_tensor(y_true), each.shape)
    counts = ops.cast(ops.not_equal(labels, ops.cast(convert_to_tensor(ignored), labels.dtype)), each.dtype)
    if reduction not in ("sum", "none", None):
        counts = counts * (ops.reduce_sum(ops.ones_like(counts)) / (ops.reduce_sum(counts) + EPSILON))
    return counts if weights is None else counts * weights


def in_kind(value: Any, kind: str | None) -> Any:
    """A tensor of that element type, or of its own."""
    if kind is None:
        return convert_to_tensor(value)
    return ops.cast(value, kind) if isinstance(value, Operators) else convert_to_tensor(value, kind)


def float_kind(name: str, dtype: Any) -> str | None:
    """The element type that a loss computes in, if given. Raises: ProgramError for other than floats."""
    kind = None if dtype is None else dtype_name(dtype)
    if kind not in (None, *FLOATS):
        check_float32(name, dtype)
    return kind


def check_float32(name: str, dtype: Any) -> None:
    """Raises: ProgramError for an element type that would change what Keras computes."""
    if dtype is not None and dtype_name(dtype) != "float32":
        raise ProgramError(
            f"{name} computes in float32 here, not in {dtype_name(dtype)}.",
            hint="Leave `dtype` out.",
            message_zh=f"这里的 {name} 用 float32 计算，不用 {dtype_name(dtype)}。",
            hint_zh="请去掉 `dtype`。",
            code="unknown_argument",
        )


def weights_for(each: Any, sample_weight: Any) -> Any:
    """One weight for each loss; a last axis of length 1 is taken off where it is one too many."""
    weights = ops.cast(convert_to_tensor(sample_weight), each.dtype)
    shape = weights.shape or ()
    return ops.squeeze(weights, [-1]) if len(shape) == len(each.shape) + 1 and shape[-1] == 1 else weights


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found: dict[str, Any] = {}
    for name, function in LOSSES.items():
        for home in ("keras.losses", "losses"):
            found[f"{home}.{name}"] = Native(f"tf.{home}.{name}", loss_class(name, function))
            for short in _spellings(name):
                found[f"{home}.{short}"] = Native(f"tf.{home}.{short}", function)
    found["keras.losses.get"] = Native("tf.keras.losses.get", _get)
    for given in BY_POSITION:
        found[f"nn.{given.__name__}"] = Native(f"tf.nn.{given.__name__}", given)
    return found
