"""Formulas put together from the ops' own LaTeX, with brackets only where they are needed.

An op's block says how it is written, as in `{x} \\cdot {y}`. How strongly the whole holds together is read
from what stands outside all brackets, and whether an input needs brackets from what stands beside it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Node
from engine.ops.arrays.indexing import MASKS, python_key
from engine.programs.lesson.formulas import MINUS, group, number_latex, plain_text, value_latex

LOOSE, SUM, PRODUCT, FUNCTION, POWER, ATOM = range(6)

GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
)
LETTERS = dict(zip(GREEK, "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", strict=True))
AXES = ("axis", "axes", "reduction_indices")  # inputs that a function is written without
WRITTEN = "written"  # the name of what a variable is changed by
FUNCTIONS = r"(?:arc)?(?:sin|cos|tan)h?|exp|ln|log"
NAMES = re.compile(r"([^\W\d_]+)(?:_?(\d+|[^\W_]+))?")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a formula. strength: of its outermost operator; an ATOM needs no brackets anywhere."""

    latex: str
    strength: int = ATOM

    def inside(self, strength: int) -> str:
        """The LaTeX where something of this strength stands around it."""
        return self.latex if self.strength >= strength else f"({self.latex})"

    @property
    def text(self) -> str:
        """The same as a line of plain text."""
        return as_text(self.latex)


# -- names and numbers ---------------------------------------------------------------------------------


def name_piece(name: str, number: int | str | None = None) -> Piece:
    """A name as it is typeset: `x1` with a subscript, `theta` as the letter; number: one of several."""
    found = NAMES.fullmatch(name)
    if found is None:
        letters, below = upright(name), ""
    else:
        letters, below = _letters(found[1]), found[2] or ""
    marks = [mark for mark in (below, "" if number is None else str(number)) if mark]
    return Piece(f"{letters}_{{{','.join(marks)}}}" if marks else letters)


def upright(word: str) -> str:
    """A word in upright letters."""
    return rf"\mathrm{{{_escaped(word)}}}"


def _escaped(word: str) -> str:
    return re.sub(r"([_#%&$])", r"\\\1", word)


def _letters(word: str) -> str:
    if word in LETTERS:
        return f"\\{word}"
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


def number_piece(value: float) -> Piece:
    """A number; those that have a name under it."""
    if np.isclose(value, math.e, rtol=1e-7, atol=0):
        return Piece("e")
    if np.isclose(value, math.pi, rtol=1e-7, atol=0):
        return Piece(r"\pi")
    return _digits_piece(value)


def measured_piece(value: Any) -> Piece:
    """A single number that was computed: in digits, also where it happens to be e."""
    array = np.asarray(value)
    return value_piece(array) if array.dtype.kind not in "fiu" else _digits_piece(float(array))


def _digits_piece(value: float) -> Piece:
    latex = number_latex(value)
    return Piece(latex, SUM if latex.startswith("-") else PRODUCT if "times" in latex else ATOM)


def value_piece(value: Any) -> Piece:
    """A constant: its number, its few numbers, or its shape."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        return Piece(r"\text{…}")
    if array.ndim == 0 and array.dtype.kind != "b":
        return number_piece(float(array))
    return Piece(value_latex(array) or "[" + r" \times ".join(str(n) for n in array.shape) + "]")


# -- putting an op's formula together ------------------------------------------------------------------


def composed(node: Node, pieces: Sequence[Piece]) -> Piece:
    """The op's formula with these in place of its inputs."""
    special = SPECIAL.get(node.op.name)
    if special is not None:
        return special(node, pieces)
    if re.match(r"\w+ = ", node.op.latex):  # an equation for the elements is no name
        return called(node, pieces)
    return filled(node.op.latex, _by_name(node, pieces), node)


def filled(template: str, named: dict[str, Piece], node: Node) -> Piece:
    """A template of an op's block with pieces in it; the op's function where it has no place for them."""
    spots = [m for m in re.finditer(r"\{(\w+)\}", template) if m[1] in named]
    if not spots or any(_is_indexed(template, m) and named[m[1]].strength < ATOM for m in spots):
        return called(node, [*named.values()])
    parts, end = [], 0
    for spot in spots:
        parts += [template[end : spot.start()], _fitted(template, spot, named[spot[1]])]
        end = spot.end()
    return Piece(spaced("".join([*parts, template[end:]])), strength_of(template))


