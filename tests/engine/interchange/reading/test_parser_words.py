"""What protobuf says of a text, in both languages."""

from __future__ import annotations

import pytest

from engine.interchange.reading.parser_words import UNKNOWN, in_both_languages
from engine.interchange.reading.refusals import FileRefused
from engine.interchange.reading.text import graph_def_in_text

FAULTS = {  # by what is wrong: the text, and what both messages end with
    "a number where a string belongs": (
        "op: 3",
        "Expected string but found: '3'",
        "这里应为字符串，实际是 '3'。",
    ),
    "no such escape": (
        r'op: "\x"',
        "A backslash in this string is followed by no known escape.",
        "字符串中的反斜杠后面没有可识别的转义字符。",
    ),
    "no end of a string": (
        'op: "Exp',
        "String missing ending quote: '\"Exp }'",
        "字符串缺少结尾的引号：'\"Exp }'",
    ),
    "an op twice": (
        'op: "Exp" op: "Sin"',
        'Message type "NodeDef" should not have multiple "op" fields.',
        "类型 NodeDef 的字段“op”只能出现一次。",
    ),
    "no such type": (
        'attr { key: "T" value { type: DT_FOO } }',
        'Enum type "DataType" has no value named DT_FOO.',
        "枚举类型 DataType 没有值 DT_FOO。",
    ),
    "no whole number": (
        'attr { key: "n" value { i: 1.5 } }',
        "Couldn't parse integer: 1.5",
        "无法读作整数：1.5",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_text_is_refused_in_both_languages(name: str) -> None:
    text, english, chinese = FAULTS[name]
    with pytest.raises(FileRefused) as refused:
        graph_def_in_text(f'node {{ name: "y" {text} }}', 10)
    assert str(refused.value).endswith(f": {english}")
    assert refused.value.message_zh is not None
    assert refused.value.message_zh.endswith(f"：{chinese}")


def test_a_message_behind_a_long_line_is_still_there() -> None:
    with pytest.raises(FileRefused, match="Expected string but found: 'z'"):
        graph_def_in_text(f'node {{ name: "{"y" * 500}" op: z }}', 10)


def test_what_nobody_has_translated_is_said_in_english_and_as_unreadable_in_chinese() -> None:
    assert in_both_languages("Something new.") == ("Something new.", UNKNOWN)
