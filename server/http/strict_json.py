"""Reading a request's JSON: strictly, of a bounded depth and number of values, with mistakes put in words."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import orjson

from server.http.problems import Problem

MAX_NESTING = 64  # levels of lists and objects; a tensor has far fewer axes
MAX_VALUES = 300_000  # numbers, texts, lists and objects in a body; a table of more is shorter as CSV text
MAX_TEXTS = MAX_LISTS = 100_000  # of these, texts with names, and lists with objects
MAX_INTEGER_DIGITS = 1_000

LARGE_BODY_BYTES = 16_000  # reading so many takes a few ms at most; handing work to a thread costs 0.1 ms


def read_json(body: bytes) -> Any:
    """Read strict JSON: UTF-8, no NaN, no number of a thousand digits, not too many values, not too deep.

    The values are counted before any is made, so that a body takes memory and time by its length alone.
    Raises: Problem that says what is wrong and where.
    """
    if holds_too_much(body):
        raise too_many_values()
    value = _parsed(body)
    if depth_exceeds(value, MAX_NESTING):
        raise too_deep()
    return value


def holds_too_much(body: bytes) -> bool:
    """Whether a body has more values or texts than it may: one before each comma, one for each that begins.

    Commas within texts do not count.
    """
    if not _is_over(body, body.count(b'"')):
        return False
    plain = body.replace(rb"\\", b"").replace(rb"\"", b"")
    quotes = plain.count(b'"')
    return _is_over(b"" if quotes > 2 * MAX_TEXTS else b"".join(plain.split(b'"')[::2]), quotes)


def _is_over(body: bytes, quotes: int) -> bool:
    lists = body.count(b"[") + body.count(b"{")
    return quotes > 2 * MAX_TEXTS or lists > MAX_LISTS or body.count(b",") + lists > MAX_VALUES


def _parsed(body: bytes) -> Any:
    try:
        return _parsed_in_one(body) if len(body) > LARGE_BODY_BYTES else _parsed_by_python(body)
    except UnicodeDecodeError as error:
        raise bad_json(
            "The request body is not UTF-8.", "请求内容不是 UTF-8。", f"byte {error.start}"
        ) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise bad_json(f"The request body is not JSON: {error.msg}.", "请求内容不是 JSON。", place) from None
    except RecursionError:
        raise too_deep() from None


def _parsed_by_python(body: bytes) -> Any:
    """Whole numbers of any length, lone surrogates: as Python has it, which says best what is wrong."""
    return json.loads(body.decode("utf-8"), parse_constant=refuse_constant, parse_int=bounded_integer)


def _parsed_in_one(body: bytes) -> Any:
    """Five times as quick; nothing else runs meanwhile, in whichever thread it is done."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        body.decode("utf-8")
        raise too_deep() if "depth" in error.msg else error from None


def depth_exceeds(value: Any, limit: int) -> bool:
    """Whether lists and objects lie inside one another more than `limit` deep; visits level by level."""
    level = [value]
    for _ in range(limit + 1):
        level = [
            child
            for item in level
            if isinstance(item, list | dict)
            for child in (item if isinstance(item, list) else item.values())
        ]
        if not level:
            return False
    return True


def refuse_constant(name: str) -> NoReturn:
    """JSON has no NaN and no infinity."""
    raise bad_json(f"{name} is not JSON.", f"{name} 不是合法的 JSON。", "body")


def bounded_integer(digits: str) -> int:
    """An integer of a sensible length."""
    if len(digits) > MAX_INTEGER_DIGITS:
        raise bad_json("A number has too many digits.", "数字的位数过多。", "body")
    return int(digits)


def too_deep() -> Problem:
    """Lists within lists within lists."""
    return bad_json(
        f"The request body nests lists or objects more than {MAX_NESTING} deep.",
        f"请求内容的嵌套超过 {MAX_NESTING} 层。", "body",
    )  # fmt: skip


def too_many_values() -> Problem:
    """More numbers than a program is given."""
    return Problem(
        422, "too_many_values", f"The request body holds more than {MAX_VALUES:,} values.",
        f"请求内容中的值超过 {MAX_VALUES:,} 个。", place="body",
        hint="Send less data, or a large table as CSV text in `data`.",
        hint_zh="请减少数据，或把大表格写成 CSV 文本放入 `data`。",
    )  # fmt: skip


def bad_json(message: str, message_zh: str, place: str) -> Problem:
    """The body is not JSON that we read."""
    hint, hint_zh = (
        'Texts stand for what JSON lacks: "nan", "inf", "-inf".',
        'JSON 没有的数写成文字："nan"、"inf"、"-inf"。',
    )
    return Problem(422, "bad_json", message, message_zh, place=place, hint=hint, hint_zh=hint_zh)
