"""A learner's own derivative of a program's target: read as mathematics, judged, and put into words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.differentiation.expression import Expression, in_order
from engine.differentiation.judging import Judged, judge, written
from engine.differentiation.symbolic import elements_of, to_sympy
from engine.errors import GradlensError, ProgramError
from engine.execution.budget import Limits
from engine.graph import Tensor, Variable
from engine.interchange.values import number_json
from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import plain_text
from engine.programs.lesson.mathematics.sentences.questions import why
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from engine.programs.program.static_values import fresh_run

LEFT_SIDE = re.compile(r"^[^=<>!]*=(?![=<>])")  # of `dy/dx = …`


def judgement(
    request: ProgramRequest,
    outcome: Outcome,
    letters: Mapping[str, Tensor],
    known: Mapping[Tensor, Array],
    by: str,
    text: str,
    limits: Limits,
) -> dict[str, Any]:
    """What is to be said of `text` as the target's derivative by a variable.

    letters: all that the target depends on, by the names that the learner knows.
    Returns: the field `judgement` of `POST /comparisons`; where it cannot be judged, the reason.
    """
    try:
        given = {name: known[x].tolist() for name, x in letters.items()}
        typed = _typed(request, outcome, given, text, limits)
        y, point = _as_number(outcome.target, letters, known)
        if by not in point:
            raise _no_number(by)
        judged = judge(y, typed, by, point)
    except (GradlensError, RecursionError) as error:
        return _refused(by, error)
    return _judged(by, typed, judged)


def _typed(
    request: ProgramRequest, outcome: Outcome, given: Mapping[str, Any], text: str, limits: Limits
) -> Expression:
    """The learner's text as a formula; in mathematics it may use the names of the lines above it."""
    line = LEFT_SIDE.sub(lambda side: " " * len(side[0]), text).strip()
    above = f"{request.source.rstrip()}\n" if outcome.dialect == "math" else ""
    asked = replace(request, source=f"{above}{line}", dialect="math", at=given, wrt=None, ran=b"")
    found = run_request(asked, limits)
    if found.status != "ok" or found.target is None:
        raise _unreadable(found)
    named = {name: bound.ref for name, bound in found.names.items() if isinstance(bound, Variable)}
    values = fresh_run(found, {}).values
    expression, _ = _as_number(found.target, named, values)
    unknown = {part.value for part in in_order(expression) if part.head == "variable"} - {
        name for name in named if name in given
    }
    if unknown:
        raise _unknown_letter(min(unknown), given)
    return expression


def _as_number(
    y: Tensor | None, letters: Mapping[str, Tensor], known: Mapping[Tensor, Array]
) -> tuple[Expression, dict[str, float]]:
    """A tensor of one number as a formula of the letters that are numbers, and their values."""
    scalars = {name: x for name, x in letters.items() if np.size(known[x]) == 1}
    elements: list[Expression] = [] if y is None else list(elements_of(y, scalars, known)[0].flat)
    if len(elements) != 1:
        raise ProgramError(
            f"Only the derivative of one number is judged, and this has {len(elements)}.",
            message_zh=f"只能判断单个数的导数，而这里有 {len(elements)} 个数。",
            code="not_judged",
        )
    return elements[0], {name: float(known[x].reshape(())) for name, x in scalars.items()}


# -- refusals ------------------------------------------------------------------------------------------


def _no_number(by: str) -> ProgramError:
    return ProgramError(
        f"`{by}` is an array; a derivative is judged where the variable is one number.",
        message_zh=f"`{by}` 是数组；只有变量是单个数时才能判断导数。",
        code="not_judged",
    )


def _unreadable(found: Outcome) -> ProgramError:
    errors = [one for one in found.diagnostics if one.severity == "error"]
    if not errors:
        return ProgramError("This is no formula.", message_zh="这不是公式。", code="not_judged")
    error = errors[0]
    return ProgramError(
        error.message,
        message_zh=error.message_zh,
        hint=error.hint,
        hint_zh=error.hint_zh,
        code=error.code,
    )


