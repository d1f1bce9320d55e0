"""Ask the real libraries, compare what they say with what Gradlens says, and sum up (`make compare`)."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator

from .known import reason
from .recordings import RECORDINGS, Recording
from .verdicts import judged, text_of


def ask(recording: Recording) -> None:
    python = os.environ.get(recording.library)
    if python is None:
        print(f"{recording.name}: {recording.library} is not set; what is recorded stays.")
    else:
        recording.record(python)


def summary(recording: Recording) -> Iterator[str]:
    """How many agree, are refused and are wrong, and which of those have no reason."""
    found = list(judged(recording))
    counted = Counter(verdict for _, verdict in found)
    wrong = [program for program, verdict in found if verdict == "wrong"]
    unknown = [text for text in map(text_of, wrong) if reason(recording.name, text) is None]
    share = counted["agrees"] / len(found)
    yield (
        f"{recording.name}: {len(found)} asked; {counted['agrees']} agree ({share:.1%}), "
        f"{counted['refused']} refused, {len(wrong)} wrong, {len(unknown)} of them without a known reason"
    )
    yield from (f"    {text}" for text in unknown)


def main(arguments: list[str]) -> None:
    for recording in RECORDINGS:
        if "--recorded" not in arguments:
            ask(recording)
        for line in summary(recording):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
