"""`sklearn`: splitting data, and figures of merit. Most models are left out."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.numpy.random import own_generator
from engine.languages.surfaces.sklearn.strata import stratified

SKLEARN = Library("sklearn")
LEFT_OUT = (
    "Of sklearn there are load_iris, load_digits, make_moons, make_circles, make_blobs, make_regression, "
    "train_test_split, KFold, shuffle, StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, "
    "LabelEncoder, scale, LinearRegression and a few metrics.",
    "sklearn 只提供 load_iris、load_digits、make_moons、make_circles、make_blobs、make_regression、"
    "train_test_split、KFold、shuffle、StandardScaler、MinMaxScaler、MaxAbsScaler、RobustScaler、LabelEncoder、"
    "scale、LinearRegression 和几个 metrics。",
)


def _generator(interpreter: Interpreter, random_state: Any) -> Any:
    """What scikit-learn draws with for a `random_state`: numpy's own where it is None."""
    if random_state is None:
        return own_generator(interpreter)
    return (
        random_state
        if isinstance(random_state, np.random.RandomState)
        else np.random.RandomState(random_state)
    )


def order(interpreter: Interpreter, count: int, random_state: Any) -> Any:
    """An order of so many rows, drawn as scikit-learn draws it."""
    interpreter.budget.check_length(count)
    return _generator(interpreter, random_state).permutation(count)


def shuffled(interpreter: Interpreter, count: int, random_state: Any) -> Any:
    """The numbers of so many rows, shuffled in place as scikit-learn does."""
    interpreter.budget.check_length(count)
    places = np.arange(count)
    _generator(interpreter, random_state).shuffle(places)
    return places


def row_count(arrays: tuple[Any, ...]) -> int:
    """How many rows each has. Raises: ProgramError where they differ."""
    counts = [len(array) for array in arrays]
    if len(set(counts)) != 1:
        raise ProgramError(
            f"These go together row by row, but have {counts} rows.",
            message_zh=f"它们应逐行对应，但行数是 {counts}。",
            code="wrong_arguments",
            said=f"Found input variables with inconsistent numbers of samples: {counts}",
        )
    return counts[0]


def labels_of(interpreter: Interpreter, given: Any) -> Any:
    """A row of numbers, or of texts."""
    if isinstance(given, (list, tuple)) and given and all(isinstance(one, str) for one in given):
        interpreter.budget.check_length(len(given))
        return np.asarray(given)
    return given if isinstance(given, np.ndarray) else to_array(interpreter, given)


def rows_at(array: Any, places: Any) -> Any:
    """Some rows, of a list as a list."""
    if isinstance(array, np.ndarray):
        return array[places]
    return [array[int(place)] for place in places]


@SKLEARN.function("model_selection.train_test_split", "cross_validation.train_test_split")
def train_test_split(
    interpreter: Interpreter,
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: Any = None,
    shuffle: Any = True,
    stratify: Any = None,
) -> list[Any]:
    """Of each array a part to train with and a part to test with, the same rows of all."""
    count = row_count(arrays if stratify is None else (*arrays, stratify))
    train, test = _sizes(count, train_size, test_size)
    if stratify is not None:
        if not shuffle:
            raise ProgramError(
                "`stratify` draws rows by lot, which `shuffle=False` forbids.",
                message_zh="`stratify` 需要随机抽取各行，而 `shuffle=False` 不允许。",
                code="wrong_arguments",
                said="Stratified train/test split is not implemented for shuffle=False",
            )
        interpreter.budget.check_length(count)
        generator = _generator(interpreter, random_state)
        first, second = stratified(generator, labels_of(interpreter, stratify), train, test)
    elif shuffle:
        places = order(interpreter, count, random_state)
        first, second = places[test : test + train], places[:test]
    else:
        first, second = np.arange(train), np.arange(train, train + test)
    return [part for array in arrays for part in (rows_at(array, first), rows_at(array, second))]


