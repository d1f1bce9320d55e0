"""Python's operators on a program's values, with the size of every result checked first."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sized
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError, RefusedError, SymbolicError
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.formatting import format_percent
from engine.languages.interpreter.builtins.nested_sizes import check_weight, shapes_inside
from engine.languages.interpreter.values import (
    NUMBERS,
    TEXTS,
    compared_by_value,
    concrete,
    python_name,
    type_name,
)
from engine.ops.base.slices import IndexedSlices

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
OPERANDS: dict[type, str] = {}  # further types, each with the operators that its values take
SIZE_CHECKS: dict[type, Callable[[str, Any, Any, Budget], None]] = {}  # of such a type's results
OF_SETS: tuple[type, ...] = (set, frozenset, dict, type({}.keys()), type({}.items()))
BITS = frozenset({"&", "|", "^", "<<", ">>"})
MOST_PAIRS = 10_000  # of shapes that are looked at one by one
SLOW_PRODUCTS = {"e": 6}  # by numpy's letters for element types: half floats are made longer first


def is_symbolic(value: Any) -> bool:
    """Whether an operator on this value adds a node to a graph."""
    return type(value) not in WITHOUT_NODES and hasattr(value, "as_tensor")


def apply_binary(kind: type[ast.operator], left: Any, right: Any, budget: Budget) -> Any:
    """`left op right`; the caller has set where new nodes come from."""
    symbol, function = BINARY[kind]
    if type(left) in SCALARS and type(right) in SCALARS:
        if type(left) in WHOLE and type(right) in WHOLE:
            _check_integers(symbol, int(left), int(right), budget)
        return _plain(symbol, function, left, right)
    if symbol == "%" and isinstance(left, str):
        return format_percent(left, right, budget)
    check_operands(kind, left, right, budget)
    result = _plain(symbol, function, left, right)
    if isinstance(result, np.ndarray):
        budget.hold(result)
    return result


def check_operands(kind: type[ast.operator], left: Any, right: Any, budget: Budget) -> None:
    """Check, before anything is computed, that an operator may be tried on two values, and the result's size.

    Raises: ProgramError where it may not, LimitError where the result would be too large.
    """
    symbol, _ = BINARY[kind]
    _check_sizes(symbol, left, right, budget)
    if not ((_allowed(left, symbol) and _allowed(right, symbol)) or _are_rows_and_tensor(left, right)):
        raise unsupported(symbol, left, right)


def _plain(symbol: str, function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    try:
        result = function(left, right)
    except ZeroDivisionError:
        raise _division_by_zero(symbol) from None
    except OverflowError:
        raise ProgramError(
            f"The result of `{symbol}` is too large for a float.",
            message_zh=f"`{symbol}` 的结果超出了浮点数的范围。",
            code="overflow",
        ) from None
    except ArithmeticError as error:  # of a decimal number
        raise _no_result(symbol, error) from None
    except (ValueError, TypeError) as error:
        check_refused(error)
        differ = isinstance(error, ValueError)
        raise (_shapes_differ if differ else unsupported)(symbol, left, right) from None
    if isinstance(result, np.ndarray) and result.dtype.kind == "c":
        raise complex_array()
    return result


def _no_result(symbol: str, error: ArithmeticError) -> ProgramError:
    return ProgramError(
        f"`{symbol}` of these two numbers has no result.",
        message_zh=f"这两个数的 `{symbol}` 没有结果。",
        code="outside_domain",
        kind=type(error).__name__,
        said=str(error),
    )


def complex_array() -> RefusedError:
    """Arrays hold real numbers."""
    return RefusedError(
        "Arrays and tensors of complex numbers are not supported.",
        message_zh="不支持复数数组和复数张量。",
        hint="Compute with one complex number at a time, or with real and imaginary parts.",
        hint_zh="请逐个计算复数，或分别计算实部和虚部。",
        code="refused_complex",
    )


def check_refused(error: Exception) -> None:
    """Let an error go on unless Python or numpy itself turned the values down: it rose in code of ours."""
    if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
        raise error


def _check_integers(symbol: str, left: int, right: int, budget: Budget) -> None:
    """The width of an integer result, from above, before it is computed."""
    if symbol == "**" and right > 1:
        if abs(left) > 1:
            budget.check_bits(left.bit_length() * right - right + 1)
    elif symbol == "<<":
        budget.check_bits(left.bit_length() + max(right, 0))
    elif symbol == "*":
        budget.check_bits(left.bit_length() + right.bit_length() - 1)
    elif symbol in ("+", "-"):
        budget.check_bits(max(left.bit_length(), right.bit_length()))  # or one more: the next sum shows it


def _check_sizes(symbol: str, left: Any, right: Any, budget: Budget) -> None:
    for side in (left, right):
        if type(side) in SIZE_CHECKS:
            SIZE_CHECKS[type(side)](symbol, left, right, budget)
    for sequence, count in ((left, right), (right, left)):
        if symbol == "*" and isinstance(sequence, SEQUENCES) and isinstance(count, (int, np.integer)):
            budget.check_length(len(sequence) * max(int(count), 0))
    if symbol == "+" and isinstance(left, SEQUENCES) and isinstance(right, Sized):
        budget.check_length(len(left) + len(right))
    if isinstance(left, OF_SETS) and isinstance(left, Sized) and isinstance(right, Sized):
        budget.check_length(len(left) + len(right))
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        a, b = _shape_of(left, budget), _shape_of(right, budget)
        shape = _result_shape(symbol, a, b)
        if shape is None:
            raise _shapes_differ(symbol, left, right)
        budget.check_elements(shape)
        if symbol == "@":
            budget.spend(work_of_product(prod(shape) * (a or (1,))[-1], left, right))


def _shape_of(value: Any, budget: Budget) -> tuple[int, ...]:
    """The shape in which numpy takes a value: lists in lists as an array of them."""
    if isinstance(value, (list, tuple)):
        check_weight(value, budget.limits.tensor_elements)
        try:
            return np.shape(value)
        except (TypeError, ValueError):
            return (len(value),)  # rows of different lengths, which numpy itself turns down
    return np.shape(value) if _is_array(value) else ()


def _result_shape(symbol: str, a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of `a op b`, or None where there is none."""
    try:
        if symbol == "@" and len(a) > 1 and len(b) > 1:
            return (*np.broadcast_shapes(a[:-2], b[:-2]), a[-2], b[-1])
        if symbol == "@":
            return (*a[:-1], *b[:-2], *b[len(b) :]) if len(b) == 1 else (*a[:-1], *b[:-2], *b[-1:])
        return np.broadcast_shapes(a, b)
    except ValueError:
        return None


