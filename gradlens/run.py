"""`gradlens run FILE`: a program's printed output and gradients, without a server."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, TextIO

from engine.errors import GradlensError
from engine.execution.budget import PROFILES, Limits
from engine.programs import ProgramRequest, tell_lesson
from engine.programs.answers.graph_files import download_graph
from gradlens.answering import Answered, answered
from gradlens.memory import bounded_memory
from server.serialization.identity import program_id

FORMULA = re.compile(r"[=()^*+]")  # what the names of files have rarely, and formulas nearly always


@dataclass(frozen=True, slots=True)
class Shown:
    """What is printed of a run: `json` alone, or beside the output and the gradients more."""

    json: bool = False
    graph: bool = False
    lesson: bool = False


def run(
    file: str,
    dialect: str,
    lines: Sequence[str] = (),
    at: Mapping[str, Any] | None = None,
    shown: Shown = Shown(),
) -> int:
    """Run the program in `file` (`-` is standard input); returns 0 where it ran to its end, else 1.

    lines: what its `input()` reads; after them, lines of standard input.
    at:    values of its variables, by name.
    """
    source = read_program(file)
    if source is None:
        return 1
    if not source.strip() and not shown.json:
        print(f"{file} holds no program: it is empty.", file=sys.stderr)
        return 1
    request = ProgramRequest(source=source, dialect=dialect, inputs=tuple(lines), at=dict(at or {}))
    prompts = sys.stderr if shown.json else sys.stdout
    with bounded_memory():
        done = answered(request, program_limits(), partial(_show, file=prompts))
    if shown.json:
        print_json(done)
    else:
        print_answer(file, done.answer, done.shown)
        if shown.graph:
            draw_graph(done)
        if shown.graph and shown.lesson:
            print()
        if shown.lesson:
            print_lesson(done.request)
    return 0 if done.answer["status"] == "ok" else 1


def print_json(done: Answered) -> None:
    """The answer of the REST interface."""
    whole = {"id": program_id(done.request, done.answer["dialect"]), **done.answer}
    print(json.dumps(whole, indent=2, ensure_ascii=False))


def draw_graph(done: Answered) -> None:
    """The graph without its plumbing, as trees; a word on standard error where that is not possible."""
    from gradlens.terminal.console import INSTALL, console_for, has_rich

    if not has_rich():
        print(f"To draw the graph takes rich: {INSTALL}", file=sys.stderr)
        return
    from gradlens.terminal.graph_tree import print_graph

    graph = json.loads(download_graph(done.request, "essentials", "json", program_limits()))
    print()
    print_graph(console_for(sys.stdout), graph["nodes"], done.answer)


def program_limits() -> Limits:
    """What a program may use, by the same variables as `gradlens serve`."""
    profile = PROFILES.get(os.environ.get("GRADLENS_PROFILE") or "own")
    if profile is not None and not any(name.upper().startswith("GRADLENS_LIMITS") for name in os.environ):
        return profile
    from server.settings import Settings  # takes longer to load than most programs to run

    return Settings().limits


def read_program(file: str) -> str | None:
    """The text of a file, `-` for standard input; None, and a word on standard error, where there is none."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        print(f"Cannot read {file}: {reason}.", file=sys.stderr)
        if isinstance(error, OSError) and FORMULA.search(file):
            command = f"echo {quote(file)} | gradlens run -"
            print(f"A formula goes in by standard input: {command}", file=sys.stderr)
        return None


def _show(text: str, file: TextIO) -> None:
    print(text, end="", file=file, flush=True)


def print_answer(file: str, answer: Mapping[str, Any], shown: str = "") -> None:
    """What the program printed, its target, then its gradients; what went wrong goes to standard error.

    shown: the beginning of what it printed that is on the screen already.
    """
    printed = "\n".join(answer["printed"]).removeprefix(shown)
    has_more = bool(printed) or (bool(answer["printed"]) and not shown)
    for line in [*([printed] if has_more else []), *figure_lines(answer), *result_lines(answer)]:
        print(line)
    for line in diagnostic_lines(file, answer["diagnostics"]):
        print(line, file=sys.stderr)


def figure_lines(answer: Mapping[str, Any]) -> list[str]:
    """A line for each figure that the program drew: its title, and what is in it."""
    return [
        f"[figure {number}] " + "; ".join(_drawn_lines(figure))
        for number, figure in enumerate(answer.get("figures", ()), start=1)
    ]


def _drawn_lines(figure: Mapping[str, Any]) -> Iterator[str]:
    if figure["title"]:
        yield figure["title"]
    for axes in figure["axes"]:
        if axes["title"]:
            yield axes["title"]
        yield from (_series_line(one) for one in axes["series"])


def _series_line(series: Mapping[str, Any]) -> str:
    """`line "loss", 100 points, 0.2 to 3.1`."""
    name = f' "{series["label"]}"' if series["label"] and not series["label"].startswith("_") else ""
    if "z" in series:
        return f"{series['kind']}{name}, {len(series['z'])} × {len(series['z'][0])}"
    numbers = [one for one in series.get("y", ()) if one is not None]
    extent = f", {min(numbers):.4g} to {max(numbers):.4g}" if numbers else ""
    return f"{series['kind']}{name}, {series['count']} points{extent}"


def result_lines(answer: Mapping[str, Any]) -> list[str]:
    """The target's value, and a line for each gradient, with the reason where there is none.

    Tensors are called by the last of the program's names for them.
    """
    rows = answer["gradients"]
    bound = [item for item in answer["bindings"] if item.get("tensor")]
    names = {item["tensor"]: item["name"] for item in bound}
    values = {item["tensor"]: item.get("value") for item in bound}
    target = answer["target"]
    first = [f"{names[target]} = {plain(values[target])}"] if rows and values.get(target) is not None else []
    return first + [
        f"d {names.get(row['y'], row['y'])} / d {row['name']} = "
        f"{row['reason'] if row['tensor'] is None else plain(row['value'])}"
        for row in rows
    ]


def print_lesson(request: ProgramRequest) -> None:
    """The sentence of each step of a program's lesson; a word on standard error where it has none."""
    try:
        steps = tell_lesson(request, program_limits())["steps"]
    except GradlensError as error:
        print(f"There is no lesson: {error.message}", file=sys.stderr)
        return
    if not steps:
        print("There is no lesson: the program computes nothing that is differentiated.", file=sys.stderr)
    for step in steps:
        print(f"{step['index'] + 1}. {step['sentence']['en']}")


def plain(value: Any) -> Any:
    """A tensor's numbers without their dtype and shape."""
    return value["data"] if isinstance(value, Mapping) and "data" in value else value


def diagnostic_lines(file: str, diagnostics: Iterable[Mapping[str, Any]]) -> list[str]:
    """Each diagnostic where editors look for it, file, line, column; below it what to try."""
    lines = []
    for item in diagnostics:
        place = "" if item["line"] is None else f":{item['line']}:{item['column']}"
        lines.append(f"{file}{place}: {item['severity']}: {item['message']}")
        if item["hint"]:
            lines.append(f"  {item['hint']}")
    return lines
