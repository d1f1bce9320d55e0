"""Building a module for programs out of flat tables of dotted names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
        return self._branch(self.name, "")

    def _branch(self, full_name: str, prefix: str) -> Module:
        members: dict[str, Any] = {}
        refused: dict[str, tuple[str, str]] = {}
        gone: dict[str, tuple[str, str]] = {}
        for dotted, value in self.members.items():
            if dotted.startswith(prefix):
                self._place(members, full_name, prefix, dotted, value)
        for absent, hints_of in ((refused, self.refused), (gone, self.gone)):
            for dotted, hints in hints_of.items():
                if dotted.startswith(prefix):
                    head, _, rest = dotted.removeprefix(prefix).partition(".")
                    if not rest:
                        absent[head] = hints
                    elif head not in members:
                        members[head] = self._branch(f"{full_name}.{head}", f"{prefix}{head}.")
        return Module(full_name, members, refused, self.refused.get(prefix.rstrip(".")), gone)

    def _place(self, members: dict[str, Any], full_name: str, prefix: str, dotted: str, value: Any) -> None:
        head, _, rest = dotted.removeprefix(prefix).partition(".")
        if not rest:
            members[head] = value
        elif head not in members:
            members[head] = self._branch(f"{full_name}.{head}", f"{prefix}{head}.")
