"""Labels and predictions as tensors that go together."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.ops.base.building import convert_to_tensor

EPSILON = 1e-7  # Keras keeps probabilities that far from 0 and 1


def typed(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """The two as tensors of one type; several losses spread them against each other, as Keras does."""
    prediction = convert_to_tensor(y_pred)
    truth = convert_to_tensor(y_true)
    return ops.cast(truth, prediction.dtype), prediction


def pair_of(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """The same with one rank, in which other losses compare them."""
    return same_rank(*typed(y_true, y_pred), column=True)


def same_rank(y_true: Any, y_pred: Any, *, column: bool = False) -> tuple[Any, Any]:
    """The two without a last axis of length 1 that the other has not: (n,) and (n, 1) are both (n,).

    column: whether a vector becomes a column instead, as in the classes and in `fit`.
    """
    ranks = len(y_true.shape or ()), len(y_pred.shape or ())
    if ranks[0] == ranks[1] + 1 and y_true.shape[-1] == 1:
        return (y_true, ops.expand_dims(y_pred, -1)) if column and ranks[1] == 1 else (_flat(y_true), y_pred)
    if ranks[1] == ranks[0] + 1 and y_pred.shape[-1] == 1:
        return (ops.expand_dims(y_true, -1), y_pred) if column and ranks[0] == 1 else (y_true, _flat(y_pred))
    return y_true, y_pred


def _flat(values: Any) -> Any:
    return ops.squeeze(values, [-1])


def inside(shares: Any) -> Any:
    """Kept off 0 and 1, where a logarithm or its slope is infinite."""
    return ops.clip_by_value(shares, EPSILON, 1.0 - EPSILON)
