"""Graphs as functions: values in, values out, against numbers by hand and against the session."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients
from engine.execution import lower
from engine.graph import Graph, Variable


def test_a_program_is_a_function_of_its_arguments() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=())
        y = ops.square(x)
        (slope,) = gradients(y, [x])
    assert lower([y, slope], [x])(3.0) == (9.0, 6.0)


def test_a_variable_can_be_an_argument() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(2.0)
        y = x * x
    assert lower([y], [x.ref])(5.0) == (25.0,)
    assert lower([y], [x.read])(6.0) == (36.0,)


def test_a_fed_tensor_stays_the_same() -> None:
    with Graph().as_default():
        x = ops.placeholder("float64", shape=(2,))
        y = ops.placeholder("float64", shape=(2,))
        z = x * y
    program = lower([z], [x], feeds={y: [2.0, 3.0]})
    np.testing.assert_array_equal(program([1.0, 10.0])[0], [2.0, 30.0])


@pytest.mark.slow
@pytest.mark.parametrize("as_machine_code", [False, True])
def test_threads_may_call_one_program_at_the_same_time(as_machine_code: bool) -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(50_000,))
        y = x
        for _ in range(10):
            y = ops.sin(y) * 0.5
    program = lower([y], [x])
    if as_machine_code and not program.compile():
        pytest.skip("numba is not there")
    given = [np.full(50_000, start) for start in (0.25, 0.5, 0.75, 1.0)]
    expected = [program(value)[0] for value in given]

    def agrees(turn: int) -> bool:
        return np.array_equal(program(given[turn % 4])[0], expected[turn % 4])

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(agrees, range(100)))
