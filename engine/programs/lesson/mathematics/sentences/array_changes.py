"""Sentences about operations on arrays: what is shared out, put in place, copied, added up."""

from __future__ import annotations

import re

import numpy as np

from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import number_text
from engine.programs.lesson.mathematics.sentences.returning import Returning, Sent, receivers
from engine.programs.lesson.mathematics.sentences.wording import enumerated, enumerated_zh, in_words, is_large
from engine.programs.lesson.sentence import Sentence, both

SLICING = ("StridedSlice", "Slice")  # take each number once
WORD = re.compile(r"[\w₀-₉]+")
FRACTIONS = {2: "a half", 3: "a third", 4: "a quarter"}


def smooth_arrays(back: Returning) -> Sentence:
    """So and so many times as fast, number by number; what was used several times is added up."""
    if not all(sent.factor or sent.local is not None for sent in back.sent):
        return through_rule(back)
    extra, extra_zh = summed_over(back)
    found = receivers(back)
    if len({sent.to for sent in back.sent}) < len(back.sent):
        english = "; ".join(f"{place} it counts {_factor(s)} times" for s, (place, _) in found)
        chinese = "；".join(f"{place}，它的一点变化算 {_factor(s)} 倍" for s, (_, place) in found)
        name = back.sent[0].to
        return both(
            f"Number by number, {name} stands in {back.name} {len(found)} times: {english}.{extra}",
            f"逐个来看，{name} 在 {back.name} 中出现 {len(found)} 次：{chinese}。{extra_zh}",
        )
    english = " and ".join(f"{_factor(s)} times as fast as {s.to}" for s in back.sent)
    chinese = "；".join(f"{s.to} 变化一点，{back.name} 的变化就是它的 {_factor(s)} 倍" for s in back.sent)
    return both(
        f"Number by number, {back.name} changes {english}.{extra}", f"逐个来看，{chinese}。{extra_zh}"
    )


def _factor(sent: Sent) -> str:
    return sent.factor or in_words(sent.local)


def summed_over(back: Returning) -> tuple[str, str]:
    """What was used for several elements is told apart: what comes back from them is added up."""
    wide = () if back.output is None else back.output.shape
    narrow = [s for s in back.sent if s.value is not None and s.value.size < np.prod(wide, dtype=int)]
    english, chinese = [], []
    for sent in narrow:
        size = 0 if sent.value is None else sent.value.size
        times = int(np.prod(wide)) // max(size, 1)
        each, each_zh = ("", "") if size == 1 else ("Each number of ", "的每个数")
        value = "" if is_large(sent.value) else f": {in_words(sent.value)}"
        english.append(f" {each}{sent.to} was used {times} times, so what comes back is added up{value}.")
        chinese.append(
            f"{sent.to} {each_zh}用了 {times} 次，所以把传回的梯度加起来{value.replace(': ', '：')}。"
        )
    return "".join(english), "".join(chinese)


def averaged(back: Returning) -> Sentence:
    """A mean shares it out."""
    size, made = _size(back.values[0]), _size(back.output)
    if not size or not made:
        return through_rule(back)
    n = size // made
    if n == 1:
        return both(
            "A mean of one number is that number, so what comes back goes on unchanged.",
            "一个数的平均就是它自己，所以传回的梯度原样传下去。",
        )
    each, each_zh = _each(back.sent[0].value)
    of, of_zh = ("", "") if made == 1 else (" of a group", "每组中")
    return both(
        f"In a mean each of the {n} numbers{of} counts {FRACTIONS.get(n, f'1/{n}')}{each}.",
        f"求平均时，{of_zh} {n} 个数各占 1/{n}{each_zh}。".replace("， ", "，"),
    )


def _size(value: Array | None) -> int:
    return 0 if value is None else int(value.size)


