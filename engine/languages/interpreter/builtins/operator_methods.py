"""Methods in double underscores of values that are not the program's own: `d.__setitem__(k, v)`.

Each does what its operator or its built-in function does, and no other name in double underscores is known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.builtins.containers import store, subscript
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.callables import BoundMethod, Native
from engine.languages.interpreter.classes.special import OPERATORS, UNARY, combine
from engine.languages.interpreter.in_place import augment, changes_in_place
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import apply_compare, apply_unary

OF_ONE = ("len", "abs", "float", "int", "bool", "str", "repr", "iter", "next", "hash", "reversed")
METHODS: dict[str, Native] = {}
CHANGING: dict[str, Any] = {f"__i{word}__": kind for kind, word in OPERATORS.items()}
SWAPPED: dict[str, Any] = {f"__r{word}__": kind for kind, word in OPERATORS.items()}


def operator_method(value: Any, name: str) -> BoundMethod | None:
    """The method of a value; None for a name that is none of these, and for modules, types and functions."""
    is_thing = hasattr(type(value), "__len__") or hasattr(type(value), "__float__")
    if name not in METHODS or not is_thing or not _has(value, name):
        return None
    return BoundMethod(METHODS[name], value)


def _has(value: Any, name: str) -> bool:
    """Whether a value has such a method, if it is one that changes it or stands on the right."""
    if name in SWAPPED:
        return hasattr(type(value), name)
    return name not in CHANGING or changes_in_place(value, CHANGING[name])


def _enter(name: str, function: Callable[..., Any]) -> None:
    METHODS[name] = Native(name, function)


def _item(interpreter: Interpreter, value: Any, key: Any) -> Any:
    return subscript(value, key, interpreter.budget)


def _store(interpreter: Interpreter, value: Any, key: Any, new: Any) -> None:
    store(value, key, new, interpreter.budget)


def _by_function(word: str) -> Callable[..., Any]:
    return lambda interpreter, value: interpreter.call(BUILTINS[word], [value], {})


def _by_sign(kind: Any) -> Callable[..., Any]:
    return lambda interpreter, value: apply_unary(kind, value, interpreter.budget)


def _by_operator(kind: Any) -> Callable[..., Any]:
    return lambda interpreter, value, other: combine(interpreter, kind, value, other)


def _from_the_right(kind: Any) -> Callable[..., Any]:
    return lambda interpreter, value, other: combine(interpreter, kind, other, value)


def _in_place(kind: Any) -> Callable[..., Any]:
    return lambda interpreter, value, other: augment(interpreter, kind, value, other)


def _holds(interpreter: Interpreter, value: Any, item: Any) -> Any:
    return apply_compare(ast.In, item, value, interpreter.budget)


def _rounded(interpreter: Interpreter, value: Any, digits: Any = None) -> Any:
    given = [value] if digits is None else [value, digits]
    return interpreter.call(BUILTINS["round"], given, {})


_enter("__getitem__", _item)
_enter("__contains__", _holds)
_enter("__round__", _rounded)
_enter("__setitem__", _store)
for _word in OF_ONE:
    _enter(f"__{_word}__", _by_function(_word))
for _kind, _method in UNARY.items():
    _enter(_method, _by_sign(_kind))
for _kind, _word in OPERATORS.items():
    _enter(f"__{_word}__", _by_operator(_kind))
for _method, _kind in CHANGING.items():
    _enter(_method, _in_place(_kind))
for _method, _kind in SWAPPED.items():
    _enter(_method, _from_the_right(_kind))
