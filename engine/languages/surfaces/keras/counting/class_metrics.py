"""`tf.keras.metrics` that keep sums for each class or column: F1, the coefficient of determination."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.errors import ShapeError, ValueRefused, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.keras.losses import check_float32
from engine.languages.surfaces.keras.metrics import Pairs, use_as_metric, weights_of
from engine.ops.base.tensors import Array

AVERAGES = (None, "micro", "macro", "weighted")
SMALL = 1e-7


def _columns(array: Array) -> Array:
    return array.reshape(-1, 1) if array.ndim < 2 else array


class FScore(Pairs):
    """(1 + beta^2) precision recall / (beta^2 precision + recall), of each class, or averaged."""

    def __init__(self, kind: str, name: str, average: Any, beta: float, threshold: float | None) -> None:
        super().__init__(kind, name, lambda *arrays: np.zeros(1))
        self.average, self.beta, self.threshold = average, beta, threshold
        self.reset()

    def reset(self) -> None:
        """Count anew."""
        self.sums: Array | None = None

    def update(self, arrays: list[Array], sample_weight: Any) -> None:
        """Take in a batch: of each class those found rightly, found wrongly, missed, and all of its own."""
        y_true, y_pred = (_columns(array) for array in arrays)
        if y_true.shape != y_pred.shape:
            raise other_shapes(arrays)
        if self.threshold is None:
            found = (y_pred == y_pred.max(axis=-1, keepdims=True)) & (np.abs(y_pred) > 1e-9)
        else:
            found = y_pred > self.threshold
        weights = np.ones((len(y_true), 1)) if sample_weight is None else weights_of(y_true, sample_weight)
        true = y_true.astype(float)
        parts = (found * true, found * (1 - true), (1 - found) * true, true)
        axis = None if self.average == "micro" else 0
        sums = np.array([(part * weights).sum(axis=axis) for part in parts])
        self.sums = sums if self.sums is None else self.sums + sums

    def figure(self) -> Any:
        """The figure so far; of each class one where there is no average."""
        if self.sums is None:
            return self.number(0)
        tp, fp, fn, own = self.sums
        precision, recall = tp / (tp + fp + SMALL), tp / (tp + fn + SMALL)
        square = self.beta**2
        score = (1 + square) * precision * recall / (square * precision + recall + SMALL)
        if self.average == "weighted":
            return self.number((own / (own.sum() + SMALL) * score).sum())
        if self.average is not None:
            return self.number(np.mean(score))
        return np.asarray(score, self.number)


class Determination(Pairs):
    """R2: 1 - sum (t - p)^2 / sum (t - mean t)^2, the mean over the columns."""

    def reset(self) -> None:
        """Begin anew."""
        self.sums: Array | None = None

    def update(self, arrays: list[Array], sample_weight: Any) -> None:
        """Take in a batch."""
        y_true, y_pred = (_columns(array).astype(float) for array in arrays)
        if y_true.shape != y_pred.shape:
            raise other_shapes(arrays)
        weights = np.ones_like(y_true) if sample_weight is None else weights_of(y_true, sample_weight)
        parts = (weights, weights * y_true, weights * y_true**2, weights * (y_true - y_pred) ** 2)
        sums = np.array([part.sum(axis=0) for part in parts])
        self.sums = sums if self.sums is None else self.sums + sums

    def figure(self) -> np.floating[Any]:
        """The figure so far."""
        if self.sums is None:
            return self.number(0)
        count, first, second, rest = self.sums
        total = second - first**2 / count
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.where(total == 0, 0.0, 1 - rest / total)
        return self.number(scores.mean())


def other_shapes(arrays: list[Array]) -> ShapeError:
    """Labels and predictions whose shapes differ."""
    return ShapeError(
        f"Labels {arrays[0].shape} and predictions {arrays[1].shape} must have the same shape.",
        message_zh=f"标签 {arrays[0].shape} 与预测 {arrays[1].shape} 的形状必须一致。",
    )


def _f_score(kind: str, default: str, beta: float | None) -> Callable[..., Pairs]:
    def checked(average: Any, beta: Any, threshold: Any, name: Any, dtype: Any) -> Pairs:
        check_float32(f"tf.keras.metrics.{kind}", dtype)
        if average not in AVERAGES:
            raise ValueRefused(
                f"`average` is None, 'micro', 'macro' or 'weighted', not {quoted(average)}.",
                message_zh="`average` 可以是 None、'micro'、'macro' 或 'weighted'，"
                f"不能是 {quoted(average)}。",
            )
        for word, given in (("beta", beta), ("threshold", threshold)):
            if given is not None and (isinstance(given, bool) or not isinstance(given, (int, float))):
                raise ValueRefused(
                    f"`{word}` of tf.keras.metrics.{kind} is a number, not {quoted(given)}.",
                    message_zh=f"tf.keras.metrics.{kind} 的 `{word}` 是一个数，不能是 {quoted(given)}。",
                )
        bound = None if threshold is None else float(threshold)
        return FScore(kind, name or default, average, float(beta), bound)

    def f1(average: Any = None, threshold: Any = None, name: Any = default, dtype: Any = None) -> Pairs:
        return checked(average, beta, threshold, name, dtype)

    def f_beta(
        average: Any = None, beta: Any = 1.0, threshold: Any = None, name: Any = default, dtype: Any = None
    ) -> Pairs:
        return checked(average, beta, threshold, name, dtype)

    return f_beta if beta is None else f1


def _determination(name: Any = "r2_score", dtype: Any = None) -> Pairs:
    check_float32("tf.keras.metrics.R2Score", dtype)
    made = Determination("R2Score", name or "r2_score", lambda *arrays: np.zeros(1))
    made.reset()
    return made


MAKERS: Mapping[str, Callable[..., Pairs]] = {
    "F1Score": _f_score("F1Score", "f1_score", 1.0),
    "FBetaScore": _f_score("FBetaScore", "fbeta_score", None),
    "R2Score": _determination,
}
for _kind in (FScore, Determination):
    use_as_metric(_kind)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {
        f"keras.metrics.{kind}": Native(f"tf.keras.metrics.{kind}", make) for kind, make in MAKERS.items()
    }
