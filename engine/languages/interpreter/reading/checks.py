"""What else is wrong below the line where a program stopped: found by reading, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from engine.errors import GradlensError, Span
from engine.languages.interpreter.attributes import read_attribute
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.languages.interpreter.scope import bound_by, unknown_name
from engine.languages.interpreter.values import Module

MAX_FURTHER = 10


def further_mistakes(interpreter: Interpreter, tree: ast.Module, stopped: Span | None) -> list[Diagnostic]:
    """Names that nothing defines, and members that our modules do not have, after the place of the error."""
    if stopped is None:
        return []
    below = list(_nodes_below(tree, stopped.end_line))
    if not below:
        return []
    known = _defined_names(tree) | set(interpreter.scope.visible()) | set(interpreter.assumed)
    anew = _names_bound_by(below)  # there they may stand for something else
    found: list[Diagnostic] = []
    for node in below:
        found += _mistakes_at(interpreter, node, known, anew)
    found.sort(key=lambda one: (one.span.line, one.span.column) if one.span else (0, 0))
    return _once_each(found)[:MAX_FURTHER]


def _nodes_below(tree: ast.Module, line: int) -> Iterator[ast.AST]:
    """The nodes that begin below a line."""
    for statement in tree.body:
        if (statement.end_lineno or 0) > line:
            yield from (node for node in ast.walk(statement) if getattr(node, "lineno", 0) > line)


def _mistakes_at(
    interpreter: Interpreter, node: ast.AST, known: set[str], anew: set[str]
) -> Iterator[Diagnostic]:
    try:
        if isinstance(node, ast.Attribute):
            _module_of(interpreter, node, anew)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known:
            raise unknown_name(node.id, known)
    except GradlensError as error:
        error.where = error.where or interpreter.source.span(node)
        yield Diagnostic.of(error)


def _module_of(interpreter: Interpreter, node: ast.expr, anew: set[str]) -> Module | None:
    """The module that a dotted name stands for, where it is one of ours; members are looked up on the way."""
    if isinstance(node, ast.Name):
        if node.id in anew:
            return None
        bound = interpreter.program.names.get(node.id)
        if bound is None and node.id in interpreter.assumed:
            bound = interpreter.modules[interpreter.assumed[node.id]]
        return bound if isinstance(bound, Module) else None
    if isinstance(node, ast.Attribute):
        try:
            outer = _module_of(interpreter, node.value, anew)
        except GradlensError:
            return None  # reported at the inner name
        member = read_attribute(outer, node.attr) if outer is not None else None
        return member if isinstance(member, Module) else None
    return None


def _defined_names(tree: ast.Module) -> set[str]:
    """Every name that the program binds anywhere, parameters included."""
    return _names_bound_by(ast.walk(tree))


def _names_bound_by(nodes: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        names.update([node.arg] if isinstance(node, ast.arg) else bound_by(node))
    return names


def _once_each(found: list[Diagnostic]) -> list[Diagnostic]:
    """The same name is reported where it first stands."""
    first: dict[str, Diagnostic] = {}
    for diagnostic in found:
        first.setdefault(diagnostic.message, diagnostic)
    return list(first.values())
