"""A lesson as equations for LaTeX."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from engine.errors import GradlensError
from engine.programs import ProgramRequest
from engine.programs.answers.derivation import lines_of, split, written_derivation
from tests.limits import ROOMY

ROOT = Path(__file__).parents[4]
ENTRIES = json.loads((ROOT / "examples" / "index.json").read_text(encoding="utf-8"))
MATRIX = r"w = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"
PRODUCT = ProgramRequest("y = x * sin(x)", at={"x": 3.0})


def derivation(request: ProgramRequest, language: str = "en") -> str:
    """The document at level mathematics."""
    return written_derivation(request, None, language, ROOMY)


def test_each_step_is_an_equation_with_its_rule_its_numbers_and_its_value() -> None:
    lines = derivation(PRODUCT).splitlines()
    first = lines.index(r"\begin{align*}")
    assert lines[first - 1 : first + 5] == [
        r"\subsection*{Forward: the values}",
        r"\begin{align*}",
        r"  x &= 3 \\",
        r"  \sin x &= \sin 3 = 0.1411 \\",
        r"  y &= x \cdot \sin x = 3 \cdot 0.1411 = 0.4234",
        r"\end{align*}",
    ]


def test_a_step_with_two_formulas_is_two_equations() -> None:
    text = derivation(PRODUCT)
    assert r"\partial y/\partial(\sin x) &= \partial y/\partial y \cdot x = 1 \times 3 = 3 \\" in text
    assert r"{}[\partial y/\partial x]_{1} &= \partial y/\partial y \cdot \sin x = 1 \times 0.1411" in text


def test_what_is_written_in_chinese_is_chinese_and_asks_for_ctex() -> None:
    text = derivation(PRODUCT, "zh")
    assert r"\subsection*{前向：计算各个值}" in text
    assert r"\usepackage{ctex}" in text
    assert r"\usepackage{ctex}" not in derivation(PRODUCT)


@pytest.mark.parametrize(
    ("latex", "lines"),
    [
        (r"y = x", [r"y = x"]),
        (r"\begin{aligned} & a = b \\ & c = d \end{aligned}", ["a = b", "c = d"]),
        (MATRIX, [MATRIX]),
        (None, []),
    ],
)
def test_several_equations_of_a_step_are_taken_apart(latex: str | None, lines: list[str]) -> None:
    assert lines_of(latex) == lines


def test_an_equation_is_split_at_signs_outside_of_braces_and_environments() -> None:
    latex = r"\sum_{i = 1} x_i = \begin{cases} 1 & x = 2 \end{cases} = \{ 3 \}"
    assert split(latex, "=") == [r"\sum_{i = 1} x_i", r"\begin{cases} 1 & x = 2 \end{cases}", r"\{ 3 \}"]


def test_a_sum_of_many_terms_is_broken_into_lines() -> None:
    source = "y = " + " + ".join(f"sin({k} x)" for k in range(2, 14))
    line, *_ = [text for text in derivation(ProgramRequest(source)).splitlines() if r"\quad +" in text]
    assert line.startswith(r"    &\quad + ")
    assert len(line) < 180


def test_a_program_without_steps_says_why_there_is_none() -> None:
    with pytest.raises(GradlensError) as refused:
        derivation(ProgramRequest("print(1)", "tf1"))
    assert refused.value.hint == "Give it a result that depends on a variable."


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])
def test_latex_compiles_the_derivation_of_every_program_of_the_gallery(entry: Any, tmp_path: Path) -> None:
    source = (ROOT / "examples" / entry["file"]).read_text(encoding="utf-8")
    text = derivation(ProgramRequest(source, at=entry["at"]))
    if "ctex" in text:
        pytest.skip("names in Chinese want another LaTeX")
    (tmp_path / "derivation.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "derivation.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert b"Output written on derivation.pdf" in run.stdout, run.stdout[-2000:]
    assert b"Overfull \\hbox" not in run.stdout, "a line is longer than the page"
