"""What a formula may not contain, and what to write instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from engine.errors import ProgramError, Span
from engine.languages.interpreter.reading.suggestions import did_you_mean, meant_instead

DERIVATIVE = (
    "Every derivative is computed anyway: a formula does not name one.",
    "所有导数都会自动计算：公式里不需要写导数。",
    "Write the function itself, as in y = x^2.",
    "请写函数本身，例如 y = x^2。",
)
PRIME = (
    "A prime for a derivative is not needed: every derivative is computed.",
    "不需要用撇号表示导数：所有导数都会计算。",
    *DERIVATIVE[2:],
)
INTEGRAL = (
    "Integrals are not computed here.",
    "这里不计算积分。",
    "Write the function itself; a sum is sum(i, 1, n, …).",
    "请写函数本身；求和可写 sum(i, 1, n, …)。",
)
LIMIT = (
    "Limits are not computed here.",
    "这里不计算极限。",
    "Write the function itself and give its variable a value close to the limit.",
    "请写函数本身，并给变量一个接近极限点的值。",
)
INFINITE = (
    "Infinity is not a number that a formula can be computed with.",
    "无穷大不能参与公式的计算。",
    "Write a large number, such as 1e6.",
    "请写一个很大的数，例如 1e6。",
)
EITHER_SIGN = (
    "Plus-or-minus stands for two formulas at once.",
    "正负号同时表示两个公式。",
    "Write two lines, one with + and one with -.",
    "请写成两行，一行用 +，一行用 -。",
)
FACTORIAL = (
    "`!` for a factorial is not read.",
    "不支持用 `!` 表示阶乘。",
    "Write prod(k, 1, n, k).",
    "请写 prod(k, 1, n, k)。",
)
DOTS = (
    "Dots that stand for left-out terms are not read.",
    "不支持用省略号表示省略的项。",
    "Write a sum: sum(i, 1, n, …).",
    "请写成求和：sum(i, 1, n, …)。",
)
REMAINDER = (
    "`%` is not read in a formula.",
    "公式中不能使用 `%`。",
    "For a remainder write mod(a, b); for 5 % write 0.05.",
    "求余数请写 mod(a, b)；5 % 请写 0.05。",
)

CHARACTERS = {
    **dict.fromkeys("'’′‘", PRIME),
    **dict.fromkeys("∂∇", DERIVATIVE),
    **dict.fromkeys("∫∬∮", INTEGRAL),
    **dict.fromkeys("∞", INFINITE),
    **dict.fromkeys("±∓", EITHER_SIGN),
    **dict.fromkeys("!", FACTORIAL),
    **dict.fromkeys("…⋯", DOTS),
    **dict.fromkeys("%", REMAINDER),
}
COMMANDS = {
    **dict.fromkeys(("partial", "nabla", "dot", "ddot"), DERIVATIVE),
    "prime": PRIME,
    **dict.fromkeys(("int", "iint", "oint"), INTEGRAL),
    **dict.fromkeys(("lim", "limsup", "liminf", "to", "rightarrow"), LIMIT),
    "infty": INFINITE,
    **dict.fromkeys(("pm", "mp"), EITHER_SIGN),
    **dict.fromkeys(("dots", "cdots", "ldots", "dotsc", "vdots", "ddots"), DOTS),
    "%": REMAINDER,
}


def unknown_character(character: str, span: Span) -> ProgramError:
    """A character that means nothing here, or something that is left out."""
    if character in CHARACTERS:
        return _refused(CHARACTERS[character], "unknown_character", span)
    name = unicodedata.name(character, f"U+{ord(character):04X}").lower()
    shown = character.isprintable()
    return ProgramError(
        f"`{character}` ({name}) has no meaning in a formula."
        if shown
        else f"The invisible character {name} has no meaning in a formula.",
        message_zh=f"公式中不能使用字符“{character}”。" if shown else "公式中有不可见字符。",
        hint="Delete it, or write the operation in words: sqrt, abs, exp.",
        hint_zh="请删除它，或用函数名表示运算：sqrt、abs、exp。",
        code="unknown_character",
        where=span,
    )


def unknown_command(name: str, span: Span, known: Iterable[str]) -> ProgramError:
    r"""A LaTeX command that is not read, such as `\foo`, or that stands for something left out."""
    if name in COMMANDS:
        return _refused(COMMANDS[name], "unknown_command", span)
    hint, hint_zh = did_you_mean(name, known, prefix="\\")
    return ProgramError(
        f"`\\{name}` is not a LaTeX command that Gradlens reads.",
        message_zh=f"Gradlens 不认识 LaTeX 命令 `\\{name}`。",
        hint=hint or r"A name of your own is written \mathrm{name}.",
        hint_zh=hint_zh or r"自己的名字请写 \mathrm{name}。",
        code="unknown_command",
        where=span,
    )


def derivative(span: Span) -> ProgramError:
    """`dy/dx`, or a letter of LaTeX that stands for it."""
    return _refused(DERIVATIVE, "derivative_notation", span)


def higher_derivative(span: Span) -> ProgramError:
    """`d²/dx²`."""
    return ProgramError(
        "A formula is differentiated once; a second derivative is not asked for in this way.",
        message_zh="公式只求一次导数；不能这样写二阶导数。",
        hint="Write the first derivative as the formula, or a program with tf.gradients of tf.gradients.",
        hint_zh="请把一阶导数写成公式，或写一个两次使用 tf.gradients 的程序。",
        code="derivative_notation",
        where=span,
    )


def bounds_missing(name: str, span: Span) -> ProgramError:
    r"""A `\sum` that does not say from where to where."""
    return ProgramError(
        f"`{name}` needs an index with both of its bounds.",
        message_zh=f"`{name}` 需要一个下标以及它的上下界。",
        hint=rf"Write \{name}_{{i=1}}^{{3}} or {name}(i, 1, 3, …).",
        hint_zh=rf"请写 \{name}_{{i=1}}^{{3}} 或 {name}(i, 1, 3, …)。",
        code="bounds_missing",
        where=span,
    )


def bracketed_superscript(span: Span) -> ProgramError:
    """`W^{(1)}`: the first power, or the number of a layer."""
    return ProgramError(
        "A number in brackets as a superscript can be a power or the number of a layer.",
        message_zh="带括号的上标既可表示幂，也可表示层的编号。",
        hint="Write W^1 for the power, or W_1 for the name.",
        hint_zh="表示幂请写 W^1，表示名字请写 W_1。",
        code="ambiguous_power",
        where=span,
    )


def logarithm_base(span: Span) -> ProgramError:
    """A logarithm to a base that is no number, or none that a logarithm can have."""
    return ProgramError(
        "The base of a logarithm is a number other than 0 and 1, as in log_3(x).",
        message_zh="对数的底必须是不等于 0 和 1 的数，例如 log_3(x)。",
        hint="To base b write ln(x) / ln(b).",
        hint_zh="以 b 为底请写 ln(x) / ln(b)。",
        code="unknown_function",
        where=span,
    )


def unclear_logarithm(number: str, span: Span) -> ProgramError:
    """`log3 x`: the logarithm to base 3, or of 3."""
    return ProgramError(
        f"`log{number}` can be the logarithm to base {number} or the logarithm of {number}.",
        message_zh=f"`log{number}` 既可指以 {number} 为底的对数，也可指 {number} 的对数。",
        hint=f"Write log_{number}(x) or log({number}).",
        hint_zh=f"请写 log_{number}(x) 或 log({number})。",
        code="unknown_function",
        where=span,
    )


def sentence_word(word: str, span: Span) -> ProgramError:
    """A word of a sentence, such as `minimize`."""
    return ProgramError(
        f"`{word}` is a word, not mathematics.",
        hint="Write the formula alone, such as x^2: its derivative is computed in any case.",
        message_zh=f"“{word}”是文字，不是数学式。",
        hint_zh="请只写公式，例如 x^2：它的导数总会被计算出来。",
        code="not_mathematics",
        where=span,
    )


def two_words(first: str, second: str, span: Span) -> ProgramError:
    """Two long names side by side: a sentence, or a product that nobody writes so."""
    return ProgramError(
        f"Two words stand side by side: {first} and {second}.",
        message_zh=f"两个词并排在一起：{first} 和 {second}。",
        hint=f"For a product write {first} * {second}; for one name {first}_{second}.",
        hint_zh=f"如果是乘积，请写 {first} * {second}；如果是一个名字，请写 {first}_{second}。",
        code="not_mathematics",
        where=span,
    )


def two_numbers(first: str, second: str, span: Span) -> ProgramError:
    """Two numbers with nothing between them."""
    return ProgramError(
        f"Two numbers stand side by side: {first} and {second}.",
        hint="Write an operator between them, or one decimal point only.",
        message_zh=f"两个数并排在一起：{first} 和 {second}。",
        hint_zh="请在两个数之间写运算符；一个数只能有一个小数点。",
        code="syntax_error",
        where=span,
    )


def other_base(span: Span) -> ProgramError:
    """`0x1F`: a number of a programming language."""
    return ProgramError(
        "Numbers are written in decimal here.",
        hint="For a product write 0 * x.",
        message_zh="这里的数用十进制书写。",
        hint_zh="如果是乘积，请写 0 * x。",
        code="syntax_error",
        where=span,
    )


def unknown_function(name: str, span: Span, functions: Iterable[str]) -> ProgramError:
    """A name before a bracket that is neither a function nor a known name."""
    functions = list(functions)
    hint, hint_zh = did_you_mean(name, functions)
    return ProgramError(
        f"`{name}` is not a function that Gradlens knows.",
        message_zh=f"Gradlens 不认识函数 `{name}`。",
        hint=hint or f"For a product write {name} * (…).",
        hint_zh=hint_zh or f"如果是乘积，请写 {name} * (…)。",
        code="unknown_function",
        where=span,
        instead=meant_instead(name, functions),
    )


def _refused(text: tuple[str, str, str, str], code: str, span: Span) -> ProgramError:
    message, message_zh, hint, hint_zh = text
    return ProgramError(message, message_zh=message_zh, hint=hint, hint_zh=hint_zh, code=code, where=span)
