"""`gradlens export FILE`: a program's graph in a form for other tools, or the program in another language."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.errors import GradlensError
from engine.interchange.code import LANGUAGES
from engine.programs import ProgramRequest
from engine.programs.answers.code import written_code
from engine.programs.answers.generated_text import GENERATED
from engine.programs.answers.graph_files import download_graph
from gradlens.run import program_limits, read_program


def export(file: str, dialect: str, form: str, detail: str, output: str | None) -> int:
    """Write the program in `file` in the wanted form; returns 0 where that went well, else 1."""
    source = read_program(file)
    if source is None:
        return 1
    request = ProgramRequest(source=source, dialect=dialect)
    try:
        data = exported(request, form, detail)
    except GradlensError as error:
        place = f":{error.where.line}:{error.where.column}" if error.where else ""
        print(f"{file}{place}: error: {error.message}\n  {error.hint}", file=sys.stderr)
        return 1
    return write(data, output)


def exported(request: ProgramRequest, form: str, detail: str) -> bytes:
    """The graph or the code, as bytes."""
    limits = program_limits()
    if form in (*LANGUAGES, GENERATED):
        return written_code(request, form, limits).encode()
    return download_graph(request, detail, form, limits)


def write(data: bytes, output: str | None) -> int:
    """Write to a file, or to standard output."""
    if output is None:
        sys.stdout.buffer.write(data)
        return 0
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        print(f"Cannot write {output}: {error.strerror}.", file=sys.stderr)
        return 1
    return 0
