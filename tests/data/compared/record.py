"""Run programs with the libraries at hand, and write down what each prints: `python record.py FILE.json`.

The file holds a list of programs, or many short ones with the preamble that stands before each; it is rewritten with
what they print, and with the kind of error that ended one. A file `.json.gz` is read and written compressed.
It needs an environment with TensorFlow or SymPy, whichever the programs import; the project's own has no TensorFlow.
"""

import contextlib
import gzip
import io
import json
import logging
import os
import pathlib
import re
import runpy
import sys
import tempfile
import warnings
from collections.abc import Callable  # Python 3.7 has no others
from re import Match
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
logging.disable(logging.WARNING)
warnings.filterwarnings("ignore")
DIGITS = re.compile(r"-?\d+\.\d{8,}(?:e[-+]?\d+)?|-?\d\.\d+e[-+]?\d+")


def read(path: pathlib.Path) -> Any:
    """What a file of programs holds."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        return json.load(file)


def write(path: pathlib.Path, content: Any) -> None:
    """The same file again; equal contents are equal bytes."""
    text = json.dumps(content, indent=1) + "\n"
    if path.suffix == ".gz":
        with path.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed:
            packed.write(text.encode())
    else:
        path.write_text(text)


def fresh_start() -> None:
    """Forget what programs before this one have built."""
    if "tensorflow" in sys.modules:
        sys.modules["tensorflow"].compat.v1.reset_default_graph()


def run(program: str) -> None:
    """A program from a file of its own, as AutoGraph needs it."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.py"
        file.write_text(program)
        runpy.run_path(str(file))


def record(program: dict[str, Any], start: Callable[[str], None]) -> None:
    """Write what a program prints beside it."""
    printed = io.StringIO()
    program["error"] = None
    fresh_start()
    try:
        with contextlib.redirect_stdout(printed):
            start(program["source"])
    except Exception as error:
        program["error"] = type(error).__name__
    program["printed"] = printed.getvalue().splitlines()


def record_short(content: dict[str, Any]) -> None:
    """The same for expressions below one preamble; ten digits of a number are kept."""
    preamble = compile(content["preamble"], "<preamble>", "exec")

    def start(source: str) -> None:
        names: dict[str, Any] = {}
        exec(preamble, names)
        exec(compile(source, "<expression>", "exec"), names)

    for program in content["programs"]:
        record(program, start if content["preamble"] else run)
        program["printed"] = [DIGITS.sub(shorter, line) for line in program["printed"]]


def shorter(match: Match[str]) -> str:
    """The same number in ten digits."""
    return format(float(match.group()), ".10g")


def main(path: pathlib.Path) -> None:
    content = read(path)
    if isinstance(content, dict):
        record_short(content)
    else:
        for program in content:
            record(program, run)
    write(path, content)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