def work_of_product(multiplications: int, *factors: Any) -> int:
    """Element operations of a sum of products of so many pairs."""
    slowest = max((SLOW_PRODUCTS.get(np.asarray(factor).dtype.char, 1) for factor in factors), default=1)
    return multiplications * slowest


def _is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic))


def _allowed(value: Any, symbol: str) -> bool:
    """Which values an operator may be tried on; Python or numpy then decides the pair."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in TEXTS  # which grow
    if isinstance(value, NUMBERS) or is_symbolic(value):
        return True
    if isinstance(value, SEQUENCES):
        return True
    if type(value) in OPERANDS:
        return symbol in OPERANDS[type(value)]
    return isinstance(value, OF_SETS) and (symbol in BITS or symbol == "-")


def _are_rows_and_tensor(left: Any, right: Any) -> bool:
    """Whether the rows of a gradient meet a tensor, which takes them as a tensor of its own kind."""
    return any(isinstance(a, IndexedSlices) and is_symbolic(b) for a, b in ((left, right), (right, left)))


def apply_unary(kind: type[ast.unaryop], value: Any, budget: Budget) -> Any:
    """`-value`, `+value`, `~value`."""
    symbol, function = UNARY[kind]
    if is_symbolic(value) and symbol == "+":
        return value
    if isinstance(value, np.ndarray):
        budget.check_elements(value.shape)
    if not (
        isinstance(value, (*NUMBERS, IndexedSlices))
        or (isinstance(value, np.ndarray) and value.dtype.kind not in TEXTS)
        or is_symbolic(value)
        or symbol in OPERANDS.get(type(value), "")
    ):
        raise _unsupported_unary(symbol, value)
    try:
        return function(value)
    except TypeError as error:
        check_refused(error)
        raise _unsupported_unary(symbol, value) from None


def apply_compare(kind: type[ast.cmpop], left: Any, right: Any, budget: Budget) -> Any:
    """One comparison of a chain."""
    for side in (left, right):
        if type(side) in OWN_COMPARISONS and kind in COMPARE:
            return OWN_COMPARISONS[type(side)](kind, left, right)
        check_weight(side, budget.limits.sequence_length)
        if isinstance(side, SEQUENCES):
            budget.check_length(len(side))
    if kind not in (ast.Is, ast.IsNot):
        _check_compared(left, right, budget)
    by_themselves = isinstance(left, tuple(OWN_EQUALITY)) or isinstance(right, tuple(OWN_EQUALITY))
    if kind in EAGER_EQUALITY and not by_themselves and (compared_by_value(left) or compared_by_value(right)):
        return EAGER_EQUALITY[kind](left, right)
    if kind in COMPARE:
        symbol, function = COMPARE[kind]
        try:
            return function(left, right)
        except (TypeError, ValueError) as error:
            check_refused(error)
            raise unsupported(symbol, left, right) from None
    if kind in (ast.Is, ast.IsNot):
        return (left is right) == (kind is ast.Is)
    return contains(right, left) == (kind is ast.In)


def _check_compared(left: Any, right: Any, budget: Budget) -> None:
    """Arrays are compared element by element, also those inside of lists: each with any of the other side."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        shape = _result_shape("==", _shape_of(left, budget), _shape_of(right, budget))
        if shape is None:
            raise _shapes_differ("==", left, right)
        budget.check_elements(shape)
        return
    shapes = [shapes_inside(side) for side in (left, right)]
    if len(shapes[0]) * len(shapes[1]) > MOST_PAIRS:
        budget.check_elements([max(map(prod, found)) for found in shapes])
    for a, b in product(*shapes):
        budget.check_elements(_result_shape("==", a, b) or ())


