"""Functions of the program: what `def` and `lambda` make."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.callables import Signature, UserFunction
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import OWN_SCOPE, assigned_names


def make_function(interpreter: Interpreter, node: ast.FunctionDef | ast.Lambda, name: str) -> UserFunction:
    """A function with its defaults evaluated now and the current scope kept."""
    arguments = node.args
    body = node.body
    return UserFunction(
        name=name,
        signature=_signature(arguments),
        defaults=_defaults(interpreter, arguments),
        body=body,
        local_names=assigned_names(body) | _parameters(arguments) if isinstance(body, list) else frozenset(),
        closure=interpreter.scope.for_functions,
        is_generator=isinstance(body, list) and yields(body),
        doc=(ast.get_docstring(node) or "") if isinstance(node, ast.FunctionDef) else "",
    )


def yields(body: Sequence[ast.AST]) -> bool:
    """Whether a body has a `yield` of its own, inner functions left out."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, OWN_SCOPE):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _signature(arguments: ast.arguments) -> Signature:
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = len(arguments.defaults)
    required = {parameter.arg for parameter in positional[: len(positional) - optional]}
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    required |= {parameter.arg for parameter, default in pairs if default is None}
    return Signature(
        positional=tuple(parameter.arg for parameter in positional),
        keyword_only=tuple(parameter.arg for parameter in arguments.kwonlyargs),
        required=frozenset(required),
        many_positional=arguments.vararg.arg if arguments.vararg else "",
        many_keywords=arguments.kwarg.arg if arguments.kwarg else "",
        positional_only=len(arguments.posonlyargs),
    )


def _defaults(interpreter: Interpreter, arguments: ast.arguments) -> dict[str, Any]:
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = positional[len(positional) - len(arguments.defaults) :]
    pairs = [*zip(optional, arguments.defaults, strict=True)]
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            pairs.append((parameter, default))
    return {parameter.arg: interpreter.evaluate(default) for parameter, default in pairs}


def _parameters(arguments: ast.arguments) -> frozenset[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    return frozenset(parameter.arg for parameter in every)
