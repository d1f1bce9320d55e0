"""Python's `re`: patterns of texts, with what they may cost worked out first."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.budget import over_limit
from engine.languages.interpreter.builtins.containers import ITEMS, Items
from engine.languages.interpreter.builtins.text import SHOWN, to_str
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OPERANDS
from engine.languages.interpreter.values import TYPE_NAMES, Stream
from engine.languages.surfaces.library import Library
from engine.ops.texts.pattern_cost import MOST, cost_of

RE = Library("re", borrowed=True)
PATTERN = members_of(re.Pattern, "Pattern")
MATCH = members_of(re.Match, "Match")

FLAGS = ("IGNORECASE", "I", "MULTILINE", "M", "DOTALL", "S", "VERBOSE", "X", "ASCII", "A", "UNICODE", "U")
LONGEST_PATTERN = 1000  # characters


def check_cost(interpreter: Interpreter, pattern: re.Pattern[str], text: Any) -> None:
    """Count what looking for a pattern may cost, before it is looked for."""
    if not isinstance(text, str):
        raise TypeError
    cost = cost_of(pattern, len(text))
    if cost > interpreter.budget.limits.tensor_elements:
        raise over_limit(
            "operation",
            f"The pattern {pattern.pattern!r:.60} may be tried in too many ways on {len(text):,} characters.",
            f"模式 {pattern.pattern!r:.60} 在 {len(text):,} 个字符上可能的匹配方式太多。",
            "Put no repeat inside of a repeat, or look in a shorter text, such as one line.",
            "请不要在重复里再套重复，或在更短的文本（例如一行）中查找。",
        )
    interpreter.budget.spend(cost)


def compiled(pattern: Any, flags: Any = 0) -> re.Pattern[str]:
    """A pattern, read. Raises: ProgramError where it is none."""
    if isinstance(pattern, re.Pattern):
        return pattern
    if not isinstance(pattern, str) or len(pattern) > LONGEST_PATTERN:
        raise TypeError
    try:
        return re.compile(pattern, int(flags))
    except (re.error, OverflowError, RecursionError) as error:
        raise ProgramError(
            f"The pattern {pattern!r:.80} cannot be read: {error}.",
            message_zh=f"无法读取模式 {pattern!r:.80}：{error}。",
            hint="Write a backslash before . * + ? ( ) [ ] where the character itself is meant.",
            hint_zh="要匹配 . * + ? ( ) [ ] 本身时，请在前面加反斜杠。",
            code="bad_value",
        ) from None


# -- functions and methods of the same name ----------------------------------------------------------


def _looking(name: str) -> None:
    """`re.search(pattern, text)` and `pattern.search(text)`: a match or None."""

    def method(interpreter: Interpreter, pattern: re.Pattern[str], string: str, pos: int = 0) -> Any:
        check_cost(interpreter, pattern, string)
        return getattr(pattern, name)(string, pos)

    def function(interpreter: Interpreter, pattern: Any, string: str, flags: Any = 0) -> Any:
        return method(interpreter, compiled(pattern, flags), string)

    PATTERN.method(name)(method)
    RE.function(name)(function)


for name in ("search", "match", "fullmatch", "findall"):
    _looking(name)


@PATTERN.method("finditer")
def find_each(interpreter: Interpreter, pattern: re.Pattern[str], string: str) -> Stream:
    """Every match, one by one."""
    check_cost(interpreter, pattern, string)
    return Stream(interpreter.budget.counted(pattern.finditer(string)))


@RE.function("finditer")
def finditer(interpreter: Interpreter, pattern: Any, string: str, flags: Any = 0) -> Stream:
    """Every match, one by one."""
    found: Stream = find_each(interpreter, compiled(pattern, flags), string)
    return found


@PATTERN.method("split")
def split_by(interpreter: Interpreter, pattern: re.Pattern[str], string: str, maxsplit: int = 0) -> list[Any]:
    """The parts between matches."""
    check_cost(interpreter, pattern, string)
    return pattern.split(string, maxsplit)


@RE.function("split")
def split(
    interpreter: Interpreter, pattern: Any, string: str, maxsplit: int = 0, flags: Any = 0
) -> list[Any]:
    """The parts between matches."""
    found: list[Any] = split_by(interpreter, compiled(pattern, flags), string, maxsplit)
    return found


@PATTERN.method("subn")
def replaced_and_counted(
    interpreter: Interpreter, pattern: re.Pattern[str], repl: Any, string: str, count: int = 0
) -> tuple[str, int]:
    """The text with others in place of the matches, and how many there were."""
    check_cost(interpreter, pattern, string)
    longest = 1 if not isinstance(repl, str) else len(repl) + repl.count("\\") * len(string)
    interpreter.budget.check_length(min((len(string) + 1) * (longest + 1), MOST), "text", "文本")
    if isinstance(repl, str):
        return pattern.subn(repl, string, count)
    return pattern.subn(_called(interpreter, repl), string, count)


def _called(interpreter: Interpreter, function: Any) -> Callable[[re.Match[str]], str]:
    return lambda match: to_str(interpreter.call(function, [match], {}))


@PATTERN.method("sub")
def replaced(
    interpreter: Interpreter, pattern: re.Pattern[str], repl: Any, string: str, count: int = 0
) -> str:
    """The text with others in place of the matches."""
    text, _ = replaced_and_counted(interpreter, pattern, repl, string, count)
    return str(text)


@RE.function("sub")
def sub(
    interpreter: Interpreter, pattern: Any, repl: Any, string: str, count: int = 0, flags: Any = 0
) -> str:
    """The text with others in place of the matches."""
    found: str = replaced(interpreter, compiled(pattern, flags), repl, string, count)
    return found


@RE.function("subn")
def subn(
    interpreter: Interpreter, pattern: Any, repl: Any, string: str, count: int = 0, flags: Any = 0
) -> tuple[str, int]:
    """The text with others in place of the matches, and how many there were."""
    found: tuple[str, int] = replaced_and_counted(interpreter, compiled(pattern, flags), repl, string, count)
    return found


RE.function("compile")(compiled)
RE.function("escape")(lambda pattern, /: re.escape(pattern))
for name in FLAGS:
    RE.value(getattr(re, name), name)
PATTERN.fact("pattern")(lambda pattern: pattern.pattern)
PATTERN.fact("flags")(lambda pattern: pattern.flags)

# -- matches -----------------------------------------------------------------------------------------

MATCH.method("group")(lambda match, *groups: match.group(*groups))
MATCH.method("groups")(lambda match, default=None: match.groups(default))
MATCH.method("groupdict")(lambda match, default=None: match.groupdict(default))
MATCH.method("start")(lambda match, group=0: match.start(group))
MATCH.method("end")(lambda match, group=0: match.end(group))
MATCH.method("span")(lambda match, group=0: match.span(group))
MATCH.fact("string")(lambda match: match.string)
MATCH.fact("lastindex")(lambda match: match.lastindex)
ITEMS[re.Match] = Items(read=lambda match, key: match[key])
SHOWN[re.Match] = (repr, repr)
SHOWN[re.Pattern] = (repr, repr)
TYPE_NAMES[re.Match] = lambda match: "match"
TYPE_NAMES[re.Pattern] = lambda pattern: "pattern"
OPERANDS[re.RegexFlag] = "|&"
