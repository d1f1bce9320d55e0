"""The tables that the interpreter goes by.

COMPILERS: what a kind of node is compiled to; what is not in it is refused.
CALLABLES: how a kind of value is called, beside functions of the program and ours.
CONTEXTS:  what `with` does with a kind of value.
LOOPED:    what runs the body of a loop on a kind of graph; the block itself on any other.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import RefusedError

if TYPE_CHECKING:
    from engine.languages.interpreter.interpreter import Interpreter

Execute = Callable[["Interpreter", Any], "Ended"]


class Signal(Enum):
    """How a block of statements ended, when not at its end."""

    BREAK = auto()
    CONTINUE = auto()


@dataclass(slots=True)
class Return:
    """A block ended by `return`, with the value."""

    value: Any


Ended = Signal | Return | None
Evaluation = Callable[[], Any]  # what evaluates one expression of a program, as often as it is called
Execution = Callable[[], Ended]  # what executes one statement, or a block of them
Binding = Callable[[Any], None]  # what binds a value to one target of an assignment
Compiler = Callable[["Interpreter", Any], Callable[[], Any]]

COMPILERS: dict[type[ast.AST], Compiler] = {}
CALLABLES: dict[type, Callable[[Interpreter, Any, Sequence[Any], Mapping[str, Any]], Any]] = {}
LOOPED: dict[type, Callable[[Interpreter, list[ast.stmt], Execution], Execution]] = {}
CONTEXTS: dict[type, Callable[[Interpreter, Any], AbstractContextManager[Any]]] = {}


def compiles(*kinds: type[ast.AST]) -> Callable[[Compiler], Compiler]:
    """Decorator: this function compiles these kinds of node. It raises nothing: what it returns may."""

    def enter(function: Compiler) -> Compiler:
        COMPILERS.update(dict.fromkeys(kinds, function))
        return function

    return enter


def executes(*kinds: type[ast.stmt]) -> Callable[[Execute], Execute]:
    """Decorator: this function executes these kinds of statement, and reads their nodes each time.

    For kinds that no loop is full of.
    """

    def enter(function: Execute) -> Execute:
        def compiled(interpreter: Interpreter, node: Any) -> Execution:
            return partial(function, interpreter, node)

        COMPILERS.update(dict.fromkeys(kinds, compiled))
        return function

    return enter


class Staging(Protocol):
    """A function that is being traced (`surfaces/tf2/functions/staging.py`).

    converts: whether control flow on tensors becomes steps, as AutoGraph makes it.
    """

    converts: bool

    def takes(self, value: Any) -> bool:
        """Whether a test or a sequence is a tensor, so that the trace decides on it."""
        ...

    def explain_missing(self, name: str) -> None:
        """Raises: ProgramError where a name has no value, as not every way through gives it one."""
        ...

    def call(self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """What a call gives that becomes a step of the trace; MISSING where it is a call like any other."""
        ...

    def returned(self, body: list[ast.stmt]) -> Any:
        """Run the body of a function; what it returns."""
        ...

    def if_(self, node: ast.If, test: Any) -> None:
        """Both sides of an `if`."""
        ...

    def while_(self, node: ast.While) -> bool:
        """A `while` whose test is a tensor; False where it is none."""
        ...

    def for_(self, node: ast.For, values: Any) -> None:
        """A `for` over the rows of a tensor or the elements of a data set."""
        ...

    def choose(self, test: Any, sides: Sequence[Callable[[], Any]], node: ast.IfExp | None = None) -> Any:
        """What one of two expressions gives. node: `a if test else b`."""
        ...

    def invert(self, value: Any) -> Any:
        """`not value`."""
        ...


def refuse(interpreter: Interpreter, node: ast.AST) -> Any:
    """Say which construct the language leaves out."""
    what, what_zh, hint, hint_zh = LEFT_OUT.get(
        type(node), (type(node).__name__, type(node).__name__, "", "")
    )
    raise RefusedError(
        f"{what} is not supported.",
        message_zh=f"不支持{what_zh}。",
        hint=hint,
        hint_zh=hint_zh,
        code="refused_construct",
    )


LEFT_OUT: dict[type[ast.AST], tuple[str, str, str, str]] = {
    ast.Await: ("async code", "异步代码", "Call the function directly.", "请直接调用函数。"),
    ast.AsyncFunctionDef: ("async code", "异步代码", "Write a plain `def`.", "请写普通的 `def`。"),
    ast.AsyncFor: ("async code", "异步代码", "Write a plain `for`.", "请写普通的 `for`。"),
    ast.AsyncWith: ("async code", "异步代码", "Write a plain `with`.", "请写普通的 `with`。"),
}
