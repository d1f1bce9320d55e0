"""How long work takes: what is remembered, and what is guessed from a text."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest
from server.workers.durations import Durations, reads_as_short
from server.workers.tasks import answer_lesson, answer_program, answer_run
from server.workers.workers import keys_of, seems_short


def test_work_is_short_that_was_short_the_last_time() -> None:
    durations = Durations()
    assert not durations.is_short(1)
    durations.note(2, 0.01)
    assert durations.is_short(2)
    durations.note(2, 5.0)
    assert not durations.is_short(2)


def test_work_that_is_not_known_is_as_short_as_what_is_like_it() -> None:
    durations = Durations()
    durations.note(1, 0.01)
    assert durations.is_short(2, 1)
    durations.note(2, 5.0)
    assert not durations.is_short(2, 1)
    assert durations.is_short(1)


def test_a_lesson_counts_as_short_after_a_short_program_and_leaves_a_long_one_long() -> None:
    program = ProgramRequest("y = x^2")
    (run,) = keys_of(answer_program, (program,))
    lesson, like = keys_of(answer_lesson, ("p_1", program, None))
    assert like == run != lesson


@pytest.mark.parametrize(
    "source",
    [
        "exp(sin(x))",
        "import tensorflow as tf\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x ** 2",
        "x = 0.0001 * y",
    ],
)
def test_a_text_that_repeats_nothing_reads_as_short(source: str) -> None:
    assert reads_as_short(source)


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "for i in range(3): print(i)",
        "model.fit(x, y)",
        "np.ones((5000, 5000))",
        "range(10 ** 12)",
        "range(int(1e9))",
        "",
        "x + " * 2_000 + "1",
    ],
)
def test_a_text_with_loops_training_or_thousands_does_not(source: str) -> None:
    assert not reads_as_short(source)


def test_the_guess_gives_way_to_what_was_seen() -> None:
    durations = Durations()
    assert durations.is_short(1, unless_known=True)
    durations.note(1, 5.0)
    assert not durations.is_short(1, unless_known=True)


def test_only_what_goes_through_a_program_once_is_guessed_by_its_text() -> None:
    program = ProgramRequest("y = x^2")
    assert seems_short(answer_program, (program,))
    assert seems_short(answer_lesson, ("p_1", program, None))
    assert not seems_short(answer_run, ("p_1", program, None))
