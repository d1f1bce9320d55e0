"""`gradlens export FILE`: a program's graph in a form for other tools, or the program in another language.

A file that holds a graph (a GraphDef, a SavedModel, events) is written in another form of the same.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.errors import GradlensError
from engine.interchange.code import LANGUAGES
from engine.programs import ProgramRequest
from engine.programs.answers.code import written_code
from engine.programs.answers.derivation import written_derivation
from engine.programs.answers.generated_text import GENERATED
from engine.programs.answers.graph_files import download_graph
from engine.programs.answers.notebook import written_notebook
from engine.programs.answers.picture_files import PICTURE_TYPES, Look, draw_program
from engine.programs.imported.graph_files import download_imported
from engine.programs.imported.picture_files import draw_imported
from gradlens.run import program_limits, read_program


def export(file: str, dialect: str, look: Look, output: str | None, language: str = "en") -> int:
    """Write the program in `file` in the wanted form; returns 0 where that went well, else 1."""
    try:
        if is_graph(file):
            data = converted(file, look)
        else:
            source = read_program(file)
            data = None if source is None else exported(ProgramRequest(source, dialect), look, language)
    except GradlensError as error:
        place = f":{error.where.line}:{error.where.column}" if error.where else ""
        print(f"{file}{place}: error: {error.message}\n  {error.hint}", file=sys.stderr)
        return 1
    return 1 if data is None else write(data, output)


def is_graph(file: str) -> bool:
    """Whether a file is that of a graph, by its name."""
    name = Path(file).name
    return name.endswith((".pb", ".pbtxt", ".meta")) or ".tfevents." in name


def converted(file: str, look: Look) -> bytes | None:
    """The graph of a file in another form; None, and a word on standard error, where it cannot be read."""
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        print(f"Cannot read {file}: {error.strerror}.", file=sys.stderr)
        return None
    if look.form in PICTURE_TYPES:
        from server.pictures.page_layout import lay_out

        return draw_imported(data, look, lay_out, program_limits())
    return download_imported(data, look.detail, look.form, program_limits())


def exported(request: ProgramRequest, look: Look, language: str) -> bytes:
    """The graph, its picture or the code, as bytes."""
    limits, form = program_limits(), look.form
    if form == "ipynb":
        return written_notebook(request, limits)
    if form == "html":
        from gradlens.saved_page import saved_page

        return saved_page(request, limits).encode()
    if form == "derivation":
        return written_derivation(request, None, language, limits).encode()
    if form in (*LANGUAGES, GENERATED):
        return written_code(request, form, limits).encode()
    if form in PICTURE_TYPES:
        from server.pictures.page_layout import lay_out

        return draw_program(request, look, lay_out, limits)
    return download_graph(request, look.detail, form, limits)


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
