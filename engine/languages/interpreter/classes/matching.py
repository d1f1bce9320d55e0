"""`match`: a value against patterns of values, sequences, dicts and classes."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.functions import Kind, isinstance_
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import attribute_of
from engine.languages.interpreter.dispatch import Ended, Execution, compiles
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import apply_compare, truth
from engine.languages.interpreter.scope import MISSING

SEQUENCES = (list, tuple, range, deque)
Matches = Callable[[Interpreter, Any, Any], bool]


@compiles(ast.Match)
def match(interpreter: Interpreter, node: ast.Match) -> Execution:
    """`match value:` with its cases: the first that fits, and whose `if` holds, is run."""
    bodies = [interpreter.block(case.body) for case in node.cases]

    def execute() -> Ended:
        chosen = chosen_case(interpreter, node)
        return None if chosen is None else bodies[chosen]()

    return execute


def chosen_case(interpreter: Interpreter, node: ast.Match) -> int | None:
    """The number of the first case that fits, its names bound."""
    subject = interpreter.evaluate(node.subject)
    for number, case in enumerate(node.cases):
        interpreter.budget.step()
        if fits(interpreter, case.pattern, subject) and (
            case.guard is None or truth(interpreter.evaluate(case.guard))
        ):
            return number
    return None


def fits(interpreter: Interpreter, pattern: ast.pattern, value: Any) -> bool:
    """Whether a value fits a pattern; names in it are bound."""
    return PATTERNS[type(pattern)](interpreter, pattern, value)


def _value(interpreter: Interpreter, pattern: ast.MatchValue, value: Any) -> bool:
    wanted = interpreter.evaluate(pattern.value)
    return truth(apply_compare(ast.Eq, value, wanted, interpreter.budget))


def _singleton(interpreter: Interpreter, pattern: ast.MatchSingleton, value: Any) -> bool:
    return value is pattern.value


def _sequence(interpreter: Interpreter, pattern: ast.MatchSequence, value: Any) -> bool:
    if not isinstance(value, SEQUENCES):
        return False
    items, wanted = list(value), pattern.patterns
    star = next((place for place, one in enumerate(wanted) if isinstance(one, ast.MatchStar)), None)
    if star is None:
        return len(items) == len(wanted) and _all(interpreter, wanted, items)
    after = len(wanted) - star - 1
    if len(items) < len(wanted) - 1:
        return False
    middle = items[star : len(items) - after]
    return _all(interpreter, wanted, [*items[:star], middle, *items[len(items) - after :]])


def _all(interpreter: Interpreter, patterns: list[ast.pattern], items: list[Any]) -> bool:
    return all(fits(interpreter, one, item) for one, item in zip(patterns, items, strict=True))


def _mapping(interpreter: Interpreter, pattern: ast.MatchMapping, value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    keys = [interpreter.evaluate(key) for key in pattern.keys]
    if not all(key in value for key in keys):
        return False
    if not _all(interpreter, pattern.patterns, [value[key] for key in keys]):
        return False
    _bind(interpreter, pattern.rest, {key: item for key, item in value.items() if key not in keys})
    return True


def _class(interpreter: Interpreter, pattern: ast.MatchClass, value: Any) -> bool:
    kind = interpreter.evaluate(pattern.cls)
    if not isinstance_(value, kind):
        return False
    if isinstance(kind, Kind) and len(pattern.patterns) == 1:
        return fits(interpreter, pattern.patterns[0], value)  # `int(n)` binds the value itself
    names = [*_names(kind, len(pattern.patterns)), *pattern.kwd_attrs]
    wanted = [*pattern.patterns, *pattern.kwd_patterns]
    found = [_attribute(interpreter, value, name) for name in names]
    return MISSING not in found and _all(interpreter, wanted, found)


def _names(kind: Any, count: int) -> list[str]:
    """The attributes that patterns without a name stand for."""
    names = kind.find("__match_args__") if isinstance(kind, UserClass) else ()
    if names is MISSING or count > len(names):
        raise ProgramError(
            f"{kind.name}() accepts {0 if names is MISSING else len(names)} positional sub-patterns "
            f"({count} given)",
            message_zh=f"{kind.name}() 的位置模式太多：给了 {count} 个。",
            hint='Name them: Point(x=0), or write __match_args__ = ("x", "y") in the class.',
            hint_zh='请写名字：Point(x=0)，或在类里写 __match_args__ = ("x", "y")。',
            code="type_mismatch",
        )
    return list(names[:count])


def _attribute(interpreter: Interpreter, value: Any, name: str) -> Any:
    try:
        return attribute_of(interpreter, value, name)
    except ProgramError as error:
        if error.code != "unknown_attribute":
            raise
        return MISSING


def _star(interpreter: Interpreter, pattern: ast.MatchStar, value: Any) -> bool:
    _bind(interpreter, pattern.name, value)
    return True


def _as(interpreter: Interpreter, pattern: ast.MatchAs, value: Any) -> bool:
    if pattern.pattern is not None and not fits(interpreter, pattern.pattern, value):
        return False
    _bind(interpreter, pattern.name, value)
    return True


def _or(interpreter: Interpreter, pattern: ast.MatchOr, value: Any) -> bool:
    return any(fits(interpreter, one, value) for one in pattern.patterns)


def _bind(interpreter: Interpreter, name: str | None, value: Any) -> None:
    if name is not None:
        interpreter.scope.write(name, value)


PATTERNS: dict[type[ast.pattern], Matches] = {
    ast.MatchValue: _value,
    ast.MatchSingleton: _singleton,
    ast.MatchSequence: _sequence,
    ast.MatchMapping: _mapping,
    ast.MatchClass: _class,
    ast.MatchStar: _star,
    ast.MatchAs: _as,
    ast.MatchOr: _or,
}
