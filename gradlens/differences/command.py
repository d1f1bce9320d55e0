"""`gradlens compare A B`: what differs between two programs, or graphs in files, and their gradients."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine.errors import GradlensError
from engine.programs import ProgramRequest
from engine.programs.differences import Tolerance, compare_programs
from gradlens.memory import bounded_memory
from gradlens.run import program_limits, read_program

GRAPHS = {".pb", ".pbtxt", ".meta"}  # endings of files that hold a graph; of event files what they begin with
EVENTS = "events.out.tfevents"
SAME, OTHER, UNUSABLE = 0, 1, 2  # exit codes, as those of diff


def compare(
    before: str, after: str, dialect: str, detail: str, tolerance: Tolerance, *, as_json: bool = False
) -> int:
    """Compare two files; returns 0 where nothing differs, 1 where something does, 2 where it is unknown."""
    sides = [_compared(file, dialect) for file in (before, after)]
    if None in sides:
        return UNUSABLE
    try:
        with bounded_memory():
            body = compare_programs(sides[0], sides[1], program_limits(), detail, tolerance)
    except GradlensError as error:
        return _refused({"before": before, "after": after}.get(error.part, before), error)
    except MemoryError:
        print("The two programs need more memory than there is.", file=sys.stderr)
        return UNUSABLE
    _print(body, before, after, as_json=as_json)
    return SAME if body["equal"] else OTHER


def _compared(file: str, dialect: str) -> Any:
    """A program's request or a graph's bytes; None, and a word on standard error, where it cannot be read."""
    if not is_graph(file):
        source = read_program(file)
        return None if source is None else ProgramRequest(source, dialect)
    try:
        return Path(file).read_bytes()
    except OSError as error:
        print(f"Cannot read {file}: {error.strerror}.", file=sys.stderr)
        return None


def is_graph(file: str) -> bool:
    """Whether a file holds a graph by its name, and no program."""
    path = Path(file)
    return path.suffix.lower() in GRAPHS or path.name.startswith(EVENTS)


def _refused(file: str, error: GradlensError) -> int:
    place = f":{error.where.line}:{error.where.column}" if error.where else ""
    print(f"{file}{place}: error: {error.message}", file=sys.stderr)
    if error.hint:
        print(f"  {error.hint}", file=sys.stderr)
    return UNUSABLE


def _print(body: dict[str, Any], before: str, after: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(body, indent=2, ensure_ascii=False))
        return
    from gradlens.terminal.console import INSTALL, console_for, has_rich

    if not has_rich():
        print(body["says"]["en"])
        print(f"To draw what differs takes rich: {INSTALL}", file=sys.stderr)
        return
    from gradlens.differences.tree import print_differences

    print_differences(console_for(sys.stdout), body, before, after)
