"""TensorFlow 2 programs run, and what their answers hold."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def run(source: str, **fields: Any) -> dict[str, Any]:
    return run_program(ProgramRequest("import tensorflow as tf\n" + source, dialect="tf2", **fields), ROOMY)


def printed(source: str) -> list[str]:
    answer = run(source)
    assert [d["message"] for d in answer["diagnostics"] if d["severity"] == "error"] == []
    lines: list[str] = answer["printed"]
    return lines


def codes(answer: dict[str, Any]) -> list[str]:
    return [diagnostic["code"] for diagnostic in answer["diagnostics"]]


def item(answer: dict[str, Any], name: str) -> Any:
    return next(binding for binding in answer["bindings"] if binding["name"] == name)


def data(answer: dict[str, Any], name: str) -> Any:
    return item(answer, name)["value"]["data"]
