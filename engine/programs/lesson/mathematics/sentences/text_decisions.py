"""Sentences about what the program's own `if` decided."""

from __future__ import annotations

from collections.abc import Sequence

from engine.programs.lesson.sentence import Sentence, both

Lines = tuple[int, int] | None


def lines_sentence(line: int, test: str, facts: Sequence[str], what: Sentence, *, holds: bool) -> Sentence:
    """An `if` statement. what: follows from it."""
    whether, whether_zh = _whether(test, facts, holds=holds)
    return both(
        f"Line {line}: {whether}, so {what['en']}.", f"第 {line} 行：{whether_zh}，所以{what['zh']}。"
    )


def runs(lines: tuple[int, int]) -> Sentence:
    """Some lines are run."""
    which, which_zh = _lines(lines)
    return both(f"{which} {'runs' if lines[0] == lines[1] else 'run'}", f"执行{which_zh}")


def decides(line: int) -> Sentence:
    """Another `if` decides."""
    return both(f"line {line} decides", f"由第 {line} 行决定")


def passed_over(lines: Lines) -> Sentence:
    """Some lines are not run."""
    which, which_zh = _lines(lines)
    verb = "is" if lines is None or lines[0] == lines[1] else "are"
    return both(f"{which} {verb} passed over", f"跳过{which_zh}")


def side_sentence(line: int, test: str, facts: Sequence[str], side: str, *, holds: bool) -> Sentence:
    """`a if test else b`. side: the text of what was taken."""
    whether, whether_zh = _whether(test, facts, holds=holds)
    return both(
        f"Line {line}: {whether}, so {side} is taken.", f"第 {line} 行：{whether_zh}，所以取 {side}。"
    )


def _whether(test: str, facts: Sequence[str], *, holds: bool) -> tuple[str, str]:
    """Whether the test holds, and what its names stand for."""
    holds_en, holds_zh = ("holds", "成立") if holds else ("does not hold", "不成立")
    why = f" ({', '.join(facts)})" if facts else ""
    why_zh = f"（{'，'.join(facts)}）" if facts else ""
    name, name_zh = (test, f"{test} ") if test else ("the condition", "条件")
    return f"{name} {holds_en}{why}", f"{name_zh}{holds_zh}{why_zh}"


def _lines(lines: Lines) -> tuple[str, str]:
    if lines is None:
        return "the rest", "其余部分"
    if lines[0] == lines[1]:
        return f"line {lines[0]}", f"第 {lines[0]} 行"
    return f"lines {lines[0]} to {lines[1]}", f"第 {lines[0]} 至 {lines[1]} 行"
