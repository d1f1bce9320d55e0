"""Sentences about what is left out of a long lesson: lines that run again and again, and scopes."""

from __future__ import annotations

from collections.abc import Sequence

from engine.programs.lesson.sentence import Sentence, both


def lines_sentence(lines: Sequence[int], times: int, given: Sequence[str]) -> Sentence:
    """The way forward through lines that ran before in the same way."""
    english, chinese = _lines(lines)
    after, after_zh = _after(given)
    verb = "run" if len(lines) > 1 else "runs"
    return both(
        f"{english} {verb} {_times(times)} more in the same way, which is left out here{after}.",
        f"{chinese}以同样的方式再执行 {times} 次，这里略去{after_zh}。",
    )


def lines_back_sentence(lines: Sequence[int], times: int, parts: Sequence[tuple[str, str]]) -> Sentence:
    """The way back through them."""
    english, chinese = _lines(lines)
    sent, sent_zh = _sent(parts)
    return both(
        f"The way back through {english[0].lower()}{english[1:]}, {_times(times)} in the same way, is left "
        f"out here{sent}.",
        f"{chinese}的反向传播以同样的方式进行 {times} 次，这里略去{sent_zh}。",
    )


def scope_sentence(scope: str, count: int, given: Sequence[str]) -> Sentence:
    """The way forward through a name scope."""
    after, after_zh = _after(given)
    return both(
        f"{scope} has {count} operations, which are left out here{after}.",
        f"{scope} 中有 {count} 个运算，这里略去{after_zh}。",
    )


def scope_back_sentence(scope: str, parts: Sequence[tuple[str, str]]) -> Sentence:
    """The way back through it."""
    sent, sent_zh = _sent(parts)
    return both(
        f"The way back through {scope} is left out here{sent}.", f"{scope} 的反向传播这里略去{sent_zh}。"
    )


def _lines(lines: Sequence[int]) -> tuple[str, str]:
    if len(lines) < 2:
        number = lines[0] if lines else 0
        return f"Line {number}", f"第 {number} 行"
    return f"Lines {lines[0]} to {lines[-1]}", f"第 {lines[0]} 至 {lines[-1]} 行"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _after(given: Sequence[str]) -> tuple[str, str]:
    if not given:
        return "", ""
    return f". After that {' and '.join(given)}", f"。此后 {'，'.join(given)}"


def _sent(parts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    if not parts:
        return "", ""
    english = " and ".join(f"{name} gets {value}" for name, value in parts)
    chinese = "，".join(f"{name} 得到 {value}" for name, value in parts)
    return f". From there in all {english}", f"。由此总共 {chinese}"
