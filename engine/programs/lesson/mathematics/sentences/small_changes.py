"""The sentences of the backward pass: what an operation does to a small change of its inputs.

Which sentence an op gets follows from the local derivative that its block states: in words that several
ops share, as a formula, or as a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.ops.base.derivatives import AVERAGED, COPIED, LARGEST_OF_WINDOW, PLACED, SUMMED, TAKEN
from engine.programs.lesson.mathematics.sentences.array_changes import (
    added_up,
    averaged,
    copied,
    cross_entropy,
    cut,
    largest,
    matrix_product,
    own_rule,
    placed,
    shared_out,
    smooth_arrays,
    summed_over,
    taken,
    through_rule,
)
from engine.programs.lesson.mathematics.sentences.choices import chosen, larger_or_smaller, rectified
from engine.programs.lesson.mathematics.sentences.layers import BY_FUNCTION, convolved
from engine.programs.lesson.mathematics.sentences.returning import Returning, Sent, receivers
from engine.programs.lesson.mathematics.sentences.wording import (
    counted,
    enumerated,
    enumerated_zh,
    in_words,
    number_of,
)
from engine.programs.lesson.sentence import Sentence, both


def backward_sentence(back: Returning) -> Sentence:
    """What an operation does to a small change, and what it therefore sends back."""
    if back.is_own:
        return own_rule(back)
    if back.op in CUTTING:
        return cut(back)
    if back.upstream is None or any(sent.value is None for sent in back.sent):
        return without_numbers(back)
    if back.kink[0]:
        return at_a_kink(back)
    rule = BY_FUNCTION.get(back.function) or BY_OP.get(back.op) or BY_WORDS.get(back.words) or by_factors
    return rule(back)


def at_a_kink(back: Returning) -> Sentence:
    """At a corner a convention says what comes back; the note begins with the name of the function."""
    english, chinese = (note.partition(" ")[2] for note in back.kink)
    return both(f"{back.formula} {english}", f"{back.formula} {chinese}")


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
    if back.op in WITHOUT_NUMBERS:
        return WITHOUT_NUMBERS[back.op](back)
    if back.words == AVERAGED[0]:
        return shared_out(back)
    if all(sent.factor for sent in back.sent):
        english = " and ".join(f"{s.factor} times as fast as {to}" for s, (to, _) in receivers(back))
        chinese = "；".join(
            f"{s.to} 变化一点，{back.formula} 的变化就是它的 {s.factor} 倍" for s in back.sent
        )
        return both(
            f"{back.formula} changes {english}: what comes back is multiplied by that.",
            f"{chinese}：传回的梯度要乘以它。",
        )
    names = [sent.to for sent in back.sent]
    return both(
        f"{back.formula} sends back to {enumerated(names)} how much a small change does, once the numbers "
        "are given.",
        f"数给出之后，{back.formula} 把微小变化的影响传回 {enumerated_zh(names)}。",
    )


def smooth(back: Returning) -> Sentence:
    """So and so many times as fast."""
    locals_ = [number_of(sent.local) for sent in back.sent]
    if locals_ == [-1]:
        return _falling(back)
    if locals_ == [1] and back.sent[0].factor in ("", "1"):
        return _equally_fast(back)
    if all(number == 0 for number in locals_):
        return _flat(back)
    if [sent.factor for sent in back.sent] == [back.formula]:
        return _its_own_derivative(back)
    if len({(sent.to, sent.factor) for sent in back.sent}) == 1 < len(back.sent):
        return _alike(back)
    if len({sent.to for sent in back.sent}) < len(back.sent):
        return _in_several_places(back)
    english = " and ".join(_rate(sent) for sent in back.sent)
    chinese = "；".join(_rate_zh(back.formula, sent) for sent in back.sent)
    return both(f"{back.formula} changes {english}.", f"{chinese}。")


def _its_own_derivative(back: Returning) -> Sentence:
    """The exponential function: the number that it is, it changes times as fast."""
    (sent,), value = back.sent, in_words(back.sent[0].local)
    rate = "exactly as fast as" if value == "1" else f"{value} times as fast as"
    left = f"{back.formula} = {value}"
    return both(
        f"The exponential function is its own derivative, so {left} changes {rate} {sent.to}.",
        f"指数函数的导数就是它自己，所以 {sent.to} 变化一点，{left} 的变化就是它的 {value} 倍。",
    )


def _in_several_places(back: Returning) -> Sentence:
    """A quantity that stands in several places, and counts otherwise in each."""
    name, count = back.sent[0].to, "twice" if len(back.sent) == 2 else f"{len(back.sent)} times"
    found = receivers(back)
    rates = [_factor(sent, in_words(sent.local)) for sent in back.sent]
    why = RULES.get(back.op, [("", "")] * len(rates))
    english = [
        f"{place} it counts {rate} times{rule}"
        for rate, (_, (place, _)), (rule, _) in zip(rates, found, why, strict=True)
    ]
    chinese = [
        f"{place}变化一点，{back.formula} 的变化就是它的 {rate} 倍{rule}"
        for rate, (_, (_, place)), (_, rule) in zip(rates, found, why, strict=True)
    ]
    return both(
        f"{name} stands in {back.formula} {count}: {'; '.join(english)}.",
        f"{name} 在 {back.formula} 中出现 {len(back.sent)} 次：{'；'.join(chinese)}。",
    )


RULES = {  # how the factors of an op are made, where one name stands in both places
    "Pow": (
        (" (the exponent times the base to the exponent less one)", "（指数乘以底数的“指数减 1”次方）"),
        (" (the power times the logarithm of the base)", "（幂乘以底数的对数）"),
    )
}


def _alike(back: Returning) -> Sentence:
    """A quantity that stands in several places, and acts alike in each."""
    sent, count = back.sent[0], len(back.sent)
    each = _factor(sent, in_words(sent.local))
    word, word_zh = ("factors", "因子") if back.op == "Mul" else ("places", "位置")
    if word == "places":
        return both(
            f"{back.formula} changes {each} times as fast as {sent.to}, in each of the {counted(count)} "
            "places where it stands.",
            f"{sent.to} 出现在 {count} 处；每一处变化一点，{back.formula} 的变化都是它的 {each} 倍。",
        )
    return both(
        f"{back.formula} changes {each} times as fast as each of its {counted(count)} {word} {sent.to}.",
        f"{back.formula} 有 {count} 个{word_zh} {sent.to}：每一个变化一点，"
        f"{back.formula} 的变化都是它的 {each} 倍。",
    )


def _falling(back: Returning) -> Sentence:
    to = back.sent[0].to
    return both(
        f"{back.formula} falls as fast as {to} rises, so the sign turns.",
        f"{to} 上升多快，{back.formula} 就下降多快，所以符号相反。",
    )


def _equally_fast(back: Returning) -> Sentence:
    to = back.sent[0].to
    return both(
        f"{back.formula} changes exactly as fast as {to}, so what comes back goes on unchanged.",
        f"{back.formula} 和 {to} 变化得一样快，所以传回的梯度原样传下去。",
    )


def _flat(back: Returning) -> Sentence:
    names = list(dict.fromkeys(sent.to for sent in back.sent))
    factors = [f"{s.factor} = 0" for s in back.sent if s.factor and not s.factor.startswith("0")]
    told = list(dict.fromkeys(factors))
    why, why_zh = (f" ({', '.join(told)})", f"（{'，'.join(told)}）") if told else ("", "")
    return both(
        f"Here {back.formula} stays as it is when {' or '.join(names)} changes a little{why}, so nothing "
        "comes back.",
        f"在这一点，{enumerated_zh(names)} 稍有变化时 {back.formula} 不变{why_zh}，所以没有梯度传回。",
    )


def _rate(sent: Sent) -> str:
    """`cos x = −0.99 times as fast as x`."""
    number = in_words(sent.local)
    if number != "1":
        return f"{_factor(sent, number)} times as fast as {sent.to}"
    why = f" ({sent.factor} = 1)" if LETTER.search(sent.factor) else ""
    return f"exactly as fast as {sent.to}{why}"


def _rate_zh(formula: str, sent: Sent) -> str:
    number = in_words(sent.local)
    if number != "1":
        return f"{sent.to} 变化一点，{formula} 的变化就是它的 {_factor(sent, number)} 倍"
    why = f"（{sent.factor} = 1）" if LETTER.search(sent.factor) else ""
    return f"{formula} 和 {sent.to} 变化得一样快{why}"


LETTER = re.compile(r"[^\W\d_]")


def _factor(sent: Sent, number: str) -> str:
    return f"{sent.factor} = {number}" if sent.factor and sent.factor != number else number


# -- sums and differences ------------------------------------------------------------------------------


def passes_sum(back: Returning) -> Sentence:
    """Addition: the gradient is copied to every term."""
    names, (extra, extra_zh) = [sent.to for sent in back.sent], summed_over(back)
    if len(names) == 1:
        return _beside_fixed(back)
    is_short = len(back.formula) <= LONGEST_SUM and " + " in back.formula
    which, which_zh = (f"The sum {back.formula}", f"{back.formula} 这个和") if is_short else ("A sum", "和")
    each, each_zh = f"{enumerated(names)} each get", f"{enumerated_zh(names)} 都得到"
    if len(set(names)) == 1:
        each, each_zh = f"each {names[0]} gets", f"每个 {names[0]} 都得到"
    return both(
        f"{which} changes exactly as fast as each of its terms, so {each} what comes back.{extra}",
        f"{which_zh}与它的每一项变化得一样快，所以 {each_zh}传回的梯度。{extra_zh}",
    )


def passes_difference(back: Returning) -> Sentence:
    """Subtraction: unchanged to the first, with the sign turned to the second."""
    if len(back.sent) == 1:
        return _beside_fixed(back)
    first, second = (next(s.to for s in back.sent if s.place == place) for place in (0, 1))
    extra, extra_zh = summed_over(back)
    return both(
        f"In a difference {first} gets what comes back unchanged, and {second} gets it with the opposite "
        f"sign.{extra}",
        f"在减法中，{first} 得到原样传回的梯度，{second} 得到变号的梯度。{extra_zh}",
    )


def _beside_fixed(back: Returning) -> Sentence:
    """A sum or a difference of which all but one quantity stay fixed."""
    (sent,), (extra, extra_zh) = back.sent, summed_over(back)
    fixed, fixed_zh = _fixed(back)
    if back.op == "Sub" and sent.place == 1:
        return both(
            f"{fixed}, so {back.formula} falls exactly as fast as {sent.to} rises: the sign turns.{extra}",
            f"{fixed_zh}，所以 {sent.to} 上升多快，{back.formula} 就下降多快：梯度变号。{extra_zh}",
        )
    return both(
        f"{fixed}, so {back.formula} changes exactly as fast as {sent.to}: what comes back goes on "
        f"unchanged.{extra}",
        f"{fixed_zh}，所以 {back.formula} 和 {sent.to} 变化得一样快：传回的梯度原样传下去。{extra_zh}",
    )


def _fixed(back: Returning) -> tuple[str, str]:
    """`1 stays fixed`, of what gets no gradient here."""
    others = [name for place, name in enumerate(back.inputs) if place != back.sent[0].place]
    if len(others) == 1 and "×" not in others[0] and len(others[0]) <= LONGEST_SUM:
        return f"{others[0]} stays fixed", f"{others[0]} 保持不变"
    return "All else stays fixed", "其余各项保持不变"


LONGEST_SUM = 24  # characters of a sum that is written out where it passes on what comes back
CUTTING = ("Split", "SplitV", "Unpack")

Rule = Callable[[Returning], Sentence]
BY_OP: dict[str, Rule] = {
    **dict.fromkeys(("Add", "AddV2", "AddN", "AccumulateNV2", "BiasAdd"), passes_sum),
    "Sub": passes_difference,
    **dict.fromkeys(("Mul", "RealDiv", "SquaredDifference", "Pow", "FloorMod", "Atan2"), by_factors_summed),
    **dict.fromkeys(("Maximum", "Minimum"), larger_or_smaller),
    "Relu": rectified,
    "Conv2D": convolved,
    "Select": chosen,
    **dict.fromkeys(("MatMul", "BatchMatMulV2"), matrix_product),
    **dict.fromkeys(("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"), cross_entropy),
    **dict.fromkeys(("Max", "Min", "SegmentMax", "SegmentMin"), largest),
}
WITHOUT_NUMBERS: dict[str, Rule] = {
    name: BY_OP[name]
    for name in ("Add", "AddV2", "AddN", "AccumulateNV2", "BiasAdd", "Sub", "MatMul", "BatchMatMulV2")
}
BY_WORDS: dict[str, Rule] = {
    AVERAGED[0]: averaged,
    SUMMED[0]: added_up,
    PLACED[0]: placed,
    TAKEN[0]: taken,
    COPIED[0]: copied,
    LARGEST_OF_WINDOW[0]: largest,
}
