"""From a step of a lesson to a question for the class: what is asked, the options, and what is judged by.

What a lesson asks of its own is taken as it is; a number may also be asked for by its sign.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from server.classes.judging import ENDINGS, SIGNS
from server.http.problems import Problem

AnswerKey = dict[str, Any]
SIGN_PROMPT = {"en": "Is it positive, negative or 0?", "zh": "它是正、是负，还是 0？"}
ENDING_PROMPT = {
    "en": "With this optimizer: does it converge, oscillate or diverge?",
    "zh": "用这个优化器：会收敛、振荡还是发散？",
}
KINDS_ZH = {"number": "数值", "sign": "正负号", "formula": "公式", "node": "节点", "ending": "结局"}


def answer_key(step: Mapping[str, Any], kind: str) -> AnswerKey:
    """What a step asks when it is asked as `kind`. Raises: Problem where it has no such question."""
    question = step.get("question")
    if question and question["kind"] == kind:
        return _of_lesson(question)
    number = _number(question["answer"] if question and question["kind"] == "number" else _value(step))
    if kind == "number" and number is not None:
        return {**_plain("number", None, number), "choices": _choices(step)}
    if kind == "sign" and number is not None and math.isfinite(number):
        prompt = (question or {}).get("prompt") or SIGN_PROMPT
        return _plain("sign", prompt, "+" if number > 0 else "-" if number < 0 else "0", SIGNS)
    raise _no_question(step, kind)


def ending_key(losses: list[Any], status: str) -> AnswerKey:
    """How a run goes on, as a question: from its loss at each step and how it ended."""
    return _plain("ending", ENDING_PROMPT, ending_of(losses, status), ENDINGS)


def ending_of(losses: list[Any], status: str) -> str:
    """`converge`, `oscillate` or `diverge`.

    A run oscillates where its loss at the end is no smaller than at the start and it did not run away, or
    where it went up in at least a third of the last steps.
    """
    numbers = [each for each in losses if isinstance(each, (int, float))]
    if status in ("diverged", "non_finite") or len(numbers) < len(losses):
        return "diverge"
    last = numbers[len(numbers) // 2 :]
    rises = sum(b > a * (1 + 1e-9) for a, b in pairwise(last))
    if status == "converged" or (numbers[-1] < numbers[0] and rises < len(last) / 3):
        return "converge"
    return "diverge" if numbers[-1] > 10 * abs(numbers[0]) + 1 else "oscillate"


def for_students(key: AnswerKey) -> dict[str, Any]:
    """What students see of a question: nothing that gives the answer away."""
    options = [{"value": option, "text": key["texts"].get(option, option)} for option in key["options"]]
    return {"kind": key["kind"], "prompt": key["prompt"], "options": options}


def _of_lesson(question: Mapping[str, Any]) -> AnswerKey:
    kind, answer = question["kind"], question["answer"]
    base = _plain(kind, question["prompt"], answer, {"sign": SIGNS, "ending": ENDINGS}.get(kind, ()))
    base["also_right"] = list(question.get("also_right", ()))
    base["choices"] = [
        {name: choice[name] for name in ("id", "value", "coincides") if name in choice}
        for choice in question["choices"]
    ]
    if kind in ("formula", "node"):
        texts = {choice["value"]: choice.get("value_text", choice["value"]) for choice in question["choices"]}
        texts[answer] = question.get("answer_text", answer)
        texts.update((other, other) for other in base["also_right"])
        base["options"], base["texts"] = sorted(texts, key=_scattered), texts
    return base


def _plain(kind: str, prompt: Any, answer: Any, options: Iterable[str] = ()) -> AnswerKey:
    return {
        "kind": kind, "prompt": prompt, "answer": answer, "also_right": [], "choices": [],
        "options": list(options), "texts": {},
    }  # fmt: skip


def _choices(step: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"id": one["id"], "value": one["value"]} for one in step.get("misconceptions", ())]


def _value(step: Mapping[str, Any]) -> Any:
    return (step.get("output") or {}).get("value")


def _number(value: Any) -> float | None:
    """A single number; None of anything else."""
    if isinstance(value, Mapping):
        value = value.get("data")
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _scattered(option: str) -> bytes:
    """An order of options that says nothing of which one is right."""
    return hashlib.sha256(option.encode()).digest()


def _no_question(step: Mapping[str, Any], kind: str) -> Problem:
    own = (step.get("question") or {}).get("kind")
    return Problem(
        422, "no_such_question",
        f"Step {step.get('index')} has no question of the kind {kind!r}.",
        f"第 {step.get('index')} 步没有“{KINDS_ZH[kind]}”类的问题。",
        hint=f"It can be asked as {own!r}." if own else "Ask at a step that computes a number.",
        hint_zh=f"可以按“{KINDS_ZH[own]}”来问。" if own else "请在算出数值的步骤提问。",
        place="body.kind",
    )  # fmt: skip
