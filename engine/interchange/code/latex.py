"""LaTeX: the same formulas as they are printed, which Gradlens reads, too."""

from __future__ import annotations

import re
from typing import Any

from engine.interchange.code.mathematics import Mathematics
from engine.interchange.code.pieces import ATOM, POWER, PRODUCT, SIGN, STRENGTHS, Piece

GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "rho", "sigma", "upsilon", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Sigma", "Phi", "Psi", "Omega"),
)
GREEK_LETTERS = dict(zip("αβγδεζηθικλμνξρσυφχψωΓΔΘΛΞΣΦΨΩ", GREEK, strict=True))
COMMANDS = {  # functions that LaTeX has a name for
    **{
        name: f"\\{name}"
        for name in ("cos", "cosh", "det", "exp", "ln", "max", "min", "sin", "sinh", "tan", "tanh")
    },
    "acos": r"\arccos",
    "asin": r"\arcsin",
    "atan": r"\arctan",
}
FENCES = {
    "abs": (r"\left|", r"\right|"),
    "norm": (r"\left\|", r"\right\|"),
    "floor": (r"\left\lfloor ", r"\right\rfloor"),
}
SIGNS = {
    "*": r"\cdot",
    "@": r"\,",
    "==": "=",
    "!=": r"\ne",
    "<=": r"\le",
    ">=": r"\ge",
    "&": r"\land",
    "|": r"\lor",
}
NAMES = re.compile(r"([^\W\d_]+)(?:_?([^\W_]+))?")


class Latex(Mathematics):
    """The lines of `Mathematics`, aligned at their equals signs."""

    title = "LaTeX"
    differentiates = False

    def program(self) -> str:
        equations, y = self.equations()
        lines = [f"{name} &= {text}" for name, text in equations]
        if not equations or equations[-1][0] != y:
            lines.append(f"& {y}" if lines else y)
        if len(lines) == 1:
            return lines[0].replace("&= ", "= ", 1) + "\n"
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n"

    def fresh(self, wanted: str) -> str:
        return typeset_name(super().fresh(wanted))

    def join(self, symbol: str, left: Piece, right: Piece) -> Piece:
        if symbol == "/":
            return self.piece(rf"\frac{{{left.text}}}{{{right.text}}}", POWER)
        if symbol == "**":
            return self.piece(f"{fenced(left, ATOM)}^{{{right.text}}}", POWER)
        strength = STRENGTHS[symbol]
        trailing = fenced(right, SIGN + 1 if right.strength == SIGN else strength + 1)
        text = f"{fenced(left, strength)} {SIGNS.get(symbol, symbol)} {trailing}"
        return self.piece(text, strength)

    def function(self, name: str, *pieces: Piece) -> Piece:
        inner = ", ".join(piece.text for piece in pieces)
        if name == "sqrt":
            return self.piece(rf"\sqrt{{{inner}}}")
        if name in FENCES:
            opening, closing = FENCES[name]
            return self.piece(f"{opening}{inner}{closing}")
        command = COMMANDS.get(name, rf"\operatorname{{{name}}}")
        return self.piece(rf"{command}\left({inner}\right)")

    def choice(self, condition: Piece, then: Piece, otherwise: Piece) -> Piece:
        rows = rf"{then.text} & {condition.text} \\ {otherwise.text} & \text{{otherwise}}"
        return self.piece(rf"\begin{{cases}} {rows} \end{{cases}}", PRODUCT)

    def negated(self, condition: Piece) -> Piece:
        return self.piece(rf"\lnot \left({condition.text}\right)", 3)

    def vector(self, pieces: Any) -> Piece:
        return self.piece(rf"\left[{', '.join(piece.text for piece in pieces)}\right]")

    def transpose(self, x: Piece) -> Piece:
        return self.piece(rf"{fenced(x, ATOM)}^{{\top}}", ATOM)

    def element(self, x: Piece, place: tuple[int, ...]) -> Piece:
        """A subscript of a name that has none yet, else square brackets."""
        written = ", ".join(str(n + 1) for n in place)
        if x.text in self.given and "_" not in x.text:
            return self.piece(f"{x.text}_{{{written}}}")
        return self.piece(f"{fenced(x, ATOM)}[{written}]")

    def digits(self, value: Any) -> str:
        """`1e-05` as a power of ten."""
        text = super().digits(value)
        mantissa, mark, exponent = text.partition("e")
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if mark else text


def fenced(piece: Piece, strength: int) -> str:
    """The text in brackets where it would fall apart."""
    return piece.text if piece.strength >= strength else rf"\left({piece.text}\right)"


def typeset_name(name: str) -> str:
    r"""`x1` and `x_1` as x_{1}, `theta` as \theta, `loss` as \mathrm{loss}, `a_b_c` as \mathrm{a\_b\_c}."""
    found = NAMES.fullmatch(name)
    if found is None:
        escaped = name.replace("_", r"\_")
        return rf"\mathrm{{{escaped}}}"
    letters, below = found.groups()
    if letters in GREEK:
        letters = f"\\{letters}"
    elif letters in GREEK_LETTERS:
        letters = f"\\{GREEK_LETTERS[letters]}"
    elif len(letters) > 1:
        letters = rf"\mathrm{{{letters}}}"
    return f"{letters}_{{{below}}}" if below else letters
