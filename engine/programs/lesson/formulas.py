"""Formulas of ops with names or numbers put in: as LaTeX for a formula, as plain text for a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.ops.base.tensors import Array, Node
from engine.ops.base.texts import is_texts, written_text

MINUS = "−"
THIN_SPACE = "\u202f"  # a number is not broken at it
DIGITS = 4  # significant, in sentences and formulas; the full value stands beside them
SIGNS = frozenset("\\{}^~")  # that mean something else in LaTeX, also in a text
LONGEST_TEXT = 24  # characters of a text that are shown
LONGEST_ROW = 4  # elements of a vector that is written out

SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

PLAIN_WORDS = {
    r"\cdot": "·",
    r"\times": "×",
    r"\leftarrow": "←",
    r"\top": "T",
    r"\sigma": "σ",
    r"\alpha": "α",
    r"\sum": "Σ",
    r"\prod": "Π",
    r"\ge": "≥",
    r"\le": "≤",
    r"\ne": "≠",
    r"\lfloor": "⌊",
    r"\rfloor": "⌋",
    r"\bmod": "mod",
    r"\ldots": "…",
    r"\tfrac12": "½",
    r"\,": " ",
    r"\;": " ",
    r"\ ": " ",
}


def number_text(value: float) -> str:
    """Four significant digits, a real minus sign, thin spaces between thousands."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return f"{MINUS if value < 0 else ''}{_magnitude(abs(value))}"


def _magnitude(size: float) -> str:
    if size != 0 and (size >= 1e6 or size < 1e-4):
        mantissa, exponent = f"{size:.{DIGITS - 1}e}".split("e")
        return f"{float(mantissa):g}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    if size >= 1000:
        return f"{round(size):,}".replace(",", THIN_SPACE)
    return f"{size:.{DIGITS}g}"


def number_latex(value: float) -> str:
    """The same digits for KaTeX."""
    text = number_text(value).replace(MINUS, "-").replace(THIN_SPACE, r"\,").replace("∞", r"\infty")
    text = text.replace("NaN", r"\mathrm{NaN}")
    found = re.fullmatch(r"(-?[\d.]+)×10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", text)
    if found is None:
        return text
    power = found[2].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))
    return rf"{found[1]} \times 10^{{{power}}}"


def value_text(value: Array | None) -> str:
    """A value for a sentence: a number, a short vector, or the shape of what is larger."""
    if value is None:
        return "?"
    if value.ndim == 0:
        return _scalar_text(value)
    if value.ndim == 1 and value.size <= LONGEST_ROW:
        return "[" + ", ".join(_scalar_text(item) for item in value) + "]"
    if value.size == 1:
        return "[" * value.ndim + _scalar_text(value.reshape(())) + "]" * value.ndim
    return shape_text(value.shape)


def shape_text(shape: Sequence[int]) -> str:
    """`[3 × 2]`, for an array that is not written out."""
    return "[" + " × ".join(map(str, shape)) + "]"


def _scalar_text(value: Any) -> str:
    if isinstance(value, bytes) or is_texts(value):
        return quoted_text(value)
    item = np.asarray(value).item()
    if isinstance(item, complex):
        return f"{number_text(item.real)} {'-' if item.imag < 0 else '+'} {number_text(abs(item.imag))}i"
    return str(item).lower() if isinstance(item, bool) else number_text(float(item))


def quoted_text(value: Any) -> str:
    """A text in quotes, cut where it is long."""
    text = written_text(value if isinstance(value, bytes) else value.item())
    return f"“{text}”" if len(text) <= LONGEST_TEXT else f"“{text[:LONGEST_TEXT]}…”"


def value_latex(value: Array | None) -> str | None:
    """A value for a formula, or None where it is too large to be written out."""
    if value is None:
        return None
    if is_texts(value):
        shown = quoted_text(value) if value.ndim == 0 else "\\"
        return rf"\text{{{_escaped(shown)}}}" if SIGNS.isdisjoint(shown) else None
    if value.ndim == 0:
        item = value.item()
        return rf"\mathrm{{{str(item).lower()}}}" if isinstance(item, bool) else number_latex(float(item))
    if value.ndim > 2 or max(value.shape, default=0) > LONGEST_ROW or value.size == 0:
        return None
    rows = value if value.ndim == 2 else value.reshape(-1, 1)
    lines = [" & ".join(value_latex(np.asarray(item)) or "" for item in row) for row in rows]
    return r"\begin{bmatrix} " + r" \\ ".join(lines) + r" \end{bmatrix}"


