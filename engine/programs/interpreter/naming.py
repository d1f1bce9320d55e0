"""The student's own names in an error."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from engine.errors import ProgramError
from engine.ops.shapes import written

from .machine import Interpreter

MOST_NAMES = 4
BEFORE_A_NODE = ("placeholder ", "variable ", "占位符 ", "变量 ", "feed_dict={")  # in what a session says


def name_node(interpreter: Interpreter, error: ProgramError) -> None:
    """Call a placeholder or variable without a value what the program calls it: `x`, not `Placeholder`."""
    if error.code not in ("missing_feed", "uninitialised_variable"):
        return
    held = interpreter.program.names.items()
    name = next((key for key, value in held if _node_name(value) == error.node), error.node)
    for before in BEFORE_A_NODE:
        for part in ("message", "message_zh", "hint", "hint_zh"):
            setattr(error, part, getattr(error, part).replace(before + error.node, before + name, 1))


def _node_name(value: Any) -> str | None:
    return getattr(getattr(value, "node", None), "name", None)


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
        error.message += f" Here {' and '.join(named)}."
        error.message_zh += f"这里 {'，'.join(named_zh)}。"
