"""Any text as LaTeX."""

from __future__ import annotations

import pytest

from engine.interchange.picture.latex_text import escaped


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a_b & 100%", r"a\_b \& 100\%"),
        ("x^2 ~ {y}", r"x\textasciicircum{}2 \textasciitilde{} \{y\}"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("∂loss/∂w", r"\ensuremath{\partial}loss/\ensuremath{\partial}w"),
        (
            "−1.14×10⁻³",
            r"\ensuremath{-}1.14\ensuremath{\times}10\textsuperscript{\ensuremath{-}}\textsuperscript{3}",
        ),
        ("α Γ Α λ", r"\ensuremath{\alpha} \ensuremath{\Gamma} A \ensuremath{\lambda}"),
        ("x₁", r"x\textsubscript{1}"),
        ("x̄", r"\ensuremath{\bar{x}}"),
        ("a--b", "a-{}-{}b"),
        ("é 损失", "é 损失"),
        ("☃", "U+2603"),
        ("a\x00\nb", "a b"),
    ],
)
def test_a_text_is_set_as_it_reads(text: str, latex: str) -> None:
    assert escaped(text) == latex
