"""The methods of Python's own types: lists, dicts, sets, tuples and texts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import hashable, set_of, taken
from engine.languages.interpreter.builtins.functions import Kind, entries_of
from engine.languages.interpreter.builtins.sequences import in_order
from engine.languages.interpreter.builtins.text import ordered, to_repr
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import Module

LIST = members_of(list, "list")
TUPLE = members_of(tuple, "tuple")
DICT = members_of(dict, "dict")
SET = members_of(set, "set")
FROZEN = members_of(frozenset, "frozenset")


@LIST.method("append")
def append(values: list[Any], value: Any) -> None:
    """Add one item at the end."""
    values.append(value)


@LIST.method("extend")
def extend(interpreter: Interpreter, values: list[Any], more: Any) -> None:
    """Add all items of another sequence."""
    added = taken(more, interpreter.budget)
    interpreter.budget.check_length(len(values) + len(added))
    values.extend(added)


@LIST.method("insert")
def insert(values: list[Any], index: int, value: Any) -> None:
    """Put an item before the index."""
    values.insert(index, value)


@LIST.method("pop")
def pop(values: list[Any], index: int = -1) -> Any:
    """Take an item out."""
    if not -len(values) <= index < len(values):
        raise ProgramError(
            f"There is no item {index} to take out of a list of length {len(values)}.",
            message_zh=f"长度为 {len(values)} 的列表中没有第 {index} 项可以取出。",
            code="index_out_of_range",
            said="pop index out of range" if values else "pop from empty list",
        )
    return values.pop(index)


@LIST.method("remove")
def remove(values: list[Any], value: Any) -> None:
    """Take the first equal item out."""
    values.remove(value)


@LIST.method("clear")
def clear(values: list[Any]) -> None:
    """Take all items out."""
    values.clear()


@LIST.method("reverse")
def reverse(values: list[Any]) -> None:
    """Turn the order round."""
    values.reverse()


@LIST.method("copy")
def copy(values: list[Any]) -> list[Any]:
    """A new list of the same items."""
    return list(values)


@LIST.method("sort")
def sort(interpreter: Interpreter, values: list[Any], *, key: Any = None, reverse: Any = False) -> None:
    """Put in order, in place."""
    values[:] = in_order(interpreter, list(values), key, truth(reverse))


@LIST.method("index")
@TUPLE.method("index")
def index(values: Any, value: Any, start: int = 0, stop: int = 2**62, /) -> int:
    """Where the first equal item is."""
    return int(values.index(value, start, stop))


@LIST.method("count")
@TUPLE.method("count")
def count(values: Any, value: Any) -> int:
    """How many items are equal."""
    return int(values.count(value))


@DICT.method("get")
def get(entries: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """The value of a key, or the default."""
    return entries.get(hashable(key), default)


@DICT.method("pop")
def pop_key(entries: dict[Any, Any], key: Any, *default: Any) -> Any:
    """Take a key out."""
    if hashable(key) not in entries and not default:
        raise ProgramError(
            "The dict has no such key to take out.",
            message_zh="字典中没有这个键可以取出。",
            hint="Give a default as the second argument.",
            hint_zh="请把默认值写作第二个参数。",
            code="missing_key",
            said=(key,),
        )
    return entries.pop(key, *default[:1])


@DICT.method("setdefault")
def set_default(entries: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """The value of a key, set first where it is missing."""
    return entries.setdefault(hashable(key), default)


@DICT.method("update")
def update(interpreter: Interpreter, entries: dict[Any, Any], /, more: Any = (), **named: Any) -> None:
    """Take over the entries of another dict or of pairs."""
    entries.update(entries_of(interpreter, more), **named)


@DICT.method("copy")
def copy_dict(entries: dict[Any, Any]) -> dict[Any, Any]:
    """A new dict of the same entries."""
    return dict(entries)


@DICT.method("clear")
@SET.method("clear")
def clear_all(values: Any) -> None:
    """Take everything out."""
    values.clear()


@DICT.method("popitem")
def pop_item(entries: dict[Any, Any]) -> tuple[Any, Any]:
    """Take the last entry out."""
    if not entries:
        raise ProgramError(
            "The dict is empty: there is no entry to take out.",
            message_zh="字典是空的：没有可以取出的项。",
            code="missing_key",
        )
    return entries.popitem()


@SET.method("add")
def add(values: set[Any], value: Any) -> None:
    """Add an item."""
    values.add(hashable(value))


@SET.method("discard")
def discard(values: set[Any], value: Any) -> None:
    """Take an item out, where it is there."""
    values.discard(hashable(value))


@SET.method("remove")
def remove_member(values: set[Any], value: Any) -> None:
    """Take an item out."""
    if hashable(value) not in values:
        raise ProgramError(
            f"The set has no member {to_repr(value):.60}.",
            message_zh=f"集合中没有成员 {to_repr(value):.60}。",
            hint="`discard` takes an item out only where it is there.",
            hint_zh="`discard` 只在有这个成员时才取出。",
            code="missing_key",
            said=(value,),
        )
    values.remove(value)


@SET.method("pop")
def pop_member(values: set[Any]) -> Any:
    """Take one item out: the first in the order in which they are gone through."""
    if not values:
        raise ProgramError(
            "The set is empty.", message_zh="集合是空的。", code="missing_key", said="pop from an empty set"
        )
    first = ordered(values)[0]
    values.remove(first)
    return first


@SET.method("update")
def update_set(interpreter: Interpreter, values: set[Any], *others: Any) -> None:
    """Add the items of others."""
    for other in others:
        members = _members(interpreter, other)
        interpreter.budget.check_length(len(values) + len(members))
        values.update(members)


@SET.method("intersection_update")
def keep_common(interpreter: Interpreter, values: set[Any], *others: Any) -> None:
    """Keep what is in all others too."""
    for other in others:
        values &= _members(interpreter, other)


@SET.method("difference_update")
def take_out(interpreter: Interpreter, values: set[Any], *others: Any) -> None:
    """Take out what is in one of the others."""
    for other in others:
        values -= _members(interpreter, other)


def _merging(merge: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A set that is made of one and others."""

    def call(interpreter: Interpreter, values: Any, *others: Any) -> Any:
        made = type(values)(values)
        for other in others:
            members = _members(interpreter, other)
            interpreter.budget.check_length(len(made) + len(members))
            made = merge(made, members)
        return made

    return call