def _unknown_letter(name: str, given: Mapping[str, Any]) -> ProgramError:
    return ProgramError(
        f"The function does not depend on `{name}`.",
        message_zh=f"这个函数不依赖于 `{name}`。",
        hint=f"Its letters are: {', '.join(given)}.",
        hint_zh=f"它的字母有：{'、'.join(given)}。",
        code="unknown_letter",
    )


def _refused(by: str, error: Exception) -> dict[str, Any]:
    says = both("The formula is nested too deep.", "公式嵌套过深。")
    if isinstance(error, GradlensError):
        says = both(f"{error.message} {error.hint}".strip(), f"{error.message_zh}{error.hint_zh}")
    return {**_nothing(by), "verdict": "refused", "says": says}


def _nothing(by: str) -> dict[str, Any]:
    empty = ("latex", "here", "points", "identical", "apart", "difference", "misconception")
    return {"by": by, **dict.fromkeys(empty)}


# -- in words ------------------------------------------------------------------------------------------


def _judged(by: str, typed: Expression, judged: Judged) -> dict[str, Any]:
    difference, apart = judged.difference, judged.apart
    return {
        "by": by,
        "verdict": "right" if judged.is_right else "wrong",
        "latex": written(to_sympy(typed)),
        "here": {"typed": number_json(judged.here[0]), "right": number_json(judged.here[1])},
        "points": judged.points,
        "identical": judged.is_identical,
        "apart": apart and {"at": apart[0], "typed": number_json(apart[1]), "right": number_json(apart[2])},
        "difference": difference
        and {"kind": difference.kind, "right": difference.right, "typed": difference.typed},
        "misconception": judged.misconception,
        "says": _joined(_praise(judged) if judged.is_right else _first(judged), *_cause(judged)),
    }


def _joined(*sentences: Sentence) -> Sentence:
    return both(" ".join(one["en"] for one in sentences), "".join(one["zh"] for one in sentences))


def _praise(judged: Judged) -> Sentence:
    if judged.is_identical:
        return both(
            f"Right: the same value at all {judged.points} points tried,"
            " and SymPy brings the difference to 0.",
            f"正确：在试过的 {judged.points} 个点上值都相同，SymPy 也把差化简为 0。",
        )
    return both(
        f"Right: the same value at all {judged.points} points tried.",
        f"正确：在试过的 {judged.points} 个点上值都相同。",
    )


def _cause(judged: Judged) -> list[Sentence]:
    return [] if judged.misconception is None else [why(judged.misconception)]


def _plain(text: str) -> str:
    return plain_text(text.replace(r"\left", "").replace(r"\right", ""))


NOUNS = {"factor": ("factor", "因子"), "term": ("term", "项")}


def _first(judged: Judged) -> Sentence:
    """The first part that differs, else a point where the values do."""
    difference = judged.difference
    if difference is None:
        return _apart(judged)
    if difference.kind == "sign":
        return both("The sign is wrong.", "符号错了。")
    noun, noun_zh = NOUNS[difference.kind]
    right, typed = (text and _plain(text) for text in (difference.right, difference.typed))
    if right is None:
        return both(f"The {noun} {typed} is too much.", f"多了{noun_zh} {typed}。")
    if typed is None:
        return both(f"The {noun} {right} is missing.", f"缺少{noun_zh} {right}。")
    return both(
        f"The first {noun} that differs: {right} belongs where you have {typed}.",
        f"第一个不同的{noun_zh}：应为 {right}，你写的是 {typed}。",
    )


def _apart(judged: Judged) -> Sentence:
    at, typed, right = judged.apart or ({}, 0.0, 0.0)
    place = ", ".join(f"{name} = {value:.4g}" for name, value in at.items())
    return both(
        f"At {place} it has the value {typed:.6g}, the derivative {right:.6g}.",
        f"在 {place} 处它的值是 {typed:.6g}，而导数是 {right:.6g}。",
    )
