"""`tf.keras.metrics`: crossentropies of logits, or of smoothed labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.losses import float_kind
from engine.languages.surfaces.keras.metrics import PAIRED, Metric, Pairs, of_loss

SETTINGS = {"from_logits": False, "label_smoothing": 0, "axis": -1}


def _of_predictions(kind: str) -> Callable[..., Metric]:
    name_of_kind, plain = PAIRED[kind]

    def make(
        name: Any = None,
        dtype: Any = None,
        from_logits: Any = False,
        label_smoothing: Any = 0,
        axis: Any = -1,
    ) -> Metric:
        settings = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        each = plain if settings == SETTINGS else of_loss(partial(losses.LOSSES[kind], **settings))
        return Pairs(kind, name or name_of_kind, each, dtype=float_kind(kind, dtype))

    return make


def _of_class_numbers(
    name: Any = None, dtype: Any = None, from_logits: Any = False, axis: Any = -1
) -> Metric:
    kind = "SparseCategoricalCrossentropy"
    name_of_kind, plain = PAIRED[kind]
    function = partial(losses.LOSSES[kind], from_logits=from_logits, axis=axis)
    each = of_loss(function) if from_logits or axis != -1 else plain
    return Pairs(kind, name or name_of_kind, each, dtype=float_kind(kind, dtype))


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    made = {kind: _of_predictions(kind) for kind in ("BinaryCrossentropy", "CategoricalCrossentropy")}
    made["SparseCategoricalCrossentropy"] = _of_class_numbers
    return {f"keras.metrics.{kind}": Native(f"tf.keras.metrics.{kind}", make) for kind, make in made.items()}
