"""A function's body without `return`, `break` and `continue`: flags say what they skip, as in AutoGraph.

So a jump that a tensor decides on is a value like any other: the test of a loop asks for it, and what
stands behind it is done under an `if`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from engine.languages.interpreter.scope import OWN_SCOPE

RETURNED, RETURN_VALUE = "return happened", "return value"  # no program can write such names
Made = TypeVar("Made", bound=ast.AST)
JUMPS = (ast.Return, ast.Break, ast.Continue)


def lowered(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The body of a function, or the same statements where none of them jumps."""
    if not any(_jumps(statement) for statement in body):
        return list(body)
    return [_flag(body[0], RETURNED, False), *_Lowering().block(body)]


def _jumps(node: ast.AST) -> bool:
    """Whether a jump stands in a statement, inner functions left out."""
    if isinstance(node, JUMPS):
        return True
    return not isinstance(node, OWN_SCOPE) and any(map(_jumps, ast.iter_child_nodes(node)))


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether every way through ends with `return`."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise)) and not isinstance(last, ast.Raise)


@dataclass
class _Lowering:
    """loops: the flags of the loops around, innermost last: of `break` and of `continue`."""

    loops: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The statements, what stands behind a jump under a test of the flags that it may have set."""
        made: list[ast.stmt] = []
        for index, node in enumerate(body):
            rest = body[index + 1 :]
            if isinstance(node, JUMPS):
                return [*made, *self._set(node)]
            if not _jumps(node):
                made.append(node)
                continue
            if isinstance(node, ast.If) and rest and (_returns(node.body) or _returns(node.orelse)):
                first, second = [*node.body], [*node.orelse]
                (second if _returns(node.body) else first).extend(rest)
                whole = ast.If(node.test, self.block(first), self.block(second))
                return [*made, ast.copy_location(whole, node)]
            made.extend(self._statement(node))
            return [*made, *self._guarded(node, self.block(rest))]
        return made

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If):
            return [_like(node, ast.If(node.test, self.block(node.body), self.block(node.orelse)))]
        if isinstance(node, (ast.While, ast.For)):
            return self._loop(node)
        if isinstance(node, ast.With):
            return [_like(node, ast.With(node.items, self.block(node.body)))]
        if isinstance(node, ast.Try):
            handlers = [
                _like(h, ast.ExceptHandler(h.type, h.name, self.block(h.body))) for h in node.handlers
            ]
            parts = (self.block(node.orelse), self.block(node.finalbody))
            return [_like(node, ast.Try(self.block(node.body), handlers, *parts))]
        return [node]

    def _loop(self, node: ast.While | ast.For) -> list[ast.stmt]:
        self.count += 1
        broke, went_on = f"break {self.count} happened", f"continue {self.count} happened"
        self.loops.append((broke, went_on))
        body = self.block(node.body)
        self.loops.pop()
        set_inside = {name for part in body for name in _flags_in(part)}
        ends = [flag for flag in (broke, RETURNED) if flag in set_inside]
        if went_on in set_inside:
            body = [_flag(node, went_on, False), *body]
        before = [_flag(node, broke, False)] if broke in set_inside else []
        if isinstance(node, ast.While):
            test = _all(node, [*(_not(node, flag) for flag in ends), node.test])
            loop: ast.stmt = ast.While(test, body, [])
        else:
            loop = ast.For(node.target, node.iter, body, [])
            if ends:
                loop.goes_on = _all(node, [_not(node, flag) for flag in ends])  # type: ignore[attr-defined]
        made = [*before, _like(node, loop)]
        if node.orelse:
            otherwise = self.block(node.orelse)
            made += (
                [_like(node, ast.If(_all(node, [_not(node, f) for f in ends]), otherwise, []))]
                if ends
                else otherwise
            )
        return made

    def _set(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Return):
            value = node.value or _like(node, ast.Constant(None))
            given = _like(node, ast.Assign([_name(node, RETURN_VALUE, ast.Store())], value))
            return [_flag(node, RETURNED, True), given]
        return [_flag(node, self.loops[-1][isinstance(node, ast.Continue)], True)] if self.loops else [node]

    def _guarded(self, node: ast.stmt, rest: list[ast.stmt]) -> list[ast.stmt]:
        """What stands behind a statement, where that has not jumped."""
        flags = list(dict.fromkeys(_jumped_by(node, self.loops)))
        if not rest or not flags:
            return rest
        guarded = _like(node, ast.If(_all(node, [_not(node, flag) for flag in flags]), rest, []))
        return [guarded]


def _jumped_by(node: ast.AST, loops: list[tuple[str, str]], inside: bool = False) -> Iterator[str]:
    """The flags that the jumps in a statement set; those of loops inside of it are its own."""
    if isinstance(node, ast.Return):
        yield RETURNED
    elif isinstance(node, (ast.Break, ast.Continue)):
        if not inside and loops:
            yield loops[-1][isinstance(node, ast.Continue)]
    elif not isinstance(node, OWN_SCOPE):
        deeper = inside or isinstance(node, (ast.For, ast.While))
        for child in ast.iter_child_nodes(node):
            yield from _jumped_by(child, loops, deeper)


def _flags_in(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and " " in one.id:
            yield one.id


def has_flags(test: ast.AST) -> bool:
    """Whether a test asks for flags, which the program's text does not have."""
    return any(isinstance(one, ast.Name) and " " in one.id for one in ast.walk(test))


