"""Unique names and scopes follow TensorFlow's rule."""

import pytest

from engine.errors import GraphError
from engine.graph.names import Names


def test_the_second_use_of_a_name_gets_1():
    names = Names()
    assert [names.unique("mul") for _ in range(3)] == ["mul", "mul_1", "mul_2"]


def test_names_collide_without_regard_to_case_and_keep_their_own_capitals():
    names = Names()
    assert names.unique("Mul") == "Mul"
    assert names.unique("mul") == "mul_1"


def test_a_number_that_was_taken_by_hand_is_skipped():
    names = Names()
    assert names.unique("x_1") == "x_1"
    assert names.unique("x") == "x"
    assert names.unique("x") == "x_2"


def test_peeking_takes_nothing():
    names = Names()
    names.unique("y")
    assert names.peek("y") == "y_1"
    assert names.unique("y") == "y_1"


def test_a_scope_stands_before_the_name():
    names = Names()
    names.scope = "gradients"
    assert names.unique("Shape") == "gradients/Shape"


@pytest.mark.parametrize("name", ["", "a b", "_hidden", "损失"])
def test_a_name_that_tensorflow_refuses_is_refused(name):
    with pytest.raises(GraphError) as refusal:
        Names().check(name)
    assert refusal.value.code == "bad_name"


def test_inside_a_scope_a_name_may_begin_with_an_underscore():
    names = Names()
    names.scope = "layer"
    names.check("_hidden")
