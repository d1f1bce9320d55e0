"""`sklearn.datasets`: what scikit-learn 1.9 gives for the same lines."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

NAMES = "load_iris, load_digits, make_moons, make_circles, make_blobs, make_regression"


def printed(source: str) -> list[str]:
    answer = run_program(
        ProgramRequest(f"import numpy as np\nfrom sklearn.datasets import {NAMES}\n{source}")
    )
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("make_moons(5, random_state=3)", "(5, 2) [1.0, -0.5, 2.0] [1, 1, 0, 0]"),
        (
            "make_moons((3, 4), noise=0.1, random_state=1)",
            "(7, 2) [1.839828, 0.352217, -0.95165] [1, 0, 0, 0]",
        ),
        ("make_moons(4, shuffle=False)", "(4, 2) [1.0, 0.0, -1.0] [0, 0, 1, 1]"),
        (
            "make_circles(6, noise=0.2, factor=0.5, random_state=0)",
            "(6, 2) [-0.418545, -0.039028, -0.246776] [1, 0, 0, 1]",
        ),
        ("make_blobs(6, random_state=1)", "(6, 2) [-8.252901, -4.714555, -2.187732] [1, 0, 1, 2]"),
        (
            "make_blobs(5, centers=[[0.0, 1.0], [2.0, 3.0]], cluster_std=[0.5, 1.0], random_state=2)",
            "(5, 2) [2.502881, 1.754712, -0.896718] [1, 0, 0, 0]",
        ),
        (
            "make_blobs(4, n_features=3, centers=2, shuffle=False, random_state=0)",
            "(4, 3) [1.926358, 4.15243, 1.952049] [0, 0, 1, 1]",
        ),
        (
            "make_regression(6, 2, noise=3.0, random_state=5)",
            "(6, 2) [-0.252092, 2.430771, -0.32987] [204.8825, 2.9331, -90.6507, -108.6366]",
        ),
        (
            "make_regression(4, 1, bias=2.0, shuffle=False, random_state=0)",
            "(4, 1) [1.764052, 0.400157, 0.978738] [76.7349, 18.9529, 43.4647, 96.9365]",
        ),
        (
            "make_regression(5, 3, n_informative=2, n_targets=2, random_state=4)",
            "(5, 3) [-1.147477, -0.087987, 0.61867] [-51.4935, 11.1367, -15.9022, 29.6655]",
        ),
    ],
)
def test_data_is_drawn_as_scikit_learn_draws_it(call: str, expected: str) -> None:
    assert printed(
        f"x, y = {call}\n"
        "print(x.shape, np.ravel(x)[:3].round(6).tolist(), np.ravel(y)[:4].round(4).tolist())\n"
    ) == [expected]


def test_irises_and_digits_are_the_real_ones() -> None:
    assert printed(
        "iris = load_iris()\n"
        "print(iris.data.shape, iris['target'][::30].tolist(), iris.target_names, iris.data.sum().round(1))\n"
        "x, y = load_digits(return_X_y=True)\n"
        "print(x.shape, x.sum(), y[:5].tolist(), load_digits(n_class=3).images.shape)\n"
    ) == [
        "(150, 4) [0, 0, 1, 1, 2] ['setosa' 'versicolor' 'virginica'] 2078.7",
        "(1797, 64) 561718.0 [0, 1, 2, 3, 4] (537, 8, 8)",
    ]


def test_what_is_not_shipped_names_a_line_that_makes_a_small_one() -> None:
    answer = run_program(ProgramRequest("from sklearn.datasets import load_boston\nprint(load_boston())"))
    [mistake] = answer["diagnostics"]
    assert "make_regression(200, 8" in mistake["hint"]
    assert "make_regression(200, 8" in mistake["hint_zh"]


def test_tables_are_the_real_ones() -> None:
    """The figures are those of scikit-learn 1.9."""
    assert printed(
        "from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine\n"
        "b, w, d = load_breast_cancer(), load_wine(), load_diabetes()\n"
        "print(b.data.shape, b.target[:5].tolist(), b.feature_names[0], b.data[0, :2].tolist())\n"
        "print(w.data.shape, w.target[-2:].tolist(), w.feature_names[-1], w.data[0, 0])\n"
        "print(d.data.shape, d.target[:3].tolist(), round((d.data ** 2).sum(), 6))\n"
    ) == [
        "(569, 30) [0, 0, 0, 0, 0] mean radius [17.99, 10.38]",
        "(178, 13) [2, 2] proline 14.23",
        "(442, 10) [151.0, 75.0, 141.0] 10.0",
    ]


@pytest.mark.parametrize(
    ("name", "begin", "end"),
    [
        ("iris", ["Irises", "", "Rows: 150", "Columns: 4"], "    - virginica"),
        ("digits", ["Handwritten digits", "", "Rows: 1797", "Columns: 64"], "    - 9"),
        ("wine", ["Wines", "", "Rows: 178", "Columns: 13"], "    - class_2"),
        ("breast_cancer", ["Breast cancer", "", "Rows: 569", "Columns: 30"], "    - benign"),
        ("diabetes", ["Patients with diabetes", "", "Rows: 442", "Columns: 10"], "    - s6"),
    ],
)
def test_a_set_describes_itself_and_says_that_the_words_are_not_those_of_scikit_learn(
    name: str, begin: list[str], end: str
) -> None:
    source = f"from sklearn.datasets import load_{name}\nprint(load_{name}().DESCR)"
    lines = "\n".join(printed(source)).split("\n")
    assert lines[:4] == begin
    assert lines[-3:-1] == [end, ""]
    assert "in place of scikit-learn's" in lines[-1]