def contains(container: Any, item: Any) -> bool:
    """`item in container`."""
    if isinstance(container, range):
        return _in_range(container, item)
    if type(container) in HOLDS:
        return HOLDS[type(container)](container, item)
    if isinstance(container, str) and not isinstance(item, str):
        raise unsupported("in", item, container)
    if isinstance(container, (str, bytes, list, tuple, dict, set, frozenset, range, np.ndarray)):
        try:
            return bool(item in container)
        except (TypeError, ValueError):
            raise unsupported("in", item, container) from None
    raise unsupported("in", item, container)


def _in_range(numbers: range, item: Any) -> bool:
    """Python itself would go through the range for any number that is not an `int`."""
    if concrete(item) is not None:
        item = concrete(item)
    if isinstance(item, np.ndarray) and item.ndim == 0:
        item = item[()]
    if isinstance(item, np.ndarray):
        raise unsupported("in", item, numbers)
    if isinstance(item, (float, np.floating)) and float(item).is_integer():
        item = int(item)
    return isinstance(item, (int, np.integer, np.bool_)) and int(item) in numbers


def truth(value: Any) -> bool:
    """Whether a value counts as true in `if`, `while`, `and`, `or`, `not`."""
    if type(value) in PLAIN:
        return bool(value)
    for kind in type(value).__mro__ if TRUTHS else ():
        if kind in TRUTHS:
            return TRUTHS[kind](value)
    array = concrete(value)
    if array is not None:
        value = array
    elif is_symbolic(value):
        raise SymbolicError(
            "A symbolic tensor has no truth value: its number is only known inside a run.",
            message_zh="符号张量没有真假值：它的数值只有在运行时才知道。",
            hint="Decide on a value from `sess.run(...)`, or test `is not None`.",
            hint_zh="请用 `sess.run(...)` 得到的值判断，或写 `is not None`。",
            code="tensor_as_bool",
        )
    if isinstance(value, np.ndarray) and value.size != 1:
        raise ProgramError(
            f"An array of {value.size} elements has no single truth value.",
            message_zh=f"含 {value.size} 个元素的数组没有唯一的真假值。",
            hint="Use .any() or .all().",
            hint_zh="请使用 .any() 或 .all()。",
            code="array_as_bool",
            said="The truth value of an array with more than one element is ambiguous. Use a.any() or "
            "a.all()",
        )
    return bool(value)


