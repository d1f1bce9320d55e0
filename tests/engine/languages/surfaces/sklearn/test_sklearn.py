"""Splitting, scaling and figures of merit: what scikit-learn gives for the same lines."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = """
import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler, MinMaxScaler, scale
from sklearn.metrics import accuracy_score, confusion_matrix, mean_squared_error, r2_score
from sklearn.utils import shuffle
y = np.arange(10)
X = np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 4.0]])
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(START + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("train_test_split(y, test_size=0.3, random_state=42)", "[[0, 7, 2, 9, 4, 3, 6], [8, 1, 5]]"),
        ("train_test_split(y, test_size=4, random_state=1)", "[[0, 3, 1, 7, 8, 5], [2, 9, 6, 4]]"),
        ("train_test_split(y, train_size=0.5, random_state=1)", "[[3, 1, 7, 8, 5], [2, 9, 6, 4, 0]]"),
        ("train_test_split(y, shuffle=False)", "[[0, 1, 2, 3, 4, 5, 6], [7, 8, 9]]"),
        ("[shuffle(y, random_state=0)]", "[[2, 8, 4, 9, 1, 6, 7, 3, 0, 5]]"),
        ("[scale(X)[:, 0].round(4)]", "[[-1.2247, 0.0, 1.2247]]"),
        ("[StandardScaler().fit(X).scale_.round(4)]", "[[1.633, 1.4142]]"),
        ("[MinMaxScaler((-1, 1)).fit_transform(X)[1].round(6)]", "[[0.0, -1.0]]"),
        ("[confusion_matrix([0, 1, 2, 2], [0, 2, 2, 2])]", "[[[1, 0, 0], [0, 0, 1], [0, 0, 2]]]"),
    ],
)
def test_arrays(call: str, expected: str) -> None:
    assert printed(f"print([one.tolist() for one in {call}])") == [expected]


@pytest.mark.parametrize(
    ("folds", "expected"),
    [
        ("KFold(3)", "[[2, 3, 4], [0, 1, 4], [0, 1, 2, 3]] [[0, 1], [2, 3], [4]]"),
        (
            "KFold(3, shuffle=True, random_state=0)",
            "[[1, 3, 4], [0, 2, 4], [0, 1, 2, 3]] [[0, 2], [1, 3], [4]]",
        ),
        ("TimeSeriesSplit(n_splits=2)", "[[0, 1, 2], [0, 1, 2, 3]] [[3], [4]]"),
    ],
)
def test_folds(folds: str, expected: str) -> None:
    assert printed(
        "from sklearn.model_selection import KFold, TimeSeriesSplit\n"
        f"found = list({folds}.split(y[:5]))\n"
        "print([a.tolist() for a, b in found], [b.tolist() for a, b in found])"
    ) == [expected]


def test_the_runs_own_generator_draws_where_no_seed_is_given_and_lists_stay_lists() -> None:
    assert printed(
        "np.random.seed(3)\nprint([one.tolist() for one in train_test_split(y, test_size=0.2)])\n"
        "print(train_test_split(list(range(7)), random_state=0))"
    ) == ["[[1, 2, 9, 6, 7, 0, 3, 8], [5, 4]]", "[[1, 3, 0, 5, 4], [6, 2]]"]


def test_a_scaler_goes_back_and_figures_are_numbers() -> None:
    assert printed(
        "s = StandardScaler()\nprint(s.inverse_transform(s.fit_transform(X)).round(6).tolist())\n"
        "print(accuracy_score([1, 2, 3], [1, 2, 2]), mean_squared_error([1., 2.], [1.5, 2.]), "
        "r2_score([1., 2., 3.], [1., 2., 2.5]))"
    ) == ["[[0.0, 1.0], [2.0, 1.0], [4.0, 4.0]]", "0.6666666666666666 0.125 0.875"]


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("from sklearn.svm import SVC", "Of sklearn there are load_iris"),
        ("from sklearn import svm", "Of sklearn there are load_iris"),
    ],
)
def test_what_is_left_out_is_refused_with_what_there_is(source: str, hint: str) -> None:
    (error,) = (
        one
        for one in run_program(ProgramRequest(f"{source}\n{source.split()[-1]}"))["diagnostics"]
        if one["severity"] == "error"
    )
    assert error["hint"].startswith(hint)


def test_rows_that_do_not_go_together_are_a_value_error() -> None:
    source = "try:\n    train_test_split(y, y[:5])\nexcept ValueError as e:\n    print(e)"
    assert printed(source) == ["Found input variables with inconsistent numbers of samples: [10, 5]"]


STRATA = "C = [0, 1, 1, 0, 2, 2, 1, 0, 1, 2]\nR = list(range(10))\n"


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        (
            "train_test_split(R, stratify=C, test_size=.3, random_state=0)",
            "[[3, 7, 9, 8, 1, 6, 4], [2, 5, 0]]",
        ),
        (
            "train_test_split(R, stratify=C, train_size=.5, random_state=1)",
            "[[1, 6, 7, 4, 3], [9, 0, 2, 8, 5]]",
        ),
        ("train_test_split(R, stratify=C, random_state=7)", "[[2, 4, 5, 1, 8, 3, 7], [6, 0, 9]]"),
        (
            "train_test_split(R, stratify=torch.tensor(C), test_size=3, train_size=4, random_state=5)",
            "[[1, 8, 9, 0], [3, 6, 5]]",
        ),
        (
            "train_test_split(list('baabccab'), stratify=list('baabccab'), test_size=0.5, random_state=2)",
            "[['b', 'b', 'a', 'c'], ['a', 'c', 'a', 'b']]",
        ),
        (
            "train_test_split(R[:4], stratify=[[0, 1]] * 2 + [[1, 1]] * 2, test_size=.5, random_state=0)",
            "[[1, 2], [3, 0]]",
        ),
    ],
)  # asked of scikit-learn
def test_a_stratified_split_draws_the_same_rows(split: str, expected: str) -> None:
    assert printed(f"import torch\n{STRATA}print({split})") == [expected]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "[1, 2, 3], stratify=[0, 0, 1]",
            "The least populated classes in y have only 1 member, which is too few. "
            "The minimum number of groups for any class cannot be less than 2. "
            "Classes with too few members are: [1]",
        ),
        (
            "R, stratify=C, test_size=2",
            "The test_size = 2 should be greater or equal to the number of classes = 3",
        ),
        ("R, stratify=C, shuffle=False", "Stratified train/test split is not implemented for shuffle=False"),
    ],
)
def test_a_stratified_split_that_cannot_be_says_why(given: str, said: str) -> None:
    source = f"{STRATA}try:\n    train_test_split({given})\nexcept ValueError as e:\n    print(e)"
    assert printed(source) == [said]
