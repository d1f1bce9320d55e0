"""What a request that does not fit hears, whole sentences."""

from __future__ import annotations

import pytest

from server.http.validation import explain_validation


@pytest.mark.parametrize(
    ("error", "message", "message_zh"),
    [
        (
            {"type": "missing", "loc": ("body", "source")},
            "The field `source` is missing.",
            "缺少字段 `source`。",
        ),
        (
            {"type": "int_type", "loc": ("body", "program", "inline", "seed")},
            "The field `program.seed` should be a whole number.",
            "字段 `program.seed` 应为一个整数。",
        ),
        (
            {"type": "less_than_equal", "loc": ("body", "steps"), "ctx": {"le": 100_000}},
            "The field `steps` should be at most 100000.",
            "字段 `steps` 应为不大于 100000。",
        ),
        (
            {"type": "too_short", "loc": ("body", "runs"), "ctx": {"min_length": 1}},
            "The field `runs` should be a list whose length is at least 1.",
            "字段 `runs` 应为一个列表，项数不少于 1。",
        ),
        (
            {"type": "tensor_type", "loc": ("body", "at", "x")},
            "The field `at.x` should be a number, or nested lists of numbers.",
            "字段 `at.x` 应为一个数，或由数组成的嵌套列表。",
        ),
        (
            {"type": "tensor_type", "loc": ("optimizer", "centered", "function-after[check_tensor(), any]")},
            "The field `optimizer.centered` should be a number, or nested lists of numbers.",
            "字段 `optimizer.centered` 应为一个数，或由数组成的嵌套列表。",
        ),
    ],
)
def test_a_complaint_is_put_into_words(error: dict[str, object], message: str, message_zh: str) -> None:
    explained = explain_validation(error)
    assert (explained.message, explained.message_zh) == (message, message_zh)
