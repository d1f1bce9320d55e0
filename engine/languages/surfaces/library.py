"""Building a module for programs out of flat tables of dotted names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import Module

NOT_YET = ("It is not part of Gradlens.", "Gradlens 不包含它。")


def on_the_runs_own(function: Callable[..., Any], generator_of: Callable[[Any], Any]) -> Callable[..., Any]:
    """A function of a module of random numbers: the same method of the generator that belongs to the run."""

    def call(interpreter: Any, *args: Any, **keywords: Any) -> Any:
        return function(interpreter, generator_of(interpreter), *args, **keywords)

    return call


class Library:
    """The names of one library, such as `train.GradientDescentOptimizer` of `tf`.

    borrowed: whether it is one of Python's, or numpy.
    """

    def __init__(self, name: str, *, borrowed: bool = False) -> None:
        self.name = name
        self.borrowed = borrowed
        self.members: dict[str, Any] = {}
        self.refused: dict[str, tuple[str, str]] = {}
        self.gone: dict[str, tuple[str, str]] = {}

    def function(
        self, *names: str, **arguments: Argument
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: a function under one or several dotted names.

        arguments: what its parameters take, where their names alone do not say it.
        """

        def enter(function: Callable[..., Any]) -> Callable[..., Any]:
            for name in names:
                self.members[name] = Native(
                    f"{self.name}.{name}", function, borrowed=self.borrowed, arguments=arguments
                )
            return function

        return enter

    def value(self, value: Any, *names: str) -> None:
        """A constant or a type under one or several dotted names."""
        self.members.update(dict.fromkeys(names, value))

    def refuse(self, names: Iterable[str], hint: str = NOT_YET[0], hint_zh: str = NOT_YET[1]) -> None:
        """Names of the real library that are left out, with what to use instead."""
        self.refused.update(dict.fromkeys(names, (hint, hint_zh)))

    def module(self) -> Module:
        """The tree of modules that the dotted names describe."""
        return _tree(self.name, (self.members, self.refused, self.gone), self.refused.get(""))


def _tree(name: str, tables: Sequence[Mapping[str, Any]], refusal: tuple[str, str] | None) -> Module:
    """A module of what its dotted names lead to: members, what is refused, and what is gone.

    A value has its name for itself; other names that begin with it are left out.
    """
    split = [_by_first_part(table) for table in tables]
    (members, _), (refused, _), (gone, _) = split
    for head in dict.fromkeys(head for _, inner in split for head in inner):
        if head not in members:
            below = [inner.get(head, {}) for _, inner in split]
            members[head] = _tree(f"{name}.{head}", below, refused.get(head))
    return Module(name, members, refused, refusal, gone)


def _by_first_part(table: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The entries without a dot, and of each first part what follows it."""
    here: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for dotted, value in table.items():
        head, _, rest = dotted.partition(".")
        if rest:
            inner.setdefault(head, {})[rest] = value
        else:
            here[head] = value
    return here, inner