def _each(value: Array | None) -> tuple[str, str]:
    """`: 0.25 comes back to each` where all elements are that number."""
    if value is None or value.size < 2 or not np.all(value == value.flat[0]):
        return "", ""
    number = number_text(float(value.flat[0]))
    return f": {number} comes back to each", f"：每个数得到 {number}"


def added_up(back: Returning) -> Sentence:
    """A sum of elements passes it to each."""
    each, each_zh = _each(back.sent[0].value)
    return both(
        f"In a sum each number of {back.sent[0].to} counts once{each}.",
        f"求和时，{back.sent[0].to} 的每个数都算一次{each_zh}。",
    )


def cut(back: Returning) -> Sentence:
    """An array cut into parts."""
    names = [sent.to for sent in back.sent]
    return both(
        f"{back.formula} only cuts {enumerated(names)} into parts, so what comes back to the parts is put "
        "together again.",
        f"{back.formula} 只是把 {enumerated_zh(names)} 切成几部分，所以把传回各部分的梯度重新拼起来。",
    )


def placed(back: Returning) -> Sentence:
    """Numbers that only change places."""
    names = [sent.to for sent in back.sent]
    if back.formula == names[0]:  # a formula says nothing of the shape
        return both(
            f"The numbers of {names[0]} only take another shape, so what comes back to each number goes to "
            "where it was.",
            f"{names[0]} 的数只是换了形状，所以每个数的梯度回到它原来的位置。",
        )
    return both(
        f"{back.formula} only puts the numbers of {enumerated(names)} in another place, so what comes back "
        "to each number goes to where it was.",
        f"{back.formula} 只改变 {enumerated_zh(names)} 中各数的位置，所以每个数的梯度回到它原来的位置。",
    )


def taken(back: Returning) -> Sentence:
    """Some elements are taken."""
    sent = back.sent[0]
    value = "" if is_large(sent.value) or len(back.sent) > 1 else f": {in_words(sent.value)}"
    again, again_zh = "", ""
    if back.op not in SLICING:
        again, again_zh = " (added up where one was taken several times)", "（多次取出的相加）"
    some, some_zh = ("one number", "一个数") if _size(back.output) == 1 else ("some numbers", "一部分数")
    place, place_zh = ("its place", "它的位置") if some == "one number" else ("their places", "它们的位置")
    return both(
        f"{back.formula} takes only {some} of {sent.to}, so what comes back goes to {place}{again} and the "
        f"others get 0{value}.",
        f"{back.formula} 只取出 {sent.to} 中的{some_zh}，所以梯度传回{place_zh}{again_zh}，其余得到 0"
        f"{value.replace(': ', '：')}。",
    )


def copied(back: Returning) -> Sentence:
    """Copies send back each their part."""
    sent = back.sent[0]
    return both(
        f"Each number of {sent.to} was copied, so what comes back from its copies is added up.",
        f"{sent.to} 的每个数都被复制，所以把各个副本传回的梯度加起来。",
    )


def largest(back: Returning) -> Sentence:
    """Only the largest (smallest) elements decide."""
    sent = back.sent[0]
    word, word_zh = ("smallest", "最小") if back.op in ("Min", "SegmentMin") else ("largest", "最大")
    value = "" if is_large(sent.value) else f": {in_words(sent.value)}"
    return both(
        f"Only the {word} number of {sent.to} decides, so what comes back goes to it alone; equal ones share "
        f"it{value}.",
        f"只有 {sent.to} 中{word_zh}的数起作用，所以梯度只传回给它；相等的数平分"
        f"{value.replace(': ', '：')}。",
    )


