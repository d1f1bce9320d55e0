"""The graph around an update: slots, constants, train op, and what a mistake hears."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import ops, optimizers
from engine.errors import NoGradientError, ValueRefused
from engine.execution import Session
from engine.graph import Graph, Node, Variable
from engine.ops.arrays.gathering import gather
from engine.ops.base.building import convert_to_tensor


def line(node: Node) -> str:
    waits = [f"^{waited.name}" for waited in node.control_inputs]
    return f"{node.name} {node.op.name}({', '.join([t.edge_name for t in node.inputs] + waits)})"


def update_nodes(graph: Graph) -> list[str]:
    return [line(node) for node in graph.nodes if node.phase == "update"]


def test_slots_come_before_the_constants_and_the_train_op_waits_for_the_update() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        optimizers.momentum_optimizer(0.1, 0.9).minimize(ops.square(x))
    assert update_nodes(graph) == [
        "x/Momentum/Initializer/zeros Const()",
        "x/Momentum VariableV2()",
        "x/Momentum/Assign Assign(x/Momentum, x/Momentum/Initializer/zeros)",
        "x/Momentum/read Identity(x/Momentum)",
        "Momentum/learning_rate Const()",
        "Momentum/momentum Const()",
        "Momentum/update_x/ApplyMomentum ApplyMomentum(x, x/Momentum, Momentum/learning_rate,"
        " gradients/Square_grad/Mul_1, Momentum/momentum)",
        "Momentum NoOp(^Momentum/update_x/ApplyMomentum)",
    ]


def test_dual_averaging_counts_from_the_global_step() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        step = Variable(np.int64(0), name="global_step", trainable=False)
        optimizers.adagrad_da_optimizer(0.1, step).minimize(ops.square(x), global_step=step)
    nodes = update_nodes(graph)
    assert nodes[:2] == ["Const Const()", "Const_1 Const()"]
    assert nodes[8:] == [
        "AdagradDA/learning_rate Const()",
        "AdagradDA/Identity Identity(global_step/read)",
        "AdagradDA/add/y Const()",
        "AdagradDA/add AddV2(AdagradDA/Identity, AdagradDA/add/y)",
        "AdagradDA/update_x/Identity Identity(AdagradDA/add)",
        "AdagradDA/update_x/Cast/x Const()",
        "AdagradDA/update_x/Cast_1/x Const()",
        "AdagradDA/update_x/ApplyAdagradDA ApplyAdagradDA(x, x/AdagradDA, x/AdagradDA_1,"
        " gradients/Square_grad/Mul_1, AdagradDA/learning_rate, AdagradDA/update_x/Cast/x,"
        " AdagradDA/update_x/Cast_1/x, AdagradDA/update_x/Identity)",
        "AdagradDA/update NoOp(^AdagradDA/update_x/ApplyAdagradDA)",
        "AdagradDA/value Const(^AdagradDA/update)",
        "AdagradDA AssignAdd(global_step, AdagradDA/value)",
    ]


def test_shrinkage_asks_for_the_second_ftrl_op() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        optimizers.ftrl_optimizer(0.1, l2_shrinkage_regularization_strength=0.1).minimize(ops.square(x))
    assert graph.node("Ftrl/update_x/ApplyFtrlV2").op.name == "ApplyFtrlV2"


def test_a_slot_is_named_outside_of_scopes_and_a_shared_variable_inside() -> None:
    with Graph().as_default() as graph:
        x, one = Variable(3.0, name="x"), ops.constant(1.0)
        with graph.name_scope("train"):
            optimizers.adam_optimizer(0.1).apply_gradients([(one, x)])
    assert "x/Adam" in graph
    assert "train/beta1_power" in graph
    assert "train/Adam/update_x/ApplyAdam" in graph


def test_one_optimizer_keeps_its_slots_and_a_second_one_makes_its_own() -> None:
    with Graph().as_default() as graph:
        x, one = Variable(3.0, name="x"), ops.constant(1.0)
        first = optimizers.adam_optimizer(0.1)
        first.apply_gradients([(one, x)])
        first.apply_gradients([(one, x)])
        optimizers.adam_optimizer(0.1).apply_gradients([(one, x)])
    slots = [node.name for node in graph.nodes if node.op.name == "VariableV2"]
    assert slots == [
        "x",
        "beta1_power",
        "beta2_power",
        "x/Adam",
        "x/Adam_1",
        "beta1_power_1",
        "beta2_power_1",
        "x/Adam_2",
        "x/Adam_3",
    ]


def test_slots_wait_for_nothing_and_constants_wait_as_they_stand() -> None:
    with Graph().as_default() as graph:
        x, one = Variable(3.0, name="x"), ops.constant(1.0)
        wait = ops.constant(0.0, name="wait")
        with graph.control_dependencies([wait]):
            optimizers.momentum_optimizer(0.1, 0.9).apply_gradients([(one, x)])
    assert graph.node("x/Momentum/Initializer/zeros").control_inputs == ()
    assert graph.node("Momentum/learning_rate").control_inputs == (wait.node,)


def test_a_float64_variable_gets_its_constants_cast_where_they_are_used() -> None:
    with Graph().as_default() as graph:
        x = Variable(np.float64(3.0), name="x")
        optimizers.momentum_optimizer(0.1, 0.9).apply_gradients([(ops.constant(np.float64(1.0)), x)])
    assert line(graph.node("Momentum/update_x/ApplyMomentum")) == (
        "Momentum/update_x/ApplyMomentum ApplyMomentum(x, x/Momentum, Momentum/update_x/Cast, Const,"
        " Momentum/update_x/Cast_1)"
    )


def test_a_tensor_as_learning_rate_is_used_as_it_is() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        rate = convert_to_tensor(0.5, name="rate")
        optimizers.gradient_descent_optimizer(rate).minimize(ops.square(x))
    assert "GradientDescent/learning_rate" not in graph
    update = graph.node("GradientDescent/update_x/ApplyGradientDescent")
    assert update.inputs[1] is rate


def test_get_slot_gives_the_variable_that_holds_the_state() -> None:
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        optimizer = optimizers.momentum_optimizer(0.1, 0.9)
        train = optimizer.minimize(ops.square(x))
        slot = optimizer.get_slot(x, "momentum")
        session = Session(graph)
        session.run([variable.initializer for variable in graph.collection("variables")])
        session.run(train)
    assert optimizer.get_slot_names() == ["momentum"]
    assert session.run(slot) == 6.0  # the gradient of x^2 at 3


def gradients_at(gate: int) -> list[str]:
    with Graph().as_default() as graph:
        x, y = Variable(3.0, name="x"), Variable(4.0, name="y")
        optimizers.gradient_descent_optimizer(0.1).compute_gradients(x * y, gate_gradients=gate)
    return [node.name for node in graph.nodes if node.phase == "gradient"][3:]


def test_gating_holds_the_gradients_of_one_op_or_of_the_graph_together() -> None:
    products = ["gradients/mul_grad/Mul", "gradients/mul_grad/Mul_1"]
    gate = ["group_deps", "control_dependency", "control_dependency_1"]
    assert gradients_at(optimizers.Optimizer.GATE_NONE) == products
    assert gradients_at(optimizers.Optimizer.GATE_OP) == [
        *products,
        *(f"gradients/mul_grad/tuple/{name}" for name in gate),
    ]
    assert gradients_at(optimizers.Optimizer.GATE_GRAPH) == [*products, *(f"tuple/{name}" for name in gate)]


def test_a_loss_that_no_variable_leads_to_is_refused_by_name() -> None:
    with Graph().as_default():
        Variable(3.0, name="x")
        with pytest.raises(NoGradientError) as caught:
            optimizers.gradient_descent_optimizer(0.1).minimize(ops.square(ops.constant(2.0)))
    assert caught.value.message == (
        "None of the variables (x) is connected to Square:0, so there is no gradient to apply."
    )


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "apply_gradients was given no (gradient, variable) pairs."),
        ([(1.0, 2.0)], "Only variables can be updated, but a pair holds float."),
    ],
)
def test_pairs_that_are_no_pairs_are_refused(pairs: list[Any], message: str) -> None:
    with pytest.raises(ValueRefused) as caught:
        optimizers.adam_optimizer().apply_gradients(pairs)
    assert caught.value.message == message


def rows_gradient(optimizer: Any) -> tuple[Graph, Any, Node]:
    """x has three rows; the loss looks row 0 up twice and row 2 once."""
    with Graph().as_default() as graph:
        x = Variable([[3.0], [2.0], [1.0]], name="x")
        loss = ops.reduce_sum(ops.square(gather(x, [0, 2, 0])))
        return graph, x, optimizer.minimize(loss)


def after_one_step(optimizer: Any) -> list[float]:
    graph, x, train = rows_gradient(optimizer)
    session = Session(graph)
    session.run([variable.initializer for variable in graph.collection("variables")])
    session.run(train)
    return [float(row[0]) for row in session.run(x)]


def test_a_gradient_of_rows_is_taken_off_row_by_row() -> None:
    assert after_one_step(optimizers.gradient_descent_optimizer(0.125)) == [1.5, 2.0, 0.75]  # 3 - 2 * 6/8


def test_a_row_that_occurs_twice_is_summed_before_its_square_is_taken() -> None:
    rows = after_one_step(optimizers.adagrad_optimizer(1.0, initial_accumulator_value=25.0))
    assert rows == pytest.approx([3 - 12 / 13, 2.0, 1 - 2 / np.sqrt(29)])  # 25 + 12^2 = 13^2


def test_a_row_without_a_gradient_stays_where_it_is_under_momentum() -> None:
    graph, x, train = rows_gradient(optimizers.momentum_optimizer(0.1, 0.9))
    nodes = [line(node) for node in graph.nodes if node.name.startswith("Momentum/update_x")]
    assert nodes[0] == "Momentum/update_x/Unique Unique(gradients/GatherV2_grad/Reshape_1)"
    assert nodes[-1] == (
        "Momentum/update_x/SparseApplyMomentum SparseApplyMomentum(x, x/Momentum, Momentum/learning_rate,"
        " Momentum/update_x/UnsortedSegmentSum, Momentum/update_x/Unique, Momentum/momentum)"
    )
    session = Session(graph)
    session.run([variable.initializer for variable in graph.collection("variables")])
    for _ in range(3):
        session.run(train)
    assert session.run(x)[1] == 2.0


def test_adam_spells_a_gradient_of_rows_out() -> None:
    graph, _, _ = rows_gradient(optimizers.adam_optimizer(0.1))
    assert graph.node("Adam/update_x/AssignSub").inputs[0].name == "x:0"
    assert [node.name for node in graph.node("Adam/update_x/ScatterAdd").control_inputs] == [
        "Adam/update_x/Assign"
    ]


def test_an_optimizer_without_a_sparse_op_gets_the_gradient_as_one_tensor() -> None:
    optimizer = optimizers.Optimizer(optimizers.keras.SGD(learning_rate=0.125))
    assert after_one_step(optimizer) == [1.5, 2.0, 0.75]
