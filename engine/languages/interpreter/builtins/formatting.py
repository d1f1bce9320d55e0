"""Text with values put in: f-strings, `format`, `%` and `str.format`, with their widths bounded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any

import numpy as np

from engine.errors import GradlensError, ProgramError, RefusedError
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.nested_sizes import check_written
from engine.languages.interpreter.builtins.text import FORMATTED, MAX_WEIGHT, to_repr, to_str
from engine.languages.interpreter.values import NUMBERS, a_kind, concrete, type_name

PERCENT = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)"
    r"(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<kind>.?)"
)
WRITTEN_BY: dict[type, Callable[[Any, str], str]] = {}  # types of other files that take a specification
NUMERIC_KINDS = "diouxXeEfFgGc"
MOST_DIGITS = 18  # of a width that is read exactly


def format_value(value: Any, spec: str, budget: Budget) -> str:
    """`format(value, spec)` for numbers and text; other values take no specification."""
    for digits in re.findall(r"\d+", spec):
        budget.check_width(_whole(digits))
    if not spec:
        check_written(value, MAX_WEIGHT)
        if isinstance(value, np.floating) or (isinstance(value, np.ndarray) and not value.ndim):
            return to_str(value.item())  # every digit of it, where `str` gives the fewest that name it
        return FORMATTED.get(type(value), to_str)(value)
    if type(value) in WRITTEN_BY:
        return WRITTEN_BY[type(value)](value, spec)
    if concrete(value) is not None:
        value = concrete(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (*NUMBERS, str)):
        raise ProgramError(
            f"The format `{spec}` needs a number or a text, not a {type_name(value)}.",
            message_zh=f"格式 `{spec}` 需要数字或文本，不能用于 {type_name(value)}。",
            hint="Take one element of it, or print it without a format.",
            hint_zh="请取其中一个元素，或不带格式直接打印。",
            code="bad_format",
        )
    try:
        return format(value, spec)
    except (ValueError, TypeError, OverflowError):
        raise _bad_format(spec, value) from None


def convert(value: Any, conversion: str) -> Any:
    """The `!r` or `!s` of a format field."""
    if conversion == "a":
        return to_repr(value).encode("ascii", "backslashreplace").decode()
    return to_repr(value) if conversion == "r" else to_str(value) if conversion == "s" else value


def format_percent(template: str, values: Any, budget: Budget) -> str:
    """`template % values`, Python's oldest format."""
    return _Percent(template, values, budget).text()


class _Percent:
    """One `%` formatting: takes values in order, or by key from a dict."""

    def __init__(self, template: str, values: Any, budget: Budget) -> None:
        self.template = template
        self.values = values
        self.waiting = list(values) if isinstance(values, tuple) else [values]
        self.budget = budget
        self.length = len(template)

    def text(self) -> str:
        result = PERCENT.sub(self._field, self.template)
        if self.waiting and not isinstance(self.values, dict):
            raise self._wrong_count("fewer", "少于")
        return result

    def _field(self, found: re.Match[str]) -> str:
        text = self._text_of(found)
        self.length += len(text)
        self.budget.check_length(self.length, "text", "文本")
        return text

    def _text_of(self, found: re.Match[str]) -> str:
        kind = found["kind"]
        if kind == "%":
            return "%"
        width = self._length(found["width"], found)
        precision = self._length(found["precision"], found)
        if found["precision"] == "":
            precision = "0"
        spec = f"%{found['flags']}{width}" + (f".{precision}" if found["precision"] is not None else "")
        value = self._by_key(found["key"]) if found["key"] is not None else self._next()
        return self._one(spec, kind, value)

    def _length(self, written: str | None, found: re.Match[str]) -> str:
        """A width or precision, perhaps the next of the values: a whole number, within the budget."""
        if written != "*":
            self.budget.check_width(_whole(written or ""))
            return written or ""
        number = self._next()
        if not isinstance(number, (int, np.integer)):
            raise _no_length(found[0], number)
        self.budget.check_width(abs(int(number)))
        return str(int(number))

    def _one(self, spec: str, kind: str, value: Any) -> str:
        if kind in ("s", "r", "a"):
            return str(f"{spec}s" % convert(value, kind))
        if kind not in NUMERIC_KINDS or not kind:
            raise ProgramError(
                f"`%{kind}` is no format.",
                message_zh=f"`%{kind}` 不是一种格式。",
                hint="Write %% for a percent sign.",
                hint_zh="百分号请写 %%。",
                code="bad_format",
            )
        try:
            return str(f"{spec}{kind}" % _one_number(value))
        except (TypeError, ValueError, OverflowError):
            raise _bad_format(f"%{kind}", value) from None

    def _next(self) -> Any:
        if not self.waiting:
            raise self._wrong_count("more", "多于")
        return self.waiting.pop(0)

    def _by_key(self, key: str) -> Any:
        if not isinstance(self.values, dict) or key not in self.values:
            raise ProgramError(
                f"The format asks for `{key}`, which the values do not have.",
                message_zh=f"格式要求 `{key}`，但给出的值里没有。",
                code="bad_format",
            )
        return self.values[key]

    def _wrong_count(self, english: str, chinese: str) -> ProgramError:
        return ProgramError(
            f"The text has {english} places than there are values.",
            message_zh=f"文本中的占位{chinese}给出的值。",
            hint='Give one value for each % place: `"%d %f" % (k, y)`.',
            hint_zh='每个 % 占位给一个值："%d %f" % (k, y)。',
            code="bad_format",
        )


