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
        return self.send(None)

    def send(self, value: Any) -> Any:
        """Go on to the next item, the `yield` before it giving this value."""
        self.interpreter.budget.step()
        return self.interpreter.inside(self.scope, self.steps.send, value)

    def throw(self, error: BaseException) -> Any:
        """Go on with this error at the `yield`."""
        return self.interpreter.inside(self.scope, self.steps.throw, error)

    def close(self) -> None:
        """End it where it stands."""
        self.interpreter.inside(self.scope, self.steps.close)
