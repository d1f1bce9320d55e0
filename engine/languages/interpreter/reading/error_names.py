"""The student's own names in an error."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from engine.errors import ProgramError
from engine.execution.interpreter.feeds import not_fed
from engine.execution.interpreter.session import uninitialised
from engine.graph import Node
from engine.languages.interpreter.interpreter import Interpreter
from engine.ops.base.shapes import written

MOST_NAMES = 4
WITHOUT_VALUE = {"missing_feed": not_fed, "uninitialised_variable": uninitialised}


def by_its_name(interpreter: Interpreter, error: ProgramError) -> ProgramError:
    """An error about what has no value, with what the program calls that: `x`, not `Placeholder`."""
    error_about = WITHOUT_VALUE.get(error.code)
    if error_about is None:
        return error
    for name, value in interpreter.program.names.items():
        node = getattr(value, "node", None)
        if isinstance(node, Node) and node.name == error.node:
            named = error_about(node, name)
            named.where, named.in_run = error.where, error.in_run
            return named
    return error


def name_shapes(interpreter: Interpreter, error: ProgramError, given: Iterable[tuple[ast.expr, Any]]) -> None:
    """Add to an error about shapes which name at its place has which; one from deeper stays as it is."""
    if error.code != "shape_mismatch" or error.where is not None:
        return
    known = {
        interpreter.source.segment(node): written(tuple(value.shape))
        for node, value in given
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(getattr(value, "shape", None), tuple)
    }
    if known and len(known) <= MOST_NAMES:
        named = [f"{name} is {shape}" for name, shape in known.items()]
        named_zh = [f"{name} 是 {shape}" for name, shape in known.items()]
        end = "" if error.message.endswith((".", "!", "?")) else "."  # PyTorch's words have none
        error.message += f"{end} Here {' and '.join(named)}."
        error.message_zh += f"这里 {'，'.join(named_zh)}。"
