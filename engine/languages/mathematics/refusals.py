"""What a formula may not contain, and what to write instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from engine.errors import ProgramError, Span
from engine.languages.interpreter.reading.suggestions import did_you_mean

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
    """A logarithm to another base than 2, 10 or e."""
    return ProgramError(
        "Logarithms are to base e, 2 or 10.",
        message_zh="对数的底只能是 e、2 或 10。",
        hint="To base b write ln(x) / ln(b).",
        hint_zh="以 b 为底请写 ln(x) / ln(b)。",
        code="unknown_function",
        where=span,
    )


def unknown_function(name: str, span: Span, functions: Iterable[str]) -> ProgramError:
    """A name before a bracket that is neither a function nor a known name."""
    hint, hint_zh = did_you_mean(name, functions)
    return ProgramError(
        f"`{name}` is not a function that Gradlens knows.",
        message_zh=f"Gradlens 不认识函数 `{name}`。",
        hint=hint or f"For a product write {name} * (…).",
        hint_zh=hint_zh or f"如果是乘积，请写 {name} * (…)。",
        code="unknown_function",
        where=span,
    )


def _refused(text: tuple[str, str, str, str], code: str, span: Span) -> ProgramError:
    message, message_zh, hint, hint_zh = text
    return ProgramError(message, message_zh=message_zh, hint=hint, hint_zh=hint_zh, code=code, where=span)
