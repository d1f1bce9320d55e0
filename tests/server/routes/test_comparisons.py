"""Comparisons over REST: one derivative three ways."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from server.schemas.answers.derivatives import ComparisonAnswer

WAVE = {"source": "y = exp(sin(x))", "at": {"x": 3}}


def compared(client: httpx.Client, program: Any) -> Any:
    response = client.post("/comparisons", json={"program": program})
    assert response.status_code == 200, response.text
    return response.json()


def test_three_ways_to_one_derivative(client: httpx.Client) -> None:
    body = compared(client, WAVE)
    ComparisonAnswer.model_validate(body)
    assert body["automatic"]["value"] == pytest.approx(-1.1400386)
    assert body["symbolic"]["value"] == pytest.approx(-1.1400386)
    double = body["numeric"]["float64"]
    assert double["central"][double["delta"].index(0.001)] == pytest.approx(-1.1400385)
    assert "自动微分" in body["verdict"]["zh"]


def test_a_program_may_be_named_by_its_id(client: httpx.Client) -> None:
    name = client.post("/programs", json=WAVE).json()["id"]
    assert compared(client, name) == compared(client, WAVE)


@pytest.mark.parametrize(
    ("program", "status", "code"),
    [("p_nothing", 404, "unknown_program"), ({"source": "1 + 1"}, 422, "no_variables")],
)
def test_what_cannot_be_compared_is_a_problem(
    client: httpx.Client, program: Any, status: int, code: str
) -> None:
    response = client.post("/comparisons", json={"program": program})
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_a_learners_derivative_is_judged(client: httpx.Client) -> None:
    asked = {"program": WAVE, "by": "x", "derivative": "exp(sin(x))"}
    body = client.post("/comparisons", json=asked).json()
    ComparisonAnswer.model_validate(body)
    assert body["judgement"]["difference"] == {"kind": "factor", "right": r"\cos {x}", "typed": None}
    assert "judgement" not in compared(client, WAVE)  # which is another answer, not this one kept
