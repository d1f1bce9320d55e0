"""A run sent while it is computed: a header, chunks of rows, a footer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import GradlensError
from engine.interchange.values import column_json
from engine.programs import ProgramRequest, RunRequest, optimise, optimise_events, replay, trace
from engine.programs.runs import columns
from engine.programs.runs.columns import stride
from engine.programs.training.scheduler import EVERY_S, MOST_ROWS, Scheduler
from engine.programs.training.stepping import FIRST_ROWS
from tests.chunks import joined

DESCENT = {"name": "GradientDescent", "learning_rate": 0.01}
SQUARE = ProgramRequest("y = x^2", at={"x": 3})


def test_the_chunks_of_a_run_joined_are_its_columns() -> None:
    run = RunRequest(100, {"name": "Momentum", "learning_rate": 0.01, "momentum": 0.5})
    header, *chunks, footer = optimise_events(SQUARE, run)
    assert [event["type"] for event in (header, chunks[0], footer)] == ["header", "chunk", "footer"]
    assert header["rows"] == 101
    assert len(chunks) > 1
    whole = {"program": header["program"], "feeds": header["feeds"], **joined(chunks), **footer}
    del whole["type"]
    assert whole == optimise(SQUARE, run)


def test_the_first_rows_are_sent_before_the_others_are_computed() -> None:
    events = optimise_events(SQUARE, RunRequest(100_000, DESCENT))
    assert next(events)["type"] == "header"
    assert next(events)["steps"] == list(range(FIRST_ROWS))
    del events  # the other hundred thousand are never computed


@pytest.mark.slow
def test_the_first_row_of_a_large_program_does_not_wait_for_the_function_of_its_loop() -> None:
    source = """
import tensorflow as tf
h = tf.constant([[.1 * k for k in range(16)]] * 3)
for k in range(20):
    h = tf.tanh(tf.matmul(h, tf.Variable([[.3] * 16] * 16)) + tf.Variable([.1] * 16))
train = tf.train.AdamOptimizer(.01).minimize(tf.reduce_sum(h * h))
"""
    program, run = ProgramRequest(source), RunRequest(9)
    _, first, *others, _ = optimise_events(program, run, scheduler=Scheduler())
    assert first["steps"] == [0]
    whole = optimise(program, run)
    assert joined([first, *others])["variables"] == whole["variables"]
    traced = trace(program, run)
    assert np.float32(whole["loss"]).tolist() == traced.columns[traced.loss].tolist()
    for step in (0, 1, 9):
        assert replay(program, run, step)["nodes"][traced.loss]["data"] == whole["loss"][step]


def test_a_mistake_of_the_first_step_comes_before_any_row() -> None:
    events = optimise_events(SQUARE, RunRequest(5, DESCENT, start={"x": [1, 2]}))
    assert next(events)["type"] == "header"
    with pytest.raises(GradlensError, match="has shape"):
        next(events)


def test_a_mistake_of_a_later_step_is_reported_in_the_footer() -> None:
    source = """
