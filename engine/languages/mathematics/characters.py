"""Characters as people type or paste them, and the plain ones that they stand for, column for column."""

from __future__ import annotations

import unicodedata

SAME = {
    **dict.fromkeys("×·⋅∙•⨯∗⊙∘", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–—‐‑﹣", "-"),
    **dict.fromkeys("【〔", "["),
    **dict.fromkeys("】〕", "]"),
    **dict.fromkeys("、﹐", ","),
    **dict.fromkeys("∣ǀ", "|"),
    **dict.fromkeys("∥", "‖"),
    **dict.fromkeys("⩽≦", "≤"),
    **dict.fromkeys("⩾≧", "≥"),
    **dict.fromkeys("⊤⊺", "ᵀ"),
    **dict.fromkeys(
        "\u00a0\u1680\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
    **dict.fromkeys("\u200b\u2060\u2061\u2062\u2064\ufeff", " "),  # invisible: an applied function, a product
}

FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(ord("!"), ord("~") + 1)}

# Letters of the mathematical alphabets (𝑥, 𝐰, 𝜃, ℎ), as formulas copied from documents have them.
MATHEMATICAL = {
    chr(code): plain
    for code in (*range(0x1D400, 0x1D7FF + 1), 0x210E)
    if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1 and plain != chr(code)
}
MATHEMATICAL_SIGNS = {"𝛁": "∇", "𝜕": "∂", "𝛛": "∂"}

SPELLINGS = str.maketrans({**SAME, **FULL_WIDTH, **MATHEMATICAL, **MATHEMATICAL_SIGNS})

RAISED_LETTERS = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺" + RAISED_LETTERS, "0123456789-+" + "abcdefghijklmnoprstuvwxyz")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def plain_characters(text: str) -> str:
    """The text with one spelling for each sign; every character keeps its place."""
    return text if text.isascii() else text.translate(SPELLINGS)


def superscript_value(text: str) -> int:
    """`²` as 2, `⁻¹` as -1."""
    return int(text.translate(SUPERSCRIPTS))


def greek_spelling(character: str) -> str:
    """`θ` as theta, `Δ` as Delta; any other character as it is."""
    words = unicodedata.name(character, "").split()
    if words[:1] == ["GREEK"] and words[2:3] == ["LETTER"] and len(words) > 3:
        return words[3].capitalize() if words[1] == "CAPITAL" else words[3].lower()
    return character


def spells_greek(word: str) -> bool:
    """Whether a word spells a Greek letter, as alpha does."""
    return f"GREEK SMALL LETTER {word.upper()}" in GREEK_NAMES


GREEK_NAMES = frozenset(unicodedata.name(chr(code), "") for code in range(0x3B1, 0x3CA))