def called(node: Node, pieces: Sequence[Piece]) -> Piece:
    """`softmax(z)`: the op as a function under its name in the learner's framework."""
    name = (node.op.names.get("math") or node.op.names.get("tf") or node.op.name.lower()).split(".")[-1]
    name = re.sub(r"\W.*", "", name)
    written = name_piece(name).latex if "_" not in name else upright(name)
    names = [name.lstrip("*") for name in node.op.input_names]
    if len(names) == len(pieces):
        pieces = [piece for name, piece in zip(names, pieces, strict=True) if name not in AXES]
    return Piece(f"{written}({', '.join(piece.latex for piece in pieces)})")


def _is_indexed(template: str, spot: re.Match[str]) -> bool:
    return template[spot.end() : spot.end() + 1] == "_"


def _by_name(node: Node, pieces: Sequence[Piece]) -> dict[str, Piece]:
    names = [name.lstrip("*") for name in node.op.input_names]
    if len(names) == len(pieces):
        return dict(zip(names, pieces, strict=True))
    starred = next((name[1:] for name in node.op.input_names if name.startswith("*")), None)
    return {starred: Piece(", ".join(p.latex for p in pieces), LOOSE)} if starred else {}


OPENING, CLOSING = (
    ("{", "(", "|", "[", ",", r"\lfloor", r"\lceil"),
    ("}", ")", "|", "]", ",", r"\rfloor", r"\rceil"),
)
RELATIONS = (">", "<", "=", r"\ge", r"\le", r"\ne", r"\leftarrow", r"\mapsto", r"\in")
LEFT_SIGNS = {"+": SUM, "-": PRODUCT, r"\cdot": PRODUCT, r"\times": PRODUCT, "*": PRODUCT, "/": POWER}
RIGHT_SIGNS = {
    "+": SUM,
    "-": SUM,
    r"\cdot": PRODUCT,
    r"\times": PRODUCT,
    "*": PRODUCT,
    "/": PRODUCT,
    "{": PRODUCT,
}


def _fitted(template: str, spot: re.Match[str], piece: Piece) -> str:
    """A piece in its place, in brackets where it would fall apart there."""
    before = re.sub(r"(\\[,; ]|\s)+$", "", template[: spot.start()])
    after = re.sub(r"^(\\[,; ]|\s)+", "", template[spot.end() :])
    left = 0 if not before or before.endswith((*OPENING, *RELATIONS)) else _sign_before(before)
    right = 0 if not after or after.startswith((*CLOSING, *RELATIONS)) else _sign_after(after)
    if left and piece.latex.startswith("-"):
        return f"({piece.latex})"
    return piece.inside(max(left, right))


def _sign_before(before: str) -> int:
    """What stands left of a place: an operator, a function, or a factor."""
    signs = (strength for sign, strength in LEFT_SIGNS.items() if before.endswith(sign))
    is_function = re.search(r"(\\(?:mathrm|operatorname)\{\w+\}|\\[A-Za-z]+)$", before)
    return next(signs, ATOM if is_function else PRODUCT)


def _sign_after(after: str) -> int:
    if after[0] in "^_":
        return ATOM
    return next((strength for sign, strength in RIGHT_SIGNS.items() if after.startswith(sign)), PRODUCT)


def strength_of(template: str) -> int:
    """How strongly a template holds together, by what stands outside all brackets."""
    top = _outside_brackets(template)
    if any(re.search(rf"{re.escape(sign)}(?![A-Za-z])", top) for sign in RELATIONS):
        return LOOSE
    if re.search(r"[+-]", top):
        return SUM
    if re.match(r"\s*\\(sum|prod|textstyle)", top):
        return SUM
    if re.search(r"\\cdot|\\times|/|§\s*(\\,)?\s*§|\\tfrac", top):
        return PRODUCT
    if re.match(r"\s*(\\(?!frac)[a-z]+|\\mathrm§)(\\,|\s)+§", top):
        return FUNCTION
    return POWER if "^" in top or r"\frac" in top else ATOM