def name_latex(name: str) -> str:
    """A name as a symbol: one letter in italics, a word upright."""
    return name if len(name) == 1 and name.isascii() else rf"\mathrm{{{_escaped(name)}}}"


def _escaped(name: str) -> str:
    return re.sub(r"([_#%&$])", r"\\\1", name)


def formula(node: Node, arguments: Sequence[str]) -> str:
    """The op's LaTeX with these in place of its inputs; the op's name with brackets where it has none."""
    template: str = node.op.written or node.op.latex
    if node.op.written and not node.op.is_simple:
        return f" {template} ".join(arguments)
    named = _by_name(node, arguments)
    if not template or not any(f"{{{name}}}" in template for name in named):
        return rf"\mathrm{{{_escaped(node.op.name)}}}({', '.join(arguments)})"
    return re.sub(r"\{(\w+)\}", lambda m: f"{{{named[m[1]]}}}" if m[1] in named else m[0], template)


def _by_name(node: Node, arguments: Sequence[str]) -> dict[str, str]:
    """Arguments under the op's input names; a list input takes all that the others leave."""
    names = [name.lstrip("*") for name in node.op.input_names]
    if len(names) == len(arguments):
        return dict(zip(names, arguments, strict=True))
    starred = next((name for name in node.op.input_names if name.startswith("*")), None)
    return {starred[1:]: ", ".join(arguments)} if starred else {}


def in_brackets(latex: str) -> str:
    """A negative number between operators."""
    return f"({latex})" if latex.startswith("-") else latex


def plain_text(latex: str) -> str:
    """LaTeX as a line of text: fractions with a slash, powers with ^, functions by their names."""
    text = _fractions(_matrices(latex))
    text = re.sub(r"\\bar\{(\w)\}", "\\1\u0304", text)
    text = re.sub(r"\\bar\{\\mathrm\{([^{}]*)\}\}", lambda m: _overlined(m[1]), text)
    text = re.sub(r"\\(?:mathrm|text|textstyle)\b", "", text)
    text = _roots(text)
    for word, plain in PLAIN_WORDS.items():
        text = re.sub(re.escape(word) + r"(?![A-Za-z])", plain, text)
    text = text.replace(r"\_", "_").replace("\\", "").replace("{", "").replace("}", "")
    text = re.sub(r"√\(([^()\s]+)\)", r"√\1", text)
    return re.sub(r"\s+", " ", text).replace("-", MINUS).strip()


def _roots(latex: str) -> str:
    """Square roots with the sign of a root, in brackets what stands under it."""
    start = latex.find(r"\sqrt{")
    if start < 0:
        return latex
    inside, end = group(latex, start + len(r"\sqrt"))
    return _roots(f"{latex[:start]}√({inside}){latex[end:]}")


def _overlined(word: str) -> str:
    return "".join(f"{letter}\u0305" for letter in word.replace(r"\_", "_"))


def _matrices(latex: str) -> str:
    """A matrix in brackets, row by row; a column as a list."""

    def bracketed(found: re.Match[str]) -> str:
        rows = [[cell.strip() for cell in row.split("&")] for row in found[1].split(r"\\")]
        if all(len(row) == 1 for row in rows):
            return "[" + ", ".join(row[0] for row in rows) + "]"
        return "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"

    return re.sub(r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", bracketed, latex)


def _fractions(latex: str) -> str:
    start = latex.find(r"\frac{")
    if start < 0:
        return latex
    top, between = group(latex, start + len(r"\frac"))
    bottom, end = group(latex, between)
    top, bottom = (part if re.fullmatch(r"[\w{}.\\]+", part) else f"({part})" for part in (top, bottom))
    return _fractions(f"{latex[:start]}{top} / {bottom}{latex[end:]}")


def group(latex: str, start: int) -> tuple[str, int]:
    """What stands in the braces that open at a place, and where they end."""
    depth = 0
    for place in range(start, len(latex)):
        depth += (latex[place] == "{") - (latex[place] == "}")
        if depth == 0:
            return latex[start + 1 : place], place + 1
    return latex[start:], len(latex)
