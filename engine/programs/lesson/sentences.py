"""The sentences of a lesson, in English and in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Sequence

Sentence = dict[str, str]


def unfed_sentence(position: str, name: str) -> Sentence:
    """A placeholder that nothing was fed to: what is computed from it is known by its formula only."""
    return _both(
        f"Forward {position}. {name} is a placeholder: feed_dict gives its value when the graph is run.",
        f"前向 {position}。{name} 是占位符：它的值在运行计算图时由 feed_dict 给出。",
    )


def variable_sentence(position: str, name: str, value: str) -> Sentence:
    """A variable or placeholder that the forward pass starts from."""
    return _both(f"Forward {position}. {name} = {value}.", f"前向 {position}。{name} = {value}。")


def forward_sentence(position: str, op: str, formula: str, value: str) -> Sentence:
    """One operation of the forward pass."""
    return _both(
        f"Forward {position}. {op}: {formula} = {value}.", f"前向 {position}。{op}：{formula} = {value}。"
    )


def seed_sentence(y: str) -> Sentence:
    """Where the backward pass starts."""
    return _both(f"The gradient of {y} with respect to itself is 1.", f"{y} 对自身的梯度是 1。")


def backward_sentence(position: str, op: str, upstream: str, local: str, result: str) -> Sentence:
    """Upstream gradient times local derivative."""
    return _both(
        f"Backward {position}. At {op}: upstream {upstream} × local derivative {local} = {result}.",
        f"反向 {position}。在 {op} 处：上游梯度 {upstream} × 局部导数 {local} = {result}。",
    )


def passed_sentence(position: str, op: str, formula: str, result: str) -> Sentence:
    """A gradient passed on by a rule that is no product of two numbers."""
    return _both(
        f"Backward {position}. {op} passes back {formula} = {result}.",
        f"反向 {position}。{op} 传回 {formula} = {result}。",
    )


def local_sentence(position: str, op: str, formula: str, value: str) -> Sentence:
    """Something that the local derivative is made of."""
    return _both(
        f"Backward {position}. {op} needs its local derivative: {formula} = {value}.",
        f"反向 {position}。{op} 需要局部导数：{formula} = {value}。",
    )


def part_sentence(position: str, op: str, formula: str, value: str) -> Sentence:
    """An intermediate result on the way to the gradient that is passed on."""
    return _both(
        f"Backward {position}. At {op}: {formula} = {value}.",
        f"反向 {position}。在 {op} 处：{formula} = {value}。",
    )


def fan_out_sentence(position: str, x: str, parts: Sequence[str], total: str) -> Sentence:
    """Several contributions added up."""
    count, added = len(parts), " + ".join(f"({part})" if part.startswith("−") else part for part in parts)
    return _both(
        f"Backward {position}. {x} is used {count} times, so its {count} gradients are added: "
        f"{added} = {total}.",
        f"反向 {position}。{x} 被用了 {count} 次，{count} 个梯度相加：{added} = {total}。",
    )


def none_sentence(y: str, x: str, reason: str, reason_zh: str) -> Sentence:
    """A gradient that is None, and why."""
    return _both(
        f"No gradient of {y} with respect to {x}. {reason}",
        f"{y} 对 {x} 无梯度。{reason_zh}",
    )


def clip_sentence(norm: str, bound: str, is_over: bool) -> Sentence:
    """What clipping by norm did."""
    if is_over:
        return _both(
            f"Norm {norm} is over {bound}: scaled by {bound}/{norm}.",
            f"范数 {norm} 超过 {bound}：乘以 {bound}/{norm}。",
        )
    return _both(f"Norm {norm} is within {bound}: unchanged.", f"范数 {norm} 未超过 {bound}：不变。")


def bound_sentence(bound: str) -> Sentence:
    """What clipping by norm will do to a gradient that is not known yet."""
    return _both(f"A norm over {bound} is scaled down to {bound}.", f"超过 {bound} 的范数缩小到 {bound}。")


def process_sentence(op: str, formula: str, value: str) -> Sentence:
    """A step of the program's own between the gradient and the update."""
    return _both(f"Process. {op}: {formula} = {value}.", f"处理。{op}：{formula} = {value}。")


def descent_sentence(variable: str, old: str, rate: str, gradient: str, new: str) -> Sentence:
    """One step of gradient descent."""
    text = f"{variable} ← {old} − {rate} × {gradient} = {new}"
    return _both(f"{text}.", f"{text}。")


def update_sentence(variable: str, optimizer: str, old: str, new: str) -> Sentence:
    """One step of any other optimizer."""
    return _both(
        f"{optimizer} moves {variable} from {old} to {new}.",
        f"{optimizer} 把 {variable} 从 {old} 更新为 {new}。",
    )


def _both(english: str, chinese: str) -> Sentence:
    return {"en": english, "zh": chinese}
