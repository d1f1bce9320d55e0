"""Pictures as TikZ: a document that LaTeX compiles, whatever things are called."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.interchange.picture import THEMES, to_tikz
from tests.engine.interchange.picture.scenes import HOSTILE, drawn, edge, full, item, scene_of

NUMBER = r"-?\d+(?:\.\d+)?"
POINT = rf"\({NUMBER},{NUMBER}\)"
ROUTE = rf"{POINT}(?: -- {POINT}| \.\. controls {POINT} and {POINT} \.\. {POINT})*(?: -- cycle)?"
SHAPE = rf"{POINT} rectangle {POINT}|{POINT} ellipse \[x radius={NUMBER},y radius={NUMBER}\]|{ROUTE}"
GROUND = rf"\\(?:fill\[c\w{{6}}\]|useasboundingbox) {POINT} rectangle {POINT};"
STATEMENT = re.compile(
    rf"% .*|\\path\[[^\]]+\]\s+(?:{SHAPE});|{GROUND}"
    rf"|\\node\[[^\]]+\] at {POINT} \{{.*\}};"
)


def body_of(document: str) -> list[str]:
    """The lines of the picture itself."""
    lines = document.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(r"\begin{tikzpicture}"))
    return lines[first + 1 : lines.index(r"\end{tikzpicture}%")]


@pytest.mark.parametrize("name", ["Sin", HOSTILE, "∂y/∂x", "two\nlines", "\x85\u2028\x0c"])
def test_every_line_is_one_statement(name: str) -> None:
    lines = body_of(to_tikz(drawn(full(name), title=name)))
    assert [line for line in lines if not STATEMENT.fullmatch(line)] == []


def test_y_grows_upwards_and_a_px_is_three_quarters_of_a_point() -> None:
    lines = body_of(to_tikz(drawn(scene_of(edges=[edge("M0,0L40,0", end=False)]))))
    assert lines[-1].endswith("(15,90) -- (45,90);")  # 20 px from the left; 120 of 140 px from below


def test_braces_are_balanced_whatever_things_are_called() -> None:
    for line in body_of(to_tikz(drawn(full(HOSTILE)))):
        plain = re.sub(r"\\[{}]", "", line.partition("% ")[0])
        assert plain.count("{") == plain.count("}")


def test_chinese_asks_for_ctex() -> None:
    assert r"\usepackage{ctex}" in to_tikz(drawn(scene_of(item("损失", 0))))
    assert r"\usepackage{ctex}" not in to_tikz(drawn(scene_of(item("loss", 0))))


def test_the_same_picture_is_the_same_text() -> None:
    assert to_tikz(drawn(full())) == to_tikz(drawn(full()))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["Sin", HOSTILE, "∂loss/∂w₁ ⚠ x̄²"])
def test_latex_compiles_it_to_one_page(theme: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "graph.tex").write_text(to_tikz(drawn(full(name), theme, name)), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "graph.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    assert b"Output written on graph.pdf (1 page" in run.stdout, run.stdout[-2000:]
