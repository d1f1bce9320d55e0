"""Programs run in processes of their own, each forked from one that has the engine loaded and ran nothing."""

from __future__ import annotations

import ast
import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine.differentiation import prepare_templates
from engine.execution.budget import Limits
from engine.languages.interpreter.interpreter import Interpreter
from engine.programs import ProgramRequest, run_program

ROOT = Path(__file__).parent.parent
LIMITS = Limits(steps=5_000, wall_s=60.0, nodes=1_000)  # what stops a program is never the clock

_run = Interpreter.run

Program = tuple[str, str]  # the source and its dialect


class FreshProcesses:
    """Runs sequences of programs, each sequence in a new process."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self._requests = requests
        self._answers = answers

    def run(self, *programs: Program) -> list[str]:
        """Each program's answer as JSON; all of them run in the same new process, one after the other."""
        print(json.dumps(programs), file=self._requests, flush=True)
        answers: list[str] = json.loads(self._answers.readline())
        return answers


@contextmanager
def fresh_processes() -> Iterator[FreshProcesses]:
    """Start the process that the others are forked from, and end it."""
    command = [sys.executable, "-m", "tests.fresh"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # a process with threads is not to be forked
    with subprocess.Popen(command, text=True, cwd=ROOT, env=environment, **pipes) as process:  # type: ignore[call-overload]  # the pipes
        try:
            yield FreshProcesses(process.stdin, process.stdout)
        finally:
            process.stdin.close()


def answers_of(programs: Sequence[Program]) -> list[str]:
    """Run the programs here, one after the other."""
    return [
        json.dumps(run_program(ProgramRequest(source, dialect=dialect), LIMITS))
        for source, dialect in programs
    ]


def _answer_in_a_fork(line: str) -> str:
    """What a new process answers."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writing, "w") as pipe:
            json.dump(answers_of(json.loads(line)), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answered = pipe.read()
    os.waitpid(child, 0)
    return answered or "[]"


def _run_on_clean_ground(interpreter: Interpreter, tree: ast.Module) -> None:
    """Run a program that has begun; what those before it left behind is let go now."""
    gc.collect()
    _run(interpreter, tree)


def main() -> None:
    """Answer one line after the other."""
    gc.disable()
    Interpreter.run = _run_on_clean_ground  # type: ignore[assignment, method-assign]  # in this process alone
    prepare_templates()
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        print(_answer_in_a_fork(line), flush=True)


if __name__ == "__main__":
    main()
