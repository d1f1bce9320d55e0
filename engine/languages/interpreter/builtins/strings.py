"""The methods of texts and bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, taken
from engine.languages.interpreter.builtins.formatting import format_braces
from engine.languages.interpreter.builtins.functions import BUILTINS, Kind, bounded
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter

LONG_PART = 100  # characters of a text that is looked for in another one
CHARACTERS_AT_ONCE = 16  # that C compares in about the time of one element operation

TEXT = members_of(str, "str")
BYTES = members_of(bytes, "bytes")


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


def _parting(split: Callable[..., Any]) -> Callable[..., Any]:
    """The parts between separators, from the left or the right."""

    def call(interpreter: Interpreter, text: Any, sep: Any = None, maxsplit: int = -1) -> Any:
        interpreter.budget.spend(_looking_for(text, sep))
        return split(text, sep, maxsplit)

    return call


def _looking(look: Callable[..., Any]) -> Callable[..., Any]:
    """Where a part is, how often, or whether it stands at an end; perhaps in a stretch of the text only."""

    def call(interpreter: Interpreter, text: Any, part: Any, start: Any = None, end: Any = None, /) -> Any:
        interpreter.budget.spend(_looking_for(text, part))
        return look(text, part, start, end)

    return call


def _around(partition: Callable[..., Any]) -> Callable[..., Any]:
    """What stands before a separator, the separator, and what stands after it."""

    def call(interpreter: Interpreter, text: Any, sep: Any, /) -> Any:
        interpreter.budget.spend(_looking_for(text, sep))
        return partition(text, sep)

    return call


for methods, kind in ((TEXT, str), (BYTES, bytes)):
    for name in ("split", "rsplit"):
        methods.method(name)(_parting(getattr(kind, name)))
    for name in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith"):
        methods.method(name)(_looking(getattr(kind, name)))
    for name in ("partition", "rpartition"):
        methods.method(name)(_around(getattr(kind, name)))


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


def _looking_for(text: str, part: Any) -> int:
    """Comparisons, at worst, to find all places of a part: long parts are looked for in one pass."""
    return len(text) * min(len(part), LONG_PART) // CHARACTERS_AT_ONCE if isinstance(part, str) else len(text)


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


@TEXT.method("expandtabs")
def expand_tabs(interpreter: Interpreter, text: str, tabsize: int = 8) -> str:
    """Spaces in place of tabs."""
    interpreter.budget.check_width(abs(tabsize))
    interpreter.budget.check_length(len(text) + text.count("\t") * max(tabsize, 0), "text", "文本")
    return text.expandtabs(tabsize)


@TEXT.method("splitlines")
def split_lines(text: str, keepends: Any = False) -> list[str]:
    """The lines."""
    return text.splitlines(bool(keepends))


@TEXT.method("translate")
def translate(interpreter: Interpreter, text: str, table: dict[Any, Any], /) -> str:
    """Each character as a table says, which may leave one out."""
    if not isinstance(table, dict):
        raise TypeError
    longest = max((len(new) for new in table.values() if isinstance(new, str)), default=1)
    interpreter.budget.check_length(len(text) * max(longest, 1), "text", "文本")
    return text.translate(table)


@TEXT.method("format_map")
def format_map(interpreter: Interpreter, template: str, mapping: dict[str, Any], /) -> str:
    """The text with values of a dict in place of its braces."""
    return format_braces(template, (), mapping, interpreter.budget)


@TEXT.method("encode")
def encode(text: str, encoding: str = "utf-8", errors: str = "strict") -> bytes:
    """The bytes that write a text."""
    return text.encode(_encoding(encoding), _word(errors))


@BYTES.method("decode")
def decode(written: bytes, encoding: str = "utf-8", errors: str = "strict") -> str:
    """The text that bytes write."""
    return written.decode(_encoding(encoding), _word(errors))


ENCODINGS = frozenset({"utf-8", "utf8", "ascii", "latin-1", "latin1", "utf-16", "utf-32", "gbk", "gb2312"})
ON_ERRORS = frozenset({"strict", "ignore", "replace"})


def _encoding(name: Any) -> str:
    if not isinstance(name, str) or name.lower() not in ENCODINGS:
        raise ValueError
    return name


def _word(name: Any) -> str:
    if name not in ON_ERRORS:
        raise ValueError
    return str(name)


@BYTES.method("join")
def join_bytes(interpreter: Interpreter, between: bytes, parts: Any) -> bytes:
    """The parts with these bytes between them."""
    pieces = taken(parts, interpreter.budget)
    interpreter.budget.check_length(sum(map(len, pieces)) + len(between) * len(pieces), "text", "文本")
    return between.join(pieces)


def _alone(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A method that takes nothing else."""
    return lambda text: function(text)


ALONE = (
    *("upper", "lower", "title", "capitalize", "swapcase", "casefold"),
    *("isdigit", "isalpha", "isalnum", "isspace", "islower", "isupper", "istitle", "isnumeric", "isdecimal"),
    *("isidentifier", "isascii", "isprintable"),
)
TEXT.methods.update({name: Native(f"str.{name}", _alone(getattr(str, name))) for name in ALONE})
for name in ("upper", "lower", "title", "capitalize", "isdigit", "isalpha", "hex"):
    BYTES.methods[name] = Native(f"bytes.{name}", _alone(getattr(bytes, name)))
for name in ("removeprefix", "removesuffix"):
    TEXT.methods[name] = Native(f"str.{name}", getattr(str, name), borrowed=True)


# -- the types ---------------------------------------------------------------------------------------


def bytes_(
    interpreter: Interpreter, source: Any = b"", encoding: Any = None, errors: Any = "strict"
) -> bytes:
    """Bytes of a text, of numbers from 0 to 255, or so many zeros."""
    if isinstance(source, str):
        return source.encode(_encoding(encoding), _word(errors))
    if isinstance(source, int):
        interpreter.budget.check_length(source)
        return bytes(source)
    return source if isinstance(source, bytes) else bytes(bounded(interpreter, source))


def _slice(value: bytes, key: Any) -> Any:
    return value[key]


def maketrans(x: Any, y: Any = None, z: Any = None, /) -> dict[int, Any]:
    """A table for `translate`."""
    return str.maketrans(*(part for part in (x, y, z) if part is not None))


ITERATORS[bytes] = list
ITEMS[bytes] = Items(read=_slice, count=len)
FROM_HEX = Native("bytes.fromhex", lambda text: bytes.fromhex(text), borrowed=True)
MAKE_TABLE = Native("str.maketrans", maketrans, borrowed=True)
BUILTINS["bytes"] = Kind("bytes", bytes_, (bytes,), {"fromhex": FROM_HEX})
BUILTINS["str"] = Kind("str", BUILTINS["str"].function, (str,), {"maketrans": MAKE_TABLE})
