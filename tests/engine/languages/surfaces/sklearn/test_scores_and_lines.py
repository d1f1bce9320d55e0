"""Precision, recall, F1, the report and LinearRegression: what scikit-learn 1.8 gives."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = """import numpy as np
from sklearn.metrics import precision_score, recall_score, f1_score, classification_report
from sklearn.linear_model import LinearRegression
r = np.random.RandomState(0)
a, b = r.randint(0, 2, 20), r.randint(0, 2, 20)
c, d = r.randint(0, 4, 30), r.randint(0, 5, 30)
X = r.rand(20, 1)
y = 2 * X + 1 + 0.1 * r.randn(20, 1)
"""


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(START + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            "precision_score(a, b), recall_score(a, b), f1_score(a, b)",
            "0.5833333333333334 0.6363636363636364 0.6086956521739131",
        ),
        ("precision_score(a, b, pos_label=0)", "0.5"),
        ("recall_score(c, d, average='macro')", "0.05818181818181818"),
        ("f1_score(c, d, average='weighted')", "0.07091503267973856"),
        ("precision_score(c, d, average='micro')", "0.06666666666666667"),
        ("f1_score(c, d, average=None)", "[0.         0.16666667 0.         0.11764706 0.        ]"),
        (
            "LinearRegression().fit(X, y).coef_, LinearRegression().fit(X, y[:, 0]).intercept_",
            "[[1.9731102]] 0.9922489199859987",
        ),
        ("LinearRegression(fit_intercept=False).fit(X, y).predict([[1.0]])", "[[3.50725439]]"),
    ],
)
def test_figures_of_predictions_and_lines(expression: str, expected: str) -> None:
    assert printed(f"print({expression})") == expected


REPORT = """\
              precision    recall  f1-score   support

          no       0.50      0.44      0.47         9
         yes       0.58      0.64      0.61        11

    accuracy                           0.55        20
   macro avg       0.54      0.54      0.54        20
weighted avg       0.55      0.55      0.55        20
"""


def test_the_report_of_a_classification() -> None:
    report = printed("print(classification_report(a, b, target_names=['no', 'yes']))")
    assert report.rstrip() == REPORT.rstrip()
