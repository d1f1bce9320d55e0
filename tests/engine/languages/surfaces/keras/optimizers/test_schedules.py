"""Schedules of the program's own, and what schedules say of themselves. Expected: Keras 3.15."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import tensorflow as tf\nS = tf.keras.optimizers.schedules\n"


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_a_schedule_of_the_program_is_followed_step_by_step() -> None:
    source = """
class Halved(S.LearningRateSchedule):
    def __init__(self, first):
        super().__init__()
        self.first = first
    def __call__(self, step):
        return self.first / 2.0 ** tf.cast(step, tf.float32)
opt = tf.keras.optimizers.SGD(Halved(0.5))
v = tf.Variable(4.0)
for i in range(12):
    opt.apply([tf.constant(1.0)], [v])
    if i < 3:
        print(v.numpy(), opt.learning_rate.numpy())
print(v.numpy())
"""
    assert printed(source) == ["3.5 0.25", "3.25 0.125", "3.125 0.0625", "3.0002441"]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("S.ExponentialDecay(0.1, 10, 0.9)",
         "{'initial_learning_rate': 0.1, 'decay_steps': 10, 'decay_rate': 0.9, 'staircase': False, "
         "'name': 'ExponentialDecay'}"),
        ("S.CosineDecayRestarts(0.1, 10)",
         "{'initial_learning_rate': 0.1, 'first_decay_steps': 10, 't_mul': 2.0, 'm_mul': 1.0, 'alpha': 0.0, "
         "'name': 'SGDRDecay'}"),
        ("S.PiecewiseConstantDecay([5], [1.0, 0.5])",
         "{'boundaries': [5], 'values': [1.0, 0.5], 'name': 'PiecewiseConstant'}"),
    ],
)  # fmt: skip
def test_a_schedule_says_what_it_was_made_with(made: str, expected: str) -> None:
    assert printed(f"print({made}.get_config())") == [expected]
