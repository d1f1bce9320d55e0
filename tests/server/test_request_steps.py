"""The steps of a request, as the architecture names them: few, and each a function that is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
STEP = re.compile(r"^(\d+)\. `([\w.]+)`(?: \(`([\w/]+\.py)`\))?", re.MULTILINE)


def steps() -> list[tuple[str, str]]:
    """The file and the name of each step; one without a file stands in that of the step before."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("## One request, step by step")[2].partition("\n## ")[0]
    found: list[tuple[str, str]] = []
    for number, name, file in STEP.findall(section):
        found.append((file or found[-1][0], name))
        assert int(number) == len(found)
    return found


def names_in(file: str) -> set[str]:
    """The functions of a file, and its methods with their class."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    methods = {
        f"{each.name}.{method.name}"
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        for method in each.body
        if isinstance(method, functions)
    }
    return methods | {each.name for each in tree.body if isinstance(each, functions)}


def test_a_request_is_followed_by_hand_in_at_most_nine_named_steps() -> None:
    assert 0 < len(steps()) <= 9
    assert [(file, name) for file, name in steps() if name not in names_in(file)] == []
