"""Functions of the program: what `def` and `lambda` make."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.callables import Signature, UserFunction
from engine.languages.interpreter.dispatch import Evaluation, Return
from engine.languages.interpreter.generators import lazy_block, yields
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import assigned_names


def function_maker(
    interpreter: Interpreter, node: ast.FunctionDef | ast.Lambda, name: str
) -> Callable[[], UserFunction]:
    """What makes a function, each time with its defaults evaluated then and the scope of that time kept."""
    arguments, body = node.args, node.body
    signature, defaults = _signature(arguments), _defaults(interpreter, arguments)
    local_names = (
        assigned_names(body) | _parameters(arguments) if isinstance(body, list) else frozenset[str]()
    )
    is_generator = isinstance(body, list) and yields(body)
    run = running(interpreter, body, is_generator)
    doc = (ast.get_docstring(node) or "") if isinstance(node, ast.FunctionDef) else ""

    def make() -> UserFunction:
        return UserFunction(
            name=name,
            signature=signature,
            defaults={parameter: default() for parameter, default in defaults},
            body=body,
            run=run,
            local_names=local_names,
            closure=interpreter.scope.for_functions,
            is_generator=is_generator,
            doc=doc,
        )

    return make


def running(interpreter: Interpreter, body: list[ast.stmt] | ast.expr, is_generator: bool) -> Evaluation:
    """What runs the body of a function: its value is what the body returns, or the steps of a generator."""
    if not isinstance(body, list):
        return interpreter.expression(body)
    if is_generator:
        return lazy_block(interpreter, body)
    block = interpreter.block(body)

    def run() -> Any:
        ended = block()
        return ended.value if isinstance(ended, Return) else None

    return run


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


def _defaults(interpreter: Interpreter, arguments: ast.arguments) -> list[tuple[str, Evaluation]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    optional = positional[len(positional) - len(arguments.defaults) :]
    pairs = [*zip(optional, arguments.defaults, strict=True)]
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            pairs.append((parameter, default))
    return [(parameter.arg, interpreter.expression(default)) for parameter, default in pairs]


def _parameters(arguments: ast.arguments) -> frozenset[str]:
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    return frozenset(parameter.arg for parameter in every)