def matrix_product(back: Returning) -> Sentence:
    """A matrix product: the other factor, transposed."""
    left, right = back.inputs[0], back.inputs[-1]
    rows, columns, dy = _turned(back.values[0]), _turned(back.values[-1]), _made_by(back)
    english, chinese = [], []
    for sent in back.sent:
        if sent.place == 0:
            english.append(f"{left} gets what comes back{dy} times {transposed(right)}{columns}")
            chinese.append(
                f"{left} 得到传回的梯度{dy} 乘以 {transposed(right)}{columns}".replace("度 乘", "度乘")
            )
        else:
            english.append(f"{right} gets {transposed(left)}{rows} times what comes back{dy}")
            chinese.append(f"{right} 得到 {transposed(left)}{rows} 乘以传回的梯度{dy}")
    column, column_zh = (
        (right, right) if _is_column(back.values[-1]) else (f"a column of {right}", f"{right} 的一列")
    )
    return both(
        f"Each number of {back.formula} is a row of {left} times {column}, so {' and '.join(english)}.",
        f"{back.formula} 的每个数是 {left} 的一行乘以 {column_zh}，所以 {'，'.join(chinese)}。",
    )


def _made_by(back: Returning) -> str:
    """` [3 × 1]`, the shape of a product of two matrices, and of what comes back to it."""
    first, last = back.values[0], back.values[-1]
    if first is None or last is None or first.ndim != 2 or last.ndim != 2:
        return ""
    return f" [{first.shape[0]} × {last.shape[1]}]"


def _turned(value: Array | None) -> str:
    """` [3 × 2]` of a matrix that is turned over; of anything else nothing."""
    return "" if value is None or value.ndim != 2 else f" [{value.shape[1]} × {value.shape[0]}]"


def _is_column(value: Array | None) -> bool:
    return value is not None and (value.ndim < 2 or value.shape[-1] == 1)


def transposed(name: str) -> str:
    """`Aᵀ`; of `Aᵀ` again `A`."""
    if name.endswith("ᵀ"):
        return name[:-1]
    is_whole = WORD.fullmatch(name) or (name[0] == "[" and name.find("]") == len(name) - 1)
    return f"{name}ᵀ" if is_whole else f"({name})ᵀ"


def cross_entropy(back: Returning) -> Sentence:
    """Softmax with cross entropy: p − t."""
    to = back.sent[0].to
    return both(
        f"Softmax with cross entropy: each row of {to} gets p − t, the probabilities that it predicts minus "
        "the right ones, times what comes back to it.",
        f"softmax 与交叉熵合起来：{to} 的每一行得到 p − t，即预测的概率减去正确的概率，"
        "再乘以传回给它的梯度。",
    )


def through_rule(back: Returning) -> Sentence:
    """Whatever mixes its elements: by its result."""
    english, chinese = [], []
    for sent in back.sent:
        value = "" if is_large(sent.value) else f": {in_words(sent.value)}"
        each, each_zh = ("each number of ", "的每个数") if sent.is_array else ("", "")
        english.append(f"{each}{sent.to} gets back what a small change of it does{value}")
        chinese.append(f"{sent.to} {each_zh}得到它稍有变化时的影响{value.replace(': ', '：')}")
    return both(
        f"Through {back.formula} {' and '.join(english)}.", f"经过 {back.formula}，{'，'.join(chinese)}。"
    )


def own_rule(back: Returning) -> Sentence:
    """An operation of which the program itself says what it sends back."""
    known = [s for s in back.sent if s.value is not None and not is_large(s.value)]
    shown = f": {' and '.join(f'{s.to} gets {in_words(s.value)}' for s in known)}" if known else ""
    shown_zh = f"：{'，'.join(f'{s.to} 得到 {in_words(s.value)}' for s in known)}" if known else ""
    return both(
        f"What comes back through {back.formula} is what the program itself says{shown}.",
        f"经过 {back.formula} 传回的梯度由程序自己规定{shown_zh}。",
    )


def shared_out(back: Returning) -> Sentence:
    """A mean of numbers that are not given yet."""
    return both(
        f"A mean shares out evenly what comes back: each number of {back.sent[0].to} gets its part.",
        f"求平均时，传回的梯度平均分给 {back.sent[0].to} 的每个数。",
    )
