"""Precision, recall and their kin of labels and predictions, and the report that lists them for each class.

Of a class c with TP right, FP wrongly taken for c and FN missed: precision TP/(TP + FP), recall TP/(TP + FN),
F1 = 2 TP/(2 TP + FP + FN); where nothing stands below the line 0, or what `zero_division` says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.sklearn.module import SKLEARN, both, confusion_matrix

Scores = tuple[Any, Any, Any, Any]  # of each class: precision, recall, F1, and how often it is there


def _by_class(interpreter: Interpreter, y_true: Any, y_pred: Any, zero_division: Any) -> tuple[Any, Scores]:
    """The classes in order, and their figures."""
    instead = 0.0 if zero_division == "warn" else float(zero_division)
    true, given = both(interpreter, y_true, y_pred)
    counts = confusion_matrix(interpreter, true, given)
    right, taken, there = np.diag(counts), counts.sum(axis=0), counts.sum(axis=1)
    shares = (right, taken), (right, there), (2 * right, taken + there)
    figures = tuple(_share(part, whole, instead) for part, whole in shares)
    return np.unique(np.concatenate([true, given])), (*figures, there)


def _share(part: Any, whole: Any, instead: float) -> Any:
    return np.divide(part, whole, out=np.full(np.shape(part), instead), where=np.asarray(whole) != 0)


def _score(index: int) -> Callable[..., Any]:
    @takes_only(labels=(None,))
    def score(
        interpreter: Interpreter,
        y_true: Any,
        y_pred: Any,
        labels: Any = None,
        pos_label: Any = 1,
        average: Any = "binary",
        zero_division: Any = "warn",
    ) -> Any:
        """Of the class `pos_label`, of each class (None), or their mean."""
        classes, scores = _by_class(interpreter, y_true, y_pred, zero_division)
        figures, there = scores[index], scores[3]
        if average is None:
            return figures
        if average == "macro":
            return float(figures.mean())
        if average == "weighted":
            return float(np.average(figures, weights=there))
        true, given = both(interpreter, y_true, y_pred)
        if average == "micro":
            return float(np.mean(true == given))
        return _of_one_class(classes, figures, pos_label, average)

    return score


def _of_one_class(classes: Any, figures: Any, pos_label: Any, average: Any) -> float:
    if average != "binary" or len(classes) > 2:
        raise ProgramError(
            "Target is multiclass but average='binary'. Please choose another average setting, one of [None, "
            "'micro', 'macro', 'weighted'].",
            message_zh=f"有 {len(classes)} 个类别，average={to_repr(average)} 不适用。",
            hint='Write average="macro".',
            hint_zh='请写 average="macro"。',
            code="bad_value",
            kind="ValueError",
        )
    places = np.flatnonzero(classes == pos_label)
    return float(figures[places[0]]) if places.size else 0.0


for place, name in enumerate(("precision_score", "recall_score", "f1_score")):
    SKLEARN.function(f"metrics.{name}")(_score(place))


@SKLEARN.function("metrics.classification_report")
@takes_only(labels=(None,))
def classification_report(
    interpreter: Interpreter,
    y_true: Any,
    y_pred: Any,
    labels: Any = None,
    target_names: Any = None,
    digits: Any = 2,
    zero_division: Any = "warn",
) -> str:
    """A table of precision, recall, F1 and count: a row for each class, and their means."""
    classes, (precision, recall, f1, there) = _by_class(interpreter, y_true, y_pred, zero_division)
    true, given = both(interpreter, y_true, y_pred)
    names = [to_str(one) for one in (classes.tolist() if target_names is None else target_names)]
    if len(names) != len(classes):
        raise ProgramError(
            f"Number of classes, {len(classes)}, does not match size of target_names, {len(names)}. "
            "Try specifying the labels parameter",
            message_zh=f"有 {len(classes)} 个类别，但 target_names 有 {len(names)} 个。",
            code="bad_value",
            kind="ValueError",
        )
    wide = max([*map(len, names), len("weighted avg"), digits])
    table = np.stack([precision, recall, f1])
    rows = [(name, *table[:, place], there[place]) for place, name in enumerate(names)]
    means = [
        ("macro avg", *table.mean(axis=1), there.sum()),
        ("weighted avg", *np.average(table, axis=1, weights=there), there.sum()),
    ]
    head = f"{'':>{wide}}  " + " ".join(f"{one:>9}" for one in ("precision", "recall", "f1-score", "support"))
    accuracy = f"{'accuracy':>{wide}}  {'':>9} {'':>9} {np.mean(true == given):>9.{digits}f} {there.sum():>9}"
    parts = [[head], _rows(rows, wide, digits), [accuracy, *_rows(means, wide, digits)]]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _rows(rows: list[tuple[Any, ...]], wide: int, digits: int) -> list[str]:
    return [
        f"{name:>{wide}}  " + " ".join(f"{one:>9.{digits}f}" for one in figures) + f" {count:>9}"
        for name, *figures, count in rows
    ]
