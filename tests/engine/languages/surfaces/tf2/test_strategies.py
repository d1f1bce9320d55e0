"""`tf.distribute` on one processor; texts and numbers from TensorFlow 2.21."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

BEGIN = "import tensorflow as tf\n"


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("made", "name"),
    [
        ("get_strategy()", "_DefaultDistributionStrategy"),
        ("MirroredStrategy()", "MirroredStrategy"),
        ("OneDeviceStrategy('/cpu:0')", "OneDeviceStrategy"),
    ],
)
def test_a_strategy_has_one_replica(made: str, name: str) -> None:
    source = f"s = tf.distribute.{made}\nprint(s.__class__.__name__, s.num_replicas_in_sync)"
    assert printed(source) == [f"{name} 1"]


def test_a_model_is_trained_within_the_scope() -> None:
    source = """
s = tf.distribute.MirroredStrategy()
with s.scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer='ones')])
    m.compile('sgd', 'mse')
m.fit(tf.ones((2, 2)), tf.ones((2, 1)), verbose=0)
print([w.tolist() for w in m.get_weights()])
"""
    # 2 - 1 = 1 too much: each weight and the bias less 0.01 * 2
    assert printed(source) == ["[[[0.9800000190734863], [0.9800000190734863]], [-0.019999999552965164]]"]


def test_the_replica_runs_a_function_and_its_results_are_reduced() -> None:
    source = """
s = tf.distribute.get_strategy()
print(s.run(lambda a: a + 1, args=(tf.constant(1.0),)).numpy())
losses = tf.constant([1.0, 2.0])
total = s.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
print(total.numpy(), s.reduce('MEAN', losses, axis=0).numpy())
"""
    assert printed(source) == ["2.0", "[1. 2.] 1.5"]


def test_several_devices_are_refused() -> None:
    source = BEGIN + "tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])"
    answer = run_program(ProgramRequest(source, dialect="tf2"))
    assert answer["diagnostics"][0]["message"] == (
        "There is one processor here, and MirroredStrategy was given 2 devices."
    )
