"""Sentences about loops and branches: what was decided, what was remembered, what is left out."""

from __future__ import annotations

from collections.abc import Sequence

from engine.programs.lesson.sentence import Sentence, both


def turn_sentence(number: int, condition: str, facts: Sequence[str], values: Sequence[str]) -> Sentence:
    """One more turn of a `while_loop`. facts: why the condition holds; values: what the turn begins with."""
    why, why_zh = _since(facts)
    others = [value for value in values if value not in facts]
    begins = f" It begins with {_listed(others)}." if others else ""
    begins_zh = f"这一轮开始时 {_listed_zh(others)}。" if others else ""
    return both(
        f"Turn {number}: {condition} holds{why}, so the loop goes round.{begins}",
        f"第 {number} 轮：{condition} 成立{why_zh}，所以循环执行这一轮。{begins_zh}",
    )


def plain_turn_sentence(number: int, turns: int, call: str) -> Sentence:
    """One turn of a loop whose condition the learner did not write."""
    if not call:
        return both(f"Turn {number} of {turns}.", f"第 {number} 轮，共 {turns} 轮。")
    return both(f"Turn {number} of {turns} of {call}.", f"{call} 的第 {number} 轮，共 {turns} 轮。")


def line_turn_sentence(number: int, turns: int, line: int) -> Sentence:
    """One turn of a `for` of the text."""
    return both(
        f"Turn {number} of {turns} of the loop in line {line}.",
        f"第 {line} 行的循环：第 {number} 轮，共 {turns} 轮。",
    )


def item_turn_sentence(
    number: int, turns: int, line: int, items: Sequence[str], begins: Sequence[str]
) -> Sentence:
    """One turn of a `for` whose items are tensors. begins: what the turn begins with besides its item."""
    with_item = f", {_listed(items)}" if items else ""
    with_item_zh = f"，{_listed_zh(items)}" if items else ""
    more = f" It begins with {_listed(begins)}." if begins else ""
    more_zh = f"这一轮开始时 {_listed_zh(begins)}。" if begins else ""
    return both(
        f"Turn {number} of {turns} of the loop in line {line}{with_item}.{more}",
        f"第 {line} 行的循环：第 {number} 轮，共 {turns} 轮{with_item_zh}。{more_zh}",
    )


def line_ended_sentence(turns: int, line: int) -> Sentence:
    """A loop of the text ends."""
    return both(
        f"The loop in line {line} ends after {_turns(turns)}.", f"第 {line} 行的循环在 {turns} 轮之后结束。"
    )


def back_only_sentence(number: int) -> Sentence:
    """The way back goes through a turn of a loop of the text."""
    return both(f"Back through turn {number}.", f"反向经过第 {number} 轮。")


def ended_sentence(turns: int, condition: str, facts: Sequence[str]) -> Sentence:
    """The condition of a `while_loop` fails."""
    why, why_zh = _since(facts)
    if turns == 0:
        return both(
            f"{condition} does not hold at the start{why}, so the loop takes no turn.",
            f"{condition} 一开始就不成立{why_zh}，所以循环一轮也不执行。",
        )
    return both(
        f"{condition} no longer holds{why}: the loop ends after {_turns(turns)}.",
        f"{condition} 不再成立{why_zh}：循环在 {turns} 轮之后结束。",
    )


def branch_sentence(condition: str, facts: Sequence[str], taken: str, *, holds: bool) -> Sentence:
    """One of two branches was taken. taken: what it computes, "" where that is long."""
    why, why_zh = _since(facts)
    whether, whether_zh, which, which_zh = (
        ("is true", "成立", "first", "第一个") if holds else ("is false", "不成立", "second", "第二个")
    )
    branch, branch_zh = (
        (f"the branch {taken}", f"走 {taken} 这个分支")
        if taken
        else (f"the {which} branch", f"走{which_zh}分支")
    )
    return both(
        f"{condition} {whether}{why}, so {branch} is taken; the other one is not computed.",
        f"{condition} {whether_zh}{why_zh}，所以{branch_zh}，另一个分支不计算。",
    )


def written_sentence(name: str, value: str, *, is_large: bool) -> Sentence:
    """A variable is set."""
    if is_large:
        return both(f"{name} is set to new numbers.", f"{name} 被设为新的数值。")
    return both(f"{name} is set: {name} = {value}.", f"设置 {name}：{name} = {value}。")


def back_sentence(number: int, remembered: Sequence[str]) -> Sentence:
    """The way back goes through a turn."""
    if not remembered:
        return both(
            f"Back through turn {number}, for which nothing had to be remembered.",
            f"反向经过第 {number} 轮，这一轮不需要记住任何值。",
        )
    return both(
        f"Back through turn {number}. Remembered from turn {number}: {_listed(remembered)}.",
        f"反向经过第 {number} 轮。从第 {number} 轮记住的值：{_listed_zh(remembered)}。",
    )


def rest_sentence(first: int, last: int, changes: Sequence[tuple[str, str, str]]) -> Sentence:
    """Turns that are not told. changes: of a loop variable its name, and its value before and after them."""
    if first == last:
        which, which_zh = f"Turn {first} goes the same way and is", f"第 {first} 轮的做法相同，"
    else:
        which, which_zh = (
            f"Turns {first} to {last} go the same way and are",
            f"第 {first} 至 {last} 轮的做法相同，",
        )
    english = " and ".join(f"{name} goes from {old} to {new}" for name, old, new in changes)
    chinese = "，".join(f"{name} 从 {old} 变为 {new}" for name, old, new in changes)
    return both(
        f"{which} left out here{': ' if english else ''}{english}.",
        f"{which_zh}这里略去{'：' if chinese else ''}{chinese}。",
    )


def result_sentence(turns: int, name: str, value: str) -> Sentence:
    """What a loop gives that is told as a whole."""
    return both(f"After {_turns(turns)} {name} = {value}.", f"{turns} 轮之后 {name} = {value}。")


def rest_back_sentence(first: int, last: int, parts: Sequence[tuple[str, str]]) -> Sentence:
    """The way back through turns that are not told. parts: what gets something from them, and how much."""
    if first == last:
        which, which_zh = (
            f"Turn {first} sends back in the same way and is",
            f"第 {first} 轮以同样的方式传回，",
        )
    else:
        which = f"Turns {last} to {first}, on the way back, send back in the same way and are"
        which_zh = f"反向经过的第 {last} 至 {first} 轮以同样的方式传回，"
    english, chinese = _gets(parts)
    return both(
        f"{which} left out here{'. From them in all ' if english else ''}{english}.",
        f"{which_zh}这里略去{'。它们总共使 ' if chinese else ''}{chinese}。",
    )


def whole_back_sentence(turns: int, parts: Sequence[tuple[str, str]]) -> Sentence:
    """The way back through all turns of a loop."""
    english, chinese = _gets(parts)
    return both(
        f"The way back through the {_turns(turns)} is left out here"
        f"{'. From there in all ' if english else ''}{english}.",
        f"这 {turns} 轮的反向传播这里略去{'，总共使 ' if chinese else ''}{chinese}。",
    )


def _gets(parts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    english = " and ".join(f"{name} gets {value}" for name, value in parts)
    return english, "，".join(f"{name} 得到 {value}" for name, value in parts)


def _since(facts: Sequence[str]) -> tuple[str, str]:
    return (f" ({', '.join(facts)})", f"（{'，'.join(facts)}）") if facts else ("", "")


def _listed(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def _listed_zh(values: Sequence[str]) -> str:
    return "，".join(values)


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"
