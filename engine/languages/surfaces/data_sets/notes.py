"""The note that says what a program got in place of a data set."""

from __future__ import annotations

from engine.languages.interpreter.interpreter import Interpreter

HINT = (
    "Sizes, losses and accuracies differ from those with the real data.",
    "大小、损失和准确率与真实数据不同。",
)


def stands_in(interpreter: Interpreter, name: str, what: str, what_zh: str) -> None:
    """Note once that `name` is not the real data set, but what."""
    interpreter.note(
        "stand_in_data",
        f"Nothing is downloaded here: instead of {name} the program got {what}.",
        f"这里不下载数据：程序得到的不是 {name}，而是{what_zh}。",
        *HINT,
        key=f"data set {name}",
    )