def _outside_brackets(template: str) -> str:
    """A template with everything in brackets taken away; § is a placeholder that stands free."""
    text = re.sub(r"(?<![\^_{a-z])\{\w+\}(?!\})", "§", template)
    text = re.sub(r"(\\(?:mathrm|text|operatorname))\{[^{}]*\}", r"\1§", text)
    text = re.sub(r"\|[^|]*\|", "", text)
    previous = ""
    while text != previous:
        previous, text = text, re.sub(r"\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]", "", text)
    return text


# -- ops that read better another way ------------------------------------------------------------------


def _added(node: Node, pieces: Sequence[Piece]) -> Piece:
    whole = "".join(_signed(piece.inside(SUM), is_first=place == 0) for place, piece in enumerate(pieces))
    return Piece(whole, SUM)


def _signed(term: str, *, is_first: bool) -> str:
    """A term of a sum with its sign: what is negative is taken off."""
    if is_first:
        return term
    return f" - {term[1:].strip()}" if term.startswith("-") else f" + {term}"


def _multiplied(node: Node, pieces: Sequence[Piece]) -> Piece:
    """`2x` for a number before a name; in what was derived, a factor of 1 is left out."""
    left, right = pieces
    if "1" in (left.latex, right.latex) and node.phase == "gradient":
        return right if left.latex == "1" else left
    close = re.fullmatch(r"(?!1$)[\d.]+|\\pi", left.latex) and re.match(r"[A-Za-z\\(]", right.inside(PRODUCT))
    if close and not right.latex.startswith((r"\frac", "e^")):
        return Piece(f"{left.latex} {right.inside(PRODUCT)}", PRODUCT)
    return Piece(rf"{left.inside(PRODUCT)} \cdot {right.inside(PRODUCT)}", PRODUCT)


def _power(node: Node, pieces: Sequence[Piece]) -> Piece:
    base, exponent = pieces
    return Piece(f"{base.inside(ATOM)}^{{{exponent.latex}}}", POWER)


def _squared(node: Node, pieces: Sequence[Piece]) -> Piece:
    return Piece(f"{pieces[0].inside(ATOM)}^{{2}}", POWER)


def _passed(node: Node, pieces: Sequence[Piece]) -> Piece:
    return pieces[0]


def _chosen(node: Node, pieces: Sequence[Piece]) -> Piece:
    condition, then, otherwise = (piece.latex for piece in pieces)
    rows = rf"{then} & {condition} \\ {otherwise} & \lnot ({condition})"
    return Piece(rf"\begin{{cases}} {rows} \end{{cases}}")


def _matrix_product(node: Node, pieces: Sequence[Piece]) -> Piece:
    flags = [node.attrs.get(f"transpose_{x}") or node.attrs.get(f"adj_{y}") for x, y in ("ax", "by")]
    sides = [
        f"{piece.inside(ATOM)}^{{\\top}}" if flag else piece.inside(PRODUCT)
        for piece, flag in zip(pieces, flags, strict=True)
    ]
    return Piece(rf"{sides[0]}\, {sides[1]}", PRODUCT)


def _largest(node: Node, pieces: Sequence[Piece]) -> Piece:
    """`top₂(x)`, with the number where it is given."""
    count = node.inputs[1].node.attrs.get("value") if len(node.inputs) > 1 else None
    below = "" if count is None else f"_{{{int(count)}}}"
    return Piece(rf"\mathrm{{top}}{below}({pieces[0].latex})")


def _stopped(node: Node, pieces: Sequence[Piece]) -> Piece:
    """`stop(x)`; what is written to a variable stands as it is."""
    return pieces[0] if is_written(node) else Piece(rf"\mathrm{{stop}}({pieces[0].latex})")


def is_written(node: Node) -> bool:
    """Whether a node stands for what was written to a variable."""
    return node.op.name == "StopGradient" and node.name.rpartition("/")[2].startswith(WRITTEN)


def _function(node: Node, pieces: Sequence[Piece]) -> Piece:
    return called(node, pieces)


