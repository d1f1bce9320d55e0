"""Python's `string`, `json`, `pprint`, `textwrap` and the texts of `io`."""

from __future__ import annotations

import json
import pprint as python_pprint
import string
import textwrap
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.nested_sizes import check_written
from engine.languages.interpreter.builtins.text import MAX_WEIGHT, to_repr
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES, type_name
from engine.languages.surfaces.library import Library

STRING = Library("string", borrowed=True)
JSON = Library("json", borrowed=True)
PPRINT = Library("pprint", borrowed=True)
IO = Library("io", borrowed=True)
TEXTWRAP = Library("textwrap", borrowed=True)

LETTERS = ("ascii_lowercase", "ascii_uppercase", "ascii_letters", "digits", "hexdigits", "octdigits")
for name in (*LETTERS, "punctuation", "whitespace", "printable"):
    STRING.value(getattr(string, name), name)


@STRING.function("capwords")
def capwords(s: str, sep: str | None = None) -> str:
    """Each word with a capital."""
    return string.capwords(s, sep)


# -- json --------------------------------------------------------------------------------------------


@JSON.function("dumps")
def dumps(
    interpreter: Interpreter,
    obj: Any,
    *,
    indent: Any = None,
    sort_keys: Any = False,
    separators: Any = None,
    ensure_ascii: Any = True,
    default: Any = None,
) -> str:
    """A value as JSON."""
    check_written(obj, MAX_WEIGHT)
    interpreter.budget.check_width(indent if isinstance(indent, int) else len(indent or ""))
    text = json.dumps(
        obj,
        indent=indent,
        sort_keys=bool(sort_keys),
        separators=separators,
        ensure_ascii=bool(ensure_ascii),
        default=_default(interpreter, default),
    )
    interpreter.budget.check_length(len(text), "text", "文本")
    return text


def _default(interpreter: Interpreter, function: Any) -> Callable[[Any], Any]:
    """What JSON has no form for: as a function of the program says."""

    def call(value: Any) -> Any:
        if function is not None:
            return interpreter.call(function, [value], {})
        raise ProgramError(
            f"Object of type {type_name(value)} is not JSON serializable",
            message_zh=f"{type_name(value)} 类型的值不能写成 JSON。",
            hint="Turn it into lists and numbers first: .tolist(), float(…).",
            hint_zh="请先变成列表和数字：.tolist()、float(…)。",
            code="type_mismatch",
        )

    return call


@JSON.function("loads")
def loads(interpreter: Interpreter, s: str, /) -> Any:
    """The value that a JSON text writes."""
    interpreter.budget.check_length(len(s), "text", "文本")
    try:
        return json.loads(s)
    except (ValueError, RecursionError) as error:
        raise ProgramError(
            f"{error}",
            message_zh=f"这段文字不是 JSON：{error}。",
            hint='JSON writes texts in double quotes: {"a": [1, 2]}.',
            hint_zh='JSON 的文字用双引号：{"a": [1, 2]}。',
            code="bad_value",
        ) from None


JSON.refuse(
    ["load", "dump"], "There are no files here: use loads and dumps.", "这里没有文件：请使用 loads 和 dumps。"
)

# -- textwrap ----------------------------------------------------------------------------------------


@TEXTWRAP.function("dedent")
def dedent(text: str) -> str:
    """A text without the blanks that all its lines begin with."""
    return textwrap.dedent(text)


@TEXTWRAP.function("indent")
def indent(interpreter: Interpreter, text: str, prefix: str, predicate: Any = None) -> str:
    """A text with something before its lines: all but blank ones, or those that a function chooses."""
    interpreter.budget.check_length(len(text) + len(prefix) * (text.count("\n") + 1), "text", "文本")
    chosen = None if predicate is None else lambda line: truth(interpreter.call(predicate, [line], {}))
    return textwrap.indent(text, prefix, chosen)


@TEXTWRAP.function("wrap")
def wrap(interpreter: Interpreter, text: str, width: int = 70, **how: Any) -> list[str]:
    """The lines of a text that is broken at this width."""
    interpreter.budget.check_length(len(text), "text", "文本")
    interpreter.budget.check_width(width)
    return textwrap.wrap(text, width, **_as_wrapped(interpreter, how))


