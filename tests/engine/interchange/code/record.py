"""Runs the written programs in the real frameworks and keeps what they print, in tests/data/written.json.

    python -m tests.engine.interchange.code.record tf1=PYTHON tf2=PYTHON torch=PYTHON jax=PYTHON

Each PYTHON is an interpreter in which that framework is installed; what is not named is kept as it was.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.engine.interchange.code.programs import RECORDED, digest, written_in

RUN_ALL = """
import contextlib, io, json, os, sys, warnings
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
warnings.simplefilter("ignore")
import numpy as np
def plain(value):
    if type(value).__name__.startswith("IndexedSlices"):
        dense = np.zeros(value.dense_shape, dtype=np.float64)
        np.add.at(dense, np.asarray(value.indices), np.asarray(value.values))
        value = dense
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    for name in ("detach", "numpy"):
        value = getattr(value, name, lambda value=value: value)()
    return None if value is None else np.ravel(np.asarray(value, dtype=np.float64)).tolist()
found = {}
for name, text in json.load(sys.stdin).items():
    shown = []
    if "tensorflow" in text:
        import tensorflow as tf
        getattr(tf, "reset_default_graph", lambda: None)()
    try:
        show = lambda *values: shown.extend(values)
        exec(compile(text, name, "exec"), {"__name__": "__main__", "print": show})
        found[name] = plain(shown)
    except Exception as error:
        found[name] = "%s: %s" % (type(error).__name__, str(error)[:200])
sys.stdout.write(json.dumps(found))
"""


def main(arguments: list[str]) -> None:
    """Record the named languages."""
    recorded: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    for language, python in (argument.split("=", 1) for argument in arguments):
        texts = dict(written_in(language))
        run = subprocess.run(
            [python, "-c", RUN_ALL], input=json.dumps(texts), capture_output=True, text=True, check=True
        )
        found = json.loads(run.stdout)
        recorded[language] = {name: [digest(texts[name]), value] for name, value in found.items()}
    lines = [
        f"{json.dumps(language)}: {{\n" + ",\n".join(_lines(programs)) + "\n}"
        for language, programs in sorted(recorded.items())
    ]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _lines(programs: dict[str, Any]) -> list[str]:
    return [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(programs.items())]


if __name__ == "__main__":
    main(sys.argv[1:])
