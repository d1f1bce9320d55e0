"""Where names live: Python's rules for local, enclosing, global and built-in names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.reading.suggestions import did_you_mean, meant_instead

MISSING = object()

OWN_SCOPE = (
    *(ast.FunctionDef, ast.Lambda, ast.ClassDef),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Scope:
    """The names of one function call, comprehension or of the program itself.

    redirected:  where the names of `global` and `nonlocal` live; most scopes have none.
    annotations: of a class.
    """

    redirected: Mapping[str, Scope] = MappingProxyType({})
    annotations: Mapping[str, str] = MappingProxyType({})
    is_class = False

    def __init__(
        self, parent: Scope | None = None, local_names: frozenset[str] = frozenset(), names: Any = None
    ) -> None:
        self.parent = parent
        self.local_names = local_names
        self.names: dict[str, Any] = {} if names is None else names

    @classmethod
    def of_class(cls, parent: Scope) -> Scope:
        """The scope of a class's body."""
        scope = cls(parent)
        scope.is_class, scope.annotations = True, {}
        return scope

    @property
    def program(self) -> Scope:
        """The outermost scope but the built-ins: the program's own names."""
        scope = self
        while scope.parent is not None and scope.parent.parent is not None:
            scope = scope.parent
        return scope

    @property
    def for_functions(self) -> Scope:
        """What a function made here sees around it: never the names of a class."""
        return self.parent if self.is_class and self.parent is not None else self

    def read(self, name: str) -> Any:
        """The value of a name, or a ProgramError with the nearest name that there is."""
        scope: Scope | None = self
        while scope is not None:
            target = scope.redirected.get(name, scope) if scope.redirected else scope
            value = target.names.get(name, MISSING)
            if value is not MISSING:
                return value
            if name in scope.local_names and target is scope:
                raise _read_too_early(name)
            scope = scope.parent
        raise unknown_name(name, self.visible())

    def find(self, name: str) -> Any:
        """The value of a name, or MISSING."""
        try:
            return self.read(name)
        except ProgramError:
            return MISSING

    def write(self, name: str, value: Any) -> None:
        """Bind a name here, or where `global` or `nonlocal` sent it."""
        self.redirected.get(name, self).names[name] = value

    def delete(self, name: str) -> None:
        """Forget a name."""
        target = self.redirected.get(name, self)
        if name not in target.names:
            raise unknown_name(name, self.visible())
        del target.names[name]

    def use_global(self, name: str) -> None:
        """`global name`."""
        self._redirect(name, self.program)

    def use_enclosing(self, name: str) -> None:
        """`nonlocal name`: the nearest enclosing function that has it."""
        scope = self.parent
        while scope is not None and scope is not self.program:
            if name in scope.local_names or name in scope.names:
                self._redirect(name, scope)
                return
            scope = scope.parent
        raise ProgramError(
            f"No enclosing function has a name `{name}`.",
            message_zh=f"外层函数中没有名字 `{name}`。",
            hint="Use `global` for a name of the program itself.",
            hint_zh="程序顶层的名字请用 `global`。",
            code="syntax_error",
        )

    def _redirect(self, name: str, scope: Scope) -> None:
        self.redirected = {**self.redirected, name: scope}

    def visible(self) -> Iterator[str]:
        """Every name that can be read from here."""
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.parent


def unknown_name(name: str, known: Iterable[str]) -> ProgramError:
    """A name that nothing defines, with the nearest of those that there are."""
    known = list(known)
    hint, hint_zh = did_you_mean(name, known)
    return ProgramError(
        f"The name `{name}` is not defined.",
        message_zh=f"名字 `{name}` 没有定义。",
        hint=hint or "Assign it before this line.",
        hint_zh=hint_zh or "请在这一行之前给它赋值。",
        code="unknown_name",
        said=f"name '{name}' is not defined",
        instead=meant_instead(name, known),
    )


def _read_too_early(name: str) -> ProgramError:
    return ProgramError(
        f"`{name}` is read here before it gets a value in this function.",
        message_zh=f"`{name}` 在这个函数里还没有赋值就被读取。",
        hint=f"A name that a function assigns is its own; write `global {name}` to use the program's.",
        hint_zh=f"函数里赋值的名字属于函数自己；要使用程序的 `{name}`，请写 `global {name}`。",
        code="unbound_local",
        said=f"cannot access local variable '{name}' where it is not associated with a value",
    )


def builtin_scope(names: Mapping[str, Any]) -> Scope:
    """The scope under every program."""
    scope = Scope()
    scope.names.update(names)
    return scope


def assigned_names(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that a function's body binds, its inner functions left out."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            elsewhere.update(node.names)
        found.update(bound_by(node))
        if not isinstance(node, OWN_SCOPE):
            waiting.extend(ast.iter_child_nodes(node))
    return frozenset(found - elsewhere)


def bound_by(node: ast.AST) -> list[str]:
    """The names that a node itself binds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        return [node.name]
    if isinstance(node, ast.MatchMapping) and node.rest:
        return [node.rest]
    return []
