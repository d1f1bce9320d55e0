r"""A program's lesson as a LaTeX document: each step an equation with its rule, its numbers and its value.

    y &= \exp (\sin x) \cdot x = 1.152 \cdot 3 = 3.455 \\
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from engine.errors import ProgramError
from engine.execution.budget import Limits
from engine.interchange.picture.latex_text import escaped, has_chinese
from engine.interchange.picture.tikz import LATIN
from engine.programs.answers.pictures import tell_lesson_at
from engine.programs.lesson.steps import MATHEMATICS
from engine.programs.program.request import ProgramRequest

LANGUAGES = ("en", "zh")
TITLES = {"en": "Derivation", "zh": "推导"}
HEADINGS = {
    "forward": {"en": "Forward: the values", "zh": "前向：计算各个值"},
    "backward": {"en": "Backward: the gradients", "zh": "反向：计算各个梯度"},
    "update": {"en": "The update", "zh": "更新"},
}
PARTS = {"forward": "forward", "process": "update", "update": "update", "after": "update"}  # else backward
LINES = re.compile(r"^\\begin\{aligned\}(.*)\\end\{aligned\}$", re.DOTALL)
NESTED = re.compile(r"\\(?:begin|end|left|right)(?![a-z])|\\.|[{}]|(?<= )[=+](?= )| \\\\ ?", re.DOTALL)
LONGEST = 160  # characters of LaTeX that fit on a line
OPENING, CLOSING = {r"\begin", r"\left", "{"}, {r"\end", r"\right", "}"}


def written_derivation(request: ProgramRequest, level: str | None, language: str, limits: Limits) -> str:
    """The document. level: of the lesson, `mathematics` where None; language: of the words in it.

    Raises: ProgramError where the program has no steps.
    """
    steps = tell_lesson_at(request, limits, level or MATHEMATICS)["steps"]
    if not steps:
        raise _nothing_to_derive()
    body = "\n".join(_body(steps, language))
    text = "\n".join([*_before(body), body, r"\end{document}", ""])
    return text.encode(errors="replace").decode()  # a text of the program may hold a lone surrogate


def _before(body: str) -> Iterator[str]:
    yield r"\documentclass{article}"
    yield r"\usepackage{ctex}" if has_chinese(body) else LATIN
    yield r"\usepackage[a4paper,landscape,margin=15mm]{geometry}"  # rules with arrays are long
    yield r"\usepackage{amsmath,amssymb}"
    yield r"\allowdisplaybreaks"
    yield r"\setcounter{MaxMatrixCols}{40}"
    yield r"\begin{document}"


def _body(steps: Sequence[Mapping[str, Any]], language: str) -> Iterator[str]:
    yield rf"\section*{{{TITLES[language]}}}"
    for part, own in groupby(steps, lambda step: PARTS.get(step["phase"], "backward")):
        yield rf"\subsection*{{{HEADINGS[part][language]}}}"
        for has_rule, alike in groupby(own, lambda step: bool(step["rule"])):
            these = list(alike)
            yield from _aligned(these) if has_rule else _sentences(these, language)


def _sentences(steps: Iterable[Mapping[str, Any]], language: str) -> Iterator[str]:
    """What is said of steps without a rule, as that a turn of a loop begins."""
    for step in steps:
        yield rf"\noindent {escaped(step['sentence'][language])}\par"


def _aligned(steps: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    equations = [equation for step in steps for equation in _equations(step)]
    yield r"\begin{align*}"
    yield " \\\\\n".join(f"  {equation}" for equation in equations)
    yield r"\end{align*}"


def _equations(step: Mapping[str, Any]) -> Iterator[str]:
    """The rule, the rule with numbers and the value of a step, of each of its lines."""
    columns = (lines_of(step.get(key)) for key in ("rule", "rule_numbers", "result"))
    for rule, numbers, result in zip_longest(*columns, fillvalue=""):
        left, *right = split(rule or result, "=")
        value = split(result, "=")[-1] if result else ""
        sides = [" = ".join(right), numbers, value]
        sides = [side for side in sides if side and side != left]
        different = [side for place, side in enumerate(sides) if place == 0 or side != sides[place - 1]]
        left = f"{{}}{left}" if left.startswith("[") else left  # else it would belong to the \\ before
        yield f"{left} &{_broken(different)}" if different else f"& {left}"


def _broken(sides: Sequence[str]) -> str:
    """The right sides on one line; where that is too long each on its own, sums in as many as they need."""
    whole = "".join(f"= {side} " for side in sides).rstrip()
    if len(whole) <= LONGEST:
        return whole
    lines = (line for side in sides for line in _broken_sum(side))
    return " \\\\\n    &".join(lines)


def _broken_sum(side: str) -> Iterator[str]:
    """ "= a + b", then "+ c + d" where these do not fit behind."""
    line = "="
    for term in split(side, "+"):
        if len(line) > 1 and len(line) + len(term) > LONGEST:
            yield line
            line = r"\quad"
        line += f" {term}" if line == "=" else f" + {term}"
    yield line


def lines_of(latex: str | None) -> list[str]:
    r"""The lines of one or several equations: of `\begin{aligned} & a = b \\ & c = d \end{aligned}` two."""
    if not latex:
        return []
    several = LINES.match(latex.strip())
    if several is None or len(split(latex, "=")) > 1:
        return [latex.strip()]
    return [line.strip().removeprefix("&").strip() for line in split(several[1], r"\\")]


def split(latex: str, sign: str) -> list[str]:
    """The pieces between signs that stand in no braces and in no environment."""
    pieces, depth, start = [], 0, 0
    for found in NESTED.finditer(latex):
        word = found[0]
        depth += (word in OPENING) - (word in CLOSING)
        if depth == 0 and word.strip() == sign:
            pieces.append(latex[start : found.start()].strip())
            start = found.end()
    return [*pieces, latex[start:].strip()]


def _nothing_to_derive() -> ProgramError:
    return ProgramError(
        "The program computes nothing step by step, so there is no derivation.",
        message_zh="程序没有逐步的计算，所以没有推导。",
        hint="Give it a result that depends on a variable.",
        hint_zh="请让程序有一个依赖于变量的结果。",
        code="nothing_to_derive",
    )
