"""`gradients`: names, order, sums, and all its options, on graphs small enough to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients, hessians
from engine.differentiation.reverse import custom
from engine.errors import NoGradientError, ValueRefused
from engine.execution import Session
from engine.graph import Graph, IndexedSlices, Variable


@pytest.fixture
def graph() -> Iterator[Graph]:
    with Graph().as_default() as made:
        yield made


def run(graph: Graph, fetches: Any) -> Any:
    session = Session(graph)
    for variable in graph.collection("variables"):
        session.run(variable.initializer)
    return session.run(fetches)


def made_by_gradients(graph: Graph) -> list[str]:
    return [node.name for node in graph.nodes if node.phase == "gradient"]


def test_a_product_adds_three_seeds_and_two_products(graph: Graph) -> None:
    x, w = Variable(3.0, name="x"), Variable(2.0, name="w")
    dx, dw = gradients(x * w, [x, w])
    assert made_by_gradients(graph) == [
        "gradients/Shape",
        "gradients/grad_ys_0",
        "gradients/Fill",
        "gradients/mul_grad/Mul",
        "gradients/mul_grad/Mul_1",
    ]
    assert run(graph, [dx, dw]) == [2.0, 3.0]


def test_contributions_are_added_in_the_order_in_which_they_arrive(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    (dx,) = gradients(x * x, [x])
    assert [t.name for t in dx.node.inputs] == ["gradients/mul_grad/Mul:0", "gradients/mul_grad/Mul_1:0"]
    assert run(graph, dx) == 6.0


def test_several_ys_are_summed(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    (dx,) = gradients([x * 2.0, ops.square(x)], [x])
    assert run(graph, dx) == 8.0  # 2 + 2 * 3


def test_grad_ys_scale_what_flows_back(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    (dx,) = gradients(ops.square(x), [x], ops.constant(10.0))
    assert run(graph, dx) == 60.0  # 10 * 2 * 3


def test_stop_gradients_makes_a_tensor_a_constant(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    a = x * 2.0
    (dx,) = gradients(a * x, [x], stop_gradients=[a])
    assert run(graph, dx) == 6.0  # only the second factor counts


def test_an_unconnected_x_gives_none_or_zeros(graph: Graph) -> None:
    x, u = Variable(3.0, name="x"), Variable([1.0, 2.0], name="u")
    assert gradients(x * 1.0, [u]) == [None]
    (du,) = gradients(x * 1.0, [u], unconnected_gradients="zero")
    assert run(graph, du).tolist() == [0.0, 0.0]


def test_integers_carry_no_gradient(graph: Graph) -> None:
    x = Variable(3.7, name="x")
    (dx,) = gradients(ops.cast(ops.cast(x, "int32"), "float32") * x, [x])
    assert run(graph, dx) == 3.0  # through the second factor alone


def test_a_gate_gives_out_the_gradients_of_one_node_together(graph: Graph) -> None:
    x, w = Variable(3.0, name="x"), Variable(2.0, name="w")
    dx, dw = gradients(x * w, [x, w], gate=True)
    assert dx.name == "gradients/mul_grad/tuple/control_dependency:0"
    gate = graph.node("gradients/mul_grad/tuple/group_deps")
    assert {node.name for node in gate.control_inputs} == {
        "gradients/mul_grad/Mul",
        "gradients/mul_grad/Mul_1",
    }
    assert dw.node.control_inputs == (gate,)


def test_gradients_stand_beside_the_ops_that_they_belong_to(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    gradients(ops.sin(x), [x], colocate=True)
    assert graph.node("gradients/Sin_grad/Cos").colocate == ("Sin",)


def test_a_gradient_node_says_whose_gradient_it_is(graph: Graph) -> None:
    x = Variable(3.0, name="x")
    gradients(ops.sin(x), [x])
    assert graph.node("gradients/Sin_grad/Cos").of is graph.node("Sin")


def test_the_third_derivative_of_a_fourth_power(graph: Graph) -> None:
    x = Variable(2.0, name="x")
    y = x * x * x * x
    for _ in range(3):
        (y,) = gradients(y, [x])
    assert run(graph, y) == 48.0  # 24 x


def test_rows_looked_up_come_back_as_rows(graph: Graph) -> None:
    table = Variable([10.0, 20.0, 30.0], name="table")
    (rows,) = gradients(ops.square(ops.gather(table, [0, 2, 2])), [table])
    assert isinstance(rows, IndexedSlices)
    assert run(graph, rows.values).tolist() == [20.0, 60.0, 60.0]
    assert run(graph, rows.indices).tolist() == [0, 2, 2]
    with graph.as_default():
        assert run(graph, ops.convert_to_tensor(rows)).tolist() == [20.0, 0.0, 120.0]


def test_rows_become_dense_only_where_they_meet_something_dense(graph: Graph) -> None:
    table = Variable([10.0, 20.0], name="table")
    y = ops.reduce_sum(ops.gather(table, [1])) + ops.reduce_sum(table * 3.0)
    (total,) = gradients(y, [table])
    assert total.node.op.name == "AddN"
    assert run(graph, total).tolist() == [3.0, 4.0]


def test_rows_from_several_look_ups_are_joined(graph: Graph) -> None:
    table = Variable([10.0, 20.0], name="table")
    y = ops.reduce_sum(ops.gather(table, [1])) + ops.reduce_sum(ops.gather(table, [0, 1]))
    (rows,) = gradients(y, [table])
    assert run(graph, rows.indices).tolist() == [1, 0, 1]


def test_a_rule_put_in_the_place_of_an_ops_own(graph: Graph) -> None:
    graph.gradient_rules["Seven"] = custom.as_rule(lambda node, dy: dy * 7.0)
    x = Variable(2.0, name="x")
    with graph.gradient_override_map({"Sin": "Seven"}):
        y = ops.sin(x)
    (dx,) = gradients(y, [x])
    assert run(graph, dx) == 7.0


def test_an_override_that_nobody_registered_is_refused(graph: Graph) -> None:
    x = Variable(2.0, name="x")
    with graph.gradient_override_map({"Sin": "Nothing"}):
        y = ops.sin(x)
    with pytest.raises(NoGradientError, match="No gradient is registered under the name 'Nothing'"):
        gradients(y, [x])


def test_a_function_with_a_gradient_of_its_own(graph: Graph) -> None:
    def clipped(x: Any) -> Any:
        return ops.square(x), lambda dy: ops.clip_by_value(dy * 2.0 * x, -1.0, 1.0)

    x = Variable(5.0, name="x")
    (dx,) = gradients(custom.custom_gradient(graph, clipped, [x]), [x])
    assert run(graph, dx) == 1.0  # 10, cut off


def test_a_gradient_of_the_wrong_count_is_refused(graph: Graph) -> None:
    x = Variable(5.0, name="x")
    y = custom.custom_gradient(graph, lambda v: (ops.square(v), lambda dy: [dy, dy]), [x])
    with pytest.raises(NoGradientError, match="returns 2 values, but there are 1 inputs"):
        gradients(y, [x])


def test_hessians_of_a_polynomial(graph: Graph) -> None:
    x = Variable([1.0, 2.0], name="x")
    (matrix,) = hessians(x[0] * x[0] * x[1], x)
    assert run(graph, matrix).tolist() == [[4.0, 2.0], [2.0, 0.0]]  # [[2 y, 2 x], [2 x, 0]]
    assert "while/LoopCond" in graph


@pytest.mark.slow
def test_a_chain_of_a_hundred_thousand_ops_differentiates(graph: Graph) -> None:
    x = Variable(0.5, name="x")
    y = x.as_tensor()
    for _ in range(100_000):
        y = ops.neg(y)
    (dx,) = gradients(y, [x])
    assert dx.node.op.name == "Neg"


def test_an_op_without_a_gradient_says_why(graph: Graph) -> None:
    x = Variable([3.0, 1.0], name="x")
    with pytest.raises(NoGradientError, match="RandomShuffle has no gradient: its output is a new order"):
        gradients(ops.random_shuffle(x), [x])


def test_ys_are_tensors() -> None:
    with pytest.raises(ValueRefused, match=r"The ys of tf\.gradients are tensors"):
        gradients(3.0, [3.0])


def test_the_gradient_of_the_determinant_holds_for_matrices_that_are_not_symmetric(graph: Graph) -> None:
    x = Variable([[2.0, 1.0], [0.0, 3.0]], name="x")
    (dx,) = gradients(ops.matrix_determinant(x), [x])
    np.testing.assert_allclose(run(graph, dx), [[3.0, 0.0], [-1.0, 2.0]], rtol=1e-6)  # the cofactors
