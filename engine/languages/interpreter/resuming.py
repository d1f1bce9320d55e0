"""Items that are made one by one in a scope of their own, between other work."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import Scope


class Resumed(Iterator[Any]):
    """The items of steps that run in a scope of their own, which is the current one only while they run."""

    def __init__(self, interpreter: Interpreter, scope: Scope, steps: Generator[Any, None, Any]) -> None:
        self.interpreter = interpreter
        self.scope = scope
        self.steps = steps

    def __next__(self) -> Any:
        self.interpreter.budget.step()
        with self.interpreter.inside(self.scope):
            return next(self.steps)
