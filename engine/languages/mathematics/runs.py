"""Runs of letters: `sinx`, `2πr`, `xe^x`, `mx+b` are read as products and calls, and a note says so.

A run that a line or the request gives a value is a name, whatever its letters. Any other is split where it
can hardly be a name: at a function's name, between Greek and Latin letters, before `e^`, after a coefficient.
The rest are names; of short ones that could be a product this is said. Words of a sentence are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engine.errors import ProgramError, Span
from engine.languages.mathematics.characters import SUBSCRIPTS, greek_spelling
from engine.languages.mathematics.functions import CONSTANTS
from engine.languages.mathematics.lexer import MathToken
from engine.languages.mathematics.refusals import logarithm_base

Note = Callable[[str, str, str, Span, str, str], None]  # code, message, message_zh, span, hint, hint_zh

COEFFICIENTS = frozenset("abckmnpqruvwABCKMNPQRUVW")
VARIABLES = frozenset("xyztXYZT")
CHANGES = frozenset("ΔδdD∆")  # Δx, δt: one name
SHORT = 3  # letters of a run that may be a product
LONGEST = 24  # letters of a run that is looked at for calls; each may be read in two ways
DIGITS = "0123456789"
LOGARITHM = re.compile(r"log_?(\d+)")

_WORDS = """
    signal signed logit logits sinus cosine absent summary dotted meant
    act add age air all any arc arg at avg bad bar bet big bin bit box by car cat cnt col cos cost cov
    cup cut day den dev dim dog du dv dx dy dz dt ema end env eps err est ex exp eye fan fit fun gap gas
    get go hat hid his hot id idx if img in inc inp is it key lab lag lam len lib lin lng log logs lot
    low lr lst map mat max maxi me means mid min mine mini mix mod mse mu my net new nll no norms nt nu
    num obj obs odd of ok old on one opt or out par phi pi pos pre prd psi ptr rad ran ref reg rel res
    rho rng roots rot row sec seq set sgd sig signs sim sine so std sub sum sums tab tag tan tau tmp to
    tol top tot two up us val var vec vel vol we win xi xor yes zip chi dots eta
"""
_SENTENCE = """
    calculate class compute def derivative derive differentiate evaluate find for from function gradient
    graph import lambda let lim limit maximise maximize minimise minimize of optimise optimize plot
    please print respect return simplify solve the to where while with wrt 求导 求 导数 的导数 微分
    最小化 最大化 计算 极限 对 关于
"""
WORDS = frozenset(_WORDS.split())  # short ones that are names, not products
SENTENCE = frozenset(_SENTENCE.split())


def read_runs(
    tokens: Sequence[MathToken], functions: frozenset[str], names: frozenset[str], note: Note
) -> Iterator[MathToken]:
    """The tokens, with runs of letters taken apart where they are products or calls.

    names:  those with a value, in the text or in the request.
    Raises: ProgramError for a word of a sentence, or for two numbers side by side.
    """
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.kind == "NUMBER" and after is not None and after.kind == "NUMBER":
            raise _two_numbers(token, after)
        if _is_root_of_a_product(tokens[place : place + 3]):
            _explain_root(token, tokens[place + 1], note)
        if token.kind != "NAME" or len(token.text) == 1 or token.text in names or token.text in CONSTANTS:
            yield token
            continue
        if token.text in SENTENCE:
            raise _sentence(token)
        logarithm = LOGARITHM.fullmatch(token.text.translate(SUBSCRIPTS))
        if logarithm:
            yield _logarithm(token, logarithm[1], functions)
            continue
        parts = _parts(token.text, functions, after)
        if len(parts) > 1:
            _explain_split(token, parts, note)
        elif _could_be_more(token.text, functions):
            _explain_name(token, _function_at(token.text, functions), note)
        yield from _tokens(token, parts, functions)


def _is_root_of_a_product(tokens: Sequence[MathToken]) -> bool:
    """Whether `√2x` stands here: the sign of a root, a number and a name, with nothing between them."""
    if [token.kind for token in tokens] != ["FUNCTION", "NUMBER", "NAME"]:
        return False
    root, number, name = (token.span for token in tokens)
    is_sign = root.end_column - root.column == 1
    return is_sign and root.end_column == number.column and number.end_column == name.column


def _parts(text: str, functions: frozenset[str], after: MathToken | None) -> list[str]:
    """A run in parts; a single one where it is a name."""
    if text in WORDS or len(text) > LONGEST:
        return [text]
    for factor in ("", text[0]):  # sinx, xsinx
        called = _function_at(text[len(factor) :], functions)
        rest = text[len(factor) + len(called) :]
        number, argument = rest[: len(rest) - len(rest.lstrip(DIGITS))], rest.lstrip(DIGITS)
        if not (called and argument.isalpha() and argument != "s"):
            continue
        inner = _parts(argument, functions, after)
        calls = len(inner) > 1 and any(len(part) > 1 and part in functions for part in inner)  # sinxcosx
        if calls or len(argument) <= (1 if _is_word_like(text) else 2):
            return [part for part in (factor, called, number, *inner) if part]
    if not text.isalpha():
        return [text]
    greek = [_is_greek(letter) for letter in text]
    if any(greek) and text[0] not in CHANGES and (not all(greek) or "π" in text or "τ" in text):
        return _by_alphabet(text, greek)
    before_power = after is not None and after.kind in ("POWER", "SUPERSCRIPT")
    if before_power and text.endswith("e") and len(text) <= SHORT and text.isascii():
        return list(text)
    if len(text) == 2 and text[0] in COEFFICIENTS and text[1] in VARIABLES:
        return list(text)
    return [text]


def _function_at(text: str, functions: frozenset[str]) -> str:
    """The longest function's name that a text begins with."""
    return max((name for name in functions if len(name) > 1 and text.startswith(name)), key=len, default="")


