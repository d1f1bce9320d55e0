"""What a class refuses, as problem documents in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.http.problems import Problem


class UnknownCode(Exception):
    """There is no class of this code. (How often that is asked is counted, then it becomes a problem.)"""


def unknown_class() -> Problem:
    """The code is none, or its class is over."""
    return Problem(
        404, "unknown_class", "There is no class with this code.", "没有使用这个课堂码的课堂。",
        hint="Look at the code again; a class that has ended is gone.",
        hint_zh="请再核对课堂码；已结束的课堂不再保留。", place="path",
    )  # fmt: skip


def too_many_codes(after_s: int) -> Problem:
    """Too many codes were tried that are none."""
    return Problem(
        429, "too_many_codes", "Too many wrong codes.", "输错课堂码的次数太多了。",
        hint=f"Look at the code again, and try in {after_s} s.",
        hint_zh=f"请核对课堂码，{after_s} 秒后再试。",
        headers={"retry-after": str(after_s)}, place="path",
    )  # fmt: skip


def too_many_classes(most: int) -> Problem:
    """The service has as many classes as it may."""
    return Problem(
        503, "too_many_classes", f"There are {most} classes already.", f"已有 {most} 个课堂。",
        hint="End a class that is over, and try again.", hint_zh="请结束已下课的课堂，然后重试。",
        headers={"retry-after": "60"},
    )  # fmt: skip


def class_full(most: int) -> Problem:
    """The class has as many students as it may."""
    return Problem(
        409, "class_full", f"This class has {most} students already.", f"这个课堂已有 {most} 名学生。",
        hint="Ask your teacher to start another class.", hint_zh="请老师另开一个课堂。",
    )  # fmt: skip


def class_locked() -> Problem:
    """The teacher lets nobody else in."""
    return Problem(
        409, "class_locked", "This class lets nobody else in.", "这个课堂已不再接受新成员。",
        hint="Ask your teacher to open the code again.", hint_zh="请老师重新开放课堂码。",
    )  # fmt: skip


def too_many_questions(most: int) -> Problem:
    """A class has been asked as much as is kept."""
    return Problem(
        409, "too_many_questions", f"This class has been asked {most} questions already.",
        f"这个课堂已经提过 {most} 个问题。",
        hint="Save the counts, end this class and start another one.",
        hint_zh="请保存统计，结束这个课堂，然后另开一个。",
    )  # fmt: skip


def no_token() -> Problem:
    """A route of a class was asked without a token, or with one that is of nobody in it."""
    return Problem(
        401, "no_token", "Who asks? This needs the token of somebody in the class.",
        "请提供课堂成员的令牌。",
        hint="Send Authorization: Bearer … with the token from starting or joining.",
        hint_zh="请在 Authorization: Bearer … 中发送开课或加入时得到的令牌。",
        place="header Authorization", headers={"www-authenticate": "Bearer"},
    )  # fmt: skip


def wrong_role(needed: str) -> Problem:
    """A student does what only the teacher may, or the other way round."""
    zh = {"teacher": "老师", "student": "学生"}[needed]
    return Problem(
        403, "wrong_role", f"Only a {needed} of the class may do this.", f"只有课堂中的{zh}可以这样做。",
        hint=f"Use the token of a {needed}.", hint_zh=f"请使用{zh}的令牌。", place="header Authorization",
    )  # fmt: skip


def unknown_question(name: str) -> Problem:
    """The class has no such question."""
    return Problem(
        404, "unknown_question", f"This class has no question {name[:40]!r}.",
        f"这个课堂没有问题 {name[:40]!r}。", hint="Take the id from the event `question`.",
        hint_zh="请使用事件 question 中的 id。", place="path",
    )  # fmt: skip


def question_closed() -> Problem:
    """An answer came after the end."""
    return Problem(
        409, "question_closed", "This question is closed.", "这个问题已停止作答。",
        hint="Wait for the next one.", hint_zh="请等待下一个问题。",
    )  # fmt: skip


def no_program() -> Problem:
    """Nothing says which lesson a question is about."""
    return Problem(
        422, "no_program", "The class is not shown any program, so there is no step to ask about.",
        "课堂上还没有展示程序，因此没有可提问的步骤。",
        hint="Show a program first, or name it in `program`.",
        hint_zh="请先展示一个程序，或在 program 中指明。",
        place="body.program",
    )  # fmt: skip


def unknown_step(step: int, count: int) -> Problem:
    """The lesson has no such step."""
    return Problem(
        422, "unknown_step", f"The lesson has the steps 0 to {count - 1}, and no step {step}.",
        f"这节课的步骤是 0 到 {count - 1}，没有第 {step} 步。", place="body.step",
    )  # fmt: skip


def check_answer(key: Mapping[str, Any], said: Any) -> None:
    """An answer is of the kind that was asked for. Raises: Problem."""
    if key["kind"] == "number":
        fits = said is None or isinstance(said, (int, float, list))
    else:
        fits = said in key["options"]
    if not fits:
        raise Problem(
            422, "no_such_answer", "The answer is none of what was asked for.", "这不是所要求的那类答案。",
            hint="Send a number in `value`, or one of the options in `option`.",
            hint_zh="请在 value 中发送数值，或在 option 中发送选项之一。", place="body",
        )  # fmt: skip
