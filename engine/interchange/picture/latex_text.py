r"""Any text as LaTeX sets it: its own signs escaped, signs of mathematics in math mode, Greek by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    '"': r"\symbol{34}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "-{}",  # two of them are no dash
    "…": r"\ldots{}",
    "–": r"\textendash{}",
    "\u2009": r"\,",
    "\u202f": r"\,",
    "\u00a0": "~",
    "⚠": r"\textbf{!}",
}
IN_MATHEMATICS = r"""
    ∂=\partial √=\surd ∑=\sum ∏=\prod ∫=\int ∇=\nabla ×=\times ·=\cdot −=- ±=\pm ÷=\div ∞=\infty ∝=\propto
    ≈=\approx ≠=\neq ≤=\leq ≥=\geq →=\rightarrow ←=\leftarrow ↔=\leftrightarrow ⇒=\Rightarrow
    ⊙=\odot ⊗=\otimes ⊕=\oplus ∘=\circ ∗=\ast ∈=\in ∉=\notin ∅=\emptyset ∪=\cup ∩=\cap ⊂=\subset
    ∀=\forall ∃=\exists ⊤=\top ⊥=\perp ∥=\parallel ‖=\| ∣=\mid ¬=\neg ∧=\wedge ∨=\vee ▷=\triangleright
    ⌊=\lfloor ⌋=\rfloor ⌈=\lceil ⌉=\rceil ⟨=\langle ⟩=\rangle ℝ=\mathbb{R} ℕ=\mathbb{N} ℓ=\ell
    ′=' ″='' ϵ=\epsilon ϑ=\vartheta ϕ=\phi"""
MATHEMATICS: Mapping[str, str] = {pair[0]: pair[2:] for pair in IN_MATHEMATICS.split()}
ACCENTS: Mapping[str, str] = {
    "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar", "\u0307": "dot",
    "\u20d7": "vec",
}  # fmt: skip
LIKE_LATIN = dict(
    zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)
)  # Greek letters that LaTeX has no name for
CHINESE = ((0x2E80, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF))


def escaped(text: str) -> str:
    """The text as LaTeX reads it; what LaTeX has no sign for is written as its number, "U+2603"."""
    found: list[str] = []
    for letter in unicodedata.normalize("NFC", text):
        if letter in ACCENTS and found:
            found.append(rf"\ensuremath{{\{ACCENTS[letter]}{{{found.pop()}}}}}")
        else:
            found.append(_sign(letter))
    return "".join(found)


def _sign(letter: str) -> str:
    if letter in SIGNS:
        return SIGNS[letter]
    if letter in MATHEMATICS:
        return rf"\ensuremath{{{MATHEMATICS[letter]}}}"
    if letter in LIKE_LATIN:
        return LIKE_LATIN[letter]
    if letter.isspace():
        return " "
    return _by_its_name(letter)


def _by_its_name(letter: str) -> str:
    """Greek, what stands above or below the line, Latin and Chinese as they are."""
    name, decomposition = unicodedata.name(letter, ""), unicodedata.decomposition(letter)
    if name.startswith("GREEK") and " LETTER " in name and " WITH " not in name:
        word = name.rsplit(" ", 1)[1].lower().replace("lamda", "lambda")
        return rf"\ensuremath{{\{word.capitalize() if 'CAPITAL' in name else word}}}"
    for tag, command in (("<super>", "textsuperscript"), ("<sub>", "textsubscript")):
        if decomposition.startswith(tag):
            plain = "".join(chr(int(code, 16)) for code in decomposition.split()[1:])
            return rf"\{command}{{{escaped(plain)}}}"
    if " " < letter < "\u0180" or has_chinese(letter):
        return letter
    return f"U+{ord(letter):04X}" if unicodedata.category(letter) != "Cc" else ""


def has_chinese(text: str) -> bool:
    """Whether some of it is Chinese, Japanese or Korean."""
    return any(first <= ord(letter) <= last for letter in text for first, last in CHINESE)