def _is_word_like(text: str) -> bool:
    """Whether a function's name and two letters make a word, as `mine` and `sine` do."""
    return sum(letter in "aeiou" for letter in text) > 1


def _is_greek(letter: str) -> bool:
    return greek_spelling(letter) != letter


def _by_alphabet(text: str, greek: Sequence[bool]) -> list[str]:
    """`2πr` as π, r: each Greek letter by itself, Latin ones by themselves where they are few."""
    parts: list[str] = []
    for letter, is_greek in zip(text, greek, strict=True):
        glued = parts and not is_greek and not _is_greek(parts[-1][0])
        if glued and len(text) > SHORT:
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts


def _could_be_more(text: str, functions: frozenset[str]) -> bool:
    """Whether a name looks like a product of letters, or like a function and what it is of."""
    if text.lower() in WORDS or not text.isascii() or "_" in text:
        return False
    called = _function_at(text, functions)
    rest = text[len(called) :]
    return (len(text) <= SHORT and text.isalpha()) or (
        len(called) >= SHORT and 0 < len(rest) <= 2 and rest != "s"
    )


def _tokens(token: MathToken, parts: Sequence[str], functions: frozenset[str]) -> Iterator[MathToken]:
    column = token.span.column
    for part in parts:
        span = replace(token.span, column=column, end_column=column + len(part))
        called = len(part) > 1 and part in functions and len(parts) > 1
        kind = "FUNCTION" if called else "NUMBER" if part.isdigit() else "NAME"
        yield replace(token, kind=kind, text=part, span=span)
        column += len(part)


def _logarithm(token: MathToken, base: str, functions: frozenset[str]) -> MathToken:
    name = f"log{base}"
    if name not in functions:
        raise logarithm_base(token.span)
    return replace(token, kind="FUNCTION", text=name)


def _explain_root(token: MathToken, number: MathToken, note: Note) -> None:
    root, text = {"sqrt": "√", "cbrt": "∛"}.get(token.text, token.text), number.text
    note(
        "root_of_a_product",
        f"`{root}{text}x` is read as the root of the product: {root}({text}x).",
        f"`{root}{text}x` 按乘积的根读取：{root}({text}x)。",
        token.span,
        f"For the root of {text} alone write {root}({text}) x.",
        f"如果只对 {text} 开方，请写 {root}({text}) x。",
    )


def _explain_split(token: MathToken, parts: Sequence[str], note: Note) -> None:
    text, apart = token.text, " ".join(parts)
    note(
        "letters_apart",
        f"`{text}` is read as {apart}.",
        f"`{text}` 按 {apart} 读取。",
        token.span,
        f"If it is one name, give it a value: {text} = 1.",
        f"如果它是一个名字，请给它一个值：{text} = 1。",
    )


def _explain_name(token: MathToken, called: str, note: Note) -> None:
    text = token.text
    apart = f"{called} {text[len(called) :]}" if called else " ".join(text)
    note(
        "letters_together",
        f"`{text}` is read as one name.",
        f"`{text}` 按一个名字读取。",
        token.span,
        f"For a product, or a function of something, put spaces between: {apart}.",
        f"如果是乘积，或函数作用于某个量，请用空格分开：{apart}。",
    )


def _sentence(token: MathToken) -> ProgramError:
    return ProgramError(
        f"`{token.text}` is a word, not mathematics.",
        hint="Write the formula alone, such as x^2: its derivative is computed in any case.",
        message_zh=f"“{token.text}”是文字，不是数学式。",
        hint_zh="请只写公式，例如 x^2：它的导数总会被计算出来。",
        code="not_mathematics",
        where=token.span,
    )


def _two_numbers(first: MathToken, second: MathToken) -> ProgramError:
    return ProgramError(
        f"Two numbers stand side by side: {first.text} and {second.text}.",
        hint="Write an operator between them, or one decimal point only.",
        message_zh=f"两个数并排在一起：{first.text} 和 {second.text}。",
        hint_zh="请在两个数之间写运算符；一个数只能有一个小数点。",
        code="syntax_error",
        where=replace(first.span, end_line=second.span.end_line, end_column=second.span.end_column),
    )
