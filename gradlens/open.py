"""`gradlens open FILE`: the page with a graph that another program wrote."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path

from fastapi import FastAPI

from engine.execution.budget import Limits
from engine.interchange.reading import FileRefused, read_graph
from gradlens.serve import serve
from server.answers.imports import Imports


def open_file(file: str, host: str, port: int, *, browser: bool) -> int:
    """Serve the page, with the graph of a file, until interrupted; returns the exit code.

    browser: whether to open it in the person's own.
    """
    data = graph_in(file)
    if data is None:
        return 1

    async def announce(app: FastAPI, address: str) -> None:
        imports: Imports = app.state.imports
        page = f"{address}/?import={(await imports.open(data)).id}"
        print(f"{file} is open: {page}", flush=True)
        if browser:
            webbrowser.open(page)

    return serve(host, port, announce)


def graph_in(file: str) -> bytes | None:
    """The bytes of a file with a graph; None, and a word on standard error, where there is none."""
    try:
        data = Path(file).read_bytes()
        read_graph(data, Limits())
    except OSError as error:
        print(f"Cannot read {file}: {error.strerror}.", file=sys.stderr)
        return None
    except FileRefused as error:
        print(f"{file}: error: {error.message}\n  {error.hint}", file=sys.stderr)
        return None
    return data
