"""The operators by their nodes in the syntax tree, and what other files' types add to them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.values import Ignored

BINARY: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.Pow: ("**", operator.pow),
    ast.MatMult: ("@", operator.matmul),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
}

UNARY: dict[type[ast.unaryop], tuple[str, Callable[[Any], Any]]] = {
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert),
}

COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}

EAGER_EQUALITY: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {}  # filled by the surface of TensorFlow 2
OWN_EQUALITY: list[type] = []  # types of other files that compare by value with `==` of their own
TRUTHS: dict[type, Callable[[Any], bool]] = {}  # whether values of other files' types count as true

HOLDS: dict[type, Callable[[Any, Any], bool]] = {}  # how types of other files answer `item in container`

WHOLE = frozenset({int, bool})
PLAIN = WHOLE | {float}
SCALARS = PLAIN | {np.float64, np.float32}  # whose results are scalars, too
WITHOUT_NODES = SCALARS | {np.ndarray, str, list, tuple, dict}
SEQUENCES = (str, list, tuple, bytes)
OWN_COMPARISONS: dict[type, Callable[[type[ast.cmpop], Any, Any], Any]] = {}  # how other files' types compare
OPERANDS: dict[type, str] = {Ignored: "+"}  # further types, each with the operators that its values take
SIZE_CHECKS: dict[type, Callable[[str, Any, Any, Budget], None]] = {}  # of such a type's results
OF_SETS: tuple[type, ...] = (set, frozenset, dict, type({}.keys()), type({}.items()))
BITS = frozenset({"&", "|", "^", "<<", ">>"})
MOST_PAIRS = 10_000  # of shapes that are looked at one by one
SLOW_PRODUCTS = {"e": 6}  # by numpy's letters for element types: half floats are made longer first


def is_symbolic(value: Any) -> bool:
    """Whether an operator on this value adds a node to a graph."""
    return type(value) not in WITHOUT_NODES and hasattr(value, "as_tensor")


def adds_nodes(value: Any) -> bool:
    """Whether Python's operators on this value add a node, also where it is a number that a graph shows."""
    return is_symbolic(value) or hasattr(value, "is_shown")


def is_array(value: Any) -> bool:
    """Whether a value is an array of numpy, or one of its numbers."""
    return isinstance(value, (np.ndarray, np.generic))
