"""Random numbers of TensorFlow 1 under a seed: those of TensorFlow 1.15.5."""

from __future__ import annotations

import json

import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program

GRAPH = """
import tensorflow as tf
import numpy as np
tf.set_random_seed(42)
a = tf.random_normal([3])
b = tf.random_uniform([2, 2], -1, 1)
c = tf.truncated_normal([4], stddev=0.1)
d = tf.random_uniform([3], 0, 10, dtype=tf.int32)
e = tf.random_shuffle(tf.range(6))
f = tf.multinomial([[1., 2., 3.]], 4)
g = tf.random_normal([2], seed=5)
W = tf.get_variable("W", [2, 3])
V = tf.Variable(tf.truncated_normal([2, 2], stddev=0.1))
U = tf.get_variable("U", [2, 2], initializer=tf.contrib.layers.xavier_initializer())
x = tf.placeholder(tf.float32, [None, 4])
dr = tf.nn.dropout(x, 0.5)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for t in (a, b, c, d, e, f, g, a, b, c, d, e, f, g, W, V, U):
        print(s.run(t).tolist())
    for count in (1, 3, 2):
        print(s.run(dr, {x: np.ones((count, 4))}).tolist())
"""
OF_TENSORFLOW = [
    [0.8021454811096191, 0.5056790113449097, 1.8120126724243164],
    [[0.5921480655670166, -0.0036842823028564453], [0.3448216915130615, -0.6533956527709961]],
    [-0.13482718169689178, 0.034266967326402664, 0.07641670107841492, -0.026317492127418518],
    [7, 4, 1],
    [2, 3, 4, 1, 5, 0],
    [[2, 2, 2, 2]],
    [1.0800440311431885, -2.4731929302215576],
    [-0.2875041961669922, -0.27244383096694946, -1.6562232971191406],
    [[-0.7648510932922363, 0.050177574157714844], [-0.4625682830810547, 0.8178954124450684]],
    [-0.05646887049078941, 0.06704200059175491, -0.04137784242630005, -0.07174008339643478],
    [9, 1, 0],
    [3, 2, 5, 4, 1, 0],
    [[2, 1, 2, 2]],
    [1.7888879776000977, -0.03654291480779648],
    [
        [-0.4050907492637634, 0.20401251316070557, 0.2945058345794678],
        [0.8116223812103271, -0.5611258149147034, 0.054844021797180176],
    ],
    [[-0.06554914265871048, 0.07017678022384644], [0.03827789053320885, 0.033415548503398895]],
    [[-0.9492542147636414, -1.1341594457626343], [-0.7197812795639038, 0.3440028429031372]],
    [[0.0, 2.0, 0.0, 2.0]],
    [[2.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 2.0], [2.0, 0.0, 0.0, 0.0]],
    [[2.0, 0.0, 2.0, 0.0], [2.0, 2.0, 2.0, 2.0]],
]


def printed(source: str) -> list[list[float]]:
    answer = run_program(ProgramRequest(source, dialect="tf1"), Limits(wall_s=60))
    assert answer["status"] == "ok", answer["diagnostics"]
    assert "own_random_numbers" not in [one["code"] for one in answer["diagnostics"]]
    return [json.loads(line) for line in answer["printed"]]


def flat(value: object) -> list[float]:
    return [one for part in value for one in flat(part)] if isinstance(value, list) else [value]  # type: ignore[list-item]


def test_a_session_draws_what_tensorflow_draws_run_after_run() -> None:
    for here, there in zip(printed(GRAPH), OF_TENSORFLOW, strict=True):
        assert flat(here) == pytest.approx(flat(there), rel=1e-6)


def test_a_data_set_has_tensorflows_order() -> None:
    source = """
import tensorflow as tf
tf.set_random_seed(42)
rows = tf.data.Dataset.range(8)
for data in (rows.shuffle(8), rows.shuffle(4, seed=3)):
    step = data.make_one_shot_iterator().get_next()
    with tf.Session() as s:
        print([int(s.run(step)) for _ in range(8)])
"""
    assert printed(source) == [[7, 5, 3, 4, 0, 2, 6, 1], [2, 3, 1, 4, 6, 7, 5, 0]]
