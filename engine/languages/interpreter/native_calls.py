"""Calls of our functions: what is looked at before and after each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import ProgramError
from engine.graph import Node, Tensor
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.nested_sizes import (
    CONTAINERS,
    check_convertible,
    check_weight,
    is_light,
)
from engine.languages.interpreter.callables import BoundMethod, Check, Native
from engine.languages.interpreter.values import type_name

if TYPE_CHECKING:
    from engine.languages.interpreter.interpreter import Interpreter

MOST_RESULTS = 100  # arrays that one call may give and that are counted one by one
REFUSALS = (TypeError, ValueError, ArithmeticError, LookupError)  # of what Python or numpy is given
GLANCES = frozenset({"len", "type", "isinstance", "list.append", "list.insert"})  # go through no argument
SEVERAL = (list, tuple, dict, set, frozenset, range)
WITHOUT_ITEMS = frozenset(
    {int, float, bool, str, type(None), Tensor, Node, np.ndarray, np.float64, np.float32}
)

# What answers in place of a function that cannot work with values of other files' types.
INSTEAD: dict[type, Callable[[Interpreter, Native, Sequence[Any], Mapping[str, Any]], Any]] = {}


def call_native(
    interpreter: Interpreter,
    function: Native | BoundMethod,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    checks: Sequence[Check] | None,
) -> Any:
    """Call one of our functions. checks: as for `Interpreter.call`."""
    native: Native
    if type(function) is BoundMethod:
        native, given = function.method, [function.owner, *args]
    else:
        native, given = function, args  # type: ignore[assignment]  # it is the other of the two
    budget = interpreter.budget
    if native.name not in GLANCES:
        for value in (*args, *keywords.values()) if keywords else args:
            kind = type(value)
            if kind in CONTAINERS:
                if not is_light(value):
                    _weigh(value, native, budget)
            elif kind not in WITHOUT_ITEMS and isinstance(value, SEVERAL):
                _weigh(value, native, budget)
    try:
        if checks is None:
            result = native.call(interpreter, given, keywords)
        else:
            result = native.call_checked(interpreter, given, keywords, checks)
    except REFUSALS as error:
        if not native.borrowed and not _is_array_as_flag(error, (*args, *keywords.values())):
            raise
        raise _unfit_arguments(native.name, args, keywords) from error
    except ProgramError:
        result = _instead(interpreter, native, given, keywords)
        if result is NotImplemented:
            raise
    if result is not None:
        _hold(result, budget)
    return result


def _instead(
    interpreter: Interpreter, native: Native, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """What stands in for the call, where an argument is of a type that knows; else NotImplemented."""
    for value in _each((*args, *keywords.values())):
        if type(value) in INSTEAD:
            return INSTEAD[type(value)](interpreter, native, args, keywords)
    return NotImplemented


def _each(given: Sequence[Any]) -> Iterator[Any]:
    """The arguments, and what stands in lists among them."""
    for value in given:
        yield value
        if isinstance(value, (list, tuple)):
            yield from value


def _weigh(value: Any, native: Native, budget: Budget) -> None:
    """Look at how much there is in a value that a function is given."""
    if not isinstance(value, range):  # which may be longer than Python can count
        budget.check_time_for(len(value))
    check = check_weight if native.borrowed else check_convertible
    check(value, budget.limits.alive_items)


def _hold(result: Any, budget: Budget) -> None:
    """Count the arrays that a call made."""
    if isinstance(result, np.ndarray):
        budget.hold(result)
    elif type(result) in (list, tuple) and len(result) <= MOST_RESULTS:
        for item in result:
            if isinstance(item, np.ndarray):
                budget.hold(item)


def _is_array_as_flag(error: Exception, given: Sequence[Any]) -> bool:
    """Whether a function of ours stumbled over an array of the program where it takes a single value."""
    has_array = any(isinstance(value, np.ndarray) and value.size != 1 for value in given)
    return has_array and isinstance(error, ValueError) and "truth value of an" in str(error)


def _unfit_arguments(name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> ProgramError:
    kinds = [type_name(value) for value in args]
    kinds += [f"{key}={type_name(value)}" for key, value in keywords.items()]
    given = ", ".join(kinds)
    return ProgramError(
        f"{name}() cannot work with what it was given: ({given}).",
        message_zh=f"{name}() 无法使用给出的参数：({given})。",
        hint="Check the values and the order of the arguments.",
        hint_zh="请检查参数的值和顺序。",
        code="wrong_arguments",
    )
