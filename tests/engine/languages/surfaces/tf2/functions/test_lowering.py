"""Bodies without jumps, and the names that they read before they bind them."""

from __future__ import annotations

import ast
from textwrap import dedent
from typing import Any

import pytest

from engine.languages.interpreter.scope import assigned_names
from engine.languages.surfaces.tf2.functions.lowering import JUMPS, RETURN_VALUE, lowered, read_first

BODIES = [
    "return x",
    "if x > 3:\n    return 1\nreturn 2",
    "for i in range(5):\n    if i == x:\n        continue\n"
    "    if i > 3:\n        break\n    y += i\nreturn y",
    "while True:\n    y += 1\n    if y > x:\n        break\nelse:\n    y = -1\nreturn y",
    "for i in range(5):\n    for j in range(5):\n        if j > i:\n            break\n"
    "        if i * j > x:\n"
    "            return i, j\n        y += 1\nreturn y",
    "try:\n    if x > 2:\n        return 'early'\n    y = 5\nfinally:\n    y += 1\nreturn y",
    "if x > 1:\n    if x > 3:\n        return 'big'\n    y = 2\nreturn y",
    "for i in range(3):\n    if i == x:\n        return 'found'\nelse:\n    y = 9\nreturn y",
]


def value_of(body: list[ast.stmt], x: int) -> Any:
    """What a body gives, run by Python itself; the flags' names are written as Python can read them."""
    for node in (one for statement in body for one in ast.walk(statement)):
        if isinstance(node, ast.Name):
            node.id = node.id.replace(" ", "_")
        if isinstance(node, ast.For) and hasattr(node, "goes_on"):
            stop = ast.If(ast.UnaryOp(ast.Not(), node.goes_on), [ast.Break()], [])
            node.body.insert(0, stop)
            for name in (one for one in ast.walk(node.goes_on) if isinstance(one, ast.Name)):
                name.id = name.id.replace(" ", "_")
    names: dict[str, Any] = {"x": x, "y": 0}
    module = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(module, "<body>", "exec"), names)  # noqa: S102  # a body of this test
    return names.get(RETURN_VALUE.replace(" ", "_"))


@pytest.mark.parametrize("x", range(6))
@pytest.mark.parametrize("text", BODIES)
def test_a_lowered_body_gives_what_the_function_gives(text: str, x: int) -> None:
    names: dict[str, Any] = {}
    indented = text.replace("\n", "\n    ")
    exec(f"def f(x, y=0):\n    {indented}", names)  # noqa: S102  # a body of this test
    body = lowered(ast.parse(text).body)
    assert not any(isinstance(node, JUMPS) for one in body for node in ast.walk(one))
    assert value_of(body, x) == names["f"](x)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("y = x\nz = y", {"x"}),
        ("if a:\n    y = 1\nz = y", {"a", "y"}),
        ("if a:\n    y = 1\nelse:\n    y = 2\nz = y", {"a"}),
        ("y += 1", {"y"}),
        ("for i in xs:\n    s = s + i", {"xs", "s"}),
        ("with tape as t:\n    y = t\nz = y", {"tape"}),
    ],
)
def test_the_names_that_a_body_reads_before_it_binds_them(text: str, reads: set[str]) -> None:
    body = ast.parse(dedent(text)).body
    assert read_first(body)[0] == reads
    assert assigned_names(body) >= read_first(body)[1] - reads
