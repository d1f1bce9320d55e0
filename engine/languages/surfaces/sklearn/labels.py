"""`sklearn.preprocessing.LabelEncoder`: labels as whole numbers, in their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.sklearn.module import SKLEARN, labels_of


@dataclass(slots=True, eq=False)
class LabelEncoder:
    """The labels that it has seen, each once."""

    classes: Any = None


@SKLEARN.function("preprocessing.LabelEncoder")
def label_encoder() -> LabelEncoder:
    """One that has seen no labels yet."""
    return LabelEncoder()


ENCODER = members_of(LabelEncoder, "LabelEncoder")
TYPE_NAMES[LabelEncoder] = lambda encoder: "LabelEncoder"


def _seen(encoder: LabelEncoder) -> Any:
    if encoder.classes is None:
        raise ProgramError(
            "The LabelEncoder has seen no labels.",
            hint="Write encoder.fit(y) first.",
            message_zh="LabelEncoder 还没有见过标签。",
            hint_zh="请先写 encoder.fit(y)。",
            code="wrong_arguments",
        )
    return encoder.classes


ENCODER.fact("classes_")(_seen)


@ENCODER.method("fit")
def fit(interpreter: Interpreter, encoder: LabelEncoder, y: Any) -> LabelEncoder:
    """Take the labels."""
    encoder.classes = np.unique(labels_of(interpreter, y))
    return encoder


@ENCODER.method("transform")
def transform(interpreter: Interpreter, encoder: LabelEncoder, y: Any) -> Any:
    """The number of each label. Raises: ProgramError for one that was not seen."""
    labels, classes = labels_of(interpreter, y), _seen(encoder)
    unknown = labels[~np.isin(labels, classes)].reshape(-1)
    if unknown.size:
        shown = f"np.{type(unknown[0]).__name__}({unknown[0].item()!r})"
        raise ProgramError(
            f"y contains previously unseen labels: {shown}",
            message_zh=f"y 中有未见过的标签：{shown}",
            code="bad_value",
            kind="ValueError",
        )
    return np.searchsorted(classes, labels)


@ENCODER.method("fit_transform")
def fit_transform(interpreter: Interpreter, encoder: LabelEncoder, y: Any) -> Any:
    """Both."""
    return transform(interpreter, fit(interpreter, encoder, y), y)


@ENCODER.method("inverse_transform")
def inverse_transform(interpreter: Interpreter, encoder: LabelEncoder, y: Any) -> Any:
    """The labels of numbers. Raises: ProgramError for one that no label has."""
    numbers, classes = to_array(interpreter, y), _seen(encoder)
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < len(classes)):
        raise ProgramError(
            f"The numbers of the labels run from 0 to {len(classes) - 1}.",
            message_zh=f"标签的编号从 0 到 {len(classes) - 1}。",
            code="bad_value",
            kind="ValueError",
        )
    return classes[numbers]
