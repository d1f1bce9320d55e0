"""Augmented assignment: `a += b` changes a list, set, dict or array itself, and binds anything else anew."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import dict_of, taken
from engine.languages.interpreter.classes.objects import call_special
from engine.languages.interpreter.classes.special import OPERATORS, combine
from engine.languages.interpreter.operators import check_operands, check_refused, is_symbolic, unsupported
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import NUMBERS

if TYPE_CHECKING:
    from engine.languages.interpreter.interpreter import Interpreter

IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
    ast.Div: operator.itruediv,
    ast.FloorDiv: operator.ifloordiv,
    ast.Mod: operator.imod,
    ast.Pow: operator.ipow,
    ast.MatMult: operator.imatmul,
    ast.LShift: operator.ilshift,
    ast.RShift: operator.irshift,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
}
CHANGED: dict[type, Callable[[type[ast.operator], Any, Any], Any]] = {}  # types of other files that change
OF_SETS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


def changes_in_place(value: Any, kind: type[ast.operator]) -> bool:
    """Whether `value op= other` changes the value itself, as its type decides."""
    if isinstance(value, list):
        return kind in (ast.Add, ast.Mult)
    by_type = (type(value) is set and kind in OF_SETS) or (type(value) is dict and kind is ast.BitOr)
    return by_type or isinstance(value, (np.ndarray, *CHANGED))


def augment(interpreter: Interpreter, kind: type[ast.operator], old: Any, value: Any) -> Any:
    """What the target is bound to after `old op= value`: `old` itself where it could be changed."""
    word = OPERATORS.get(kind)
    own = call_special(interpreter, old, f"__i{word}__", value) if word else MISSING
    if own is not MISSING and own is not NotImplemented:
        return own
    for one in type(old).__mro__ if CHANGED else ():
        if one in CHANGED:
            return CHANGED[one](kind, old, value)
    if isinstance(old, np.ndarray) and isinstance(value, (*NUMBERS, np.ndarray, list, tuple)):
        return _change_array(interpreter, kind, old, value)
    if isinstance(old, list) and kind is ast.Add:
        items = taken(value, interpreter.budget)
        interpreter.budget.check_length(len(old) + len(items))
        old.extend(items)
        return old
    if isinstance(old, list) and kind is ast.Mult and isinstance(value, (int, np.integer)):
        interpreter.budget.check_length(len(old) * max(int(value), 0))
        old *= int(value)
        return old
    if type(old) is set and kind in OF_SETS and isinstance(value, (set, frozenset)):
        check_operands(kind, old, value, interpreter.budget)
        return IN_PLACE[kind](old, value)
    if type(old) is dict and kind is ast.BitOr and not is_symbolic(value):
        return _merge(interpreter, old, value)
    return combine(interpreter, kind, old, value)


def _merge(interpreter: Interpreter, old: dict[Any, Any], value: Any) -> dict[Any, Any]:
    """`old |= value`, where the value is a dict or goes through pairs."""
    try:
        pairs = value.items() if isinstance(value, dict) else taken(value, interpreter.budget)
        new = dict_of(pairs, interpreter.budget)
    except (TypeError, ValueError) as error:
        check_refused(error)
        raise unsupported("|=", old, value) from None
    interpreter.budget.check_length(len(old) + len(new))
    old.update(new)
    return old


def _change_array(interpreter: Interpreter, kind: type[ast.operator], old: Any, value: Any) -> Any:
    """numpy's own rules: the array keeps its shape and its type."""
    check_operands(kind, old, value, interpreter.budget)
    try:
        return IN_PLACE[kind](old, value)
    except TypeError as error:
        check_refused(error)
        raise _type_stays(kind, old, value) from None
    except ValueError as error:
        check_refused(error)
        raise (_is_read_only() if not old.flags.writeable else _shape_stays(old, value)) from None


def _type_stays(kind: type[ast.operator], old: Any, value: Any) -> ProgramError:
    new = np.result_type(old, value) if kind is not ast.Div else np.result_type(old, value, np.float64)
    if np.can_cast(new, old.dtype, "same_kind"):
        return unsupported("op=", old, value)
    return ProgramError(
        f"An array of {old.dtype} cannot hold the result, which is {new}.",
        hint=f'Begin with an array of {new}, such as `a = a.astype("{new}")`, or write `a = a + …`.',
        message_zh=f"{old.dtype} 类型的数组放不下 {new} 类型的结果。",
        hint_zh=f'请一开始就使用 {new} 类型的数组，例如 `a = a.astype("{new}")`，或写 `a = a + …`。',
        code="type_mismatch",
    )


def _shape_stays(old: Any, value: Any) -> ProgramError:
    return ProgramError(
        f"An array of shape {old.shape} cannot take the result with a value of shape {np.shape(value)}.",
        hint="What is changed in place keeps its shape; write `a = a + …` for an array of another shape.",
        message_zh=f"形状为 {old.shape} 的数组放不下与形状 {np.shape(value)} 运算的结果。",
        hint_zh="就地修改不会改变形状；要得到其他形状的数组，请写 `a = a + …`。",
        code="shape_mismatch",
    )


def _is_read_only() -> ProgramError:
    return ProgramError(
        "This array cannot be changed: it shows the elements of another one more than once, or is read-only.",
        hint="Take a copy first: `a = a.copy()`.",
        message_zh="不能修改这个数组：它是只读的，或多次显示另一个数组的元素。",
        hint_zh="请先复制：`a = a.copy()`。",
        code="not_settable",
    )
