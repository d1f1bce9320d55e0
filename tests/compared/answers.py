"""What Gradlens answers to many short programs below one preamble, twenty of them at a time."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from engine.execution.budget import PROFILES
from engine.programs import ProgramRequest, run_program

from .agreement import alike, same_lines

LIMITS = replace(PROFILES["own"], wall_s=3600.0)  # a verdict is the same on a busy machine
AT_A_TIME = 20  # whoever is refused has those behind it run once more
MARK = re.compile(r"^#(\d+)$")
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program printed, the words that ended it, if any did, and whether the mistake was ours."""

    printed: list[str]
    refusal: str | None
    is_defect: bool = False


def answers(dialect: str, preamble: str, programs: Sequence[Mapping[str, Any]]) -> Iterator[Answer]:
    """The answer to each, in order; alone what ends with an error in the library, and each whole program."""
    if not preamble:
        yield from (_of_program(dialect, program["source"]) for program in programs)
        return
    answered = [program["source"] for program in programs if program["error"] is None]
    groups = (answered[place : place + AT_A_TIME] for place in range(0, len(answered), AT_A_TIME))
    given = chain.from_iterable(_answers(dialect, preamble, group) for group in groups)
    for program in programs:
        if program["error"] is None:
            yield next(given)
        else:
            yield from _answers(dialect, preamble, [program["source"]])


def _of_program(dialect: str, source: str) -> Answer:
    result = run_program(ProgramRequest(source, dialect=dialect), LIMITS)
    lines = [line for printed in result["printed"] for line in printed.split("\n")]
    return Answer(lines, _refusal(result), _is_defect(result))


def _answers(dialect: str, preamble: str, sources: Sequence[str]) -> Iterator[Answer]:
    """The answer to each; one that is refused ends its program, and those behind it run in another."""
    done = 0
    while done < len(sources):
        for answer in _up_to_a_refusal(dialect, preamble, sources[done:]):
            done += 1
            yield answer


def _up_to_a_refusal(dialect: str, preamble: str, sources: Sequence[str]) -> list[Answer]:
    marked = "".join(f"print('#{number}')\n{source}\n" for number, source in enumerate(sources))
    whole = needed(preamble, marked) + marked
    result = run_program(ProgramRequest(whole, dialect=dialect), LIMITS)
    printed: list[list[str]] = []
    for line in result["printed"]:
        if MARK.match(line):
            printed.append([])
        else:
            printed[-1].append(line)
    if not printed and len(sources) > 1:  # one of them is refused before anything runs
        return _up_to_a_refusal(dialect, preamble, sources[:1])
    if not printed:
        return [Answer([], _refusal(result), _is_defect(result))]
    answers = [Answer(lines, None) for lines in printed]
    return [*answers[:-1], Answer(printed[-1], _refusal(result), _is_defect(result))]


def needed(preamble: str, source: str) -> str:
    """The statements of a preamble to which the names in a source lead; each uses names made above it."""
    words = set(WORD.findall(source))
    kept = []
    for statement, names in reversed(statements(preamble)):
        if not words.isdisjoint(names):
            kept.append(statement)
            words.update(WORD.findall(statement))
    return "".join(reversed(kept))


@cache
def statements(preamble: str) -> list[tuple[str, set[str]]]:
    """The text of each statement of a preamble, with the names that it makes."""
    lines = preamble.splitlines(keepends=True)
    return [
        ("".join(lines[each.lineno - 1 : each.end_lineno]), made_by(each))
        for each in ast.parse(preamble).body
    ]


def made_by(statement: ast.stmt) -> set[str]:
    """The names that an import, a definition or an assignment makes."""
    match statement:
        case ast.Import(names=names):
            return {name.asname or name.name for name in names}
        case ast.FunctionDef(name=name):
            return {name}
    return {
        each.id
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _refusal(result: Mapping[str, Any]) -> str | None:
    ended = [each for each in result["diagnostics"] if each["severity"] in ("error", "limit")]
    return ended[0]["message"] if ended else None


def _is_defect(result: Mapping[str, Any]) -> bool:
    return any(each["code"] == "internal_error" for each in result["diagnostics"])


def verdict(program: Mapping[str, Any], answer: Answer) -> str:
    """`agrees`, `refused` (though the library answers), or `wrong`: another answer, or one where it has none.

    What was printed before either stopped has to agree in any case, and a mistake of ours is never a refusal.
    """
    if answer.is_defect:
        return "wrong"
    theirs, ours = program["printed"], answer.printed
    ended = program["error"] is not None
    stopped = answer.refusal is not None
    both = min(len(ours), len(theirs)) if ended or stopped else max(len(ours), len(theirs))
    if (ended and not stopped) or not same_lines(ours[:both], theirs[:both]):
        return "wrong"
    return "refused" if stopped and not ended else "agrees"


def verdict_on_formula(program: Mapping[str, Any]) -> str:
    """The same for a formula: its value and its slopes beside SymPy's.

    Where SymPy has no real number, ours is infinite or not a number.
    """
    result = run_program(
        ProgramRequest(f"f = {program['formula']}", dialect="math", at=program["at"]), LIMITS
    )
    if _refusal(result) is not None:
        return "refused"
    values = {binding["name"]: binding["value"] for binding in result["bindings"]}
    slopes = {gradient["name"]: gradient["value"] for gradient in result["gradients"]}
    ours = [values.get("f"), *(slopes.get(name) for name in program["at"])]
    numbers = [float(value["data"]) if value else 0.0 for value in ours]  # no path to the variable: slope 0
    theirs = list(map(float, program["printed"]))
    return "agrees" if all(map(_same_number, numbers, theirs)) else "wrong"


def _same_number(ours: float, theirs: float) -> bool:
    if theirs != theirs:
        return ours != ours or abs(ours) == float("inf")
    return alike(ours, theirs, 1e-9)
