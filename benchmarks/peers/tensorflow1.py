"""TensorFlow 1.15 in a Python 3.7 of its own: the one that `TENSORFLOW1_PYTHON` names, or pyenv's.

It runs a program's text in a process that stays; ours waits for its last line.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import own_loops

SCRIPT = """\
import json, sys
answers, sys.stdout = sys.stdout, sys.stderr
import tensorflow as tf
tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
print(json.dumps(tf.__version__), file=answers, flush=True)
for line in sys.stdin:
    tf.compat.v1.reset_default_graph()
    names = {}
    exec(compile(json.loads(line), "program", "exec"), names)
    print(json.dumps([float(number) for number in names["found"]]), file=answers, flush=True)
"""


def _pythons() -> list[str]:
    """Where a Python with TensorFlow 1 may be."""
    named = os.environ.get("TENSORFLOW1_PYTHON")
    installed = sorted(Path.home().glob(".pyenv/versions/3.7*/bin/python"))
    return [named] if named else [str(path) for path in installed]


class Programs:
    """The process that runs programs."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, "-W", "ignore", "-c", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.version = str(self._answer())

    def run(self, source: str) -> Any:
        """What the program has found."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise ModuleNotFoundError("it has no TensorFlow 1.15")
        return json.loads(line)


def _started() -> Programs:
    for python in _pythons():
        try:
            found = Programs(python)
        except (OSError, ModuleNotFoundError):
            continue
        if found.version.startswith("1.15"):
            return found
    raise ModuleNotFoundError("no Python with TensorFlow 1.15; set TENSORFLOW1_PYTHON")


PROGRAMS = _started()
PEER = Peer("TensorFlow 1.15", asked=True, warm_up=lambda: PROGRAMS.run("found = []"))


@PEER.does("W9", "Session.run")
def one_point_at_a_time() -> Task:
    return Task(PROGRAMS.run, (own_loops.SESSION_TEXT,), own_loops.named)