def _sizes(count: int, train: Any, test: Any) -> tuple[int, int]:
    if train is None and test is None:
        test = 0.25
    tested = None if test is None else ceil(test * count) if isinstance(test, float) else int(test)
    trained = None if train is None else floor(train * count) if isinstance(train, float) else int(train)
    tested = count - (trained or 0) if tested is None else tested
    trained = count - tested if trained is None else trained
    if not (trained > 0 and tested > 0 and trained + tested <= count):
        raise ProgramError(
            f"{count} rows cannot be split into {trained} to train with and {tested} to test with.",
            message_zh=f"{count} 行不能分成 {trained} 行训练和 {tested} 行测试。",
            code="wrong_arguments",
        )
    return trained, tested


@SKLEARN.function("utils.shuffle")
def shuffle(interpreter: Interpreter, *arrays: Any, random_state: Any = None) -> Any:
    """The rows of all arrays in one other order."""
    places = shuffled(interpreter, row_count(arrays), random_state)
    found = [rows_at(array, places) for array in arrays]
    return found[0] if len(found) == 1 else found


def both(interpreter: Interpreter, first: Any, second: Any) -> tuple[Any, Any]:
    """Labels and predictions of one shape; a column is a row of them. Raises: ProgramError for others."""
    arrays = to_array(interpreter, first), to_array(interpreter, second)
    row_count(arrays)
    true, given = (one[:, 0] if one.ndim == 2 and one.shape[1] == 1 else one for one in arrays)
    if true.shape != given.shape:
        raise ProgramError(
            f"Labels and predictions must be alike, but have the shapes {arrays[0].shape} and "
            f"{arrays[1].shape}.",
            hint="Take the class of each row: y_pred.argmax(axis=1).",
            message_zh=f"标签与预测的形状必须一致，但分别是 {arrays[0].shape} 和 {arrays[1].shape}。",
            hint_zh="请取每一行的类别：y_pred.argmax(axis=1)。",
            code="shape_mismatch",
            kind="ValueError",
        )
    return true, given


@SKLEARN.function("metrics.accuracy_score")
def accuracy_score(interpreter: Interpreter, y_true: Any, y_pred: Any) -> float:
    """The share of equal labels; of rows of labels, of those that are equal throughout."""
    true, given = both(interpreter, y_true, y_pred)
    equal = true == given
    return float(np.mean(equal.all(axis=1) if equal.ndim == 2 else equal))


@SKLEARN.function("metrics.mean_squared_error")
def mean_squared_error(interpreter: Interpreter, y_true: Any, y_pred: Any) -> float:
    """The mean of the squared differences."""
    true, given = both(interpreter, y_true, y_pred)
    return float(np.mean(np.mean((true - given) ** 2, axis=0)))


@SKLEARN.function("metrics.mean_absolute_error")
def mean_absolute_error(interpreter: Interpreter, y_true: Any, y_pred: Any) -> float:
    """The mean of the differences without their sign."""
    true, given = both(interpreter, y_true, y_pred)
    return float(np.mean(np.mean(np.abs(given - true), axis=0)))


@SKLEARN.function("metrics.r2_score")
def r2_score(interpreter: Interpreter, y_true: Any, y_pred: Any) -> float:
    """1 - (squares left over) / (squares around the mean)."""
    true, given = both(interpreter, y_true, y_pred)
    if true.ndim > 1:
        raise ProgramError(
            "r2_score compares rows of single numbers here.",
            message_zh="这里的 r2_score 只比较一列数。",
            code="wrong_arguments",
        )
    return float(1 - ((true - given) ** 2).sum() / ((true - true.mean()) ** 2).sum())


@SKLEARN.function("metrics.confusion_matrix")
def confusion_matrix(interpreter: Interpreter, y_true: Any, y_pred: Any) -> Any:
    """How often each label was taken for each."""
    true, given = both(interpreter, y_true, y_pred)
    labels, places = np.unique(np.concatenate([true, given]), return_inverse=True)
    interpreter.budget.check_elements((len(labels), len(labels)))
    counts = np.zeros((len(labels), len(labels)), np.int64)
    np.add.at(counts, (places[: len(true)], places[len(true) :]), 1)
    return counts


def sklearn_module() -> Module:
    """The module, with what to use instead of all that is left out."""
    return _with_advice(SKLEARN.module())


def _with_advice(module: Module) -> Module:
    members = {
        name: _with_advice(one) if isinstance(one, Module) else one for name, one in module.members.items()
    }
    return replace(module, members=members, others=LEFT_OUT)
