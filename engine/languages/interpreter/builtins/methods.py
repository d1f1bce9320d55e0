"""The methods of Python's own types: lists, dicts, sets, tuples and texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import set_of, taken
from engine.languages.interpreter.builtins.formatting import format_braces
from engine.languages.interpreter.builtins.functions import Kind, entries_of
from engine.languages.interpreter.builtins.sequences import in_order
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.expressions import hashable
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.values import Module

LONG_PART = 100  # characters of a text that is looked for in another one
CHARACTERS_AT_ONCE = 16  # that C compares in about the time of one element operation


def _alone(function: Callable[[str], Any]) -> Callable[[str], Any]:
    """A method of a text that takes nothing else."""
    return lambda text: function(text)


LIST = members_of(list, "list")
TUPLE = members_of(tuple, "tuple")
DICT = members_of(dict, "dict")
SET = members_of(set, "set")
TEXT = members_of(str, "str")


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
def index(values: Any, value: Any) -> int:
    """Where the first equal item is."""
    return int(values.index(value))


@LIST.method("count")
@TUPLE.method("count")
def count(values: Any, value: Any) -> int:
    """How many items are equal."""
    return int(values.count(value))


@DICT.method("keys")
def keys(entries: dict[Any, Any]) -> list[Any]:
    """The keys."""
    return list(entries)


@DICT.method("values")
def values_(entries: dict[Any, Any]) -> list[Any]:
    """The values."""
    return list(entries.values())


@DICT.method("items")
def items(entries: dict[Any, Any]) -> list[Any]:
    """Pairs of key and value."""
    return list(entries.items())


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


@SET.method("add")
def add(values: set[Any], value: Any) -> None:
    """Add an item."""
    values.add(hashable(value))


@SET.method("discard", "remove")
def discard(values: set[Any], value: Any) -> None:
    """Take an item out."""
    values.discard(hashable(value))


@SET.method("union")
def union(interpreter: Interpreter, values: set[Any], other: Any) -> set[Any]:
    """What is in one or the other."""
    return values | _members(interpreter, other)


@SET.method("intersection")
def intersection(interpreter: Interpreter, values: set[Any], other: Any) -> set[Any]:
    """What is in both."""
    return values & _members(interpreter, other)


@SET.method("difference")
def difference(interpreter: Interpreter, values: set[Any], other: Any) -> set[Any]:
    """What is in the first only."""
    return values - _members(interpreter, other)


def _members(interpreter: Interpreter, values: Any) -> set[Any]:
    return set_of(map(hashable, taken(values, interpreter.budget)), interpreter.budget)


@TEXT.method("format")
def format_(interpreter: Interpreter, template: str, /, *args: Any, **named: Any) -> str:
    """The text with values in place of its braces."""
    return format_braces(template, args, named, interpreter.budget)


@TEXT.method("join")
def join(interpreter: Interpreter, text: str, parts: Any) -> str:
    """The parts with this text between them."""
    pieces = taken(parts, interpreter.budget)
    interpreter.budget.check_length(sum(len(p) for p in pieces) + len(text) * len(pieces), "text", "文本")
    return text.join(pieces)


@TEXT.method("replace")
def replace(interpreter: Interpreter, text: str, old: str, new: str, count: int = -1) -> str:
    """The text with one part put in place of another."""
    interpreter.budget.spend(2 * _looking_for(text, old))
    times = text.count(old) if count < 0 else min(count, text.count(old))
    interpreter.budget.check_length(len(text) + times * len(new), "text", "文本")
    return text.replace(old, new, count)


@TEXT.method("split")
def split(interpreter: Interpreter, text: str, sep: str | None = None, maxsplit: int = -1) -> list[str]:
    """The parts between separators."""
    interpreter.budget.spend(_looking_for(text, sep))
    return text.split(sep, maxsplit)


def _stripping(strip: Callable[[str, str | None], str]) -> Callable[..., str]:
    """Without spaces, or other characters, at one end or both."""

    def call(interpreter: Interpreter, text: str, chars: str | None = None) -> str:
        return strip(text, _each_character(interpreter, text, chars))

    return call


for stripping in (str.strip, str.lstrip, str.rstrip):
    TEXT.method(stripping.__name__)(_stripping(stripping))


def _each_character(interpreter: Interpreter, text: str, chars: str | None) -> str | None:
    """The characters to be taken away, each a single time: every one of the text is looked for among them."""
    if not isinstance(chars, str):
        return chars
    different = "".join(set(chars))
    interpreter.budget.spend(len(text) * len(different) // CHARACTERS_AT_ONCE)
    return different


@TEXT.method("startswith")
def starts_with(text: str, prefix: Any) -> bool:
    """Whether it begins so."""
    return text.startswith(prefix)


@TEXT.method("endswith")
def ends_with(text: str, suffix: Any) -> bool:
    """Whether it ends so."""
    return text.endswith(suffix)


@TEXT.method("find")
def find(interpreter: Interpreter, text: str, part: str) -> int:
    """Where a part begins, or -1."""
    interpreter.budget.spend(_looking_for(text, part))
    return text.find(part)


def _looking_for(text: str, part: Any) -> int:
    """Comparisons, at worst, to find all places of a part: long parts are looked for in one pass."""
    return len(text) * min(len(part), LONG_PART) // CHARACTERS_AT_ONCE if isinstance(part, str) else len(text)


@TEXT.method("count")
def count_text(interpreter: Interpreter, text: str, part: str) -> int:
    """How often a part occurs."""
    interpreter.budget.spend(_looking_for(text, part))
    return text.count(part)


def _padding(pad: Callable[[str, int, str], str]) -> Callable[..., str]:
    """Padded on the left, on the right, or on both sides."""

    def call(interpreter: Interpreter, text: str, width: int, fill: str = " ") -> str:
        interpreter.budget.check_width(width)
        return pad(text, width, fill)

    return call


for padding in (str.ljust, str.rjust, str.center):
    TEXT.method(padding.__name__)(_padding(padding))


@TEXT.method("zfill")
def zfill(interpreter: Interpreter, text: str, width: int) -> str:
    """Padded with zeros on the left."""
    interpreter.budget.check_width(width)
    return text.zfill(width)


PLAIN_TEXT: dict[str, Callable[[str], Any]] = {
    "upper": str.upper,
    "lower": str.lower,
    "title": str.title,
    "capitalize": str.capitalize,
    "isdigit": str.isdigit,
    "isalpha": str.isalpha,
    "splitlines": str.splitlines,
}
TEXT.methods.update({name: Native(f"str.{name}", _alone(function)) for name, function in PLAIN_TEXT.items()})

for named_kind in (UserFunction, Native, BoundMethod, Module):
    members_of(named_kind, "function").fact("__name__")(lambda value: value.name)
members_of(Kind, "type").fact("__name__")(lambda kind: kind.short_name)
