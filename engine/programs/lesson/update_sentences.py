"""Sentences about clipping and updates, the same at both levels."""

from __future__ import annotations

from engine.programs.lesson.sentence import Sentence, both

DESCENT_OPS = frozenset(  # of a variable, a rate and a gradient
    {"ApplyGradientDescent", "ApplyKerasPlainSGD", "ApplyTorchPlainSGD"}
)


def clip_sentence(norm: str, bound: str, is_over: bool) -> Sentence:
    """What clipping by norm did."""
    if is_over:
        return both(
            f"Norm {norm} is over {bound}: scaled by {bound}/{norm}.",
            f"范数 {norm} 超过 {bound}：乘以 {bound}/{norm}。",
        )
    return both(f"Norm {norm} is within {bound}: unchanged.", f"范数 {norm} 未超过 {bound}：不变。")


def bound_sentence(bound: str) -> Sentence:
    """What clipping by norm will do to a gradient that is not known yet."""
    return both(f"A norm over {bound} is scaled down to {bound}.", f"超过 {bound} 的范数缩小到 {bound}。")


def descent_sentence(variable: str, old: str, rate: str, gradient: str, new: str) -> Sentence:
    """One step of gradient descent."""
    text = f"{variable} ← {old} − {rate} × {gradient} = {new}"
    return both(f"{text}.", f"{text}。")


def update_sentence(variable: str, optimizer: str, old: str, new: str | None) -> Sentence:
    """One step of any other optimizer. new: None where what it has kept of earlier steps is not known."""
    if new is None:
        return both(
            f"{optimizer} moves {variable} from {old}; where to depends on what it keeps of earlier steps.",
            f"{optimizer} 更新 {variable}（原为 {old}）；新值取决于它在之前各步中记下的数。",
        )
    return both(
        f"{optimizer} moves {variable} from {old} to {new}.",
        f"{optimizer} 把 {variable} 从 {old} 更新为 {new}。",
    )
