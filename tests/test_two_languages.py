"""Whatever the engine and the server say to a person, they say in English and in Simplified Chinese."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from engine import errors
from tests.test_layers import modules, name_of

SOURCES = modules("engine", "server", "gradlens")
# Each takes its message and hint by these names; what says more (Problem, Defect) asks for both itself.
ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.GradlensError) and kind is not errors.Defect
}


def untranslated(text: str) -> Iterator[str]:
    """What is said in English alone: the line, and what is missing there."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        names = {word.arg for word in node.keywords}
        wanted = {"hint_zh"} if "hint" in names else set()
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ERRORS and None not in names:
            wanted.add("message_zh")
        if not wanted:
            continue
        given = {word.arg: ast.unparse(word.value) for word in node.keywords}
        message = ast.unparse(node.args[0]) if node.args else given.get("message")
        for word in sorted(wanted):
            english = message if word == "message_zh" else given["hint"]
            if given.get(word, english) == english:
                yield f"line {node.lineno}: {word}"


def test_what_is_said_is_said_in_both_languages() -> None:
    found = {name_of(path): list(untranslated(path.read_text(encoding="utf-8"))) for path in SOURCES}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ('raise ShapeError("no")', ["line 1: message_zh"]),
        ('raise errors.ShapeError("no", hint="try", message_zh="不")', ["line 1: hint_zh"]),
        ("raise ShapeError(said, message_zh=said)", ["line 1: message_zh"]),
        ('note(code, message, message_zh, hint="try")', ["line 1: hint_zh"]),
        ('raise ShapeError("no", hint="try", message_zh="不", hint_zh="试")', []),
        ("raise ShapeError(**said)", []),
    ],
)
def test_what_is_said_in_english_alone_would_be_noticed(text: str, missing: list[str]) -> None:
    assert list(untranslated(text)) == missing
