"""The sentences of a lesson at level TensorFlow, in English and in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Sequence

from engine.programs.lesson.sentence import Sentence, both


def unfed_sentence(position: str, name: str) -> Sentence:
    """A placeholder that nothing was fed to: what is computed from it is known by its formula only."""
    return both(
        f"Forward {position}. {name} is a placeholder: feed_dict gives its value when the graph is run.",
        f"前向 {position}。{name} 是占位符：它的值在运行计算图时由 feed_dict 给出。",
    )


def variable_sentence(position: str, name: str, value: str) -> Sentence:
    """A variable or placeholder that the forward pass starts from."""
    return both(f"Forward {position}. {name} = {value}.", f"前向 {position}。{name} = {value}。")


def forward_sentence(position: str, op: str, formula: str, value: str) -> Sentence:
    """One operation of the forward pass."""
    return both(
        f"Forward {position}. {op}: {formula} = {value}.", f"前向 {position}。{op}：{formula} = {value}。"
    )


def seed_sentence(y: str) -> Sentence:
    """Where the backward pass starts."""
    return both(f"The gradient of {y} with respect to itself is 1.", f"{y} 对自身的梯度是 1。")


def backward_sentence(position: str, op: str, upstream: str, local: str, result: str) -> Sentence:
    """Upstream gradient times local derivative."""
    return both(
        f"Backward {position}. At {op}: upstream {upstream} × local derivative {local} = {result}.",
        f"反向 {position}。在 {op} 处：上游梯度 {upstream} × 局部导数 {local} = {result}。",
    )


def passed_sentence(position: str, op: str, formula: str, result: str) -> Sentence:
    """A gradient passed on by a rule that is no product of two numbers."""
    return both(
        f"Backward {position}. {op} passes back {formula} = {result}.",
        f"反向 {position}。{op} 传回 {formula} = {result}。",
    )


def local_sentence(position: str, op: str, formula: str, value: str) -> Sentence:
    """Something that the local derivative is made of."""
    return both(
        f"Backward {position}. {op} needs its local derivative: {formula} = {value}.",
        f"反向 {position}。{op} 需要局部导数：{formula} = {value}。",
    )


def part_sentence(position: str, op: str, formula: str, value: str) -> Sentence:
    """An intermediate result on the way to the gradient that is passed on."""
    return both(
        f"Backward {position}. At {op}: {formula} = {value}.",
        f"反向 {position}。在 {op} 处：{formula} = {value}。",
    )


def fan_out_sentence(position: str, x: str, parts: Sequence[str], total: str) -> Sentence:
    """Several contributions added up."""
    count, added = len(parts), " + ".join(f"({part})" if part.startswith("−") else part for part in parts)
    return both(
        f"Backward {position}. {x} is used {count} times, so its {count} gradients are added: "
        f"{added} = {total}.",
        f"反向 {position}。{x} 被用了 {count} 次，{count} 个梯度相加：{added} = {total}。",
    )


def none_sentence(y: str, x: str, reason: str, reason_zh: str) -> Sentence:
    """A gradient that is None, and why."""
    return both(
        f"No gradient of {y} with respect to {x}. {reason}",
        f"{y} 对 {x} 无梯度。{reason_zh}",
    )


def process_sentence(op: str, formula: str, value: str) -> Sentence:
    """A step of the program's own between the gradient and the update."""
    return both(f"Process. {op}: {formula} = {value}.", f"处理。{op}：{formula} = {value}。")
