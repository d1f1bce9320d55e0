"""The graph without plumbing keeps the mathematics and TensorFlow's names."""

from engine import ops
from engine.differentiation import gradients
from engine.graph import Graph, Variable
from engine.graph.essentials import essentials
from engine.optimizers import gradient_descent_optimizer


def drawn(graph: Graph) -> dict[str, list[str]]:
    return {kept.node.name: [tensor.edge_name for tensor in kept.inputs] for kept in essentials(graph)}


def test_exp_of_sin_keeps_three_forward_nodes_the_seed_and_three_gradient_nodes():
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        gradients(ops.exp(ops.sin(x)), [x])
    assert drawn(graph) == {
        "x": [],
        "Sin": ["x"],
        "Exp": ["Sin"],
        "gradients/grad_ys_0": [],
        "gradients/Exp_grad/mul": ["gradients/grad_ys_0", "Exp"],
        "gradients/Sin_grad/Cos": ["x"],
        "gradients/Sin_grad/mul": ["gradients/Exp_grad/mul", "gradients/Sin_grad/Cos"],
    }


def test_gates_between_gradients_are_seen_through():
    with Graph().as_default() as graph:
        w, x = Variable(2.0, name="w"), Variable(5.0, name="x")
        gradient_descent_optimizer(0.1).minimize(w * x)
    kept = drawn(graph)
    assert kept["GradientDescent/update_w/ApplyGradientDescent"] == [
        "w",
        "GradientDescent/learning_rate",
        "gradients/mul_grad/Mul",
    ]
    assert not any("tuple" in name for name in kept)


def test_a_sum_that_undoes_a_real_broadcast_stays_and_its_axes_go():
    with Graph().as_default() as graph:
        x, b = Variable([1.0, 2.0, 3.0], name="x"), Variable(0.5, name="b")
        gradients(x + b, [x, b])
    kept = drawn(graph)
    assert kept["gradients/add_grad/Sum"] == ["gradients/grad_ys_0"]
    assert not any("BroadcastGradientArgs" in name or "reduction_indices" in name for name in kept)


def test_where_nothing_was_broadcast_the_quotient_rule_stands_alone():
    with Graph().as_default() as graph:
        x, y = Variable(3.0, name="x"), Variable(4.0, name="y")
        gradients(x / y, [x, y])
    assert [name for name in drawn(graph) if name.startswith("gradients/truediv_grad")] == [
        "gradients/truediv_grad/RealDiv",
        "gradients/truediv_grad/Neg",
        "gradients/truediv_grad/RealDiv_1",
        "gradients/truediv_grad/RealDiv_2",
        "gradients/truediv_grad/mul",
    ]


def test_the_axes_of_a_reduction_are_plumbing_but_a_constant_factor_is_not():
    with Graph().as_default() as graph:
        ops.reduce_mean(ops.constant([1.0, 2.0], name="c") * 3.0)
    assert list(drawn(graph)) == ["c", "mul/y", "mul", "Mean"]


def test_a_result_stays_whose_gradient_asks_for_its_shape():
    with Graph().as_default() as graph:
        y = Variable(3.0, name="x") * ops.placeholder("float32", None, name="fed")
        gradients(y, [graph.tensor("x:0")])
    assert drawn(graph)["mul"] == ["x", "fed"]
