"""Lists, tuples, sets and dicts, written out or made by a comprehension."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import (
    UNHASHABLE,
    dict_of,
    hashable,
    iterate,
    set_of,
    taken,
)
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.dispatch import Binding, Evaluation, compiles
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.assignment import binding
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.resuming import Resumed
from engine.languages.interpreter.scope import Scope
from engine.languages.interpreter.values import Lazy, Stream, a_kind, type_name

BY_IDENTITY: Any = object.__hash__  # of what always can be a key, such as a tensor of a graph
LONG = 1000  # items; a list made of longer ones is weighed as it grows

Loop = tuple[Evaluation, Binding, Sequence[Evaluation]]  # one `for`: its items, its target, its tests


def elements(interpreter: Interpreter, nodes: Sequence[ast.expr]) -> Callable[[], list[Any]]:
    """What gives the values of expressions in a row, starred ones spread out."""
    budget = interpreter.budget
    starred = [isinstance(node, ast.Starred) for node in nodes]
    plain = [interpreter.expression(node.value if isinstance(node, ast.Starred) else node) for node in nodes]

    def spread() -> list[Any]:
        values: list[Any] = []
        for part, is_starred in zip(plain, starred, strict=True):
            if is_starred:
                found = taken(part(), budget)
                budget.check_length(len(values) + len(found))
                values.extend(found)
            else:
                values.append(part())
        return values

    if any(starred):
        return spread
    if len(plain) == 1:
        only = plain[0]
        return lambda: [only()]
    return lambda: [part() for part in plain]


@compiles(ast.List)
def list_(interpreter: Interpreter, node: ast.List) -> Evaluation:
    """`[a, b]`."""
    return interpreter.step_of(node, elements(interpreter, node.elts))


@compiles(ast.Tuple)
def tuple_(interpreter: Interpreter, node: ast.Tuple) -> Evaluation:
    """`(a, b)`."""
    items = elements(interpreter, node.elts)
    return interpreter.step_of(node, lambda: tuple(items()))


@compiles(ast.Set)
def set_(interpreter: Interpreter, node: ast.Set) -> Evaluation:
    """`{a, b}`."""
    items = elements(interpreter, node.elts)
    return interpreter.step_of(node, lambda: set_of(map(hashable, items()), interpreter.budget))


@compiles(ast.Dict)
def dict_(interpreter: Interpreter, node: ast.Dict) -> Evaluation:
    """`{key: value}`, with `**` spread out."""
    pairs = [
        (None if key is None else interpreter.expression(key), interpreter.expression(value))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def evaluate() -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for key, value in pairs:
            if key is None:
                result.update(_as_dict(value()))
            else:
                known = key()
                if type(known).__hash__ is not BY_IDENTITY or type(known) in UNHASHABLE:
                    hashable(known)
                result[known] = value()
        return result

    return interpreter.step_of(node, evaluate)


def _as_dict(value: Any) -> dict[Any, Any]:
    if isinstance(value, dict):
        return value
    raise ProgramError(
        f"`**` needs a dict, not {a_kind(value)}.",
        message_zh=f"`**` 需要字典，不能是 {type_name(value)}。",
        code="type_mismatch",
    )


# -- comprehensions ----------------------------------------------------------------------------------


@compiles(ast.ListComp)
def list_comprehension(interpreter: Interpreter, node: ast.ListComp) -> Evaluation:
    """`[f(x) for x in xs if test]`."""
    element = interpreter.expression(node.elt)
    return interpreter.step_of(node, _comprehension(interpreter, node.generators, element))


@compiles(ast.SetComp)
def set_comprehension(interpreter: Interpreter, node: ast.SetComp) -> Evaluation:
    """`{f(x) for x in xs}`."""
    element = interpreter.expression(node.elt)
    items = _comprehension(interpreter, node.generators, lambda: hashable(element()))
    return interpreter.step_of(node, lambda: set_of(items(), interpreter.budget))


@compiles(ast.DictComp)
def dict_comprehension(interpreter: Interpreter, node: ast.DictComp) -> Evaluation:
    """`{key: value for x in xs}`."""
    key, value = interpreter.expression(node.key), interpreter.expression(node.value)
    pairs = _comprehension(interpreter, node.generators, lambda: (hashable(key()), value()))
    return interpreter.step_of(node, lambda: dict_of(pairs(), interpreter.budget))


@compiles(ast.GeneratorExp)
def generator_expression(interpreter: Interpreter, node: ast.GeneratorExp) -> Evaluation:
    """`(f(x) for x in xs)`: made at once and taken once; one by one where more comes of it than its items.

    So it is of a generator's items, and where functions of the program, or `print`, are called.
    """
    element, loops = interpreter.expression(node.elt), _loops(interpreter, node.generators)
    called, is_of_self = _called_in(node)

    def evaluate() -> Lazy | Stream:
        items = iterate(loops[0][0]())
        is_own = is_of_self or any(_is_of_program(interpreter.scope.find(name)) for name in called)
        if is_own or not isinstance(items, Sized):
            made = (element() for _ in _turns(interpreter, loops, items))
            return Stream(Resumed(interpreter, Scope(interpreter.scope), made))
        return Lazy(_elements(interpreter, loops, items, element))

    return interpreter.step_of(node, evaluate)


def _called_in(node: ast.expr) -> tuple[frozenset[str], bool]:
    """The names of functions that an expression calls, and whether it calls methods of `self`."""
    functions = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    names = frozenset(one.id for one in functions if isinstance(one, ast.Name))
    owners = [one.value for one in functions if isinstance(one, ast.Attribute)]
    return names, any(isinstance(one, ast.Name) and one.id == "self" for one in owners)


def _is_of_program(function: Any) -> bool:
    """Whether a call of it may do what can be seen: a function of the program, or `print`."""
    return isinstance(function, UserFunction) or getattr(function, "name", "") == "print"


def _comprehension(
    interpreter: Interpreter, generators: Sequence[ast.comprehension], element: Evaluation
) -> Callable[[], list[Any]]:
    """What gives all elements; the first iterable is read outside of the loop's scope."""
    loops = _loops(interpreter, generators)
    first = loops[0][0]
    return lambda: _elements(interpreter, loops, iterate(first()), element)


def _loops(interpreter: Interpreter, generators: Sequence[ast.comprehension]) -> list[Loop]:
    return [
        (
            interpreter.expression(one.iter),
            binding(interpreter, one.target),
            [interpreter.expression(test) for test in one.ifs],
        )
        for one in generators
    ]


def _elements(interpreter: Interpreter, loops: Sequence[Loop], first: Any, element: Evaluation) -> list[Any]:
    """All elements, the loop's names in a scope of their own."""
    outer, interpreter.scope = interpreter.scope, Scope(interpreter.scope)
    made, inside = [], 0
    try:
        for _ in _turns(interpreter, loops, first):
            item = element()
            made.append(item)
            if isinstance(item, list) and len(item) > LONG:
                inside += len(item)
                interpreter.budget.check_items(inside)
        return made
    finally:
        interpreter.scope = outer


def _turns(interpreter: Interpreter, loops: Sequence[Loop], items: Any) -> Iterator[None]:
    """Bind the names of one `for` after the other and pass where every `if` holds."""
    (_, bind, tests), *inner = loops
    for value in items:
        interpreter.budget.step()
        bind(value)
        if all(truth(test()) for test in tests):
            if inner:
                yield from _turns(interpreter, inner, iterate(inner[0][0]()))
            else:
                yield
