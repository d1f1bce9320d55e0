"""Calls: the function, its arguments, and what is known of both from the call before."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.callables import BoundMethod, Check, Native
from engine.languages.interpreter.dispatch import Evaluation, compiles
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.displays import elements
from engine.languages.interpreter.reading.error_names import by_its_name, name_shapes
from engine.languages.interpreter.values import type_name
from engine.ops.base.building import graph_now


@compiles(ast.Call)
def call(interpreter: Interpreter, node: ast.Call) -> Evaluation:
    """`f(...)`; nodes that the call adds come from its place.

    What has to be checked of the arguments is asked again where another function comes by, or more arguments.
    """
    function_of, args_of = interpreter.expression(node.func), elements(interpreter, node.args)
    keywords_of, names = _keywords(interpreter, node.keywords), _names(node.keywords)
    place = interpreter.source.span(node)
    known: Any = None
    known_count = 0
    checks: Sequence[Check] | None = None

    def evaluate() -> Any:
        nonlocal known, known_count, checks
        function = function_of()
        args, keywords = args_of(), keywords_of()
        if type(function) is BoundMethod:
            native, count = function.method, len(args) + 1
        else:
            native, count = function, len(args)
        if native is not known or count != known_count:
            known, known_count, checks = native, count, _checks(native, count, names)
        graph: Any = graph_now()  # as `building`, which would take longer
        outer, interpreter.place = interpreter.place, place
        outer_place = graph.go_to(place)
        try:
            naming = interpreter.naming  # `x` in `x = tf.Variable(3.)`, where this is the call
            interpreter.assigned_name = naming[1] if naming is not None and naming[0] is node else ""
            return interpreter.call(function, args, keywords, checks)
        except ProgramError as error:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            name_shapes(interpreter, error, zip(given, [*args, *keywords.values()], strict=False))
            raise by_its_name(interpreter, error) from error.__cause__
        finally:
            interpreter.place = outer
            graph.go_back(outer_place)

    return interpreter.step_of(node, evaluate)


def _names(keywords: Sequence[ast.keyword]) -> frozenset[str] | None:
    """The names of the arguments by name; None where the program decides on them as it runs."""
    names = [keyword.arg for keyword in keywords if keyword.arg is not None]
    return frozenset(names) if len(names) == len(keywords) else None


def _checks(function: Any, count: int, names: frozenset[str] | None) -> Sequence[Check] | None:
    """What to check of arguments that fit; None where it is not known that they do, or nothing is checked."""
    if names is None or not isinstance(function, Native) or not function.signature.fits(count, names):
        return None
    return function.checks_of(count, names)


def _keywords(interpreter: Interpreter, keywords: Sequence[ast.keyword]) -> Callable[[], dict[str, Any]]:
    """What gives the arguments by name."""
    if not keywords:
        return dict
    parts = [(keyword.arg, interpreter.expression(keyword.value)) for keyword in keywords]

    def evaluate() -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value_of in parts:
            if name is None:
                found.update(_spread(value_of()))
            else:
                found[name] = value_of()
        return found

    return evaluate


def _spread(value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return value
    raise ProgramError(
        f"`**` needs a dict with text keys, not a {type_name(value)}.",
        message_zh=f"`**` 需要键为文本的字典，不能是 {type_name(value)}。",
        code="type_mismatch",
    )