def _comparing(compare: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    """A question about two sets."""

    def call(interpreter: Interpreter, values: Any, other: Any, /) -> bool:
        return compare(values, _members(interpreter, other))

    return call


for of_sets in (SET, FROZEN):
    of_sets.method("union")(_merging(operator.or_))
    of_sets.method("intersection")(_merging(operator.and_))
    of_sets.method("difference")(_merging(operator.sub))
    of_sets.method("symmetric_difference")(_merging(operator.xor))
    of_sets.method("issubset")(_comparing(operator.le))
    of_sets.method("issuperset")(_comparing(operator.ge))
    of_sets.method("isdisjoint")(_comparing(lambda one, other: one.isdisjoint(other)))
    of_sets.method("copy")(lambda values: type(values)(values))


def _members(interpreter: Interpreter, values: Any) -> set[Any]:
    return set_of(map(hashable, taken(values, interpreter.budget)), interpreter.budget)


members_of(UserFunction, "function").fact("__doc__")(lambda function: function.doc or None)
for named_kind in (UserFunction, Module):
    members_of(named_kind, "function").fact("__name__")(lambda value: value.name)
for short_kind in (Native, BoundMethod):
    members_of(short_kind, "function").fact("__name__")(lambda value: value.name.rpartition(".")[2])
members_of(Kind, "type").fact("__name__")(lambda kind: kind.short_name)
