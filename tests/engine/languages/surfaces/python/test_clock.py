"""The clock of a run: it is the same in every run, and says so."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("import time\nt = time.time()\nprint(round(time.time() - t, 3))", "0.001"),
        (
            "from timeit import default_timer\nt = default_timer()\nprint(round(default_timer() - t, 3))",
            "0.001",
        ),
        ("import timeit\nprint(round(timeit.timeit(lambda: 2 + 2, number=9), 3))", "0.001"),
        ("import tensorflow as tf\nprint(round(float(tf.timestamp()), 3))", "0.001"),
        ("from datetime import datetime\nprint(datetime.now().year)", "2020"),
    ],
    ids=["time", "default_timer", "timeit", "tensorflow", "datetime"],
)
def test_durations_are_not_measured_and_a_note_says_so_once(source: str, printed: str) -> None:
    answer = run_program(ProgramRequest(source))
    assert answer["printed"] == [printed]
    assert [one["code"] for one in answer["diagnostics"]] == ["own_clock"]


def test_a_program_that_reads_no_clock_has_no_note() -> None:
    assert run_program(ProgramRequest("import time\nprint(1)"))["diagnostics"] == []
