"""What an imported graph consists of, in numbers that one can count."""

from __future__ import annotations

from engine.interchange.reading import read_graph
from engine.interchange.reading.statistics import statistics_of
from tests.engine.interchange.reading.graphs import small
from tests.engine.programs.imported.test_growing import file_of
from tests.limits import ROOMY


def test_x_times_x_has_its_edges_counted_each() -> None:
    found = statistics_of(read_graph(small("mul_x_x").SerializeToString(), ROOMY))
    assert (found["edges"], found["control_edges"], found["variables"]) == (11, 1, 1)
    assert found["scopes"] == 3  # Variable, gradients, gradients/mul_grad
    assert found["phases"] == {"forward": 5, "gradient": 4}
    assert found["ops"][0] == {"op": "Mul", "count": 3}
    assert found["kinds"] == 7


def test_the_numbers_in_variables_are_counted() -> None:
    data = file_of("w = tf.Variable(tf.zeros([3, 4]), name='w')\nb = tf.Variable(tf.zeros([4]), name='b')")
    found = statistics_of(read_graph(data, ROOMY))
    assert (found["variables"], found["parameters"]) == (2, 16)  # 3 · 4 + 4
