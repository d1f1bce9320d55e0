"""Every name that programs use, run in a small program, against what the real library prints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from tests.data.name_cases import FOLDER, Case, cases

FILES = {
    "tf1.txt": "tf1",
    "tf2.txt": "tf2",
    "numpy.txt": "tf1",
    "tf2_wide.txt": "tf2",
    "numpy_wide.txt": "tf1",
    "python.txt": "tf1",
}
NUMBER = r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|\binf\b|\bnan\b)"
CASES = [
    pytest.param(case, dialect, id=f"{file}-{case.names[0]}")
    for file, dialect in FILES.items()
    for case in cases(file)
]


@pytest.mark.slow
@pytest.mark.parametrize(("case", "dialect"), CASES)
def test_a_name_does_what_the_library_does(case: Case, dialect: str) -> None:
    answer = run_program(ProgramRequest(case.source, dialect=dialect))
    assert [d["message"] for d in answer["diagnostics"] if d["severity"] == "error"] == []
    printed = "\n".join(answer["printed"])
    assert skeleton(printed) == skeleton(case.printed)
    assert numbers(printed) == pytest.approx(numbers(case.printed), rel=2e-5, abs=2e-6, nan_ok=True)


def skeleton(text: str) -> str:
    """The text with its numbers blanked, spaces left out: a float's digits may differ in the last place."""
    return re.sub(r"\s", "", re.sub(NUMBER, "#", text))


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(NUMBER, text)]


@pytest.mark.parametrize("case", cases("graphs.txt"), ids=lambda case: case.names[0])
def test_a_name_builds_the_nodes_that_tensorflow_builds(case: Case) -> None:
    answer = run_program(ProgramRequest(case.source, dialect="tf1", gradients=False))
    assert [line_of(node) for node in answer["graph"]["nodes"]] == case.printed.split("\n")


def line_of(node: dict[str, Any]) -> str:
    waits = [f"^{name}" for name in sorted(node["control_inputs"])]
    return f"{node['name']} = {node['op']}({', '.join([*node['inputs'], *waits])})"


def listed(file_name: str) -> list[str]:
    return (FOLDER / file_name).read_text(encoding="utf-8").split()


@pytest.mark.parametrize("name", [*listed("must.list"), *listed("should.list")])
def test_every_name_that_tutorials_use_has_a_program(name: str) -> None:
    assert any(name in case.names for file in FILES for case in cases(file))
