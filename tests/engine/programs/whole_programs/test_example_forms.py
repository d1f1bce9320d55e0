"""Every example as a program of PyTorch and of JAX: what the real libraries print, and all levels.

`tests/data/example_forms.json` holds what torch 2.13 and jax 0.10.2 printed for these programs.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program, tell_lesson

ROOT = Path(__file__).parents[4]
RECORDED: dict[str, dict[str, list[str]]] = json.loads(
    (ROOT / "tests" / "data" / "example_forms.json").read_text(encoding="utf-8")
)
FORMS = [(framework, id_) for framework, programs in RECORDED.items() for id_ in programs]
LONG = {
    ("torch", "g04"),
    ("torch", "g12"),
    ("torch", "g34"),
    ("torch", "g36"),
    ("jax", "g12"),
    ("jax", "g35"),
}
CASES = [
    pytest.param(*form, marks=[pytest.mark.slow] if form in LONG or int(form[1][1:]) % 4 else [])
    for form in FORMS
]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


@cache
def request(framework: str, id_: str) -> ProgramRequest:
    """A form of an example."""
    return ProgramRequest((ROOT / "examples" / framework / f"{id_}.py").read_text(encoding="utf-8"))


@cache
def answer(framework: str, id_: str) -> dict[str, Any]:
    """What a form of an example answers."""
    return run_program(request(framework, id_))


def is_close(ours: str, real: str) -> bool:
    """Whether two lines have the same text around numbers that agree within 1e-4."""
    if NUMBER.sub("#", ours) != NUMBER.sub("#", real):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(real), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-4, abs_tol=1e-6) for a, b in pairs)


@pytest.mark.parametrize("framework", RECORDED)
def test_every_form_is_recorded(framework: str) -> None:
    assert set(RECORDED[framework]) == {path.stem for path in (ROOT / "examples" / framework).glob("*.py")}


@pytest.mark.parametrize(("framework", "id_"), CASES)
def test_a_form_prints_what_the_real_library_prints(framework: str, id_: str) -> None:
    found = answer(framework, id_)
    assert (found["dialect"], found["status"]) == (framework, "ok")
    real = RECORDED[framework][id_]
    assert [ours for ours, line in zip(found["printed"], real, strict=True) if not is_close(ours, line)] == []


@pytest.mark.parametrize(("framework", "id_"), CASES)
def test_a_form_opens_at_the_level_of_its_framework_and_at_tensorflows(framework: str, id_: str) -> None:
    lesson = tell_lesson(request(framework, id_), level=framework)
    assert lesson["level"] == framework
    has_way_back = (framework, id_) != ("jax", "g27")  # the gradient of a sum is 1: no equation of a jaxpr
    assert any(step["phase"] == "backward" for step in lesson["steps"]) == has_way_back
    assert tell_lesson(request(framework, id_), level="tensorflow")["steps"]
    assert answer(framework, id_)["graph"]["nodes"]


def figures(framework: str, id_: str) -> list[float]:
    """The numbers that a form prints."""
    return [float(number) for line in RECORDED[framework][id_] for number in NUMBER.findall(line)]


@pytest.mark.parametrize("framework", RECORDED)
def test_the_forms_have_the_figures_of_the_gallery(framework: str) -> None:
    assert figures(framework, "g01") == [1.1516, -1.14]
    assert figures(framework, "g03")[-3:] == [99, 0.397859, 0.164818]
    assert figures(framework, "g05") == [50, 10, 10, 50]
    assert figures(framework, "g07") == [5, 10, 50, 9.5, 475]
    assert figures(framework, "g09") == [9, 24]
    assert figures(framework, "g11") == [9, -12, -6, 6, -6]
    assert figures(framework, "g12") == [21, 2, 1]
    assert figures(framework, "g15") == [1024, 2048]
    assert figures(framework, "g20") == [41, 25, 19]
    assert figures(framework, "g25") == [-10, -50, -30, 0.3]
    assert figures(framework, "g29") == [16, 32, 48, 48]
    assert figures(framework, "g30")[-3:] == pytest.approx([5.5, 2, 1.716])
    assert figures(framework, "g33")[-1] == -496928
    assert figures(framework, "g35")[0] == 0.0015


def test_pytorch_says_0_at_the_kink_of_abs_and_jax_1() -> None:
    assert RECORDED["torch"]["g31"] == ["dy/da 0.0, dy/db 0.0"]
    assert RECORDED["jax"]["g31"] == ["dy/da 0.0, dy/db 1.0"]


def test_gradients_that_are_not_emptied_add_up() -> None:
    assert answer("torch", "g37")["printed"][1] == "turn 1: w.grad -5.7000, w 0.8700"  # -3 - 2.7
    emptied = request("torch", "g37").source.replace(
        "    loss = (w", "    optimizer.zero_grad()\n    loss = (w"
    )
    assert run_program(ProgramRequest(emptied))["printed"][1] == "turn 1: w.grad -2.7000, w 0.5700"