def without_flags(test: ast.expr) -> ast.expr:
    """The test of a loop as the program has it."""
    return test.values[-1] if isinstance(test, ast.BoolOp) and has_flags(test) else test


def _like(place: ast.AST, made: Made) -> Made:
    return ast.copy_location(made, place)


def _name(place: ast.AST, name: str, use: ast.expr_context) -> ast.Name:
    return _like(place, ast.Name(name, use))


def _flag(place: ast.AST, name: str, value: bool) -> ast.stmt:
    return _like(place, ast.Assign([_name(place, name, ast.Store())], _like(place, ast.Constant(value))))


def _not(place: ast.AST, flag: str) -> ast.expr:
    return _like(place, ast.UnaryOp(ast.Not(), _name(place, flag, ast.Load())))


def _all(place: ast.AST, tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else _like(place, ast.BoolOp(ast.And(), tests))


# -- which names matter ------------------------------------------------------------------------------


def read_first(body: Sequence[ast.AST], known: set[str] | None = None) -> tuple[set[str], set[str]]:
    """The names that a body may read before it has bound them, and those that it binds in any case."""
    bound = set(known or ())
    reads: set[str] = set()
    for node in body:
        found, bound = _reads(node, bound)
        reads |= found
    return reads, bound


def _reads(node: ast.AST, bound: set[str]) -> tuple[set[str], set[str]]:
    if isinstance(node, ast.If):
        reads, bound = _reads(node.test, bound)
        one, after_one = read_first(node.body, bound)
        other, after_other = read_first(node.orelse, bound)
        return reads | one | other, after_one & after_other
    if isinstance(node, (ast.While, ast.For)):
        first: ast.AST = node.test if isinstance(node, ast.While) else node.iter
        reads, bound = _reads(first, bound)
        inner = bound | (names_bound(node.target) if isinstance(node, ast.For) else set())
        found, _ = read_first([*node.body, *_goes_on(node), *node.orelse], inner)
        return reads | found, bound
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        reads = loaded(node) - bound
        return reads, bound | names_bound(node)
    if isinstance(node, ast.AugAssign):
        own = {node.target.id} if isinstance(node.target, ast.Name) else set()
        return (loaded(node) | own) - bound, bound | own
    if isinstance(node, ast.With):
        reads = {name for item in node.items for name in loaded(item)} - bound
        found, after = read_first(node.body, bound | {n for item in node.items for n in names_bound(item)})
        return reads | found, after
    if isinstance(node, ast.Try):
        found, _ = read_first([*node.body, *node.orelse, *(h for h in node.handlers), *node.finalbody], bound)
        return found, bound
    return loaded(node) - bound, bound | names_bound(node)


def _goes_on(node: ast.AST) -> list[ast.AST]:
    test = getattr(node, "goes_on", None)
    return [] if test is None else [test]


def loaded(node: ast.AST) -> set[str]:
    """Every name that is read somewhere in it."""
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def names_bound(node: ast.AST) -> set[str]:
    """Every name that is bound somewhere in it, inner functions left out."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    own = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, OWN_SCOPE):
        return own
    return own.union(*(names_bound(child) for child in ast.iter_child_nodes(node)))
