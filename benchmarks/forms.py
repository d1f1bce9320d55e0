"""What an example costs in each of its forms: the same lesson as TensorFlow, PyTorch and JAX.

`python -m benchmarks.forms [ID…]` takes the processor time of the first answer to a program in a process that
has just been forked, as workers are, and has taken the first steps of every worker: the memory that it shared
until then has become its own. Forms take turns; shown are medians, and what PyTorch and JAX take of
TensorFlow's time.
"""

from __future__ import annotations

import os
import statistics
import struct
import sys
import time
from typing import Any

from engine.execution.budget import Limits
from engine.programs import ProgramRequest
from server.examples import FRAMEWORKS, examples
from server.workers.tasks import answer_program
from server.workers.worker_process import take_first_steps

VISITS = 5  # of each form
GOAL = 1.3  # of TensorFlow's time
FIRST = "tensorflow"


def main(chosen: list[str]) -> None:
    """Measure the examples that have other forms, and print them, the dearest first."""
    rows = [
        (name, timed(forms)) for name, forms in forms_of_examples().items() if not chosen or name in chosen
    ]
    rows.sort(key=lambda row: -max(ratios(row[1]).values()))
    heads = "".join(f"{form + ' ms':>14}" for form in (FIRST, *FRAMEWORKS))
    print(f"{'':14}{heads}{'ratios':>10}")
    for name, times_ms in rows:
        shown = "".join(f"{times_ms.get(form, float('nan')):14.1f}" for form in (FIRST, *FRAMEWORKS))
        print(f"{name:14}{shown}    " + "".join(f"{one:7.2f}" for one in ratios(times_ms).values()))
    over = [name for name, times_ms in rows if max(ratios(times_ms).values()) > GOAL]
    print(f"{len(over)} of {len(rows)} have a form that takes more than {GOAL} of TensorFlow's time.")


def forms_of_examples() -> dict[str, dict[str, ProgramRequest]]:
    """The requests of each example by form; of those that have several."""
    found = {}
    for name, example in examples().items():
        others = {form["dialect"]: form["source"] for form in example["forms"]}
        if others:
            texts = {FIRST: example["source"], **others}
            found[name] = {
                form: ProgramRequest(source=source, at=example["at"] if form == FIRST else {})
                for form, source in texts.items()
            }
    return found


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
    """What the other forms take of the first one's time."""
    return {form: taken / times_ms[FIRST] for form, taken in times_ms.items() if form != FIRST}


if __name__ == "__main__":
    main(sys.argv[1:])