import tensorflow as tf
table = tf.Variable([1., 2., 3.])
x = tf.Variable(0.9)
y = tf.gather(table, tf.cast(x, tf.int32)) * 0. - x
train = tf.train.GradientDescentOptimizer(1.).minimize(y, var_list=[x])
"""
    run = optimise(ProgramRequest(source), RunRequest(9))
    assert run["variables"]["x"] == pytest.approx([0.9, 1.9, 2.9], abs=1e-6)
    assert (run["status"], run["stopped_at"]["step"]) == ("error", 3)  # row 3 of a table with rows 0 to 2
    assert run["diagnostics"][-1]["severity"] == "error"


def test_of_very_many_numbers_rows_are_left_out_but_never_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = optimise(SQUARE, RunRequest(10, DESCENT))
    monkeypatch.setattr(columns, "MAX_NUMBERS", 8)  # 11 rows of 3 numbers: every fifth
    thin = optimise(SQUARE, RunRequest(10, DESCENT))
    for table in ("variables", "gradients", "processed"):
        kept = [value if k % 5 == 0 else None for k, value in enumerate(whole[table]["x"])]
        assert thin[table]["x"] == kept
    assert thin["loss"] == whole["loss"]
    ended = optimise(ProgramRequest("log(x)", at={"x": 0.05}), RunRequest(10, DESCENT))
    assert ended["variables"]["x"] == [0.05, pytest.approx(-0.15)]


def test_a_loss_of_many_numbers_is_left_out_of_rows_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    program = ProgramRequest("import tensorflow as tf\nw = tf.Variable([3.0, 1.0])\ny = w * w\n")
    whole = optimise(program, RunRequest(20, DESCENT))["loss"]
    monkeypatch.setattr(columns, "MAX_NUMBERS", 14)  # 21 rows of 2 numbers: every third, and the last
    thin = optimise(program, RunRequest(20, DESCENT))["loss"]
    assert thin == [loss if k % 3 == 0 or k == 20 else None for k, loss in enumerate(whole)]


def test_one_can_go_on_from_the_last_row_of_each_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MAX_NUMBERS", 600)  # 1,001 rows of 3 numbers: every sixth
    _, *chunks, _ = optimise_events(SQUARE, RunRequest(1_000, DESCENT))
    assert any(chunk["variables"]["x"][1] is None for chunk in chunks)
    assert all(chunk["variables"]["x"][-1] is not None for chunk in chunks)


@pytest.mark.parametrize(("numbers", "rows", "every"), [(3, 101, 1), (1_000, 2_000, 1), (1_000, 2_001, 2)])
def test_so_many_rows_are_left_out_that_two_million_numbers_remain(
    numbers: int, rows: int, every: int
) -> None:
    assert stride(numbers, rows) == every


def test_rows_are_sent_after_the_first_few_and_then_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("engine.programs.training.scheduler.time.monotonic", lambda: now)
    scheduler = Scheduler()
    assert scheduler.due()
    assert [scheduler.due() for _ in range(MOST_ROWS)] == [False] * (MOST_ROWS - 1) + [True]
    now += EVERY_S
    assert scheduler.due()


def test_a_run_that_nobody_listens_to_ends_with_its_block_not_with_its_next_rows() -> None:
    def gone() -> None:
        raise BrokenPipeError

    events = optimise_events(SQUARE, RunRequest(100_000, DESCENT), scheduler=Scheduler(gone))
    assert next(events)["type"] == "header"
    with pytest.raises(BrokenPipeError):
        next(events)


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ([np.float32(0.1), np.float32(1.1515628)], [0.1, 1.1515628]),
        ([np.float64(0.1), np.float64("nan"), np.float64("-inf")], [0.1, "nan", "-inf"]),
        ([np.array([1.0, 2.0]), None], [[1.0, 2.0], None]),
        ([np.array([1.0]), np.array([1.0, 2.0])], [[1.0], [1.0, 2.0]]),
        ([np.int64(2**60), np.bool_(True)], [str(2**60), True]),
        ([], []),
    ],
)
def test_a_column_has_the_digits_that_its_type_really_has(rows: list[Any], shown: list[Any]) -> None:
    assert column_json(rows) == shown


def test_what_a_branch_that_was_not_taken_hands_on_is_blank_at_that_step() -> None:
    source = """
import tensorflow.compat.v1 as tf
x = tf.Variable(0.3)
y = tf.cond(x > 0., lambda: x * x + x, lambda: -x)
"""
    run = optimise(ProgramRequest(source), RunRequest(2, {"name": "GradientDescent", "learning_rate": 0.25}))
    assert run["variables"]["x"] == pytest.approx([0.3, -0.1, 0.15], abs=1e-6)  # slopes 1.6, -1
    assert run["nodes"]["cond/add:0"] == [pytest.approx(0.39), None, pytest.approx(0.1725)]
    blank = {
        name for name, column in run["nodes"].items() if column[0] is None and name.startswith("gradients")
    }
    reported = {
        name for name, column in run["nodes"].items() if column[1] is None and name.startswith("gradients")
    }
    assert {"gradients/Identity:0", "gradients/Identity_1:0"} & (blank | reported)
    assert not blank & reported
