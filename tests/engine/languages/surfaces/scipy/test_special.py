"""`scipy.special`: what SciPy 1.17 prints for the same lines."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = "import numpy as np, torch, scipy\nfrom scipy import special\nm = np.arange(6.).reshape(2, 3)\n"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            "expit(np.array([-2., 0., 30., -800., 800.]))",
            "[0.11920292 0.5        1.         0.         1.        ]",
        ),
        ("expit(0.3)", "0.574442516811659"),
        ("logit(np.array([0.1, 0.5, 1.]))", "[-2.19722458  0.                 inf]"),
        ("softmax(m, axis=1)[0]", "[0.09003057 0.24472847 0.66524096]"),
        ("logsumexp(m)", "5.456193316018123"),
        ("logsumexp(m, axis=1)", "[2.40760596 5.40760596]"),
        ("log_softmax(m, axis=0)[0]", "[-3.04858735 -3.04858735 -3.04858735]"),
        ("gamma(np.array([0.5, 5, -1.5, 200.]))", "[ 1.77245385 24.          2.3632718          inf]"),
        ("factorial(5)", "120.0"),
        ("factorial(20, exact=True)", "2432902008176640000"),
        ("factorial(torch.arange(1, 5).reshape(1, -1))", "[[ 1.  2.  6. 24.]]"),
        ("comb(np.array([5, 6]), 2)", "[10. 15.]"),
        ("comb(5, 2, exact=True)", "10"),
        ("xlogy(np.array([0., 2.]), 3.)", "[0.         2.19722458]"),
    ],
)
def test_functions_of_numpys_arrays(expression: str, expected: str) -> None:
    answer = run_program(ProgramRequest(f"{START}print(special.{expression})"))
    assert answer["status"] == "ok", answer["diagnostics"]
    assert "\n".join(answer["printed"]) == expected


def test_other_parts_of_scipy_are_refused_with_what_there_is() -> None:
    answer = run_program(ProgramRequest("from scipy.optimize import root\nprint(root)"))
    assert "scipy.special" in answer["diagnostics"][0]["hint"]
