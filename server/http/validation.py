"""A request that does not fit the schema, explained: which field, what it should be, what to try."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.schemas.request_parts import MAX_RANK
from server.schemas.requests import FIELD_NAMES

EXPECTED = {
    "colour_type": ("a colour such as #1f5ea8", "一种颜色，如 #1f5ea8"),
    "bool_type": ("true or false", "true 或 false"),
    "dict_type": ("an object", "一个对象"),
    "float_type": ("a number", "一个数"),
    "int_type": ("a whole number", "一个整数"),
    "int_from_float": ("a whole number", "一个整数"),
    "int_parsing": ("a whole number", "一个整数"),
    "list_type": ("a list", "一个列表"),
    "model_attributes_type": ("an object", "一个对象"),
    "model_type": ("an object", "一个对象"),
    "path_type": (
        "a path of M, L, Q, C and Z with places such as 1.5,-2: M0,0L10,5",
        "由 M、L、Q、C、Z 和形如 1.5,-2 的坐标组成的路径，如 M0,0L10,5",
    ),
    "string_type": ("text", "一段文字"),
    "string_unicode": ("text without lone surrogates", "不含孤立代理字符的文字"),
    "table_too_long": (
        "shorter: all data together may have a million characters",
        "更短：数据总共不超过一百万字符",
    ),
    "tensor_too_deep": (
        f"a tensor of at most {MAX_RANK} axes: lists within lists no deeper than that",
        f"至多 {MAX_RANK} 个轴的张量：列表的嵌套不能更深",
    ),
    "tensor_type": ("a number, or nested lists of numbers", "一个数，或由数组成的嵌套列表"),
    "tuple_type": ("a list", "一个列表"),
}
BOUNDS = {
    "greater_than": ("greater than", "大于", "gt"),
    "greater_than_equal": ("at least", "不小于", "ge"),
    "less_than": ("less than", "小于", "lt"),
    "less_than_equal": ("at most", "不大于", "le"),
    "string_too_long": ("text whose length in characters is at most", "一段文字，字符数不超过", "max_length"),
    "too_long": ("a list or an object whose length is at most", "一个列表或对象，项数不超过", "max_length"),
    "too_short": ("a list whose length is at least", "一个列表，项数不少于", "min_length"),
}


LABELS = {"body", "id", "inline"}  # the framework's words, not fields of ours; so is what begins with …
CHECKS = "function-after["


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a problem document says about one field."""

    code: str
    message: str
    message_zh: str
    place: str
    hint: str = ""
    hint_zh: str = ""


def explain_validation(error: Mapping[str, Any]) -> Explanation:
    """Put one of the schema's complaints into words; the complaint itself never leaves the service."""
    kind, context = str(error["type"]), error.get("ctx", {})
    parts = [str(part) for part in error["loc"] if part not in LABELS]
    place = ".".join(part for part in parts if not part.startswith(CHECKS))[:200] or "body"
    if kind == "missing":
        return _missing(place)
    if kind == "extra_forbidden":
        return _unknown(place)
    return _misfit(place, *_expectation(kind, context))


def _missing(place: str) -> Explanation:
    if place == "body":
        return Explanation(
            "missing_body", "The request has no JSON body.", "请求没有 JSON 内容。", place,
            'Send an object such as {"source": "y = exp(sin(x))"} with Content-Type: application/json.',
            '请发送 JSON 对象，如 {"source": "y = exp(sin(x))"}，并设置 Content-Type: application/json。',
        )  # fmt: skip
    return Explanation(
        "missing_field", f"The field `{place}` is missing.", f"缺少字段 `{place}`。", place,
        "The fields are listed at /docs.", "全部字段见 /docs。",
    )  # fmt: skip


def _unknown(place: str) -> Explanation:
    asked = place.rpartition(".")[2]
    others = [name for name in FIELD_NAMES if name != asked]  # it may be a field of another request
    near = difflib.get_close_matches(asked, others, n=1)
    return Explanation(
        "unknown_field", f"There is no field `{place}`.", f"没有名为 `{place}` 的字段。", place,
        f"Did you mean `{near[0]}`?" if near else "The fields are listed at /docs.",
        f"是不是想写 `{near[0]}`？" if near else "全部字段见 /docs。",
    )  # fmt: skip


def _expectation(kind: str, context: Mapping[str, Any]) -> tuple[str, str]:
    if kind in EXPECTED:
        return EXPECTED[kind]
    if kind in BOUNDS:
        english, chinese, key = BOUNDS[kind]
        return f"{english} {context[key]}", f"{chinese} {context[key]}"
    if kind == "union_tag_invalid":
        return f"of a kind among {context['expected_tags']}", f"以下种类之一：{context['expected_tags']}"
    if kind in ("literal_error", "enum"):
        return f"one of {context['expected']}", f"以下之一：{context['expected'].replace(' or ', ', ')}"
    if kind == "union_tag_not_found":
        field = context["discriminator"]
        return f"an object with a field {field}", f"一个带有字段 {field} 的对象"
    return "of another kind", "另一种值"


def _misfit(place: str, english: str, chinese: str) -> Explanation:
    return Explanation(
        "bad_field", f"The field `{place}` should be {english}.", f"字段 `{place}` 应为{chinese}。", place
    )  # fmt: skip
