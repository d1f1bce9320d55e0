r"""LaTeX: its commands become the tokens of the plain notation, `\frac{a}{b}` and `\sum` tokens of their own.

One pass from left to right, so that no nesting is too deep; what a closing brace ends stands on a stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.errors import Span
from engine.languages.mathematics.functions import logarithm_name
from engine.languages.mathematics.lexer import NUMBER, MathToken
from engine.languages.mathematics.refusals import (
    bounds_missing,
    bracketed_superscript,
    logarithm_base,
    unknown_character,
    unknown_command,
)

GREEK_NAMES = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
    *("varepsilon", "vartheta", "varphi", "varrho", "varsigma", "ell"),
)
GREEK = dict(zip(GREEK_NAMES, "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩεθφρσℓ", strict=True))

SPACES = (*",;:! \n", "quad", "qquad", "thinspace")
MARKS = frozenset({"NAME", "NUMBER"})
SILENT = (
    *("(", ")", "[", "]", ">", "nobreak", "displaystyle", "textstyle", "scriptstyle"),
    *("limits", "nolimits", "nonumber", "notag", "middle"),
)  # commands that change no meaning

# command -> kind and text of the one token that it stands for; "" is nothing at all
PLAIN: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("cdot", "times", "ast", "odot", "circ"), ("TIMES", "*")),
    "div": ("OVER", "/"),
    **dict.fromkeys(("le", "leq", "leqslant"), ("COMPARE", "<=")),
    **dict.fromkeys(("ge", "geq", "geqslant"), ("COMPARE", ">=")),
    **dict.fromkeys(("ne", "neq"), ("COMPARE", "!=")),
    "lt": ("COMPARE", "<"),
    "gt": ("COMPARE", ">"),
    **dict.fromkeys(("land", "wedge"), ("AND", "and")),
    **dict.fromkeys(("lor", "vee"), ("OR", "or")),
    **dict.fromkeys(("lnot", "neg"), ("NOT", "not")),
    **dict.fromkeys(("coloneqq", "triangleq"), ("EQUALS", "=")),
    **dict.fromkeys(("top", "intercal"), ("TRANSPOSE", "T")),
    **dict.fromkeys(("vert", "mid"), ("BAR", "|")),
    **dict.fromkeys(("|", "Vert"), ("NORM", "‖")),
    "lvert": ("BAR_OPEN", "|"),
    "rvert": ("BAR_CLOSE", "|"),
    "lVert": ("NORM_OPEN", "‖"),
    "rVert": ("NORM_CLOSE", "‖"),
    "{": ("OPEN", "("),
    "}": ("CLOSE", ")"),
    "lbrace": ("OPEN", "("),
    "rbrace": ("CLOSE", ")"),
    "lbrack": ("LIST_OPEN", "["),
    "rbrack": ("LIST_CLOSE", "]"),
    "lfloor": ("FLOOR_OPEN", "⌊"),
    "rfloor": ("FLOOR_CLOSE", "⌋"),
    "lceil": ("CEIL_OPEN", "⌈"),
    "rceil": ("CEIL_CLOSE", "⌉"),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), ("FRACTION", "frac")),
    "sqrt": ("ROOT", "sqrt"),
    "sum": ("BIG", "sum"),
    "prod": ("BIG", "prod"),
    **dict.fromkeys((*SPACES, *SILENT), ("", "")),
}

ACCENTS = {
    "hat": "hat",
    "widehat": "hat",
    "bar": "bar",
    "overline": "bar",
    "tilde": "tilde",
    "widetilde": "tilde",
}
MATRICES = frozenset({"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "smallmatrix"})
CASES = frozenset({"cases", "dcases"})
LINES = frozenset({"align", "aligned", "equation", "gather", "gathered", "split", "multline", "displaymath"})

SILENT_WORDS = frozenset({"if", "for", "when", "where", "若", "当", "如果", "，", ","})
OTHERWISE = frozenset({"otherwise", "else", "其他", "其它", "否则", "其余"})
STYLED = re.compile(r"\\([A-Za-z]+)\*?\s*\{([^{}]*)\}", re.DOTALL)
SUBSCRIPT_PARTS = frozenset({"NAME", "NUMBER"})


def read_latex(tokens: Sequence[MathToken], functions: frozenset[str]) -> Iterator[MathToken]:
    """The tokens with every command replaced by what it stands for."""
    return _Reader([_plain(token, functions) for token in tokens], functions).read()


def _plain(token: MathToken, functions: frozenset[str]) -> MathToken:
    """One token for a command; its kind is empty where nothing is left of it."""
    if token.kind == "STYLED":
        return _styled(token, functions)
    if token.kind == "FENCE":
        return _fence(token)
    if token.kind != "COMMAND":
        return token
    name = token.text[1:]
    if name in PLAIN:
        kind, text = PLAIN[name]
        return replace(token, kind=kind, text=text)
    if name in GREEK:
        return replace(token, kind="NAME", text=GREEK[name])
    if name in functions:
        return replace(token, kind="FUNCTION", text=name)
    if name == "\\":
        return replace(token, kind="ROW")
    raise unknown_command(name, token.span, {*PLAIN, *GREEK, *functions})


def _styled(token: MathToken, functions: frozenset[str]) -> MathToken:
    r"""`\mathrm{name}`, `\text{if}`, `\hat{y}`."""
    found = STYLED.fullmatch(token.text)
    style, inner = (found.group(1), found.group(2).strip()) if found else ("", token.text)
    inner = GREEK.get(inner.removeprefix("\\"), inner.replace("\\_", "_"))
    if style in ACCENTS:
        return replace(token, kind="NAME", text=f"{inner}_{ACCENTS[style]}")
    if inner in SILENT_WORDS or not inner:
        return replace(token, kind="", text="")
    if inner in OTHERWISE:
        return replace(token, kind="OTHERWISE")
    if inner in ("and", "or", "not"):
        return replace(token, kind=inner.upper(), text=inner)
    if inner in ("且", "或"):
        return replace(token, kind="AND" if inner == "且" else "OR")
    if inner in ("T", "top") and style.startswith("math"):
        return replace(token, kind="TRANSPOSE", text="T")
    if inner in functions:
        return replace(token, kind="FUNCTION", text=inner)
    if inner.replace("_", "").isalnum() and not inner[0].isdigit():
        return replace(token, kind="NAME", text=inner)
    raise unknown_command(token.text[1:], token.span, functions)


def _fence(token: MathToken) -> MathToken:
    r"""`\left|` opens and `\right|` closes; of `\left(` only the bracket counts, which is the next token."""
    side = "CLOSE" if re.match(r"\\(?:right|[bB]igg?r)", token.text) else "OPEN"
    if "ert" in token.text or "|" in token.text:
        double = "\\|" in token.text or "Vert" in token.text
        return replace(token, kind=f"NORM_{side}" if double else f"BAR_{side}", text="‖" if double else "|")
    return replace(token, kind="")


class _Reader:
    """The pass: `wanted` arguments of a command are still to come, and each open brace says what it is."""

    def __init__(self, tokens: Sequence[MathToken], functions: frozenset[str]) -> None:
        self.tokens = [token for token in tokens if token.kind]
        self.functions = functions
        self.place = 0
        self.wanted = 0
        self.open: list[str] = []  # what each closing brace or `\end` ends

    def read(self) -> Iterator[MathToken]:
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            yield from self._read(token)

    def _peek(self, ahead: int = 0) -> MathToken | None:
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def _peeked(self, ahead: int = 0) -> str:
        token = self._peek(ahead)
        return token.kind if token else ""

    def _read(self, token: MathToken) -> Iterator[MathToken]:
        computed = False  # whether an index to be computed follows
        if token.kind == "NAME":
            token, computed = self._subscripted(self._marked(token))
        if self.wanted and token.kind in ("NAME", "NUMBER") and not computed:
            yield from self._argument(token)
            return
        wanted, self.wanted = self.wanted, 0
        match token.kind:
            case "BRACE_OPEN":
                self.open.append(f"argument {wanted - 1}" if wanted else "group")
            case "BRACE_CLOSE" | "LIST_CLOSE":
                token = self._closed(token)
            case "FRACTION":
                self.wanted = 2
            case "ROOT":
                self.wanted = 1
                if self._peeked() == "LIST_OPEN":
                    yield token
                    token = self._opening("ROOT_OPEN", "root")
            case "LIST_OPEN":
                self.open.append("list")
            case "BIG":
                self._check_bounds(token)
            case "FUNCTION" if token.text == "log" and self._peeked() == "UNDER":
                token = self._logarithm(token)
            case "POWER":
                self._check_superscript()
            case "ENVIRONMENT":
                yield self._environment(token)
                return
            case "ROW" | "COLUMN":
                yield from self._row(token)
                return
        yield token
        if computed:
            yield self._opening("SUB_OPEN", "subscript")

    def _opening(self, kind: str, ends: str) -> MathToken:
        """The next token, an opening bracket, under another name."""
        token = replace(self.tokens[self.place], kind=kind)
        self.place += 1
        self.open.append(ends)
        return token

    def _argument(self, token: MathToken) -> Iterator[MathToken]:
        r"""An argument without braces is one digit or one name: `\frac12` is a half."""
        self.wanted -= 1
        text, span = token.text, token.span
        short = token.kind == "NUMBER" and len(text) > 1
        end = span.column + 1 if short else span.end_column
        if text[0] == ".":
            raise unknown_character(".", replace(span, end_column=end))
        first = replace(token, text=text[0] if short else text, span=replace(span, end_column=end))
        yield MathToken("BRACE_OPEN", "{", replace(span, end_column=span.column))
        yield first
        yield MathToken("BRACE_CLOSE", "}", Span(span.line, end, span.line, end))
        if short:
            self.place -= 1
            self.tokens[self.place] = _rest_of_number(text[1:], replace(span, column=end))

    def _closed(self, token: MathToken) -> MathToken:
        opened = self.open.pop() if self.open else ""
        if opened.startswith("argument"):
            self.wanted = int(opened.split()[1])
        elif opened == "root":
            self.wanted = 1
            return replace(token, kind="ROOT_CLOSE")
        return token

    def _subscripted(self, token: MathToken) -> tuple[MathToken, bool]:
        r"""`x_{12}`, `\theta_1`: the name with its index; an index to be computed stays a subscript."""
        under = self._peeked() == "UNDER"
        if not under and not token.text.endswith("_"):
            return token, False
        first = self.place + under
        kinds = [one.kind for one in self.tokens[first : first + 3]]
        if kinds[:1] and kinds[0] in SUBSCRIPT_PARTS:
            inner = last = self.tokens[first]
        elif (
            kinds[:1] == ["BRACE_OPEN"]
            and kinds[1:2]
            and kinds[1] in SUBSCRIPT_PARTS
            and kinds[2:] == ["BRACE_CLOSE"]
        ):
            inner, last = self.tokens[first + 1], self.tokens[first + 2]
        elif kinds[:1] == ["BRACE_OPEN"]:
            self.place = first
            return replace(token, text=token.text.rstrip("_")), True
        else:
            return token, False
        self.place = first + (1 if inner is last else 3)
        span = replace(token.span, end_column=last.span.end_column)
        return replace(token, text=f"{token.text.rstrip('_')}_{inner.text}", span=span), False

    def _marked(self, token: MathToken) -> MathToken:
        r"""`W^{[1]}` and `x^{(i)}`, the number of a layer or of an example, as the names W_1 and x_i."""
        kinds = [self._peeked(ahead) for ahead in range(6)]
        of_layer = kinds[2:3] == ["LIST_OPEN"] and kinds[3] in MARKS and kinds[4] == "LIST_CLOSE"
        of_example = kinds[2:5] == ["OPEN", "NAME", "CLOSE"]
        if kinds[:2] != ["POWER", "BRACE_OPEN"] or kinds[5] != "BRACE_CLOSE" or not (of_layer or of_example):
            return token
        mark, last = self.tokens[self.place + 3], self.tokens[self.place + 5]
        self.place += 6
        span = replace(token.span, end_column=last.span.end_column)
        return replace(token, text=f"{token.text}_{mark.text}", span=span)

    def _check_bounds(self, big: MathToken) -> None:
        kinds = [self._peeked(ahead) for ahead in range(4)]
        if kinds[0] == "POWER" or kinds == ["UNDER", "BRACE_OPEN", "NAME", "EQUALS"]:
            return
        raise bounds_missing(big.text, big.span)

    def _check_superscript(self) -> None:
        kinds = [self._peeked(ahead) for ahead in range(5)]
        if kinds == ["BRACE_OPEN", "OPEN", "NUMBER", "CLOSE", "BRACE_CLOSE"]:
            raise bracketed_superscript(self.tokens[self.place + 1].span)

    def _logarithm(self, token: MathToken) -> MathToken:
        r"""`\log_2`, `\log_{10}`."""
        braced = self._peeked(1) == "BRACE_OPEN"
        base = self._peek(2 if braced else 1)
        name = logarithm_name(f"log_{base.text}") if base else ""
        if not name:
            raise logarithm_base(token.span)
        self.place += 4 if braced else 2
        return replace(token, text=name)

    def _environment(self, token: MathToken) -> MathToken:
        name = token.text[token.text.index("{") + 1 : -1].removesuffix("*")
        opens = token.text.startswith("\\begin")
        if name not in MATRICES | CASES | LINES:
            raise unknown_command(f"begin{{{name}}}", token.span, ())
        if name in LINES:
            kind = "NEWLINE"
        else:
            kind = ("MATRIX" if name in MATRICES else "CASES") + ("_OPEN" if opens else "_CLOSE")
        if opens:
            self.open.append(kind)
        elif self.open:
            self.open.pop()
        return replace(token, kind=kind, text="\n" if kind == "NEWLINE" else token.text)

    def _row(self, token: MathToken) -> Iterator[MathToken]:
        """`&` and `\\\\` part a matrix; elsewhere they only align lines and end them."""
        if any(kind in ("MATRIX_OPEN", "CASES_OPEN") for kind in self.open[-1:]):
            yield token
        elif token.kind == "ROW":
            yield replace(token, kind="NEWLINE", text="\n")


def _rest_of_number(text: str, span: Span) -> MathToken:
    r"""What is left of a number whose first digit is an argument: the 2 of `\frac12`, e5 of `\frac1e5`."""
    if re.fullmatch(NUMBER, text):
        return MathToken("NUMBER", text, span)
    if text[0].isalpha():
        return MathToken("NAME", text, span)
    raise unknown_character(text[0], replace(span, end_column=span.column + 1))