def _division_by_zero(symbol: str) -> ProgramError:
    return ProgramError(
        f"Division by zero in `{symbol}`.",
        message_zh=f"`{symbol}` 中除数为零。",
        code="division_by_zero",
    )


def _tight(*shapes: Any) -> str:
    """Shapes as numpy writes them: (2,3) and a space behind each."""
    return "".join(f"{shape} ".replace(", ", ",") if isinstance(shape, tuple) else "" for shape in shapes)


def _shapes_differ(symbol: str, left: Any, right: Any) -> ProgramError:
    a, b = (np.shape(side) if _is_array(side) else type_name(side) for side in (left, right))
    return ProgramError(
        f"`{symbol}` cannot combine shapes {a} and {b}.",
        message_zh=f"`{symbol}` 无法组合形状 {a} 与 {b}。",
        hint="Lengths must be equal, or one of them 1.",
        hint_zh="各轴长度必须相等，或其中一个为 1。",
        code="shape_mismatch",
        said=None
        if symbol == "@"
        else f"operands could not be broadcast together with shapes {_tight(a, b)}",
    )


def unsupported(symbol: str, left: Any, right: Any) -> ProgramError:
    """The error for an operator between two kinds of value that it does not know."""
    a, b = type_name(left), type_name(right)
    return ProgramError(
        f"`{symbol}` does not work between {a} and {b}.",
        message_zh=f"`{symbol}` 不能用于 {a} 与 {b} 之间。",
        hint=_type_hint(symbol, left, right, chinese=False),
        hint_zh=_type_hint(symbol, left, right, chinese=True),
        code="type_mismatch",
        said=_in_python(symbol, left, right),
    )


def _in_python(symbol: str, left: Any, right: Any) -> str:
    """The same in Python's words."""
    a, b = python_name(left), python_name(right)
    if symbol == "in":
        return f"argument of type '{b}' is not iterable"
    if symbol in ("<", "<=", ">", ">="):
        return f"'{symbol}' not supported between instances of '{a}' and '{b}'"
    if symbol == "+" and isinstance(left, SEQUENCES):
        return f'can only concatenate {a} (not "{b}") to {a}'
    if symbol == "*" and isinstance(left, SEQUENCES):
        return f"can't multiply sequence by non-int of type '{b}'"
    if symbol == "*" and isinstance(right, SEQUENCES):
        return f"can't multiply sequence by non-int of type '{a}'"
    shown = "** or pow()" if symbol == "**" else symbol
    return f"unsupported operand type(s) for {shown}: '{a}' and '{b}'"


def _type_hint(symbol: str, left: Any, right: Any, chinese: bool) -> str:
    texts = [isinstance(side, str) for side in (left, right)]
    if symbol == "+" and any(texts) and not all(texts):
        return "用 str(...) 把数字变成文本。" if chinese else "Turn the number into text with str(...)."
    return ""


def _unsupported_unary(symbol: str, value: Any) -> ProgramError:
    return ProgramError(
        f"`{symbol}` does not work on a {type_name(value)}.",
        message_zh=f"`{symbol}` 不能用于 {type_name(value)}。",
        code="type_mismatch",
        said=f"bad operand type for unary {symbol}: '{python_name(value)}'",
    )


def symbolic_in_python(what: str, what_zh: str) -> SymbolicError:
    """The error for a symbolic tensor where Python needs its value."""
    return SymbolicError(
        f"A symbolic tensor has no {what} in Python: its value is only known inside a run.",
        message_zh=f"符号张量在 Python 中没有{what_zh}：它的值只有在运行时才知道。",
        hint="Use the result of `sess.run(...)`.",
        hint_zh="请使用 `sess.run(...)` 的结果。",
    )
