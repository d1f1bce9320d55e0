"""`tf.keras.metrics` that count: how many examples a threshold puts on the right side, and what follows.

tp, fp, fn, tn: positives and negatives that are found right (true) or wrong (false).
Precision: tp / (tp + fp). Recall: tp / (tp + fn). AUC: the area below the curve of recall over
fp / (fp + tn), or of precision over recall, as the threshold moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.errors import ProgramError, ValueRefused, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.losses import check_float32
from engine.languages.surfaces.keras.metrics import Metric, Pairs, use_as_metric, weights_of
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array

TP, FP, TN, FN = range(4)
HALF = 0.5
THRESHOLDS = 200  # of an area below a curve
Figure = Callable[[Array], Any]  # of the four counts, each for every threshold


class Counted(Pairs):
    """Counts for each threshold, and the figure that follows from them."""

    def __init__(
        self, kind: str, name: str, thresholds: Array, figure: Figure, class_id: int | None = None
    ) -> None:
        """class_id: the only class that counts, of several along the last axis; None: all do."""
        super().__init__(kind, name, lambda *arrays: np.zeros(1))
        self.class_id = class_id
        self.thresholds = thresholds
        self.from_counts = figure
        self.reset()

    def reset(self) -> None:
        """Count anew."""
        self.counts = np.zeros((4, len(self.thresholds)), self.number)

    def update(self, arrays: list[Array], sample_weight: Any) -> None:
        """Take in a batch."""
        if self.class_id is not None:
            arrays = [_of_class(array, self.class_id) for array in arrays]
        y_true, y_pred = (array.reshape(-1) for array in arrays)
        if y_true.shape != y_pred.shape:
            raise ValueRefused(
                f"Labels {arrays[0].shape} and predictions {arrays[1].shape} must be equally many.",
                message_zh=f"标签 {arrays[0].shape} 与预测 {arrays[1].shape} 的个数必须相同。",
            )
        chances = y_pred.astype(np.float32)
        if chances.size and not (chances.min() >= 0 and chances.max() <= 1):
            raise _no_chances(self.kind)
        weight = (
            np.ones(len(chances), self.number)
            if sample_weight is None
            else weights_of(chances, sample_weight)
        )
        found, is_positive = chances > self.thresholds[:, None], y_true.astype(bool)
        for place, hit in ((TP, found & is_positive), (FP, found & ~is_positive)):
            self.counts[place] += (hit * weight).sum(axis=1, dtype=self.number)
        for place, miss in ((TN, ~found & ~is_positive), (FN, ~found & is_positive)):
            self.counts[place] += (miss * weight).sum(axis=1, dtype=self.number)

    def figure(self) -> Any:
        """The figure so far; of several thresholds one for each."""
        found = np.asarray(self.from_counts(self.counts), self.number)
        return found if found.ndim and found.size > 1 else self.number(found.reshape(-1)[0])


def _of_class(array: Array, class_id: int) -> Array:
    """One class along the last axis. Raises: ValueRefused where there is none of this number."""
    if array.ndim < 2 or not 0 <= class_id < array.shape[-1]:
        raise ValueRefused(
            f"There is no class {class_id} in an array of shape {array.shape}.",
            message_zh=f"形状为 {array.shape} 的数组中没有类别 {class_id}。",
        )
    return array[..., class_id]


def _no_chances(kind: str) -> ValueRefused:
    return ValueRefused(
        f"{kind} takes predictions from 0 to 1.",
        hint='End the model with activation="sigmoid".',
        message_zh=f"{kind} 需要 0 到 1 之间的预测值。",
        hint_zh='请让模型以 activation="sigmoid" 结束。',
        kind="InvalidArgumentError",
    )


def ratio(part: Any, whole: Any) -> Any:
    """0 where there is nothing to divide by."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def precision(counts: Array) -> Any:
    return ratio(counts[TP], counts[TP] + counts[FP])


def recall(counts: Array) -> Any:
    return ratio(counts[TP], counts[TP] + counts[FN])


def _below_roc(counts: Array) -> Any:
    """Trapezoids below the curve of recall over the share of negatives that are found wrongly."""
    x, y = ratio(counts[FP], counts[FP] + counts[TN]), recall(counts)
    return ((x[:-1] - x[1:]) * (y[:-1] + y[1:]) / 2).sum(dtype=counts.dtype)


def _below_pr(counts: Array) -> Any:
    """Below precision over recall; between two thresholds tp is a straight line of tp + fp.

    Source: Davis & Goadrich, The relationship between precision-recall and ROC curves, 2006.
    """
    tp, found = counts[TP], counts[TP] + counts[FP]
    dtp, slope = tp[:-1] - tp[1:], ratio(tp[:-1] - tp[1:], found[:-1] - found[1:])
    intercept = tp[1:] - slope * found[1:]
    both = (found[:-1] > 0) & (found[1:] > 0)
    growth = np.where(both, ratio(found[:-1], found[1:]), 1).astype(counts.dtype)
    grown = slope * (dtp + intercept * np.log(growth))
    return ratio(grown, counts[TP][1:] + counts[FN][1:]).sum(dtype=counts.dtype)


