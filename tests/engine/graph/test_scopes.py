"""Variable scopes: one name, one variable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import ops
from engine.errors import ProgramError
from engine.execution import Session
from engine.graph import Graph
from engine.graph.variables.initializers import Constant, VarianceScaling, Zeros
from engine.graph.variables.variable_scopes import AUTO_REUSE, get_variable, variable_scope


@pytest.fixture
def graph() -> Iterator[Graph]:
    with Graph().as_default() as made:
        yield made


def test_a_variable_is_named_after_its_scopes(graph: Graph) -> None:
    with variable_scope(graph, "a"), variable_scope(graph, "b"):
        assert get_variable(graph, "v", initializer=1.0).name == "a/b/v:0"


def test_a_name_scope_does_not_change_a_variables_name(graph: Graph) -> None:
    with graph.name_scope("outside"):
        assert get_variable(graph, "v", initializer=1.0).name == "v:0"


def test_a_scope_opened_again_gives_ops_another_name_but_the_same_variable(graph: Graph) -> None:
    with variable_scope(graph, "a"):
        first = get_variable(graph, "v", initializer=1.0)
    with variable_scope(graph, "a", reuse=True):
        again = get_variable(graph, "v")
        assert ops.square(again).name == "a_1/Square:0"
    assert again is first


def test_auto_reuse_makes_a_variable_once(graph: Graph) -> None:
    for _ in range(2):
        with variable_scope(graph, "a", reuse=AUTO_REUSE):
            get_variable(graph, "v", initializer=1.0)
    assert len(graph.collection("variables")) == 1


def test_a_second_variable_of_a_name_is_refused(graph: Graph) -> None:
    get_variable(graph, "v", initializer=1.0)
    with pytest.raises(ProgramError, match="The variable v exists already"):
        get_variable(graph, "v", initializer=1.0)


def test_reuse_of_a_variable_that_is_not_there_is_refused(graph: Graph) -> None:
    with (
        variable_scope(graph, "a", reuse=True),
        pytest.raises(ProgramError, match="There is no variable a/v to be used again"),
    ):
        get_variable(graph, "v", [2])


def test_the_scopes_initializer_fills_variables_without_one(graph: Graph) -> None:
    with variable_scope(graph, "a", initializer=Constant(0.5)):
        v = get_variable(graph, "v", [2])
    session = Session(graph)
    session.run(v.initializer)
    assert session.run(v).tolist() == [0.5, 0.5]


def test_an_initializer_stands_beside_its_variable(graph: Graph) -> None:
    get_variable(graph, "v", [2], initializer=Zeros())
    assert graph.node("v/Initializer/zeros").colocate == ("v",)


def test_glorots_numbers_keep_within_the_limit_of_their_fans(graph: Graph) -> None:
    v = get_variable(graph, "v", [2, 4], initializer=VarianceScaling(1.0, "fan_avg", "uniform"))
    session = Session(graph)
    session.run(v.initializer)
    assert abs(session.run(v)).max() <= 1.0  # sqrt(6 / (2 + 4))
