"""Runs of letters: `sinx`, `2πr`, `xe^x`, `mx+b` are read as products and calls, with a note.

A run that a line or the request gives a value is a name, whatever its letters. Any other is split where it
can hardly be a name: at a function's name, between Greek and Latin letters, before `e^`, after a coefficient,
after an index (`w1x1`). The rest are names, with a note where they could be a product. Words are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.languages.mathematics.ambiguity_notes import AmbiguityNotes
from engine.languages.mathematics.characters import greek_spelling, spells_greek
from engine.languages.mathematics.functions import CONSTANTS
from engine.languages.mathematics.lexer import MathToken
from engine.languages.mathematics.refusals import (
    other_base,
    sentence_word,
    two_numbers,
    two_words,
    unclear_logarithm,
)
from engine.languages.mathematics.tree import joined

COEFFICIENTS = frozenset("abckmnpqruvwABCKMNPQRUVW")
VARIABLES = frozenset("xyztXYZT")
CHANGES = frozenset("ΔδdD∆")  # Δx, δt: one name
SHORT = 3  # letters of a run that may be a product
LONGEST = 24  # letters of a run that is looked at for calls; each may be read in two ways
DIGITS = "0123456789"
INDEXED = re.compile(r"[^\W\d_](?:_?[0-9₀-₉]+)?")  # a letter and its index
UNCLEAR_LOGARITHM = re.compile(r"log(\d+)")
HEXADECIMAL = re.compile(r"0(?:[xX][0-9a-fA-F]+|[bo][0-7]+)")
ELEMENTARY = frozenset(  # xsin(x) is a product; xmax(x) is more likely a name
    {"sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "exp", "ln", "log", "lg", "sqrt"}
)

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
    calculate choose class compute cubed def derivative derive differentiate divide divided else equals
    evaluate find for from function gradient graph half import integral integrate lambda let lim limit
    maximise maximize minimise minimize minus modulo multiplied of optimise optimize over plot plus please
    power print product respect return root simplify solve square squared subtract sum than the then times
    to twice where while with wrt 求导 求 导数 的导数 微分 最小化 最大化 计算 极限 对 关于 加 减 乘 除以 平方
"""
WORDS = frozenset(_WORDS.split())  # short ones that are names, not products
SENTENCE = frozenset(_SENTENCE.split())


def read_runs(
    tokens: Sequence[MathToken], functions: frozenset[str], names: frozenset[str], notes: AmbiguityNotes
) -> Iterator[MathToken]:
    """The tokens, with runs of letters taken apart where they are products or calls.

    names:  those with a value, in the text or in the request.
    Raises: ProgramError for a word of a sentence, or for two numbers side by side.
    """
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if after is not None:
            _check_neighbours(token, after, names)
        if _is_root_of_a_product(tokens[place : place + 3]):
            notes.explain_root(token.text, tokens[place + 1].text, token.span)
        if token.kind != "NAME" or token.text in names or token.text in CONSTANTS:
            yield token
            continue
        _check_word(token)
        if len(token.text) == 1:
            yield token
            continue
        parts = _parts(token.text, functions, after)
        if len(parts) > 1:
            notes.explain_split(token.text, parts, token.span)
        elif _could_be_more(token.text, functions):
            notes.explain_name(token.text, _other_reading(token.text, functions), token.span)
        elif _is_word(token) and (_is_factor(after) or (place and _is_factor(tokens[place - 1]))):
            notes.explain_word(token.text, token.span)
        yield from _tokens(token, parts, functions)


def is_factor_and_function(text: str) -> bool:
    """Whether a name before a bracket is a letter times an elementary function, as in `xsin(x)`."""
    return text[1:] in ELEMENTARY and text[0] in COEFFICIENTS | VARIABLES


def _is_factor(token: MathToken | None) -> bool:
    """Whether a name or a number, which makes a product with the name beside it."""
    return token is not None and token.kind in ("NAME", "NUMBER")


def _check_word(token: MathToken) -> None:
    """Refuse a word of a sentence and a logarithm that can be two."""
    if token.text in SENTENCE:
        raise sentence_word(token.text, token.span)
    logarithm = UNCLEAR_LOGARITHM.fullmatch(token.text)
    if logarithm:
        raise unclear_logarithm(logarithm[1], token.span)


def _check_neighbours(token: MathToken, after: MathToken, names: frozenset[str]) -> None:
    """Refuse two numbers, two words, or a number of a programming language."""
    kinds = token.kind, after.kind
    adjacent = token.span.end_column == after.span.column
    both = joined(token.span, after.span)
    if kinds == ("NUMBER", "NUMBER"):
        raise two_numbers(token.text, after.text, both)
    if kinds == ("NUMBER", "NAME") and adjacent and HEXADECIMAL.fullmatch(token.text + after.text):
        raise other_base(both)
    words = {token.text, after.text}
    if kinds == ("NAME", "NAME") and _is_word(token) and _is_word(after) and not words & (names | SENTENCE):
        raise two_words(token.text, after.text, both)


def _is_word(token: MathToken) -> bool:
    """Whether a name looks like a word of English: no Greek letter spelled out, no command of LaTeX."""
    text, width = token.text, token.span.end_column - token.span.column
    return (
        len(text) > SHORT
        and width == len(text)
        and text.isascii()
        and text.isalpha()
        and not spells_greek(text)
    )


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
    if after is not None and after.kind == "OPEN" and is_factor_and_function(text):
        return [text[0], text[1:]]
    if len(indexed := _indexed_parts(text)) > 1:
        return indexed
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


def _indexed_parts(text: str) -> list[str]:
    """`w1x1` as w1, x1 and `θ₀x` as θ₀, x; nothing where an index does not end each part but the last."""
    parts = INDEXED.findall(text)
    whole = "".join(parts) == text and all(len(part) > 1 for part in parts[:-1])
    coefficient = len(parts) == 2 and parts[0] in COEFFICIENTS and parts[1][0] in VARIABLES  # ax1
    return parts if "".join(parts) == text and (whole or (coefficient and len(text) > 2)) else []


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
    if text.lower() in WORDS or "_" in text or text[0] in CHANGES:
        return False
    if not text.isascii() and not all(map(_is_greek, text)):
        return False
    called = _function_at(text, functions)
    rest = text[len(called) :]
    return (len(text) <= SHORT and text.isalpha()) or (
        len(called) >= SHORT and 0 < len(rest) <= 2 and rest != "s"
    )


def _other_reading(text: str, functions: frozenset[str]) -> list[str]:
    called = _function_at(text, functions)
    return [called, text[len(called) :]] if called else list(text)


def _tokens(token: MathToken, parts: Sequence[str], functions: frozenset[str]) -> Iterator[MathToken]:
    column = token.span.column
    for part in parts:
        span = replace(token.span, column=column, end_column=column + len(part))
        called = len(part) > 1 and part in functions and len(parts) > 1
        kind = "FUNCTION" if called else "NUMBER" if part.isdigit() else "NAME"
        yield replace(token, kind=kind, text=part, span=span)
        column += len(part)
