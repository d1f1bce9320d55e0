"""The sentences of a lesson at level Mathematics, but for those about an operation on its way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import number_text
from engine.programs.lesson.mathematics.sentences.wording import (
    are_many,
    counted,
    enumerated,
    enumerated_zh,
    in_brackets,
    in_words,
    is_large,
)
from engine.programs.lesson.sentence import Sentence, both


def given_sentence(name: str, array: Array | None, is_variable: bool, *, is_later: bool = False) -> Sentence:
    """A variable or a placeholder. is_later: whether of several turns the last one is told."""
    value = in_words(array)
    if array is not None and is_large(array):
        return _large(name, array)
    if is_variable and is_later:
        return both(f"The last turn begins with {name} = {value}.", f"最后一轮开始时 {name} = {value}。")
    if is_variable:
        return both(f"To begin with, {name} = {value}.", f"一开始 {name} = {value}。")
    return both(f"{name} = {value} is given.", f"已知 {name} = {value}。")


def _large(name: str, array: Array) -> Sentence:
    """An array that is not written out."""
    size, shape = array.size, f"[{' × '.join(str(length) for length in array.shape)}]"
    if size and bool(np.all(array == array.flat[0])):
        number = number_text(float(array.flat[0]))
        return both(
            f"{name} has {size} numbers, all of them {number}.", f"{name} 有 {size} 个数，全是 {number}。"
        )
    if array.ndim == 1:
        return both(f"{name} has {size} numbers.", f"{name} 有 {size} 个数。")
    return both(f"{name} has the shape {shape}.", f"{name} 的形状是 {shape}。")


def unfed_sentence(name: str) -> Sentence:
    """A placeholder that nothing was fed to."""
    return both(
        f"{name} has no value yet: it is given when the graph is run.",
        f"{name} 还没有值：运行计算图时才给出。",
    )


def forward_sentence(name: str, formula: str, value: Array | None) -> Sentence:
    """One operation of the forward pass."""
    left = f"{name} = {formula}" if name != formula else formula
    if value is None:
        return both(
            f"{left} has no value before everything it needs is given.",
            f"{left} 要等所需的值都给出后才有值。",
        )
    if is_large(value):
        return _large(left, value)
    return both(f"{left} = {in_words(value)}.", f"{left} = {in_words(value)}。")


def chosen_sentence(name: str, condition: str, choice: str, value: Array, *, holds: bool) -> Sentence:
    """A choice by one condition: what was chosen."""
    left = f"{name} = {choice}" if name != choice else name
    word, word_zh = ("holds", "成立") if holds else ("does not hold", "不成立")
    return both(
        f"{condition} {word}, so {left} = {in_words(value)}.",
        f"{condition} {word_zh}，所以 {left} = {in_words(value)}。",
    )


def truth_sentence(condition: str, *, holds: bool) -> Sentence:
    """A condition."""
    word, word_zh = ("holds", "成立") if holds else ("does not hold", "不成立")
    return both(f"{condition} {word}.", f"{condition} {word_zh}。")


def reshaped_sentence(name: str, source: str, value: Array) -> Sentence:
    """The same numbers in another shape."""
    if name == source or is_large(value):
        shape = f"[{' × '.join(str(length) for length in value.shape)}]"
        return both(
            f"{name} takes the shape {shape}; its numbers stay.", f"{name} 的形状变为 {shape}，数不变。"
        )
    return both(
        f"{name} = {in_words(value)}: the numbers of {source} in another shape.",
        f"{name} = {in_words(value)}：{source} 的数，换了形状。",
    )


def again_sentence(slope: str, name: str, formula: str, y: str, order: tuple[str, str]) -> Sentence:
    """A gradient that is differentiated again. order: of the derivative that comes of it."""
    left = f"{slope} = {formula}" if formula else slope
    called = f", called {name} here" if name not in (slope, formula) else ""
    called_zh = f"（这里叫 {name}）" if called else " "
    return both(
        f"{left}{called}, is itself a formula, and now it is differentiated: what comes out is the "
        f"{order[0]} derivative of {y}.",
        f"{left}{called_zh}本身也是一个公式，现在对它求导：得到的是 {y} 的{order[1]}阶导数。",
    )


def parts_sentence(formula: str, parts: Sequence[tuple[str, Array | None]]) -> Sentence:
    """One operation that gives several quantities."""
    names = [name for name, _ in parts]
    values = [
        f"{name} = {in_words(value)}" for name, value in parts if value is not None and not is_large(value)
    ]
    shown, shown_zh = (f": {', '.join(values)}", f"：{'，'.join(values)}") if values else ("", "")
    return both(
        f"{formula} gives {enumerated(names)}{shown}.", f"{formula} 给出 {enumerated_zh(names)}{shown_zh}。"
    )


def seed_sentence(y: str, seed: Array | None, is_one: bool) -> Sentence:
    """Where the backward pass starts."""
    if not is_one:
        return both(
            f"The gradient starts as {in_words(seed)} at {y}, as was asked for.",
            f"梯度从 {y} 处的 {in_words(seed)} 开始，这是所要求的起点。",
        )
    if seed is not None and seed.size != 1:
        return both(
            f"The gradient starts as 1 at each number of {y}: what is differentiated is their sum.",
            f"梯度从 {y} 的每个数处的 1 开始：求导的是它们的和。",
        )
    return both(
        f"The gradient starts as 1 at {y}, since ∂{y}/∂{y} = 1.",
        f"梯度从 {y} 处的 1 开始，因为 ∂{y}/∂{y} = 1。",
    )


def sum_sentence(
    gradient: str, name: str, parts: Sequence[Array | None], total: Array | None, count: int
) -> Sentence:
    """Several contributions added up. count: how many, where a part may be the sum of some."""
    added = " + ".join(in_brackets(in_words(part)) for part in parts)
    often, many = "twice" if count == 2 else f"{count} times", counted(count)
    if total is None:
        return both(
            f"{name} is used {often}, so its {many} gradients are added: {gradient} is their sum.",
            f"{name} 被用了 {count} 次，{count} 个梯度相加：{gradient} 是它们的和。",
        )
    if are_many(*parts, total):
        return both(
            f"{name} is used {often}, so its {many} gradients are added, number by number.",
            f"{name} 被用了 {count} 次，{count} 个梯度逐个相加。",
        )
    sum_text = f"{added} = {in_words(total)}"
    return both(
        f"{name} is used {often}, so its {many} gradients are added: {sum_text}.",
        f"{name} 被用了 {count} 次，{count} 个梯度相加：{sum_text}。",
    )


THROUGH_A_WRITE = both(
    "Nothing goes back through the writing of a variable.", "梯度不会经过变量的写入往回传。"
)


def values_sentence(
    x: str, y: str, used: Sequence[str], parts: Sequence[Array | None], total: Array | None
) -> Sentence:
    """The gradient with respect to a variable that is written on the way. used: its values that lead to y."""
    shown, shown_zh = ("", "")
    if total is not None and not are_many(*parts, total):
        added = " + ".join(in_brackets(in_words(part)) for part in parts)
        sum_text = added if len(parts) == 1 else f"{added} = {in_words(total)}"
        shown, shown_zh = f": {sum_text}", f"：{sum_text}"
    if len(used) == 1:
        return both(
            f"Of the values that {x} had, only {used[0]} leads to {y}, so what came back to it is the "
            f"gradient with respect to {x}{shown}. {THROUGH_A_WRITE['en']}",
            f"{x} 有过的值中只有 {used[0]} 通向 {y}，所以传回它的就是对 {x} 的梯度{shown_zh}。"
            f"{THROUGH_A_WRITE['zh']}",
        )
    return both(
        f"{x} was used with {len(used)} values, {enumerated(used)}. The gradient with respect to {x} is the "
        f"sum of what came back to them{shown}. {THROUGH_A_WRITE['en']}",
        f"{x} 先后以 {len(used)} 个值被使用：{enumerated_zh(used)}。"
        f"对 {x} 的梯度是传回它们的梯度之和{shown_zh}。{THROUGH_A_WRITE['zh']}",
    )


def process_sentence(name: str, formula: str, value: Array | None) -> Sentence:
    """A step of the program's own between the gradient and the update."""
    text = f"{formula} = {in_words(value)}" if name == formula else f"{name} = {formula} = {in_words(value)}"
    return both(f"Before it is used: {text}.", f"使用之前先处理：{text}。")


