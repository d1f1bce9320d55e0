"""Programs as they stand in notebooks, consoles and articles: the code alone, every line at its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

PROMPT = re.compile(r"(>>> ?|\.\.\. ?|In \[[\d ]*\]: ?| {3,}\.\.\.: ?)")
OUTPUT = re.compile(r"Out\[[\d ]*\]:")
CELL = re.compile(r"In \[[\d ]*\]:\s*$")
BARE = re.compile(r">>>\s*$")
FENCE = re.compile(r"\s*(```+|~~~+)\s*(?:\{?\.?(\w*)[^`]*)$")
PYTHON = frozenset({"", "python", "py", "python3", "ipython", "ipython3", "pycon", "tensorflow"})
JSON_KEYS = ('"cells"', '"cell_type"')
JSON_LINE = re.compile(r'\s*"(?:[^"\\]|\\.)*",?\s*$')

COMMAND = re.compile(r"(\s*)[%!]\s*[\w%/~.]")
TIMED = re.compile(r"(\s*)%time\s+(?=\S)")
QUESTION = re.compile(r"(\s*)(?:\?{1,2}[\w.]+|[\w.]+\?{1,2})\s*$")
OTHER_CELL = re.compile(
    r"\s*%%(?:writefile|file|bash|sh|html|javascript|js|latex|markdown|svg|script|perl|ruby)\b"
)
NEXT_CELL = re.compile(r"In \[[\d ]*\]|# ?In ?\[|# ?%%|%%")


def code_alone(text: str) -> str:
    """The text without what surrounds code: a notebook's file, Markdown, prompts, output and commands."""
    text = without_fences(of_notebook_file(text))
    return without_commands(without_prompts(text))


def is_notebook_file(text: str) -> bool:
    """Whether a text is what an `.ipynb` file holds."""
    return text.lstrip().startswith("{") and all(key in text for key in JSON_KEYS)


# -- the file of a notebook --------------------------------------------------------------------------


def of_notebook_file(text: str) -> str:
    """The code cells of an `.ipynb` file, each line where it stands in the file if it has a line there."""
    if not is_notebook_file(text):
        return text
    try:
        cells = json.loads(text)["cells"]
        sources = [_source(cell) for cell in cells if cell.get("cell_type") == "code"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return text
    sources = [source for source in sources if not OTHER_CELL.match(source)]
    return _in_place(text, sources) or "\n\n".join(sources)


def _source(cell: Any) -> str:
    written = cell["source"]
    return written if isinstance(written, str) else "".join(written)


def _in_place(text: str, sources: list[str]) -> str:
    """The lines of the cells where the file writes them; nothing where it does not write each on a line."""
    waiting = [line for source in sources for line in source.split("\n")]
    placed = []
    for written in text.split("\n"):
        line = _decoded(written)
        if waiting and line is not None and line == waiting[0]:
            placed.append(waiting.pop(0))
        else:
            placed.append("")
    return "" if waiting else "\n".join(placed)


def _decoded(written: str) -> str | None:
    """The line of code that a line of the file writes as a text."""
    if not JSON_LINE.match(written):
        return None
    try:
        return str(json.loads(written.strip().rstrip(","))).removesuffix("\n")
    except ValueError:
        return None


# -- Markdown ----------------------------------------------------------------------------------------


def without_fences(text: str) -> str:
    """What stands between fences that hold Python, where there are any."""
    lines = text.split("\n")
    if not any(FENCE.match(line) for line in lines):
        return text
    return "\n".join(_fenced(lines))


def _fenced(lines: list[str]) -> Iterator[str]:
    """Where some fences say that they hold Python, those that say nothing hold output."""
    opened = [found[2].lower() for line in lines if (found := FENCE.match(line))]
    python = PYTHON - {""} if PYTHON.difference({""}).intersection(opened) else PYTHON
    fence, is_python = "", False
    for line in lines:
        found = FENCE.match(line)
        if found and (not fence or (found[1].startswith(fence) and not found[2])):
            is_python = not fence and found[2].lower() in python
            fence = "" if fence else found[1]
            yield ""
        else:
            yield line if fence and is_python else ""


# -- prompts and output ------------------------------------------------------------------------------


def without_prompts(text: str) -> str:
    """Lines without their prompts, spaces in place of them; lines of output are left empty.

    A listing that has no code behind its prompts ends in `>>>`, with its output below.
    """
    lines = text.split("\n")
    if any(CELL.match(line) for line in lines):
        return "\n".join(_of_cells(lines))
    if not any(line.startswith((">>>", "In [")) for line in lines):
        return text
    first = next(place for place, line in enumerate(lines) if line.startswith((">>>", "In [")))
    if all(BARE.match(line) for line in lines if line.startswith(">>>")) and any(
        map(str.strip, lines[:first])
    ):
        return "\n".join(lines[:first] + [""] * (len(lines) - first))
    width = max(len(found[0]) for line in lines if (found := PROMPT.match(line)))
    return "\n".join(_after_prompt(line, width) for line in lines)


def _after_prompt(line: str, width: int) -> str:
    prompt = PROMPT.match(line)
    return " " * width + line[prompt.end() :] if prompt else ""


def _of_cells(lines: list[str]) -> Iterator[str]:
    """Lines below `In [1]:` are code, those below `Out[1]:` are none."""
    is_code = True
    for line in lines:
        if CELL.match(line) or OUTPUT.match(line):
            is_code = not OUTPUT.match(line)
            yield ""
        else:
            yield line if is_code else ""


# -- commands ----------------------------------------------------------------------------------------


def without_commands(text: str) -> str:
    """Lines without `%magic`, `!command`, `name?` and cells in other languages: `pass` in place of each."""
    return "\n".join(_commands_passed(text.split("\n")))


def _commands_passed(lines: list[str]) -> Iterator[str]:
    is_other, goes_on = False, False
    for line in lines:
        if is_other and NEXT_CELL.match(line) and not OTHER_CELL.match(line):
            is_other = False
        is_other = is_other or bool(OTHER_CELL.match(line))
        command = COMMAND.match(line) or QUESTION.match(line)
        timed = TIMED.match(line)
        if goes_on or is_other:
            goes_on = goes_on and line.rstrip().endswith("\\")
            yield ""
        elif timed:
            yield timed[1] + line[timed.end() :]
        elif command:
            goes_on = line.rstrip().endswith("\\")
            yield f"{command[1]}pass" if command[1] else ""
        else:
            yield line