@TEXTWRAP.function("fill")
def fill(interpreter: Interpreter, text: str, width: int = 70, **how: Any) -> str:
    """A text that is broken at this width."""
    return "\n".join(wrap(interpreter, text, width, **how))


@TEXTWRAP.function("shorten")
def shorten(interpreter: Interpreter, text: str, width: int, *, placeholder: str = " [...]") -> str:
    """As many words as have room, on one line."""
    interpreter.budget.check_length(len(text), "text", "文本")
    return textwrap.shorten(text, width, placeholder=placeholder)


WRAPPING = frozenset(
    {"initial_indent", "subsequent_indent", "break_long_words", "break_on_hyphens", "drop_whitespace"}
)


def _as_wrapped(interpreter: Interpreter, how: dict[str, Any]) -> dict[str, Any]:
    """The arguments of wrapping that are known. Raises: TypeError for another one."""
    if not how.keys() <= WRAPPING:
        raise TypeError
    for name in ("initial_indent", "subsequent_indent"):
        interpreter.budget.check_width(len(how.get(name, "")))
    return how


# -- pprint ------------------------------------------------------------------------------------------


class Shown:
    """A value that is written as this program's own `repr` writes it."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return to_repr(self.value)


PLAIN = (str, int, float, bool, bytes, type(None))


def _printable(value: Any) -> Any:
    """The same containers, with what Python does not know replaced by how it is written."""
    if type(value) in (dict, OrderedDict):
        return type(value)((_printable(key), _printable(item)) for key, item in value.items())
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(_printable(item) for item in value)
    return value if type(value) in PLAIN or isinstance(value, np.ndarray) else Shown(value)


@PPRINT.function("pformat")
def pformat(
    interpreter: Interpreter,
    object: Any,
    indent: int = 1,
    width: int = 80,
    depth: Any = None,
    *,
    compact: Any = False,
    sort_dicts: Any = True,
) -> str:
    """A value as text, on several lines where it is long."""
    check_written(object, MAX_WEIGHT)
    interpreter.budget.check_width(max(indent, width))
    return python_pprint.pformat(
        _printable(object), indent, width, depth, compact=bool(compact), sort_dicts=bool(sort_dicts)
    )


@PPRINT.function("pprint", "pp")
def pprint(
    interpreter: Interpreter, object: Any, stream: Any = None, indent: int = 1, width: int = 80, **how: Any
) -> None:
    """Print a value, on several lines where it is long."""
    if stream is not None:
        raise TypeError
    interpreter.print(pformat(interpreter, object, indent, width, **how) + "\n")


# -- io ----------------------------------------------------------------------------------------------


class TextBuffer:
    """`io.StringIO`: a text that is written bit by bit."""

    def __init__(self, text: str) -> None:
        self.text = text


BUFFER = members_of(TextBuffer, "StringIO")
BUFFER.method("getvalue")(lambda buffer: buffer.text)
BUFFER.method("close", "flush")(lambda buffer: None)
TYPE_NAMES[TextBuffer] = lambda buffer: "StringIO"
IO.function("StringIO")(lambda initial_value="": TextBuffer(initial_value))


class ByteBuffer:
    """`io.BytesIO`: what a library saves into it, and loads again; it has no bytes of its own.

    held: that value, or MISSING.
    """

    def __init__(self) -> None:
        self.held: Any = MISSING


BYTES = members_of(ByteBuffer, "BytesIO")
BYTES.method("seek", "tell")(lambda buffer, offset=0, whence=0: 0)
BYTES.method("close", "flush")(lambda buffer: None)
TYPE_NAMES[ByteBuffer] = lambda buffer: "BytesIO"
IO.function("BytesIO")(lambda: ByteBuffer())
IO.refuse([""], "There are no files here.", "这里没有文件。")


@BUFFER.method("write")
def write(interpreter: Interpreter, buffer: TextBuffer, text: str, /) -> int:
    """Add a text at the end."""
    interpreter.budget.check_length(len(buffer.text) + len(text), "text", "文本")
    buffer.text += text
    return len(text)
