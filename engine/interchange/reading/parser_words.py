"""What protobuf says of a text that is no GraphDef's, in both languages.

Source: the messages of `google.protobuf.text_format` and `text_encoding`.
"""

from __future__ import annotations

import re

ESCAPE = (
    "A backslash in this string is followed by no known escape.",
    "字符串中的反斜杠后面没有可识别的转义字符。",
)
SAID = tuple(
    (re.compile(pattern), english, chinese)
    for pattern, english, chinese in (
        (r'Expected "true" or "false"\.', None, "这里应为 true 或 false。"),
        (r'Expected "(.*)"\.', None, "这里应为“{0}”。"),
        (r"Expected string but found: (.*)", None, "这里应为字符串，实际是 {0}。"),
        (r"Expected identifier or number, got (.*)\.", None, "这里应为名称或数，实际是 {0}。"),
        (r"Expected identifier\.", None, "这里应为名称。"),
        (r"String missing ending quote: (.*)", None, "字符串缺少结尾的引号：{0}"),
        (r'Message type "(.*)" has no field named "(.*)"\.', None, "类型 {0} 没有名为“{1}”的字段。"),
        (
            r'Message type "(.*)" should not have multiple "(.*)" fields\.',
            None,
            "类型 {0} 的字段“{1}”只能出现一次。",
        ),
        (r'Message type "(.*)" does not have extensions\.', None, "类型 {0} 没有扩展字段。"),
        (r'Enum type "(.*)" has no value (?:named|with number) (.*)\.', None, "枚举类型 {0} 没有值 {1}。"),
        (r"Couldn't parse integer: (.*)", None, "无法读作整数：{0}"),
        (r"(?:Couldn't parse|Invalid octal) float: (.*)", None, "无法读作浮点数：{0}"),
        (r"Value out of range: (.*)", None, "数值超出范围：{0}"),
        (r"Couldn't parse string: .*|.*codec can't (?:de|en)code.*|.*escape.*", *ESCAPE),
    )
)
UNKNOWN = "这里的写法无法识别。"
LONGEST = 200  # characters of a message


def in_both_languages(said: str) -> tuple[str, str]:
    """One of protobuf's messages in English and Chinese, without the line that it quotes."""
    own = re.sub(r"^'.*?': (?=[A-Z'])", "", said.strip(), flags=re.DOTALL)
    own = own.replace("gradlens.tensorflow.", "")[:LONGEST]
    for pattern, english, chinese in SAID:
        if found := pattern.fullmatch(own):
            return english or own, chinese.format(*found.groups())
    return own, UNKNOWN
