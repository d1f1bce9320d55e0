"""How each kind of expression is evaluated."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sized
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.assignment import assign
from engine.languages.interpreter.builtins.containers import dict_of, iterate, set_of, subscript, taken
from engine.languages.interpreter.builtins.formatting import convert, format_value
from engine.languages.interpreter.builtins.nested_sizes import check_weight
from engine.languages.interpreter.builtins.text import MAX_WEIGHT
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import (
    Super,
    UserObject,
    attribute_of,
    call_special,
    private_name,
)
from engine.languages.interpreter.classes.special import SPECIAL, UNARY, combine
from engine.languages.interpreter.dispatch import evaluates
from engine.languages.interpreter.functions import make_function
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import apply_compare, apply_unary, is_symbolic, truth
from engine.languages.interpreter.reading.error_names import by_its_name, name_shapes
from engine.languages.interpreter.resuming import Resumed
from engine.languages.interpreter.scope import MISSING, Scope
from engine.languages.interpreter.values import Lazy, Stream, a_kind, type_name

SHOWN_OF_ALL = frozenset({"__version__", "__name__", "__doc__", "__qualname__"})
SHOWN_OF_OWN = frozenset(
    {"__class__", "__dict__", "__mro__", "__annotations__", "__module__", "__cause__", "__context__"}
)
LONG = 1000  # items; a list made of longer ones is weighed as it grows


@evaluates(ast.Constant)
def constant(interpreter: Interpreter, node: ast.Constant) -> Any:
    """A number, a text, True, False, None or `...`."""
    if isinstance(node.value, complex):
        raise RefusedError(
            "Complex numbers are not supported.", message_zh="不支持复数。", code="refused_complex"
        )
    if isinstance(node.value, int):
        interpreter.budget.check_bits(node.value.bit_length())
    return node.value


@evaluates(ast.BinOp)
def binary(interpreter: Interpreter, node: ast.BinOp) -> Any:
    """`left op right`; with a tensor on either side it adds a node."""
    left = interpreter.evaluate(node.left)
    right = interpreter.evaluate(node.right)
    try:
        if is_symbolic(left) or is_symbolic(right):
            with interpreter.building(node):
                return combine(interpreter, type(node.op), left, right)
        return combine(interpreter, type(node.op), left, right)
    except ProgramError as error:
        name_shapes(interpreter, error, ((node.left, left), (node.right, right)))
        raise


@evaluates(ast.UnaryOp)
def unary(interpreter: Interpreter, node: ast.UnaryOp) -> Any:
    """`-x`, `+x`, `~x`, `not x`."""
    value = interpreter.evaluate(node.operand)
    if isinstance(node.op, ast.Not):
        staging = interpreter.staging
        return staging.invert(value) if staging is not None and staging.takes(value) else not truth(value)
    if isinstance(value, UserObject):
        found = call_special(interpreter, value, UNARY[type(node.op)])
        if found is not MISSING:
            return found
    if is_symbolic(value):
        with interpreter.building(node):
            return apply_unary(type(node.op), value, interpreter.budget)
    return apply_unary(type(node.op), value, interpreter.budget)


@evaluates(ast.BoolOp)
def boolean(interpreter: Interpreter, node: ast.BoolOp) -> Any:
    """`a and b`, `a or b`: the operand that decides."""
    return _decided(interpreter, isinstance(node.op, ast.Or), node.values)


def _decided(interpreter: Interpreter, stops_at: bool, operands: list[ast.expr]) -> Any:
    for index, operand in enumerate(operands[:-1], 1):
        value = interpreter.evaluate(operand)
        if interpreter.staging is not None and interpreter.staging.takes(value):
            return _staged_choice(interpreter, stops_at, value, operands[index:])
        if truth(value) == stops_at:
            return value
    return interpreter.evaluate(operands[-1])


def _staged_choice(interpreter: Interpreter, stops_at: bool, value: Any, rest: list[ast.expr]) -> Any:
    """A value or what the rest gives, where a trace decides on the value."""
    sides = (lambda: value, lambda: _decided(interpreter, stops_at, rest))
    return (
        interpreter.staging.choose(value, sides if stops_at else sides[::-1])
        if interpreter.staging
        else value
    )


@evaluates(ast.Compare)
def compare(interpreter: Interpreter, node: ast.Compare) -> Any:
    """`a < b`, and chains of it."""
    left = interpreter.evaluate(node.left)
    return _compared(interpreter, node, left, [*zip(node.ops, node.comparators, strict=True)])


def _compared(
    interpreter: Interpreter, node: ast.Compare, left: Any, tests: list[tuple[ast.cmpop, ast.expr]]
) -> Any:
    """A chain from its left side on."""
    result: Any = True
    for index, (kind, operand) in enumerate(tests):
        if index and interpreter.staging is not None and interpreter.staging.takes(result):
            return _staged_chain(interpreter, node, left, result, tests[index:])
        if index and not truth(result):
            return result
        right = interpreter.evaluate(operand)
        result = _comparison(interpreter, node, type(kind), left, right)
        left = right
    return result


def _staged_chain(interpreter: Interpreter, node: ast.Compare, left: Any, result: Any, rest: Any) -> Any:
    """What is left of a chain, where a trace decides on what came before."""
    sides = (lambda: _compared(interpreter, node, left, rest), lambda: result)
    return interpreter.staging.choose(result, sides) if interpreter.staging else result


def _comparison(
    interpreter: Interpreter, node: ast.Compare, kind: type[ast.cmpop], left: Any, right: Any
) -> Any:
    if is_symbolic(left) or is_symbolic(right):
        with interpreter.building(node):
            return apply_compare(kind, left, right, interpreter.budget)
    return apply_compare(kind, left, right, interpreter.budget)


@evaluates(ast.IfExp)
def conditional(interpreter: Interpreter, node: ast.IfExp) -> Any:
    """`a if test else b`."""
    test, staging = interpreter.evaluate(node.test), interpreter.staging
    if staging is not None and staging.takes(test):
        sides = (lambda: interpreter.evaluate(node.body), lambda: interpreter.evaluate(node.orelse))
        return staging.choose(test, sides)
    return interpreter.evaluate(node.body if truth(test) else node.orelse)


@evaluates(ast.NamedExpr)
def walrus(interpreter: Interpreter, node: ast.NamedExpr) -> Any:
    """`(name := value)`."""
    value = interpreter.evaluate(node.value)
    interpreter.scope.write(node.target.id, value)
    return value


@evaluates(ast.Call)
def call(interpreter: Interpreter, node: ast.Call) -> Any:
    """`f(...)`; nodes that the call adds come from its place."""
    function = interpreter.evaluate(node.func)
    args = elements(interpreter, node.args)
    keywords: dict[str, Any] = {}
    for keyword in node.keywords:
        value = interpreter.evaluate(keyword.value)
        if keyword.arg is None:
            keywords.update(_spread(value))
        else:
            keywords[keyword.arg] = value
    with interpreter.building(node):
        interpreter.named_call(node)
        try:
            return interpreter.call(function, args, keywords)
        except ProgramError as error:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            name_shapes(interpreter, error, zip(given, [*args, *keywords.values()], strict=False))
            raise by_its_name(interpreter, error) from error.__cause__


def _as_dict(value: Any) -> dict[Any, Any]:
    if isinstance(value, dict):
        return value
    raise ProgramError(
        f"`**` needs a dict, not {a_kind(value)}.",
        message_zh=f"`**` 需要字典，不能是 {type_name(value)}。",
        code="type_mismatch",
    )


def _spread(value: Any) -> dict[str, Any]:
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return value
    raise ProgramError(
        f"`**` needs a dict with text keys, not a {type_name(value)}.",
        message_zh=f"`**` 需要键为文本的字典，不能是 {type_name(value)}。",
        code="type_mismatch",
    )


def elements(interpreter: Interpreter, nodes: list[ast.expr]) -> list[Any]:
    """The values of expressions in a row, starred ones spread out."""
    values: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            spread = taken(interpreter.evaluate(node.value), interpreter.budget)
            interpreter.budget.check_length(len(values) + len(spread))
            values.extend(spread)
        else:
            values.append(interpreter.evaluate(node))
    return values


@evaluates(ast.Attribute)
def attribute(interpreter: Interpreter, node: ast.Attribute) -> Any:
    """`value.name`."""
    value = interpreter.evaluate(node.value)
    name = node.attr
    return attribute_of(
        interpreter, value, allowed_name(interpreter, value, name) if name[:2] == "__" else name
    )


def allowed_name(interpreter: Interpreter, value: Any, name: str) -> str:
    """The name of an attribute: of those in double underscores only what the tables know, no way behind.

    Raises: RefusedError for any other one.
    """
    if not name.startswith("__"):
        return name
    is_own = isinstance(value, (UserObject, UserClass, Super))
    if is_own and not name.endswith("__"):
        return private_name(interpreter, name)
    if name in SHOWN_OF_ALL or (is_own and (name in SPECIAL or name in SHOWN_OF_OWN)):
        return name
    raise RefusedError(
        f"`{name}` reaches behind a value, which is not supported.",
        message_zh=f"`{name}` 访问值的内部，不支持。",
        code="refused_attribute",
    )


@evaluates(ast.Subscript)
def item(interpreter: Interpreter, node: ast.Subscript) -> Any:
    """`value[key]`."""
    value = interpreter.evaluate(node.value)
    key = interpreter.evaluate(node.slice)
    if is_symbolic(value):
        with interpreter.building(node):
            return subscript(value, key, interpreter.budget)
    return subscript(value, key, interpreter.budget)


@evaluates(ast.Slice)
def slice_(interpreter: Interpreter, node: ast.Slice) -> slice:
    """`start:stop:step` inside a subscript."""
    parts = [part and interpreter.evaluate(part) for part in (node.lower, node.upper, node.step)]
    return slice(*parts)


@evaluates(ast.List)
def list_(interpreter: Interpreter, node: ast.List) -> list[Any]:
    """`[a, b]`."""
    return elements(interpreter, node.elts)


@evaluates(ast.Tuple)
def tuple_(interpreter: Interpreter, node: ast.Tuple) -> tuple[Any, ...]:
    """`(a, b)`."""
    return tuple(elements(interpreter, node.elts))


@evaluates(ast.Set)
def set_(interpreter: Interpreter, node: ast.Set) -> set[Any]:
    """`{a, b}`."""
    return set_of(map(hashable, elements(interpreter, node.elts)), interpreter.budget)


@evaluates(ast.Dict)
def dict_(interpreter: Interpreter, node: ast.Dict) -> dict[Any, Any]:
    """`{key: value}`, with `**` spread out."""
    result: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            result.update(_as_dict(interpreter.evaluate(value)))
        else:
            result[hashable(interpreter.evaluate(key))] = interpreter.evaluate(value)
    return result


def hashable(value: Any) -> Any:
    """The value, where it can be a key."""
    check_weight(value, MAX_WEIGHT)
    try:
        hash(value)
    except TypeError:
        raise ProgramError(
            f"{a_kind(value, start=True)} cannot be a key or a member of a set.",
            message_zh=f"{type_name(value)} 不能作为键或集合的成员。",
            hint="Use a number, a text or a tuple.",
            hint_zh="请使用数字、文本或元组。",
            code="type_mismatch",
        ) from None
    return value


@evaluates(ast.JoinedStr)
def f_string(interpreter: Interpreter, node: ast.JoinedStr) -> str:
    """`f"{value:.2f}"`."""
    parts = [str(interpreter.evaluate(part)) for part in node.values]
    interpreter.budget.check_length(sum(map(len, parts)))
    return "".join(parts)


@evaluates(ast.FormattedValue)
def f_string_field(interpreter: Interpreter, node: ast.FormattedValue) -> str:
    """One pair of braces of an f-string."""
    value = interpreter.evaluate(node.value)
    spec = interpreter.evaluate(node.format_spec) if node.format_spec else ""
    if node.conversion != -1:
        value = convert(value, chr(node.conversion))
    return format_value(value, spec, interpreter.budget)


@evaluates(ast.Lambda)
def lambda_(interpreter: Interpreter, node: ast.Lambda) -> Any:
    """`lambda x: ...`."""
    return make_function(interpreter, node, "<lambda>")


@evaluates(ast.ListComp)
def list_comprehension(interpreter: Interpreter, node: ast.ListComp) -> list[Any]:
    """`[f(x) for x in xs if test]`."""
    return _comprehend(interpreter, node.generators, lambda: interpreter.evaluate(node.elt))


@evaluates(ast.GeneratorExp)
def generator_expression(interpreter: Interpreter, node: ast.GeneratorExp) -> Lazy | Stream:
    """`(f(x) for x in xs)`: made at once and taken once; of a generator's items one by one."""
    first = iterate(interpreter.evaluate(node.generators[0].iter))
    if not isinstance(first, Sized):
        scope = Scope(interpreter.scope)
        turns = _turns(interpreter, node.generators, first)
        return Stream(Resumed(interpreter, scope, (interpreter.evaluate(node.elt) for _ in turns)))
    return Lazy(_elements(interpreter, node.generators, first, lambda: interpreter.evaluate(node.elt)))


