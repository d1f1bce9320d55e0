"""What the program's text says: which name an assignment gives, what a loop's variables are called."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.errors import Span

BODIES = {"while_loop": 1}  # which argument is the function that is called in each turn


def assigned_places(source: str) -> Mapping[Span, str]:
    """By stretch of text, the name that an assignment or a `for` gives to its value; none of other texts."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    lines = source.splitlines()
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[_span(node.value, lines)] = node.targets[0].id
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found[_span(node, lines)] = node.target.id
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            found[_span(node.iter, lines)] = node.target.id
    return found


def returned_places(source: str) -> Mapping[Span, str]:
    """By stretch of text that a function returns, the function's name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    lines = source.splitlines()
    return {
        _span(one.value, lines): function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for one in function.body
        if isinstance(one, ast.Return) and one.value is not None
    }


def _span(node: ast.expr | ast.stmt, lines: Sequence[str]) -> Span:
    """A place with columns in code points, from 1."""

    def column(line: int, offset: int) -> int:
        return len(lines[line - 1].encode()[:offset].decode(errors="ignore")) + 1

    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return Span(node.lineno, column(node.lineno, node.col_offset), end_line, column(end_line, end))


@dataclass(frozen=True, slots=True)
class CallText:
    """A call: the function's name; of a loop the parameters of its body; the names among its arguments."""

    call: str
    variables: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def calls_of(source: str) -> Mapping[Span, CallText]:
    """Every call by the stretch of text that it fills; of `tf.while_loop` with its variables' names."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    lines = source.splitlines()
    functions = dict(_functions(tree))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {_span(call, lines): _call_text(call, functions) for call in calls}


def _functions(tree: ast.AST) -> Iterator[tuple[str, ast.arguments]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node.args
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value.args


def _call_text(call: ast.Call, functions: Mapping[str, ast.arguments]) -> CallText:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    place = BODIES.get(name)
    if place is None:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return CallText(name, names=tuple(one.id for one in given if isinstance(one, ast.Name)))
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    body = call.args[place] if len(call.args) > place else named.get("body")
    arguments = body.args if isinstance(body, ast.Lambda) else functions.get(getattr(body, "id", ""))
    return CallText(name, () if arguments is None else tuple(one.arg for one in arguments.args))
