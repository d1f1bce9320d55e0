"""`tf.keras.metrics`: the best figure at any threshold at which another one reaches a bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.counting.counted_metrics import (
    FP,
    HALF,
    THRESHOLDS,
    TN,
    Counted,
    Figure,
    named,
    precision,
    ratio,
    recall,
)
from engine.languages.surfaces.keras.losses import check_float32
from engine.languages.surfaces.keras.metrics import Metric
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array

_RECALL, _PRECISION = recall, precision  # where a parameter has the name of the figure


def _specificity(counts: Array) -> Any:
    return ratio(counts[TN], counts[TN] + counts[FP])


def _at_best(
    interpreter: Interpreter,
    kind: str,
    best: Figure,
    bound: Figure,
    value: Any,
    word: str,
    num_thresholds: Any,
    class_id: Any,
    name: Any,
    dtype: Any,
) -> Metric:
    """The largest figure where the other one is `value` or more; 0 where it never is."""
    check_float32(f"tf.keras.metrics.{kind}", dtype)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueRefused(
            f"`{word}` of tf.keras.metrics.{kind} is a number from 0 to 1.",
            message_zh=f"tf.keras.metrics.{kind} 的 `{word}` 是 0 到 1 之间的数。",
        )
    count = whole_number(num_thresholds, "num_thresholds")
    if count < 1:
        raise ValueRefused(
            f"`num_thresholds` is at least 1, not {count}.",
            message_zh=f"`num_thresholds` 至少是 1，不能是 {count}。",
        )
    interpreter.budget.check_elements((count,))
    places = np.arange(count) / (count - 1) if count > 1 else np.array([HALF])
    one = None if class_id is None else whole_number(class_id, "class_id")

    def figure(counts: Array) -> Any:
        return np.max(best(counts)[bound(counts) >= value], initial=0.0)

    return Counted(kind, named(interpreter, SPELLED[kind], name), places.astype(np.float32), figure, one)


def precision_at_recall(
    interpreter: Interpreter,
    recall: Any,
    num_thresholds: Any = THRESHOLDS,
    class_id: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> Metric:
    """Precision where recall reaches a bound."""
    given = (recall, "recall", num_thresholds, class_id, name, dtype)
    return _at_best(interpreter, "PrecisionAtRecall", precision, _RECALL, *given)


def recall_at_precision(
    interpreter: Interpreter,
    precision: Any,
    num_thresholds: Any = THRESHOLDS,
    class_id: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> Metric:
    """Recall where precision reaches a bound."""
    given = (precision, "precision", num_thresholds, class_id, name, dtype)
    return _at_best(interpreter, "RecallAtPrecision", recall, _PRECISION, *given)


def sensitivity_at_specificity(
    interpreter: Interpreter,
    specificity: Any,
    num_thresholds: Any = THRESHOLDS,
    class_id: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> Metric:
    """Sensitivity, which is recall, where specificity reaches a bound."""
    given = (specificity, "specificity", num_thresholds, class_id, name, dtype)
    return _at_best(interpreter, "SensitivityAtSpecificity", recall, _specificity, *given)


def specificity_at_sensitivity(
    interpreter: Interpreter,
    sensitivity: Any,
    num_thresholds: Any = THRESHOLDS,
    class_id: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> Metric:
    """Specificity where sensitivity, which is recall, reaches a bound."""
    given = (sensitivity, "sensitivity", num_thresholds, class_id, name, dtype)
    return _at_best(interpreter, "SpecificityAtSensitivity", _specificity, recall, *given)


SPELLED: Mapping[str, str] = MappingProxyType(
    {
        "PrecisionAtRecall": "precision_at_recall",
        "RecallAtPrecision": "recall_at_precision",
        "SensitivityAtSpecificity": "sensitivity_at_specificity",
        "SpecificityAtSensitivity": "specificity_at_sensitivity",
    }
)
MAKERS: tuple[Callable[..., Metric], ...] = (
    precision_at_recall,
    recall_at_precision,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found = zip(SPELLED, MAKERS, strict=True)
    return {f"keras.metrics.{kind}": Native(f"tf.keras.metrics.{kind}", make) for kind, make in found}
