"""What the source itself may not do: hand a text to Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}
FROM_TEXT = (
    ROOT / "engine" / "execution" / "backends" / "templates.py"
)  # makes a function of what a graph is lowered to
SOURCES = [
    path for folder in ("engine", "server", "gradlens") for path in sorted((ROOT / folder).rglob("*.py"))
]


def running_text(tree: ast.AST) -> Iterator[str]:
    """Every use of a built-in that runs a text, called or passed on, and every way to `builtins`."""
    for node in ast.walk(tree):
        if (isinstance(node, ast.Name) and node.id in RUNS_TEXT) or reaches_builtins(node):
            yield ast.unparse(node)


def reaches_builtins(node: ast.AST) -> bool:
    """Whether the node is `builtins` itself, from where the same functions can be taken."""
    if isinstance(node, ast.Name):
        return node.id == "__builtins__"
    return isinstance(node, (ast.Import, ast.ImportFrom)) and "builtins" in modules_of(node)


def modules_of(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The modules that an import statement names; a relative one names none of Python's."""
    own = node.module or "" if isinstance(node, ast.ImportFrom) and not node.level else ""
    return {own, *(alias.name for alias in node.names if isinstance(node, ast.Import))}


def test_no_source_hands_a_text_to_python() -> None:
    sources = [path for path in SOURCES if path != FROM_TEXT]
    found = {path: list(running_text(ast.parse(path.read_text(encoding="utf-8")))) for path in sources}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    ["eval('1')", "f = exec", "__builtins__.compile", "import builtins", "__import__('os')"],
)
def test_a_line_that_runs_a_text_would_be_noticed(line: str) -> None:
    assert list(running_text(ast.parse(line)))


@pytest.mark.parametrize(
    "line", ["re.compile('a')", "graph.eval()", "tensor.eval(feed)", "from .builtins import f"]
)
def test_a_method_of_that_name_is_something_else(line: str) -> None:
    assert not list(running_text(ast.parse(line)))
