"""Graphs as functions: values in, values out, against numbers by hand and against the session."""

import numpy as np

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