def large_descent_sentence(name: str, rate: str, gradient: str, size: int) -> Sentence:
    """One step of gradient descent, of an array that is not written out."""
    return both(
        f"{name} ← {name} − {rate} × {gradient}: each of the {size} numbers of {name} takes its step.",
        f"{name} ← {name} − {rate} × {gradient}：{name} 的 {size} 个数各走一步。",
    )


def large_update_sentence(name: str, optimizer: str, size: int) -> Sentence:
    """The same of another optimizer."""
    return both(
        f"{optimizer} gives each of the {size} numbers of {name} a new value.",
        f"{optimizer} 给 {name} 的 {size} 个数各一个新值。",
    )


def none_sentence(y: str, x: str, reason: tuple[str, str] | None, blocked: str | None) -> Sentence:
    """A gradient that is None. reason: what the call itself says; blocked: what passes nothing back."""
    if reason is not None:
        english, chinese = reason
        return both(
            f"There is no gradient of {y} with respect to {x}. {english.replace(' x:', f' {x}:')}",
            f"{y} 对 {x} 没有梯度。{chinese.replace(' x：', f' {x}：')}",
        )
    if blocked is not None:
        return both(
            f"{blocked} passes nothing back, so {y} has no gradient with respect to {x}: None, "
            "which is not 0.",
            f"{blocked} 不传回梯度，所以 {y} 对 {x} 没有梯度：是 None，而不是 0。",
        )
    return both(
        f"No path leads from {x} to {y}, so {y} has no gradient with respect to {x}: None, which is not 0.",
        f"没有从 {x} 到 {y} 的路径，所以 {y} 对 {x} 没有梯度：是 None，而不是 0。",
    )


