"""`tf.custom_gradient`: a function that brings its own gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.differentiation.reverse import custom
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.ops.base.building import current_graph


class OwnGradient(Native):
    """Such a function; inner: the one that the program wrote."""

    def __init__(self, inner: Any, function: Callable[..., Any]) -> None:
        super().__init__("tf.custom_gradient", function)
        self.inner = inner


def custom_gradient(interpreter: Interpreter, f: Any = None) -> OwnGradient:
    """A decorator: a function that brings its own gradient."""

    def call(*arguments: Any) -> Any:
        graph: Any = current_graph()

        def build(*values: Any) -> tuple[Any, Callable[..., Any]]:
            with graph.not_recording():
                result, gradient = interpreter.call(f, list(values), {})
            return result, interpreter.as_function(gradient)

        return custom.custom_gradient(graph, build, arguments)

    return OwnGradient(f, call)
