"""Ask the real libraries, compare what they say with what Gradlens says, and sum up (`make compare`).

python -m tests.compared             asks what libraries there are, judges, and writes file and table
python -m tests.compared --judge     judges what is recorded, and writes file and table
python -m tests.compared --recorded  prints the table of what was judged last
python -m tests.compared --fresh 7   asks some thousand expressions outside of the recordings, drawn from 7
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from .drawn.fresh import report_fresh
from .known import PAGE
from .recordings import RECORDINGS, Recording
from .verdicts import Verdicts, judged, key_of, lines, page_with, read_verdicts, text_of, write_verdicts

PARTS = 8  # of a recording, which run beside each other

Found = list[tuple[str, str, str]]  # the key, the text and the verdict of each program


def ask(recording: Recording) -> None:
    python = os.environ.get(recording.library)
    if python is None:
        print(f"{recording.name}: {recording.library} is not set; what is recorded stays.")
    else:
        recording.record(python)


def _judged(work: tuple[Recording, int]) -> Found:
    recording, part = work
    found = judged(recording, PARTS, part)
    return [(key_of(program), text_of(program), said) for program, said in found]


def judge_all() -> dict[str, Verdicts]:
    """The verdicts on everything that is recorded, on as many processors as there are."""
    work = [(recording, part) for recording in RECORDINGS for part in range(PARTS)]
    found: dict[str, Found] = {recording.name: [] for recording in RECORDINGS}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (recording, _), some in zip(work, pool.map(_judged, work), strict=True):
            found[recording.name] += sorted(some)
    return {recording.name: Verdicts.of(recording, found[recording.name]) for recording in RECORDINGS}


def summary(found: dict[str, Verdicts]) -> Iterator[str]:
    """The table, and whatever is wrong without a known reason."""
    yield from lines(found)
    for name, one in found.items():
        yield from (f"wrong in {name}: {key}" for key in one.wrong)


def main(arguments: list[str]) -> None:
    if "--fresh" in arguments:
        report_fresh(int(arguments[arguments.index("--fresh") + 1]))
        return
    if "--recorded" not in arguments:
        for recording in RECORDINGS if "--judge" not in arguments else ():
            ask(recording)
        write_verdicts(judge_all())
        PAGE.write_text(page_with(read_verdicts()), encoding="utf-8")
    for line in summary(read_verdicts()):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