def format_braces(
    template: str, args: Sequence[Any], keywords: Mapping[str, Any], budget: Budget, depth: int = 2
) -> str:
    """`template.format(...)`, by position and by name; attributes and items of fields are refused."""
    counter = iter(range(len(args) + 1))
    return _braces(template, args, keywords, budget, counter, depth)


def _braces(
    template: str, args: Sequence[Any], keywords: Mapping[str, Any], budget: Budget, counter: Any, depth: int
) -> str:
    parts: list[str] = []
    length = len(template)
    try:
        fields = list(Formatter().parse(template))
    except ValueError:
        raise _bad_braces() from None
    for literal, field, spec, conversion in fields:
        parts.append(literal)
        if field is not None:
            if depth == 0:
                raise _bad_braces()
            value = _field_value(field, args, keywords, counter)
            inner = _braces(spec or "", args, keywords, budget, counter, depth - 1)
            parts.append(format_value(convert(value, conversion or ""), inner, budget))
            length += len(parts[-1])
            budget.check_length(length, "text", "文本")
    return "".join(parts)


def _field_value(field: str, args: Sequence[Any], keywords: Mapping[str, Any], counter: Any) -> Any:
    if "." in field or "[" in field:
        raise RefusedError(
            f"The field {{{field}}} looks inside a value, which formats may not do here.",
            message_zh=f"占位 {{{field}}} 要访问值的内部，这里不支持。",
            hint="Give the inner value itself to format(...).",
            hint_zh="请把内部的值直接传给 format(...)。",
            code="refused_format_field",
        )
    if field in keywords:
        return keywords[field]
    index = next(counter, len(args)) if field == "" else _whole(field) if field.isdecimal() else -1
    if not 0 <= index < len(args):
        raise ProgramError(
            f"The field {{{field}}} has no value.",
            message_zh=f"占位 {{{field}}} 没有对应的值。",
            hint="Give one value for each pair of braces.",
            hint_zh="每对花括号给一个值。",
            code="bad_format",
            kind="IndexError" if index >= 0 else "KeyError",
            said=f"Replacement index {index} out of range for positional args tuple" if index >= 0 else field,
        )
    return args[index]


def _one_number(value: Any) -> Any:
    if concrete(value) is not None:
        value = concrete(value)
    if isinstance(value, np.ndarray) and value.size == 1:
        return value.item()
    if not isinstance(value, (*NUMBERS, str)):
        raise TypeError
    return value


def _whole(digits: str) -> int:
    """The number that decimal digits of any script write; of a very long one only that it is huge."""
    if not digits:
        return 0
    leading = "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0")
    return int(leading or "0") if len(leading) <= MOST_DIGITS else 10**MOST_DIGITS


def _no_length(field: str, given: Any) -> ProgramError:
    return ProgramError(
        f"`{field}` takes its width or precision from the values: a whole number, not {a_kind(given)}.",
        message_zh=f"`{field}` 的宽度或精度取自给出的值：需要整数，不能是 {type_name(given)}。",
        hint='Give the width before its value: `"%*d" % (8, k)`.',
        hint_zh='请把宽度写在对应的值前面："%*d" % (8, k)。',
        code="bad_format",
    )


def _bad_format(spec: str, value: Any) -> GradlensError:
    return ProgramError(
        f"The format `{spec}` does not fit a {type_name(value)}.",
        message_zh=f"格式 `{spec}` 不适用于 {type_name(value)}。",
        hint="Use %s, or {} without a format, to see any value.",
        hint_zh="用 %s 或不带格式的 {} 可以显示任何值。",
        code="bad_format",
    )


def _bad_braces() -> ProgramError:
    return ProgramError(
        "The braces of this format do not match.",
        message_zh="格式中的花括号不配对。",
        hint="Write {{ or }} for a brace itself.",
        hint_zh="花括号本身请写 {{ 或 }}。",
        code="bad_format",
    )
