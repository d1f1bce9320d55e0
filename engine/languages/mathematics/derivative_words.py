"""Words and signs that ask for a derivative around a formula: they are left out, with a note.

`derivative of x^2`, `d/dx (x^2)`, `\\frac{d}{dx} x^2`, `求导 x²`, `x² 的导数`: every formula is
differentiated in any case, so the formula alone is read. Blanks in their place keep the columns.
"""

from __future__ import annotations

import re

from engine.errors import Span
from engine.languages.mathematics.ambiguity_notes import AmbiguityNotes
from engine.languages.mathematics.refusals import higher_derivative

NAME = r"[^\W\d_][₀-₉0-9]*"
ASKED = r"(?:偏导数?|导数|微分|梯度)"  # what is asked for, in Chinese
WORDS = r"""
    (?:please\s+)?
    (?:(?:what\s+is|what['’]s|find|compute|calculate|evaluate|take|get|show|give)\s+)?(?:me\s+)?
    (?:the\s+)?(?:first\s+|partial\s+|total\s+)*(?:derivatives?|gradients?|slope)\s+of\s+
    | (?:please\s+)?(?:differentiate|derive)\s+
"""
SIGNS = rf"""
    (?:d|∂)\s*/\s*(?:d|∂)\s*(?P<by>{NAME})(?![^\W_])\s*
    | \\[dt]?frac\s*\{{\s*(?:d|\\partial|\\mathrm\s*\{{d\}})\s*\}}\s*
      \{{\s*(?:d|\\partial|\\mathrm\s*\{{d\}})\s*(?P<by_latex>\\?[A-Za-z]+[₀-₉0-9]*)\s*\}}\s*
"""
CHINESE = rf"""
    (?:请|计算|求)?(?:函数)?\s*(?:对\s*(?P<by_zh>{NAME})\s*)?(?:求|计算)?(?:{ASKED}|求?偏?导数?)\s*[:：]?\s*
    | 请?(?:求|计算)(?:函数)?\s*(?=.*的{ASKED}\s*$)
"""
BEFORE = re.compile(rf"\s*(?:{WORDS}|(?P<signs>{SIGNS})|{CHINESE})", re.VERBOSE | re.IGNORECASE)
AFTER = re.compile(
    rf"""\s*(?:
        (?<=[\s)])(?:with\s+respect\s+to|w\.?r\.?t\.?|in)\s+(?P<by>{NAME})\s*[?？]?
        | (?:关于|对)\s*(?P<by_zh>{NAME})\s*的?(?:求导|{ASKED})
        | 的{ASKED}(?:是什么|是多少)?\s*[?？]?
        | [?？]
    )\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
QUESTION_MARKS = ("?", "？")
HIGHER = re.compile(
    r"""(?:\\d?t?frac\s*\{\s*)?(?:\bd|∂|\\partial)\s*(?:\^\s*\{?\s*[2-9n]\s*\}?|[²³⁴])\s*\w?
        \s*(?:/|\}\s*\{)\s*(?:d|∂|\\partial)\s*\w""",
    re.VERBOSE,
)


def leave_out_derivatives(text: str, notes: AmbiguityNotes) -> str:
    """The text with blanks for what asks for a derivative, each noted; every other character keeps its place.

    Raises: ProgramError for a second or a higher derivative, which is not computed beside a formula.
    """
    return "\n".join(_formula(line, number, notes) for number, line in enumerate(text.split("\n"), 1))


def _formula(line: str, number: int, notes: AmbiguityNotes) -> str:
    if higher := HIGHER.search(line):
        raise higher_derivative(Span(number, higher.start() + 1, number, higher.end() + 1))
    before = BEFORE.match(line)
    start = before.end() if before else 0
    after = AFTER.search(line, start)
    if before is None and (after is None or after.group().strip() in QUESTION_MARKS):
        return line
    end = after.start() if after else len(line)
    formula = line[start:end].strip()
    if not formula or "=" in formula or (before and before["signs"] and _goes_on(formula)):
        return line
    groups = [item for match in (before, after) if match for item in match.groupdict().items()]
    by = next((name.lstrip("\\") for key, name in groups if name and key.startswith("by")), "")
    notes.explain_derivative(formula, by, Span(number, start + 1, number, end + 1))
    return " " * start + line[start:end] + " " * (len(line) - end)


def _goes_on(formula: str) -> bool:
    """Whether more than the bracket after `d/dx` would be taken in: `d/dx (x^2) + x`."""
    if formula[0] not in "([{":
        return False
    depth = 0
    for place, character in enumerate(formula):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return formula[place + 1 :].lstrip()[:1] in ("+", "-", "−", "*", "/", "·")
    return False
