"""`gradlens run FILE`: a program's printed output and gradients, without a server."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from engine.execution.budget import PROFILES, Limits
from engine.programs import ProgramRequest
from gradlens.answering import answered
from server.serialization.identity import program_id


def run(file: str, dialect: str, as_json: bool, lines: Sequence[str] = ()) -> int:
    """Run the program in `file` (`-` is standard input); returns 0 where it ran to its end, else 1.

    lines: what its `input()` reads; after them, lines of standard input.
    """
    source = read_program(file)
    if source is None:
        return 1
    request = ProgramRequest(source=source, dialect=dialect, inputs=tuple(lines))
    done = answered(request, program_limits(), partial(_show, file=sys.stderr if as_json else sys.stdout))
    request, answer = done.request, done.answer
    if as_json:
        print(
            json.dumps({"id": program_id(request, answer["dialect"]), **answer}, indent=2, ensure_ascii=False)
        )
    else:
        print_answer(file, answer, done.shown)
    return 0 if answer["status"] == "ok" else 1


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
        return None


def _show(text: str, file: TextIO) -> None:
    print(text, end="", file=file, flush=True)


def print_answer(file: str, answer: Mapping[str, Any], shown: str = "") -> None:
    """What the program printed, then its gradients; what went wrong goes to standard error.

    shown: the beginning of what it printed that is on the screen already.
    """
    printed = "\n".join(answer["printed"]).removeprefix(shown)
    has_more = bool(printed) or (bool(answer["printed"]) and not shown)
    for line in [*([printed] if has_more else []), *gradient_lines(answer["gradients"])]:
        print(line)
    for line in diagnostic_lines(file, answer["diagnostics"]):
        print(line, file=sys.stderr)


def gradient_lines(gradients: Iterable[Mapping[str, Any]]) -> list[str]:
    """A line for each gradient, with the reason where there is none."""
    return [
        f"d {row['y']} / d {row['name']} = {row['reason'] if row['tensor'] is None else plain(row['value'])}"
        for row in gradients
    ]


def plain(value: Any) -> Any:
    """A tensor's numbers without their dtype and shape."""
    return value["data"] if isinstance(value, Mapping) and "data" in value else value


def diagnostic_lines(file: str, diagnostics: Iterable[Mapping[str, Any]]) -> list[str]:
    """Each diagnostic where editors look for it: file, line, column."""
    return [
        f"{file}:{item['line']}:{item['column']}: {item['severity']}: {item['message']}\n  {item['hint']}"
        for item in diagnostics
    ]
