"""The special methods that a program's classes may have, and operators between their objects."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject, call_special
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import apply_binary
from engine.languages.interpreter.scope import MISSING

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
UNARY: dict[type[ast.AST], str] = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}

# Any other name in double underscores is refused in a class.
SPECIAL = frozenset(
    {"__init__", "__new__", "__call__", "__str__", "__repr__", "__format__", "__hash__", "__bool__"}
    | {"__len__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__next__"}
    | {"__reversed__", "__enter__", "__exit__", "__getattr__", "__abs__", "__round__", "__int__"}
    | {
        "__float__",
        "__index__",
        "__post_init__",
        "__slots__",
        "__match_args__",
        "__doc__",
        "__init_subclass__",
    }
    | {f"__{word}__" for word in ("eq", "ne", "lt", "le", "gt", "ge")}
    | {f"__{prefix}{word}__" for word in OPERATORS.values() for prefix in ("", "r", "i")}
    | set(UNARY.values())
)

# How operators work on values of other files' types, for which the run itself is needed.
OF_TYPES: dict[type, Callable[[Interpreter, type[ast.AST], Any, Any], Any]] = {}


def own_operator(interpreter: Interpreter, kind: type[ast.AST], left: Any, right: Any) -> Any:
    """`left op right` where one of them has a method for it, else MISSING."""
    if not (_has_own(left) or _has_own(right)):
        return MISSING
    word = OPERATORS.get(kind)
    sides = ((left, right, f"__{word}__"), (right, left, f"__r{word}__"))
    for value, other, name in sides if word else ():
        if isinstance(value, UserObject):
            found = call_special(interpreter, value, name, other)
            if found is not MISSING and found is not NotImplemented:
                return found
        elif type(value) in OF_TYPES:
            found = OF_TYPES[type(value)](interpreter, kind, left, right)
            if found is not NotImplemented:
                return found
    return MISSING


def _has_own(value: Any) -> bool:
    """Whether a value may have a method for an operator, or is of a type whose operators need the run."""
    return isinstance(value, UserObject) or type(value) in OF_TYPES


def combine(interpreter: Interpreter, kind: type[ast.operator], left: Any, right: Any) -> Any:
    """`left op right`, by a method of the program's own class where there is one."""
    found = own_operator(interpreter, kind, left, right)
    return apply_binary(kind, left, right, interpreter.budget) if found is MISSING else found
