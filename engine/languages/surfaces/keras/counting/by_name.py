"""`keras.metrics.get`: metrics by their names; and the cosine along any axis."""

from __future__ import annotations

from typing import Any

from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras import losses, metrics
from engine.languages.surfaces.keras.losses import float_kind
from engine.languages.surfaces.keras.metrics import Metric, Pairs, of_loss
from engine.ops.base.shapes import whole_number

SHORT = {"mse": "MeanSquaredError", "mae": "MeanAbsoluteError"}


def _kinds() -> dict[str, str]:
    """The classes by every name that a text may have: their own, or that of the function of their figure."""
    named = {facts[0]: kind for kind, facts in {**metrics.PAIRED, **metrics.OF_LOSSES}.items()}
    return {**{kind: kind for kind in named.values()}, **named, **SHORT, "binary_accuracy": "BinaryAccuracy"}


def get(interpreter: Interpreter, identifier: Any) -> Any:
    """The metric of a name, or as it is given. Raises: ValueRefused for an unknown name."""
    if not isinstance(identifier, str):
        return identifier
    kind = _kinds().get(identifier)
    if kind is None:
        raise ValueRefused(
            f"Could not interpret metric identifier: {quoted(identifier)}",
            message_zh=f"无法识别的指标：{quoted(identifier)}",
            code="bad_value",
        )
    makers = {**metrics.members(), **members()}
    return interpreter.call(makers[f"keras.metrics.{kind}"], [], {})


def cosine(name: Any = "cosine_similarity", dtype: Any = None, axis: Any = -1) -> Metric:
    """The cosine of the angle between label and prediction along an axis."""
    along = whole_number(axis, "axis")
    each = of_loss(lambda y_true, y_pred: -losses.cosine_similarity(y_true, y_pred, along))
    kind = float_kind("CosineSimilarity", dtype)
    return Pairs("CosineSimilarity", name or "cosine_similarity", each, dtype=kind)


def members() -> dict[str, Native]:
    """The names below `tf.` that this file offers."""
    return {
        "keras.metrics.get": Native("tf.keras.metrics.get", get),
        "keras.metrics.CosineSimilarity": Native("tf.keras.metrics.CosineSimilarity", cosine),
    }
