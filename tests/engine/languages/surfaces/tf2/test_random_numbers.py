"""Random numbers of TensorFlow 2 under a seed: those of TensorFlow 2.21."""

from __future__ import annotations

import json

import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program

BEGIN = "import tensorflow as tf\ntf.random.set_seed(7)\n"


def printed(source: str) -> list[object]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"), Limits(wall_s=60))
    assert answer["status"] == "ok", answer["diagnostics"]
    assert answer["diagnostics"] == []
    return [json.loads(line) for line in answer["printed"]]


def test_each_operation_has_a_seed_of_its_own() -> None:
    source = """
print(tf.random.uniform([3]).numpy().tolist())
print(tf.random.normal([3]).numpy().tolist())
print(tf.random.truncated_normal([5]).numpy().tolist())
print(tf.random.uniform([3], 0, 100, dtype=tf.int32).numpy().tolist())
print(tf.random.shuffle(tf.range(10)).numpy().tolist())
"""
    wanted = [
        [0.834453821182251, 0.23336660861968994, 0.8796519041061401],
        [-2.2733311653137207, -1.659210443496704, -0.2633568048477173],
        [
            *(1.5749502182006836, -0.529021680355072, -0.7040792107582092),
            *(-0.9237985014915466, -1.3505825996398926),
        ],
        [10, 4, 45],
        [6, 0, 4, 2, 7, 5, 1, 3, 9, 8],
    ]
    for here, there in zip(printed(source), wanted, strict=True):
        assert here == pytest.approx(there, rel=1e-6)


def test_classes_are_drawn_row_after_row() -> None:
    source = """
for _ in range(6):
    tf.random.uniform([1])
print(tf.random.categorical([[0.1, 0.2, 0.7], [1.0, 2.0, 3.0]], 7).numpy().tolist())
"""
    assert printed(source) == [[[2, 1, 1, 2, 2, 0, 1], [2, 2, 1, 2, 1, 2, 1]]]


def test_operations_with_one_seed_go_on_from_call_to_call() -> None:
    source = """
for _ in range(3):
    print(tf.random.uniform([2], seed=5).numpy().tolist())
tf.random.set_seed(7)
print(tf.random.uniform([2], seed=5).numpy().tolist())
"""
    first = [0.8669310808181763, 0.0021675825119018555]
    second, third = [0.985871434211731, 0.6608403921127319], [0.1684257984161377, 0.9878532886505127]
    assert printed(source) == [first, second, third, first]


def test_operations_of_a_function_are_counted_in_it_and_go_on_at_each_call() -> None:
    source = """
@tf.function
def f():
    return tf.random.uniform([2]), tf.random.uniform([2])
@tf.function
def g():
    return tf.random.uniform([2])
for part in (*f(), *f(), g()):
    print(part.numpy().tolist())
"""
    first, second = [0.7537285089492798, 0.07793760299682617], [0.4603748321533203, 0.9285181760787964]
    third, fourth = [0.39710164070129395, 0.6849350929260254], [0.7407518625259399, 0.29213786125183105]
    assert printed(source) == [first, second, third, fourth, first]


def test_a_data_set_has_tensorflows_order() -> None:
    source = """
data = tf.data.Dataset.range(8).shuffle(8)
for _ in range(2):
    print([int(x) for x in data])
data = tf.data.Dataset.range(8).shuffle(3, seed=1)
print([int(x) for x in data])
data = tf.data.Dataset.range(8).shuffle(8, reshuffle_each_iteration=False)
for _ in range(2):
    print([int(x) for x in data])
print([int(x) for x in tf.data.Dataset.range(8).shuffle(4).repeat(3)])
"""
    fixed = [0, 2, 5, 1, 4, 7, 3, 6]
    assert printed(source) == [
        [4, 2, 6, 1, 7, 5, 0, 3],
        [6, 2, 7, 3, 1, 5, 4, 0],
        [2, 3, 4, 0, 5, 6, 1, 7],
        fixed,
        fixed,
        [2, 4, 0, 1, 5, 7, 3, 6, 1, 4, 2, 6, 3, 0, 5, 7, 0, 2, 1, 3, 4, 5, 6, 7],
    ]


def test_the_rules_of_tensorflow_2_spread_by_a_twentieth() -> None:
    source = """
print(tf.random_normal_initializer(seed=3)((2,)).numpy().tolist())
print(tf.random.stateless_truncated_normal((3,), seed=(1, 2)).numpy().tolist())
"""
    normal, cut = printed(source)
    assert normal == pytest.approx([-0.03357924148440361, 0.08380252122879028], rel=1e-6)
    assert cut == pytest.approx([0.544110119342804, 0.20738030970096588, 0.0735643208026886], rel=1e-6)
