"""The sentences of the backward pass: what an operation does to a small change of its inputs.

Which sentence an op gets follows from the local derivative that its block states: in words that several
ops share, as a formula, or as a number.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.ops.base.derivatives import AVERAGED, COPIED, LARGEST_OF_WINDOW, PLACED, SUMMED, TAKEN
from engine.programs.lesson.mathematics.sentences.array_changes import (
    added_up,
    averaged,
    copied,
    cross_entropy,
    largest,
    matrix_product,
    placed,
    smooth_arrays,
    summed_over,
    taken,
    through_rule,
)
from engine.programs.lesson.mathematics.sentences.choices import chosen, larger_or_smaller, rectified
from engine.programs.lesson.mathematics.sentences.returning import Returning, Sent, receivers
from engine.programs.lesson.mathematics.sentences.wording import (
    enumerated,
    enumerated_zh,
    in_brackets,
    in_words,
    number_of,
)
from engine.programs.lesson.sentence import Sentence, both


def backward_sentence(back: Returning) -> Sentence:
    """What an operation does to a small change, and what it therefore sends back."""
    if back.upstream is None or any(sent.value is None for sent in back.sent):
        return without_numbers(back)
    rule = BY_OP.get(back.op) or BY_WORDS.get(back.words) or by_factors
    return rule(back)


def by_factors(back: Returning) -> Sentence:
    """By the numbers of the local derivatives, where there are any."""
    if any(sent.local is None for sent in back.sent):
        return through_rule(back)
    return smooth_arrays(back) if back.is_array else smooth(back)


def by_factors_summed(back: Returning) -> Sentence:
    """The same for an op on numbers of which one may be used for all elements of an array."""
    return by_factors(back) if all(s.local is not None for s in back.sent) else smooth_arrays(back)


def without_numbers(back: Returning) -> Sentence:
    """Where something is not given yet, or several gradients arrive."""
    if all(sent.factor for sent in back.sent):
        english = " and ".join(f"{s.factor} times as fast as {to}" for s, (to, _) in receivers(back))
        chinese = "，".join(f"{to} 的 {s.factor} 倍" for s, (_, to) in receivers(back))
        return both(
            f"{back.formula} changes {english}: what comes back is multiplied by that.",
            f"{back.formula} 的变化速度是 {chinese}：传回的梯度要乘以它。",
        )
    names = [sent.to for sent in back.sent]
    return both(
        f"{back.formula} sends back to {enumerated(names)} what each of them did.",
        f"{back.formula} 按各自的影响把梯度传回 {enumerated_zh(names)}。",
    )


def smooth(back: Returning) -> Sentence:
    """So and so many times as fast."""
    locals_ = [number_of(sent.local) for sent in back.sent]
    if locals_ == [-1]:
        return _falling(back)
    if all(number == 0 for number in locals_):
        return _flat(back)
    english = " and ".join(f"{_rate(s)} {to}" for s, (to, _) in receivers(back))
    chinese = "，".join(f"{to} {_rate_zh(s)}" for s, (_, to) in receivers(back))
    sends, sends_zh = _sends(back)
    return both(
        f"{back.formula} changes {english}, so {sends}.",
        f"{back.formula} 的变化速度是 {chinese}，所以{sends_zh}。",
    )


def _falling(back: Returning) -> Sentence:
    to, (sends, sends_zh) = back.sent[0].to, _sends(back)
    return both(
        f"{back.formula} falls as fast as {to} rises, so {sends}.",
        f"{to} 上升多快，{back.formula} 就下降多快，所以{sends_zh}。",
    )


def _flat(back: Returning) -> Sentence:
    names, (sends, sends_zh) = [sent.to for sent in back.sent], _sends(back)
    first = back.sent[0]
    why = f" ({first.factor} = 0)" if first.factor and first.factor != "0" else ""
    return both(
        f"Here {back.formula} stays as it is when {enumerated(names)} changes a little{why}, so {sends}.",
        f"在这一点，{enumerated_zh(names)} 稍有变化时 {back.formula} 不变{why}，所以{sends_zh}。",
    )


def _rate(sent: Sent) -> str:
    """`cos x = −0.99 times as fast as`."""
    number = in_words(sent.local)
    if number == "1" and sent.factor in ("", "1"):
        return "as fast as"
    return f"{_factor(sent, number)} times as fast as"


def _rate_zh(sent: Sent) -> str:
    return f"的 {_factor(sent, in_words(sent.local))} 倍"


def _factor(sent: Sent, number: str) -> str:
    return f"{sent.factor} = {number}" if sent.factor and sent.factor != number else number


def _sends(back: Returning) -> tuple[str, str]:
    parts = [(_product(back, sent), to) for sent, to in receivers(back)]
    english = " and ".join(f"{number} is sent back to {to}" for number, (to, _) in parts)
    chinese = "，".join(f"向 {to} 传回 {number}" for number, (_, to) in parts)
    return english, chinese


def _product(back: Returning, sent: Sent) -> str:
    """`1.152 × (−0.99) = −1.14`."""
    return f"{in_words(back.upstream)} × {in_brackets(in_words(sent.local))} = {in_words(sent.value)}"


# -- sums and differences ------------------------------------------------------------------------------


def passes_sum(back: Returning) -> Sentence:
    """Addition: the gradient is copied to every term."""
    names, (extra, extra_zh) = [sent.to for sent in back.sent], summed_over(back)
    value = "" if back.is_array else f": {in_words(back.upstream)}"
    here = "" if len(set(names)) > 1 else "here "
    return both(
        "A sum passes what comes back on to each of its terms unchanged, "
        f"{here}to {enumerated(names)}{value}.{extra}",
        f"加法把传回的梯度原样交给每一项，这里是 {enumerated_zh(names)}{value.replace(': ', '：')}。"
        f"{extra_zh}",
    )


def passes_difference(back: Returning) -> Sentence:
    """Subtraction: unchanged to the first, with the sign turned to the second."""
    unchanged = [s for s in back.sent if s.place == 0]
    turned = [s for s in back.sent if s.place == 1]
    english = [f"to {s.to} unchanged{_in_brackets(s)}" for s in unchanged]
    english += [f"to {s.to} with the opposite sign{_in_brackets(s)}" for s in turned]
    chinese = [f"原样传给 {s.to}{_in_brackets_zh(s)}" for s in unchanged]
    chinese += [f"变号后传给 {s.to}{_in_brackets_zh(s)}" for s in turned]
    extra, extra_zh = summed_over(back)
    return both(
        f"In a difference what comes back goes {' and '.join(english)}.{extra}",
        f"在减法中，传回的梯度{'，'.join(chinese)}。{extra_zh}",
    )


def _in_brackets(sent: Sent) -> str:
    """` (−2)`; nothing for arrays."""
    return "" if sent.is_array else f" ({in_words(sent.value)})"


def _in_brackets_zh(sent: Sent) -> str:
    return "" if sent.is_array else f"（{in_words(sent.value)}）"


Rule = Callable[[Returning], Sentence]
BY_OP: dict[str, Rule] = {
    **dict.fromkeys(("Add", "AddV2", "AddN", "AccumulateNV2", "BiasAdd"), passes_sum),
    "Sub": passes_difference,
    **dict.fromkeys(("Mul", "RealDiv", "SquaredDifference", "Pow", "FloorMod", "Atan2"), by_factors_summed),
    **dict.fromkeys(("Maximum", "Minimum"), larger_or_smaller),
    "Relu": rectified,
    "Select": chosen,
    **dict.fromkeys(("MatMul", "BatchMatMulV2"), matrix_product),
    **dict.fromkeys(("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"), cross_entropy),
    **dict.fromkeys(("Max", "Min", "SegmentMax", "SegmentMin"), largest),
}
BY_WORDS: dict[str, Rule] = {
    AVERAGED[0]: averaged,
    SUMMED[0]: added_up,
    PLACED[0]: placed,
    TAKEN[0]: taken,
    COPIED[0]: copied,
    LARGEST_OF_WINDOW[0]: largest,
}
