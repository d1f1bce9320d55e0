"""Tests wait for conditions and count work: none sleeps for a time, or judges how long something took.

Nor is a program given the few seconds that it has in a class: on a busy machine it may need more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_layers import ROOT, modules

CLOCKS = {"monotonic", "perf_counter", "perf_counter_ns", "monotonic_ns"}
SOURCES = [path for path in modules("tests") if ROOT / "tests" / "browser" not in path.parents]


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def waits(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Every sleep that no condition ends, and every look at the clock."""
    polls = {
        id(inner)
        for loop in nodes
        if isinstance(loop, ast.While) and not isinstance(loop.test, ast.Constant)
        for inner in ast.walk(loop)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            lasts = node.func.attr == "sleep" and ast.unparse(node.args[0]) != "0" and id(node) not in polls
            if lasts or node.func.attr in CLOCKS:
                yield f"line {node.lineno}: {ast.unparse(node)}"


def short_of_time(nodes: tuple[ast.AST, ...]) -> Iterator[str]:
    """Every `Limits(…)` that leaves the time as it is in a class."""
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Limits":
            named = {keyword.arg for keyword in node.keywords}
            if not named & {"wall_s", None}:
                yield f"line {node.lineno}: {ast.unparse(node)}"


def test_no_program_is_short_of_time() -> None:
    tests = [path for path in SOURCES if path.name != "test_settings.py"]  # which is about the figures
    found = {path: list(short_of_time(nodes_of(path))) for path in tests}  # tests.limits has ROOMY
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize("line", ["Limits()", "run(source, Limits(nodes=2))"])
def test_a_short_time_would_be_noticed(line: str) -> None:
    assert list(short_of_time(tuple(ast.walk(ast.parse(line)))))


@pytest.mark.parametrize("line", ["Limits(wall_s=1)", "replace(ROOMY, nodes=2)"])
def test_a_time_may_be_chosen(line: str) -> None:
    assert not list(short_of_time(tuple(ast.walk(ast.parse(line)))))


def test_a_test_waits_for_no_clock() -> None:
    tests = [path for path in SOURCES if path.name.startswith("test_") or path.name == "conftest.py"]
    found = {path: list(waits(nodes_of(path))) for path in tests}  # work that idles stands elsewhere
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line", ["time.sleep(1)", "while True:\n    time.sleep(0.1)", "assert time.monotonic() - begun < 2"]
)
def test_a_wait_would_be_noticed(line: str) -> None:
    assert list(waits(tuple(ast.walk(ast.parse(line)))))


@pytest.mark.parametrize("line", ["await asyncio.sleep(0)", "while not done:\n    time.sleep(0.01)"])
def test_a_condition_may_be_looked_at_again(line: str) -> None:
    assert not list(waits(tuple(ast.walk(ast.parse(line)))))


def test_no_test_of_the_page_waits_by_compiling_text() -> None:
    """Playwright's own way holds only where the condition is true at once: see `wait_until`."""
    forbidden = f"{'wait_for'}_function("
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert [path for path in tests if forbidden in path.read_text("utf-8")] == []
