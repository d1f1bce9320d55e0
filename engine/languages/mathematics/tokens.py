"""Mathematical text cut into tokens: the reader's spellings on the way in, one alphabet on the way out.

Every character keeps its column. What a name means at its place is decided here, because it decides
how the line groups: a function, a name that multiplies the bracket after it, or an unknown function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.graph.names import MAX_NAME
from engine.languages.interpreter.reading.parse import name_too_long
from engine.languages.mathematics.ambiguity_notes import AmbiguityNotes
from engine.languages.mathematics.characters import plain_characters
from engine.languages.mathematics.functions import CONSTANTS, LOGARITHM, logarithm_name
from engine.languages.mathematics.latex import read_latex
from engine.languages.mathematics.lexer import MathToken, cut, without_dollars
from engine.languages.mathematics.refusals import derivative, logarithm_base, unknown_function
from engine.languages.mathematics.runs import is_factor_and_function, read_runs

WORDS = {"and": "AND", "or": "OR", "not": "NOT", "AND": "AND", "OR": "OR", "NOT": "NOT"}
CALLED = {"σ": "sigmoid", "sigma": "sigmoid", "Φ": "Phi"}  # functions where a bracket follows

OPENING = frozenset(
    {
        *("OPEN", "LIST_OPEN", "INDEX_OPEN", "BRACE_OPEN", "ROOT_OPEN", "SUB_OPEN"),
        *("FLOOR_OPEN", "CEIL_OPEN", "MATRIX_OPEN", "CASES_OPEN"),
    }
)
CLOSING = frozenset(
    {
        *("CLOSE", "LIST_CLOSE", "BRACE_CLOSE", "ROOT_CLOSE"),
        *("FLOOR_CLOSE", "CEIL_CLOSE", "MATRIX_CLOSE", "CASES_CLOSE"),
    }
)
OPERAND_ENDS = CLOSING | {"NUMBER", "NAME", "SUPERSCRIPT", "BAR_CLOSE", "NORM_CLOSE", "TRANSPOSE"}
INDEXED = frozenset({"NAME", "CLOSE", "LIST_CLOSE", "TRANSPOSE", "MATRIX_CLOSE"})


def tokenize(
    text: str, functions: Iterable[str], given: Iterable[str], notes: AmbiguityNotes
) -> list[MathToken]:
    """The tokens of a text.

    functions: the names that are called.
    given:     the names that have a value in the request.
    notes:     takes what there is to say about how letters were read.
    Raises: ProgramError at an unknown character, or at an unknown name right before a bracket.
    """
    known = frozenset(functions)
    tokens = list(cut(without_dollars(plain_characters(text))))
    if "\\" in text or "{" in text or "_" in text or "∑" in text or "∏" in text:
        tokens = list(read_latex(tokens, known))
    names = frozenset(_assigned(tokens)) | frozenset(given)
    _check_derivatives(tokens, names)
    tokens = list(_words(_definitions(tokens), names))
    tokens = list(_functions(tokens, known, names))
    tokens = list(read_runs(tokens, known, names, notes))
    tokens = list(_transposes(tokens, names))
    tokens = list(_indices(_bars(list(_joined_lines(tokens)))))
    for token in tokens:
        if len(token.text) > MAX_NAME and token.kind != "NUMBER":
            raise name_too_long(len(token.text), token.span)
    return tokens


def _assigned(tokens: Sequence[MathToken]) -> Iterator[str]:
    """The names that stand before an equals sign at the start of a line."""
    previous = "NEWLINE"
    for token, after in pairwise(tokens):
        if previous == "NEWLINE" and token.kind == "NAME" and after.kind == "EQUALS":
            yield token.text
        previous = token.kind


def _definitions(tokens: list[MathToken]) -> list[MathToken]:
    """`f(x, y) = …` at the start of a line: the name is marked, there and wherever it is called."""
    defined = {
        start: tokens[start].text
        for start in _line_starts(tokens)
        if tokens[start].kind == "NAME" and _is_definition(tokens, start + 1)
    }
    if not defined:
        return tokens
    called = frozenset(defined.values())
    made = []
    for place, token in enumerate(tokens):
        if place in defined:
            token = replace(token, kind="DEFINED")
        elif token.kind == "NAME" and token.text in called and _kind(tokens, place + 1) == "OPEN":
            token = replace(token, kind="FUNCTION")
        made.append(token)
    return made


def _line_starts(tokens: Sequence[MathToken]) -> Iterator[int]:
    yield from (place for place in range(len(tokens)) if place == 0 or tokens[place - 1].kind == "NEWLINE")


def _is_definition(tokens: Sequence[MathToken], place: int) -> bool:
    """Whether `(x, y) =` stands at this place."""
    wanted = "OPEN"
    while (kind := _kind(tokens, place)) == wanted or (wanted == "COMMA" and kind == "CLOSE"):
        if kind == "CLOSE":
            return _kind(tokens, place + 1) == "EQUALS"
        wanted = "COMMA" if kind == "NAME" else "NAME"
        place += 1
    return False


def _kind(tokens: Sequence[MathToken], place: int) -> str:
    return tokens[place].kind if place < len(tokens) else ""


def _check_derivatives(tokens: Sequence[MathToken], names: frozenset[str]) -> None:
    r"""Refuse `dy/dx` and `\frac{dy}{dx}`, unless dx is a name of the text."""
    plain = [token for token in tokens if token.kind not in ("BRACE_OPEN", "BRACE_CLOSE")]
    for place, token in enumerate(plain):
        after = plain[place + 1 : place + 3]
        if token.kind == "OVER" and place:
            top, below = plain[place - 1], after[:1]
        elif token.kind == "FRACTION" and len(after) == 2:
            top, below = after[0], after[1:]
        else:
            continue
        if below and _is_differential(below[0], names, 2) and _is_differential(top, names, 1):
            raise derivative(top.span)


def _is_differential(token: MathToken, names: frozenset[str], least: int) -> bool:
    text = token.text
    return token.kind == "NAME" and text[0] == "d" and least <= len(text) <= 2 and text not in names


def _words(tokens: Iterable[MathToken], names: frozenset[str]) -> Iterator[MathToken]:
    for token in tokens:
        if token.kind == "NAME" and token.text in WORDS and token.text not in names:
            token = replace(token, kind=WORDS[token.text])
        yield token


def _functions(
    tokens: Sequence[MathToken], functions: frozenset[str], names: frozenset[str]
) -> Iterator[MathToken]:
    for place, token in enumerate(tokens):
        if token.kind != "NAME" or token.text in names:
            yield token
        elif token.text.startswith("log") and _is_logarithm(token, tokens[place + 1 : place + 2]):
            yield replace(token, kind="FUNCTION", text=logarithm_name(token.text))
        elif token.text in functions:
            yield replace(token, kind="FUNCTION")
        elif token.text in CALLED and _kind(tokens, place + 1) == "OPEN":
            yield replace(token, kind="FUNCTION", text=CALLED[token.text])
        elif is_factor_and_function(token.text):
            yield token
        elif _kind(tokens, place + 1) == "OPEN" and len(token.text) > 1 and token.text not in CONSTANTS:
            raise unknown_function(token.text, token.span, functions)
        else:
            yield token


def _is_logarithm(token: MathToken, after: Sequence[MathToken]) -> bool:
    """Whether `log_3` or `log₃` stands here. Raises: ProgramError for a base that is none, or `log_2.5`."""
    if not LOGARITHM.fullmatch(token.text):
        return False
    goes_on = any(one.kind == "NUMBER" and one.span.column == token.span.end_column for one in after)
    if goes_on or not logarithm_name(token.text):
        raise logarithm_base(token.span)
    return True


def _transposes(tokens: Sequence[MathToken], names: frozenset[str]) -> Iterator[MathToken]:
    """`A^T`, `A^{T}`, `A^{\\top}`: a transpose, unless T is a name that the text or the request uses."""
    tokens = list(_marks_apart(tokens, names))
    marks = {"TRANSPOSE"} if "T" in names or _is_factor(tokens) else {"TRANSPOSE", "T"}
    place = 0
    while place < len(tokens):
        token, length = tokens[place], 1
        if token.kind == "POWER":
            if _mark(tokens, place + 1) in marks:
                length = 2
            elif _kind(tokens, place + 1) == "BRACE_OPEN" and _mark(tokens, place + 2) in marks:
                length = 4 if _kind(tokens, place + 3) == "BRACE_CLOSE" else 1
        yield token if length == 1 else replace(token, kind="TRANSPOSE")
        place += length


def _marks_apart(tokens: Sequence[MathToken], names: frozenset[str]) -> Iterator[MathToken]:
    """`x^Tx` as `x^T x`, where x is a name of the text and Tx is none."""
    previous = ""
    for token in tokens:
        text, span = token.text, token.span
        glued = token.kind == "NAME" and text[0] == "T" and text not in names and text[1:] in names
        if previous == "POWER" and glued:
            yield replace(token, text="T", span=replace(span, end_column=span.column + 1))
            token = replace(token, text=text[1:], span=replace(span, column=span.column + 1))
        previous = token.kind
        yield token


def _mark(tokens: Sequence[MathToken], place: int) -> str:
    kind = _kind(tokens, place)
    return tokens[place].text if kind == "NAME" else kind


def _is_factor(tokens: Sequence[MathToken]) -> bool:
    """Whether T stands anywhere else than as a whole exponent."""
    return any(
        token.kind == "NAME"
        and token.text == "T"
        and tokens[max(place - 1, 0)].kind != "POWER"
        and not (tokens[place - 1].kind == "BRACE_OPEN" and tokens[place - 2].kind == "POWER")
        for place, token in enumerate(tokens)
    )


def _joined_lines(tokens: Iterable[MathToken]) -> Iterator[MathToken]:
    """One break between lines, none at the ends; inside brackets a line may break anywhere."""
    depth = 0
    waiting: MathToken | None = None
    begun = False
    for token in tokens:
        depth += (token.kind in OPENING) - (token.kind in CLOSING)
        if token.kind != "NEWLINE":
            if waiting is not None and begun:
                yield waiting
            waiting, begun = None, True
            yield token
        elif waiting is None and (depth <= 0 or token.text == ";"):
            waiting = token


def _bars(tokens: Sequence[MathToken]) -> Iterator[MathToken]:
    """Decide which bar opens an absolute value, or a norm, and which one closes it."""
    open_bars: list[list[str]] = [[]]  # the kinds that are open, for each bracket around
    previous = ""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.kind == "BAR" and _is_double(tokens, place - 1, open_bars[-1]):
            token = replace(token, kind="NORM", text="||")
            place += 1
        if token.kind in ("BAR", "NORM"):
            closes = previous in OPERAND_ENDS and token.kind in open_bars[-1]
            if closes:
                while open_bars[-1].pop() != token.kind:
                    pass
            else:
                open_bars[-1].append(token.kind)
            token = replace(token, kind=f"{token.kind}_{'CLOSE' if closes else 'OPEN'}")
        elif token.kind in OPENING:
            open_bars.append([])
        elif token.kind in CLOSING and len(open_bars) > 1:
            open_bars.pop()
        elif token.kind == "NEWLINE":
            open_bars = [[]]
        previous = token.kind
        yield token


def _is_double(tokens: Sequence[MathToken], place: int, open_bars: Sequence[str]) -> bool:
    """Whether two bars stand together and mean a norm, as in `||x||`; `|x||y|` is a product."""
    if not _adjacent(tokens, place):
        return False
    if "NORM" in open_bars:
        return True
    if "BAR" in open_bars:
        return False
    following = range(place + 2, len(tokens))
    closing = next((other for other in following if tokens[other].kind in ("BAR", "NEWLINE")), None)
    return closing is not None and _adjacent(tokens, closing)


def _adjacent(tokens: Sequence[MathToken], place: int) -> bool:
    return (
        tokens[place].kind == "BAR"
        and _kind(tokens, place + 1) == "BAR"
        and tokens[place].span.end_column == tokens[place + 1].span.column
    )


def _indices(tokens: Iterable[MathToken]) -> Iterator[MathToken]:
    """A square bracket right after a value takes an element of it."""
    previous: MathToken | None = None
    for token in tokens:
        if token.kind == "LIST_OPEN" and previous is not None and previous.kind in INDEXED:
            after = previous.span
            if (after.end_line, after.end_column) == (token.span.line, token.span.column):
                token = replace(token, kind="INDEX_OPEN")
        previous = token
        yield token