def _taken(node: Node, pieces: Sequence[Piece]) -> Piece:
    """`x_{0}` where one place is taken, else `x` with dots for the places."""
    places = _places(node)
    return Piece(
        f"{pieces[0].inside(ATOM)}_{{{places}}}" if places else f"{pieces[0].inside(ATOM)}_{{[\\ldots]}}"
    )


def _places(node: Node) -> str:
    """`0`, `0, 1`, or `[1:3]`, as Python writes it."""
    bounds = [t.node.attrs.get("value") if t.node.op.name == "Const" else None for t in node.inputs[1:4]]
    begin, end, strides = (np.asarray(np.nan if bound is None else bound) for bound in bounds)
    if not begin.ndim == end.ndim == strides.ndim == 1:
        return ""
    parts = [
        _part(one) for one in python_key(begin, end, strides, {mask: node.attrs[mask] for mask in MASKS})
    ]
    whole = ", ".join(parts)
    return whole if all(part.isdigit() for part in parts) else f"[{whole}]"


def _part(key: Any) -> str:
    """One part of what stands in the square brackets of Python."""
    if isinstance(key, slice):
        ends = ":".join("" if end is None else str(end) for end in (key.start, key.stop))
        return ends if key.step in (None, 1) else f"{ends}:{key.step}"
    return r"\ldots" if key is Ellipsis else str(key)


def _listed(latex: str) -> str:
    """Indices as a list: a column of numbers lies down."""
    found = re.fullmatch(r"\\begin\{bmatrix\} (.*) \\end\{bmatrix\}", latex)
    return f"[{found[1].replace(chr(92) * 2, ',').replace(' ,', ',')}]" if found else latex


def _joined(node: Node, pieces: Sequence[Piece]) -> Piece:
    return Piece(f"[{', '.join(piece.latex for piece in pieces[: len(node.inputs) - 1])}]")


def _exponential(node: Node, pieces: Sequence[Piece]) -> Piece:
    r"""`\exp x`, which the learner wrote as a function; what was written as a power of e is a power."""
    return filled(r"\exp {x}", {"x": pieces[0]}, node)


SPECIAL = {
    "ConcatV2": _joined,
    "Exp": _exponential,
    "AddN": _added,
    "AccumulateNV2": _added,
    "Mul": _multiplied,
    "Pow": _power,
    "Square": _squared,
    "Select": _chosen,
    "MatMul": _matrix_product,
    "BatchMatMulV2": _matrix_product,
    "StridedSlice": _taken,
    "Softmax": _function,
    "Mean": lambda node, pieces: Piece(rf"\mathrm{{mean}}({pieces[0].latex})"),
    "StridedSliceGrad": lambda node, pieces: Piece(rf"\mathrm{{placed}}({pieces[-1].latex})"),
    "GatherV2": lambda node, pieces: Piece(f"{pieces[0].inside(ATOM)}_{{{_listed(pieces[1].latex)}}}"),
    "LogSoftmax": _function,
    "MaxPool": _function,
    "AvgPool": _function,
    "TopKV2": _largest,
    "StopGradient": _stopped,
    **dict.fromkeys(("Cast", "Identity", "PreventGradient", "CheckNumerics", "Print"), _passed),
    **dict.fromkeys(("ExpandDims", "Squeeze", "BroadcastTo", "PlaceholderWithDefault"), _passed),
    "Reshape": _passed,
}


# -- tidying -------------------------------------------------------------------------------------------


def tidied(latex: str) -> str:
    """A formula with numbers in it, as one would write it: `3 x^{2}`, not `3 x^{3 - 1}`."""
    latex = re.sub(r"\{(-?\d+(?:\.\d+)?) - (\d+)\}", _subtracted, latex)
    latex = re.sub(r"\s*\\ln e(?![a-z])", "", latex)
    latex = re.sub(r"\^\{1\}", "", latex)
    latex = re.sub(r"([A-Za-z])\\, (?=[A-Za-z]\^)", r"\1 \\cdot ", latex)
    latex = re.sub(r"(\d)\\, (?=[A-Za-z\\(])", r"\1 ", latex)
    latex = re.sub(r"^([\d.]+) [A-Za-z]\^\{0\}$", r"\1", latex)
    return re.sub(r"^1 (?:\\cdot )?(?=[A-Za-z\\(])", "", spaced(latex))