def written_none_sentence(y: str, x: str) -> Sentence:
    """A gradient that is None, since x acts only through writes of it."""
    return both(
        f"{y} takes {x} as it was written, and nothing comes back through that, so {y} has no gradient with "
        f"respect to {x}: None, which is not 0.",
        f"{y} 用到的是写入后的 {x}，梯度不经过写入传回，所以 {y} 对 {x} 没有梯度：是 None，而不是 0。",
    )


def close_sentence(
    gradient: str,
    measured_of: tuple[str, str],
    x: str,
    value: Array | None,
    trial: Mapping[str, Any] | None,
    *,
    is_written: bool = False,
) -> Sentence:
    """What a gradient says about a small change of x, and what the change did to y.

    is_written: whether x had several values, each of which is changed.
    """
    if value is None:
        return both(
            f"{gradient} has its value once everything is given.", f"一切都给出后，{gradient} 才有值。"
        )
    if trial is None:
        return (
            _large(gradient, value)
            if is_large(value)
            else both(f"{gradient} = {in_words(value)}.", f"{gradient} = {in_words(value)}。")
        )
    places = ", ".join(str(place) for place in trial["element"])
    y, y_zh = (y[1:-1] if y.startswith("(") and y.endswith(")") else y for y in measured_of)
    moved = f"{x}[{places}]" if places else x
    each, each_zh = (" each time that it is used", "在每次使用时都") if is_written else ("", "")
    step, about, measured = (number_text(trial[key]) for key in ("step", "predicted", "measured"))
    slope, slope_zh = f"{gradient} = {in_words(value)}: ", f"{gradient} = {in_words(value)}："
    if is_large(value):
        slope, slope_zh = (text[:-1] for text in _large(gradient, value).values())
        slope, slope_zh = f"{slope}. The largest: ", f"{slope_zh}。其中绝对值最大的："
    gap = "" if y_zh.endswith("和") else " "
    if trial["predicted"] == trial["measured"] == 0:
        return both(
            f"{slope}raise {moved} a little{each} and {y} stays as it is. Tried with {step}: no change.",
            f"{slope_zh}{moved} {each_zh}稍微增大，{y_zh}{gap}不变。试着增大 {step}：没有变化。",
        )
    why, why_zh = _why_it_differs(trial)
    return both(
        f"{slope}raise {moved} by {step}{each} and {y} changes by about {about}. Tried: {measured}{why}.",
        f"{slope_zh}把 {moved} {each_zh}增大 {step}，{y_zh}{gap}大约变化 {about}。"
        f"试算结果：{measured}{why_zh}。",
    )


def _why_it_differs(trial: Mapping[str, Any]) -> tuple[str, str]:
    """Where the trial is not what the gradient said."""
    predicted, measured = trial["predicted"], trial["measured"]
    if abs(measured - predicted) <= FAR * max(abs(predicted), abs(measured)) + TINY:
        return "", ""
    if trial["kink"]:
        return (
            ". They differ: at a corner the slope on one side is not that on the other",
            "。两者不同：在拐角处，两侧的斜率不一样",
        )
    if trial["own"] or abs(trial["closer"] - predicted) > abs(measured - predicted) / 2:
        return (
            ". They differ: not every way on which it acts is counted here",
            "。两者不同：这里没有计入它起作用的每一条路径",
        )
    return ". They differ, since the slope changes on the way", "。两者不同，因为途中斜率在变"


FAR = 0.25  # of the change: above that the two are told to differ
TINY = 1e-5