AREAS: Mapping[str, Figure] = {"ROC": _below_roc, "PR": _below_pr}


def _spread(count: int) -> Array:
    """Thresholds from a little below 0 to a little above 1, evenly spaced in between."""
    inner = np.arange(1, count - 1) / (count - 1)
    return np.concatenate([[-1e-7], inner, [1 + 1e-7]]).astype(np.float32)


def named(interpreter: Interpreter, word: str, name: Any) -> str:
    """Its name, or one by its kind: `auc`, then `auc_1`."""
    counts = interpreter.workspace.layer_kinds
    if name is None:
        counts[word] += 1
    return str(name or (word if counts[word] == 1 else f"{word}_{counts[word] - 1}"))


def _thresholds(kind: str, given: Any) -> Array:
    """One threshold or several. Raises: ValueRefused for what is no number from 0 to 1."""
    listed = given if isinstance(given, (list, tuple)) else [HALF if given is None else given]
    if not listed or not all(isinstance(one, (int, float, np.number)) and 0 <= one <= 1 for one in listed):
        raise ValueRefused(
            f"`thresholds` of tf.keras.metrics.{kind} takes numbers from 0 to 1.",
            hint="Write thresholds=0.5, or a list as [0.3, 0.7].",
            message_zh=f"tf.keras.metrics.{kind} 的 `thresholds` 需要 0 到 1 之间的数。",
            hint_zh="请写 thresholds=0.5，或列表 [0.3, 0.7]。",
        )
    return np.array(listed, np.float32)


def _at_thresholds(kind: str, word: str, figure: Figure) -> Callable[..., Metric]:
    def make(
        interpreter: Interpreter,
        thresholds: Any = None,
        top_k: Any = None,
        class_id: Any = None,
        name: Any = None,
        dtype: Any = None,
    ) -> Metric:
        hint = ("Leave it out: all classes count.", "请去掉它：所有类别都计入。")
        refuse_given(f"tf.keras.metrics.{kind}", {"top_k": top_k}, *hint)
        check_float32(f"tf.keras.metrics.{kind}", dtype)
        one = None if class_id is None else whole_number(class_id, "class_id")
        return Counted(kind, named(interpreter, word, name), _thresholds(kind, thresholds), figure, one)

    return make


def _count(kind: str, word: str, place: int) -> Callable[..., Metric]:
    def make(interpreter: Interpreter, thresholds: Any = None, name: Any = None, dtype: Any = None) -> Metric:
        check_float32(f"tf.keras.metrics.{kind}", dtype)
        given = _thresholds(kind, thresholds)
        return Counted(kind, named(interpreter, word, name), given, lambda counts: counts[place])

    return make


def area(
    interpreter: Interpreter,
    num_thresholds: Any = THRESHOLDS,
    curve: Any = "ROC",
    summation_method: Any = "interpolation",
    name: Any = None,
    dtype: Any = None,
    thresholds: Any = None,
    multi_label: Any = False,
    from_logits: Any = False,
) -> Metric:
    """`AUC`. Raises: ProgramError for a curve that there is not, or too few thresholds."""
    other = {"thresholds": thresholds, "multi_label": multi_label or None, "from_logits": from_logits or None}
    other["summation_method"] = None if summation_method == "interpolation" else summation_method
    refuse_given("tf.keras.metrics.AUC", other, "Leave it out.", "请去掉它。")
    check_float32("tf.keras.metrics.AUC", dtype)
    count = whole_number(num_thresholds, "num_thresholds")
    if not isinstance(curve, str) or curve not in AREAS or count < 2:
        raise ProgramError(
            f"AUC takes the curve 'ROC' or 'PR' and 2 thresholds or more, not {quoted(curve)} and {count}.",
            message_zh=f"AUC 的 curve 是 'ROC' 或 'PR'，阈值至少 2 个，不能是 {quoted(curve)} 和 {count}。",
            code="bad_value",
        )
    interpreter.budget.check_elements((count,))
    return Counted("AUC", named(interpreter, "auc", name), _spread(count), AREAS[curve])


MAKERS: Mapping[str, Callable[..., Metric]] = {
    "AUC": area,
    "Precision": _at_thresholds("Precision", "precision", precision),
    "Recall": _at_thresholds("Recall", "recall", recall),
    "TruePositives": _count("TruePositives", "true_positives", TP),
    "FalsePositives": _count("FalsePositives", "false_positives", FP),
    "TrueNegatives": _count("TrueNegatives", "true_negatives", TN),
    "FalseNegatives": _count("FalseNegatives", "false_negatives", FN),
}
use_as_metric(Counted)


def counted_metric(interpreter: Interpreter, name: str) -> Metric | None:
    """The metric that a text names in `compile`, as a class; None for another name."""
    if name not in MAKERS:
        return None
    made = MAKERS[name](interpreter)
    made.name = name
    return made


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {
        f"keras.metrics.{kind}": Native(f"tf.keras.metrics.{kind}", make) for kind, make in MAKERS.items()
    }
