"""Scalers and labels: expected values from scikit-learn 1.9."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

BEGIN = "import numpy as np\nimport tensorflow as tf\n"


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_columns_are_scaled_by_their_largest_number() -> None:
    source = """
from sklearn.preprocessing import MaxAbsScaler
s = MaxAbsScaler()
t = s.fit_transform(np.array([[1.0, 0.0], [4.0, 0.0], [-8.0, 0.0]]))
print(t.tolist(), s.inverse_transform(t).tolist())
"""
    assert printed(source) == [
        "[[0.125, 0.0], [0.5, 0.0], [-1.0, 0.0]] [[1.0, 0.0], [4.0, 0.0], [-8.0, 0.0]]"
    ]


def test_columns_are_scaled_by_median_and_quartiles() -> None:
    source = """
from sklearn.preprocessing import RobustScaler
s = RobustScaler().fit(np.array([[1.0], [2.0], [3.0], [4.0], [100.0]]))
print(s.center_.tolist(), s.scale_.tolist(), s.transform([[5.0]]).tolist())
"""
    assert printed(source) == ["[3.0] [2.0] [[1.0]]"]  # (5 - 3) / (4 - 2)


def test_labels_are_numbered_in_their_order() -> None:
    source = """
from sklearn.preprocessing import LabelEncoder
e = LabelEncoder()
print(e.fit_transform(["cat", "ape", "cat", "dog"]).tolist(), e.classes_.tolist())
print(e.inverse_transform([2, 0]).tolist(), LabelEncoder().fit([5, 2, 9]).transform([9, 2]).tolist())
try:
    e.transform(["emu"])
except ValueError as error:
    print(error)
"""
    assert printed(source) == [
        "[1, 0, 1, 2] ['ape', 'cat', 'dog']",
        "['dog', 'ape'] [2, 0]",
        "y contains previously unseen labels: np.str_('emu')",
    ]


def test_a_column_of_predictions_is_compared_with_a_row_of_labels() -> None:
    source = """
from sklearn.metrics import accuracy_score, mean_squared_error, r2_score, mean_absolute_error
y, p = np.array([0.0, 1.0, 1.0, 0.0]), np.array([[0.0], [1.0], [0.0], [0.0]])
print(accuracy_score(y, p), mean_squared_error(y, p), mean_absolute_error(y, p), r2_score(y, p))
print(accuracy_score([[1, 0], [0, 1]], [[1, 0], [1, 1]]))
try:
    accuracy_score(y, np.ones((4, 2)))
except ValueError as error:
    print("refused")
"""
    assert printed(source) == ["0.75 0.25 0.25 0.0", "0.5", "refused"]
