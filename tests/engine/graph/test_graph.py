"""Nodes, scopes, control dependencies and phases."""

import pytest

from engine import ops
from engine.errors import DtypeError, GraphError, LimitError, ShapeError, Span
from engine.graph import Graph, Node, Variable


def names(graph: Graph) -> list[str]:
    return [node.name for node in graph.nodes]


def waits_for(node: Node) -> list[str]:
    return [other.name for other in node.control_inputs]


def test_an_operator_names_its_constant_after_itself():
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", (), name="x")
        _ = 2.0 * x + 3.0
    assert names(graph) == ["x", "mul/x", "mul", "add/y", "add"]


def test_a_variable_is_four_nodes_and_operations_take_its_read():
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        y = ops.sin(x)
    assert names(graph) == ["x/initial_value", "x", "x/Assign", "x/read", "Sin"]
    assert y.node.inputs == (x.read,)
    assert graph.node("x/read").colocate == ("x",)


def test_a_scope_entered_twice_is_made_unique_and_one_with_a_slash_is_entered_again():
    graph = Graph()
    with graph.name_scope("net") as first:
        pass
    with graph.name_scope("net") as second:
        pass
    with graph.name_scope(first) as again:
        pass
    assert (first, second, again) == ("net/", "net_1/", "net/")


def test_a_node_waits_for_the_block_that_it_is_made_in():
    with Graph().as_default() as graph:
        a = ops.constant(1.0, name="a")
        with graph.control_dependencies([a]):
            b = ops.constant(2.0, name="b")
    assert waits_for(b.node) == ["a"]


def test_a_node_does_not_wait_for_what_it_takes_as_input():
    with Graph().as_default() as graph:
        a = ops.constant(1.0, name="a")
        with graph.control_dependencies([a]):
            b = ops.neg(a)
    assert waits_for(b.node) == []


def test_a_node_whose_input_waits_already_does_not_wait_again():
    with Graph().as_default() as graph:
        a = ops.constant(1.0, name="a")
        b = ops.constant(2.0, name="b")
        with graph.control_dependencies([a]):
            c = ops.sin(b)
            d = ops.neg(c)
    assert waits_for(c.node) == ["a"]
    assert waits_for(d.node) == []


def test_variables_wait_for_nothing():
    with Graph().as_default() as graph:
        a = ops.constant(1.0)
        with graph.control_dependencies([a]):
            x = Variable(3.0)
    assert waits_for(x.initializer) == []


def test_after_a_gradient_the_program_makes_nodes_of_the_phase_after():
    with Graph().as_default() as graph:
        before = ops.constant(1.0)
        with graph.making("gradient", of=before.node):
            during = ops.constant(2.0)
        after = ops.constant(3.0)
    assert [t.node.phase for t in (before, during, after)] == ["forward", "gradient", "after"]
    assert during.node.of is before.node
    assert after.node.of is None


def test_nodes_carry_the_place_in_the_source():
    place = Span(4, 5, 4, 14)
    with Graph().as_default() as graph, graph.at(place):
        y = ops.constant(1.0)
    assert y.node.span == place


def test_shapes_that_do_not_fit_are_refused_before_anything_runs():
    with Graph().as_default():
        a = ops.zeros((32, 784))
        b = ops.zeros((128, 10))
        with pytest.raises(ShapeError) as refusal:
            ops.matrix_product(a, b)
    assert refusal.value.message == "MatMul multiplies (m, k) by (k, n), but got (32, 784) by (128, 10)."
    assert refusal.value.hint == "The columns of the first must be as many as the rows of the second."
    assert refusal.value.node == "MatMul"


def test_types_are_never_mixed():
    with Graph().as_default():
        x = ops.constant(1.0, name="x")
        n = ops.constant(2, name="n")
        with pytest.raises(DtypeError) as refusal:
            ops.mul(x, n)
    assert refusal.value.message == "Mul needs float32 for its input y, but n:0 is int32."


def test_tensors_of_two_graphs_do_not_meet():
    with Graph().as_default():
        a = ops.constant(1.0)
    with Graph().as_default():
        b = ops.constant(2.0)
        with pytest.raises(GraphError) as refusal:
            ops.add(a, b)
    assert refusal.value.code == "other_graph"


def test_the_node_budget_stops_a_graph_that_grows_without_end():
    with Graph(node_limit=5).as_default() as graph:
        x = ops.constant(0.5)
        for _ in range(4):
            x = ops.sin(x)
        with pytest.raises(LimitError) as stop:
            ops.sin(x)
    assert stop.value.code == "node_limit"
    assert len(graph.nodes) == 5


def test_looking_up_what_is_not_there_says_so():
    with pytest.raises(GraphError, match="no node named 'Exp'"):
        Graph().tensor("Exp:0")
