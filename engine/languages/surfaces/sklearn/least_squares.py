"""`sklearn.linear_model.LinearRegression`: the line, or plane, of least squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.sklearn.module import SKLEARN, r2_score, row_count


@dataclass(slots=True, eq=False)
class LinearRegression:
    """y = X w + b with the least sum of squares; w and b are None before `fit`."""

    intercept: bool
    coef: Any = None
    offset: Any = None


@SKLEARN.function("linear_model.LinearRegression")
def linear_regression(fit_intercept: Any = True, copy_X: Any = True, n_jobs: Any = None) -> LinearRegression:
    """One that has seen no numbers yet."""
    return LinearRegression(bool(fit_intercept))


MODEL = members_of(LinearRegression, "LinearRegression")
TYPE_NAMES[LinearRegression] = lambda model: "LinearRegression"
MODEL.fact("coef_")(lambda model: _fitted(model).coef)
MODEL.fact("intercept_")(lambda model: _fitted(model).offset)


def _fitted(model: LinearRegression) -> LinearRegression:
    if model.coef is None:
        raise ProgramError(
            "This LinearRegression instance is not fitted yet. Call 'fit' with appropriate arguments before "
            "using this estimator.",
            message_zh="这个 LinearRegression 还没有拟合。",
            hint="Write model.fit(X, y) first.",
            hint_zh="请先写 model.fit(X, y)。",
            code="wrong_arguments",
            kind="ValueError",
        )
    return model


def _rows(interpreter: Interpreter, X: Any) -> Any:
    array = np.asarray(to_array(interpreter, X), np.float64)
    if array.ndim != 2:
        raise ProgramError(
            f"Expected 2D array, got {array.ndim}D array instead.",
            message_zh=f"X 需要两个轴，不能是 {array.ndim} 个。",
            hint="Write X.reshape(-1, 1) for one feature.",
            hint_zh="只有一个特征时请写 X.reshape(-1, 1)。",
            code="shape_mismatch",
            kind="ValueError",
        )
    return array


@MODEL.method("fit")
def fit(interpreter: Interpreter, model: LinearRegression, X: Any, y: Any) -> LinearRegression:
    """Find w and b: least squares of what is left of X and y without their means."""
    rows, wanted = _rows(interpreter, X), np.asarray(to_array(interpreter, y), np.float64)
    row_count((rows, wanted))
    middle = rows.mean(axis=0) if model.intercept else np.zeros(rows.shape[1])
    level = wanted.mean(axis=0) if model.intercept else np.zeros(wanted.shape[1:])
    solution = np.linalg.lstsq(rows - middle, wanted - level, rcond=None)[0]
    model.coef = solution.T
    model.offset = level - middle @ solution if model.intercept else 0.0
    return model


@MODEL.method("predict")
def predict(interpreter: Interpreter, model: LinearRegression, X: Any) -> Any:
    """X w + b."""
    return _rows(interpreter, X) @ _fitted(model).coef.T + model.offset


@MODEL.method("score")
def score(interpreter: Interpreter, model: LinearRegression, X: Any, y: Any) -> float:
    """How much of the squares around the mean it explains."""
    return float(r2_score(interpreter, y, predict(interpreter, model, X)))
