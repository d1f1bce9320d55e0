"""`sklearn.preprocessing`: columns brought to mean 0 and deviation 1, or between two numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.sklearn.module import SKLEARN


@dataclass(slots=True, eq=False)
class StandardScaler:
    """(x - mean) / deviation of each column."""

    with_mean: bool = True
    with_std: bool = True
    mean: Any = None
    variance: Any = None
    scale: Any = None

    def fit(self, x: Any) -> None:
        """Take mean and deviation of each column; a column that does not vary keeps its scale."""
        self.mean, self.variance = np.mean(x, axis=0), np.var(x, axis=0)
        deviation = np.sqrt(self.variance)
        self.scale = np.where(deviation == 0.0, 1.0, deviation)

    def to(self, x: Any) -> Any:
        """The scaled columns."""
        centered = x - self.mean if self.with_mean else x
        return centered / self.scale if self.with_std else centered

    def back(self, x: Any) -> Any:
        """The columns as they were."""
        scaled = x * self.scale if self.with_std else x
        return scaled + self.mean if self.with_mean else scaled


@dataclass(slots=True, eq=False)
class MinMaxScaler:
    """Each column between two numbers."""

    low: float = 0.0
    high: float = 1.0
    smallest: Any = None
    largest: Any = None
    scale: Any = None
    shift: Any = None

    def fit(self, x: Any) -> None:
        """Take the smallest and largest number of each column."""
        self.smallest, self.largest = np.min(x, axis=0), np.max(x, axis=0)
        width = self.largest - self.smallest
        self.scale = (self.high - self.low) / np.where(width == 0.0, 1.0, width)
        self.shift = self.low - self.smallest * self.scale

    def to(self, x: Any) -> Any:
        """The scaled columns."""
        return x * self.scale + self.shift

    def back(self, x: Any) -> Any:
        """The columns as they were."""
        return (x - self.shift) / self.scale


@dataclass(slots=True, eq=False)
class MaxAbsScaler:
    """Each column divided by its largest number without its sign."""

    scale: Any = None

    def fit(self, x: Any) -> None:
        """Take the largest of each column; a column of zeros keeps its scale."""
        largest = np.abs(x).max(axis=0)
        self.scale = np.where(largest == 0.0, 1.0, largest)

    def to(self, x: Any) -> Any:
        """The scaled columns."""
        return x / self.scale

    def back(self, x: Any) -> Any:
        """The columns as they were."""
        return x * self.scale


@dataclass(slots=True, eq=False)
class RobustScaler:
    """(x - median) / the distance of the upper quartile from the lower, of each column."""

    center: Any = None
    scale: Any = None

    def fit(self, x: Any) -> None:
        """Take median and quartiles of each column; a column without a spread keeps its scale."""
        lower, self.center, upper = np.percentile(x, (25.0, 50.0, 75.0), axis=0)
        self.scale = np.where(upper == lower, 1.0, upper - lower)

    def to(self, x: Any) -> Any:
        """The scaled columns."""
        return (x - self.center) / self.scale

    def back(self, x: Any) -> Any:
        """The columns as they were."""
        return x * self.scale + self.center


@SKLEARN.function("preprocessing.MaxAbsScaler")
def max_abs_scaler(copy: Any = True) -> MaxAbsScaler:
    """Columns between -1 and 1."""
    return MaxAbsScaler()


@SKLEARN.function("preprocessing.RobustScaler")
def robust_scaler(copy: Any = True) -> RobustScaler:
    """Columns by median and quartiles, which a few far numbers do not move."""
    return RobustScaler()


@SKLEARN.function("preprocessing.StandardScaler")
def standard_scaler(copy: Any = True, with_mean: Any = True, with_std: Any = True) -> StandardScaler:
    """Columns with mean 0 and deviation 1."""
    return StandardScaler(bool(with_mean), bool(with_std))


@SKLEARN.function("preprocessing.MinMaxScaler")
def min_max_scaler(feature_range: Any = (0, 1), copy: Any = True) -> MinMaxScaler:
    """Columns between two numbers."""
    low, high = feature_range
    return MinMaxScaler(float(low), float(high))


@SKLEARN.function("preprocessing.scale")
def scale(interpreter: Interpreter, X: Any) -> Any:  # scikit-learn's name
    """Columns with mean 0 and deviation 1."""
    scaler, x = StandardScaler(), _floats(interpreter, X)
    scaler.fit(x)
    return scaler.to(x)


def _floats(interpreter: Interpreter, given: Any) -> Any:
    array = to_array(interpreter, given)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _rows(interpreter: Interpreter, given: Any) -> Any:
    """Raises: ProgramError for anything but rows and columns."""
    x = _floats(interpreter, given)
    if x.ndim != 2:
        raise ProgramError(
            f"A scaler takes rows and columns, not an array with {x.ndim} axes.",
            message_zh=f"scaler 需要由行和列组成的数组，而不是 {x.ndim} 维数组。",
            hint="Write x.reshape(-1, 1) for one column.",
            hint_zh="只有一列时请写 x.reshape(-1, 1)。",
            code="wrong_arguments",
        )
    return x


def _fitted(scaler: Any) -> Any:
    if scaler.scale is None:
        raise ProgramError(
            "The scaler has seen no data.",
            message_zh="scaler 还没有见过数据。",
            hint="Write scaler.fit(x) first.",
            hint_zh="请先写 scaler.fit(x)。",
            code="wrong_arguments",
        )
    return scaler


def _once_fitted(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda scaler: read(_fitted(scaler))


def _enter(kind: type, name: str, facts: dict[str, Callable[[Any], Any]]) -> None:
    members = members_of(kind, name)
    TYPE_NAMES[kind] = lambda scaler: name
    for fact, read in facts.items():
        members.fact(fact)(_once_fitted(read))

    @members.method("fit")
    def fit(interpreter: Interpreter, scaler: Any, X: Any, y: Any = None) -> Any:
        scaler.fit(_rows(interpreter, X))
        return scaler

    @members.method("transform")
    def transform(interpreter: Interpreter, scaler: Any, X: Any) -> Any:
        return _fitted(scaler).to(_rows(interpreter, X))

    @members.method("fit_transform")
    def fit_transform(interpreter: Interpreter, scaler: Any, X: Any, y: Any = None) -> Any:
        x = _rows(interpreter, X)
        scaler.fit(x)
        return scaler.to(x)

    @members.method("inverse_transform")
    def inverse_transform(interpreter: Interpreter, scaler: Any, X: Any) -> Any:
        return _fitted(scaler).back(_rows(interpreter, X))


_enter(
    StandardScaler,
    "StandardScaler",
    {"mean_": lambda one: one.mean, "var_": lambda one: one.variance, "scale_": lambda one: one.scale},
)
_enter(
    MinMaxScaler,
    "MinMaxScaler",
    {
        "data_min_": lambda one: one.smallest,
        "data_max_": lambda one: one.largest,
        "scale_": lambda one: one.scale,
        "min_": lambda one: one.shift,
    },
)
_enter(MaxAbsScaler, "MaxAbsScaler", {"scale_": lambda one: one.scale, "max_abs_": lambda one: one.scale})
_enter(RobustScaler, "RobustScaler", {"center_": lambda one: one.center, "scale_": lambda one: one.scale})
