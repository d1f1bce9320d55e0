"""What an example costs in each of its forms: the same lesson as TensorFlow, PyTorch and JAX.

`python -m benchmarks.forms [ID…]` takes the processor time of the first answer to a program in a process that
has just been forked, as workers are, and has taken the first steps of every worker: the memory that it shared
until then has become its own. Forms take turns; shown are medians, and what PyTorch and JAX take of
TensorFlow's time.

An example in mathematics is a formula, which the other forms write as a program: its form in TensorFlow is
the program that the page writes of it (`GET /programs/{id}/code`), or where the other forms train, one with
the same updates. What the formula itself takes is shown last.
"""

from __future__ import annotations

import os
import statistics
import struct
import sys
import time
from typing import Any

from benchmarks.same_updates import SAME_UPDATES
from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from engine.programs.answers.code import written_code
from server.examples import FRAMEWORKS, examples
from server.workers.tasks import answer_program
from server.workers.worker_process import take_first_steps

VISITS = 5  # of each form
GOAL = 1.3  # of TensorFlow's time
FIRST = "tensorflow"
DIALECTS = ("tf1", "tf2")  # of programs of TensorFlow
FORMULA = "math"
COLUMNS = (FIRST, *FRAMEWORKS, FORMULA)


def main(chosen: list[str]) -> None:
    """Measure the examples that have other forms, and print them, the dearest first."""
    rows = [
        (name, timed(forms)) for name, forms in forms_of_examples().items() if not chosen or name in chosen
    ]
    rows.sort(key=lambda row: -max(ratios(row[1]).values()))
    heads = "".join(f"{form + ' ms':>14}" for form in COLUMNS)
    print(f"{'':14}{heads}{'ratios':>10}")
    for name, times_ms in rows:
        shown = "".join(f"{times_ms[form]:14.1f}" if form in times_ms else f"{'':14}" for form in COLUMNS)
        print(f"{name:14}{shown}    " + "".join(f"{one:7.2f}" for one in ratios(times_ms).values()))
    for forms in (FRAMEWORKS[:1], FRAMEWORKS):
        over = [name for name, times_ms in rows if any(ratios(times_ms)[form] > GOAL for form in forms)]
        print(
            f"{len(over)} of {len(rows)} take more than {GOAL} of TensorFlow's time in {' or '.join(forms)}."
        )


def forms_of_examples() -> dict[str, dict[str, ProgramRequest]]:
    """The requests of each example by form; of those that have one in TensorFlow and others."""
    return {
        name: forms_of(name, example)
        for name, example in examples().items()
        if example["forms"] and example["dialect"] in (*DIALECTS, FORMULA)
    }


def forms_of(name: str, example: dict[str, Any]) -> dict[str, ProgramRequest]:
    """The requests of one example by form."""
    own = ProgramRequest(source=example["source"], at=example["at"])
    others = {form["dialect"]: ProgramRequest(source=form["source"]) for form in example["forms"]}
    if example["dialect"] in DIALECTS:
        return {FIRST: own, **others}
    written = SAME_UPDATES.get(name) or written_code(own, "tf1", Limits())
    return {FIRST: ProgramRequest(source=written), **others, FORMULA: own}


def timed(forms: dict[str, ProgramRequest]) -> dict[str, float]:
    """The median time of each form, ms."""
    times_ms: dict[str, list[float]] = {form: [] for form in forms}
    for _ in range(VISITS):
        for form, request in forms.items():
            times_ms[form].append(first_answer_ms(request))
    return {form: statistics.median(times) for form, times in times_ms.items()}


def first_answer_ms(request: ProgramRequest) -> float:
    """The processor time of an answer in a new worker that has given none, ms."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        take_first_steps()
        start = time.process_time()
        answer_program(request, Limits())
        os.write(writing, struct.pack("d", (time.process_time() - start) * 1000))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        (taken_ms,) = struct.unpack("d", pipe.read())
    os.waitpid(child, 0)
    return float(taken_ms)


def ratios(times_ms: dict[str, float]) -> dict[str, Any]:
    """What PyTorch and JAX take of TensorFlow's time."""
    return {form: times_ms[form] / times_ms[FIRST] for form in FRAMEWORKS}


if __name__ == "__main__":
    main(sys.argv[1:])