@evaluates(ast.SetComp)
def set_comprehension(interpreter: Interpreter, node: ast.SetComp) -> set[Any]:
    """`{f(x) for x in xs}`."""
    found = _comprehend(interpreter, node.generators, lambda: hashable(interpreter.evaluate(node.elt)))
    return set_of(found, interpreter.budget)


@evaluates(ast.DictComp)
def dict_comprehension(interpreter: Interpreter, node: ast.DictComp) -> dict[Any, Any]:
    """`{key: value for x in xs}`."""

    def entry() -> tuple[Any, Any]:
        return hashable(interpreter.evaluate(node.key)), interpreter.evaluate(node.value)

    return dict_of(_comprehend(interpreter, node.generators, entry), interpreter.budget)


@evaluates(ast.Yield, ast.YieldFrom)
def yield_(interpreter: Interpreter, node: ast.Yield) -> None:
    """A `yield` that stands in no function; inside one, `generators.py` takes care of it."""
    raise ProgramError(
        "`yield` works inside a function only.",
        message_zh="`yield` 只能写在函数里。",
        code="syntax_error",
    )


def _comprehend(
    interpreter: Interpreter, generators: list[ast.comprehension], element: Callable[[], Any]
) -> list[Any]:
    """All elements, the loop's names in a scope of their own; the first iterable is read outside of it."""
    return _elements(interpreter, generators, iterate(interpreter.evaluate(generators[0].iter)), element)


def _elements(
    interpreter: Interpreter, generators: list[ast.comprehension], first: Any, element: Callable[[], Any]
) -> list[Any]:
    outer, interpreter.scope = interpreter.scope, Scope(interpreter.scope)
    made, inside = [], 0
    try:
        for _ in _turns(interpreter, generators, first):
            item = element()
            made.append(item)
            if isinstance(item, list) and len(item) > LONG:
                inside += len(item)
                interpreter.budget.check_alive(inside)
        return made
    finally:
        interpreter.scope = outer


def _turns(interpreter: Interpreter, generators: list[ast.comprehension], items: Any) -> Iterator[None]:
    """Bind the names of one `for` after the other and pass where every `if` holds."""
    generator, *inner = generators
    for value in items:
        interpreter.budget.step()
        assign(interpreter, generator.target, value)
        if all(truth(interpreter.evaluate(test)) for test in generator.ifs):
            if inner:
                yield from _turns(interpreter, inner, iterate(interpreter.evaluate(inner[0].iter)))
            else:
                yield