def spaced(latex: str) -> str:
    """Without spaces that do nothing."""
    return re.sub(r"\s+", " ", latex).strip()


def _subtracted(found: re.Match[str]) -> str:
    return f"{{{number_latex(float(found[1]) - float(found[2]))}}}"


def as_text(latex: str) -> str:
    """LaTeX as a line of text for a sentence: ∂y/∂(sin x), x², e^(−x)."""
    text = re.sub(r"\\begin\{cases\}(.*?)\\end\{cases\}", _cases_as_text, latex)
    text = re.sub(rf"\\({FUNCTIONS})\s+\(", r"\\\1(", _fractions(text))
    text = re.sub(r"\^(?:\{(-?\d+)\}|(\d))", lambda m: (m[1] or m[2]).translate(RAISED), text)
    text = re.sub(r"\^\{?\\top\}?", "ᵀ", text)
    text = re.sub(r"_\{(\[[^{}]*\])\}", r"\1", text)
    text = re.sub(r"_\{?i\}?(?![A-Za-z])", "ᵢ", text)
    text = re.sub(r"_\{(\d+(?:,\d+)*)\}", lambda m: m[1].translate(LOWERED), text)
    text = re.sub(r"_\{(\d+(?:, \d+)+)\}", r"[\1]", text)
    text = re.sub(r"_\{([A-Za-z]+),(\d+)\}", lambda m: f"_{m[1]}{m[2].translate(LOWERED)}", text)
    text = re.sub(r"\^\{([^{}\\ ]{2,}|[^{}]*[\\ +/-][^{}]*)\}", r"^(\1)", text)
    for word, letter in LETTERS.items():
        text = re.sub(rf"\\{word}(?![A-Za-z])", letter, text)
    for word, sign in SIGNS.items():
        text = re.sub(rf"\\{word}(?![A-Za-z])", sign, text)
    text = plain_text(text).replace(f"( {MINUS}", f"({MINUS}")
    text = re.sub(r"(\d) (?=[A-Za-z](?![A-Za-z_]))", r"\1", text)
    text = re.sub(r"([⌊⌈]) | (?=[⌋⌉])", r"\1", text)
    text = re.sub(rf"(^|\(){MINUS} ", rf"\1{MINUS}", text)
    return re.sub("(∂[⁰-⁹¹²³]?) ", r"\1", text)


def _fractions(latex: str) -> str:
    r"""`\frac{a}{b}` as a / b, in brackets what would fall apart."""
    start = latex.find(r"\frac{")
    if start < 0:
        return latex
    top, middle = group(latex, start + len(r"\frac"))
    bottom, end = group(latex, middle)
    over, under = (
        f"({part})" if re.search(r"[+ -]", _flat(part).strip()) else part for part in (top, bottom)
    )
    line = "/" if re.fullmatch(r"\w+", over) and re.fullmatch(r"\w+", under) else " / "
    return _fractions(f"{latex[:start]}{over}{line}{under}{latex[end:]}")


def _flat(latex: str) -> str:
    """What stands outside the brackets of a formula."""
    previous = ""
    while latex != previous:
        previous, latex = latex, re.sub(r"\([^()]*\)|\{[^{}]*\}", "", latex)
    return latex


def _cases_as_text(found: re.Match[str]) -> str:
    rows = [row.split("&") for row in found[1].split(r"\\")]
    if len(rows) == 2 and all(len(row) == 2 for row in rows):
        return f"({rows[0][0].strip()} if {rows[0][1].strip()}, else {rows[1][0].strip()})"
    return "; ".join(f"{row[0].strip()} ({row[1].strip()})" if len(row) > 1 else row[0] for row in rows)


SIGNS = {
    "partial": "∂",
    "infty": "∞",
    "odot": "⊙",
    "lnot": "not",
    "land": "and",
    "lor": "or",
    "approx": "≈",
    "mapsto": "↦",
    "lVert": "‖",
    "rVert": "‖",
    "lceil": "⌈",
    "rceil": "⌉",
    "arcsin": "arcsin",
    "textstyle": "",
    "left": "",
    "right": "",
}
