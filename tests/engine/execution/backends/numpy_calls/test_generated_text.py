"""What the generated functions are like: short, safe, shared, and open to be read."""

from __future__ import annotations

import numpy as np
import pytest

from engine import ops
from engine.differentiation import gradients
from engine.execution import lower, lower_training
from engine.execution.backends import templates as from_text
from engine.execution.backends.numpy_calls.writing import write_program
from engine.execution.tracing import walk
from engine.execution.tracing.walk import lowered_program
from engine.graph import Graph, Variable
from engine.optimizers import adam_optimizer, gradient_descent_optimizer


def test_the_text_is_a_line_a_node_and_names_it() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(), name="x")
        y = ops.exp(ops.sin(x))
        (slope,) = gradients(y, [x])
    assert lower([y, slope], [x]).source == (
        "def program(x0):\n"
        "    try:\n"
        "        v1 = sin(x0)  # Sin\n"
        "        v2 = exp(v1)  # Exp\n"
        "        v3 = cos(x0)  # gradients/Sin_grad/Cos\n"
        "        v4 = v2 * v3  # gradients/Sin_grad/mul\n"
        "        return (v2, v4,)\n"
        "    except domain_errors:\n"
        "        return interpret(x0)\n"
    )


def test_no_name_of_a_program_reaches_the_compiler() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(3,), name="os.system")
        y = ops.reduce_sum(ops.sin(x) * 4.25, name="x.__import__")
    written = write_program(lowered_program([y], [x], [(3,)], {}))
    assert "x.__import__" in written.shown
    for text in ("system", "import", "4.25", "#"):
        assert text not in written.code


def test_programs_of_one_structure_share_their_code_but_not_their_constants() -> None:
    def program(factor: float) -> float:
        with Graph(default_float="float64").as_default():
            x = ops.placeholder("float64", shape=())
            y = ops.cosh(x * factor) - factor
        found: tuple[float] = lower([y], [x])(0.0)
        return found[0]

    assert program(3.0) == -2.0
    hits = from_text._compiled.cache_info().hits
    assert program(5.0) == -4.0
    assert from_text._compiled.cache_info().hits == hits + 1


def test_what_is_not_asked_for_is_not_computed() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=())
        ops.tanh(x)
        y = ops.square(x)
    assert "tanh" not in lower([y], [x]).source


def test_plumbing_leaves_no_trace() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(2, 3))
        b = ops.placeholder("float64", shape=(3,))
        y = ops.reduce_sum(ops.identity(ops.reshape(x, (2, 3))) * b)
        found = gradients(y, [x, b])
    source = lower(found, [x, b]).source
    assert "reshape" not in source
    assert source.count("# gradients/") == 2  # b for every row, and the sum of the rows


def test_arrays_that_nothing_needs_any_more_are_written_again() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(5,))
        y = x
        for _ in range(20):
            y = ops.sin(y) * 0.5
    program = lower([y], [x])
    assert program.source.count("np.empty") == 1
    once = program(np.arange(5.0))[0]
    program(np.ones(5))
    np.testing.assert_array_equal(once, program(np.arange(5.0))[0])  # a result is the caller's own


def test_a_result_that_is_a_view_is_the_callers_own_too() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(2, 3))
        y = ops.transpose(ops.sin(x))
    program = lower([y], [x])
    (first,) = program(np.ones((2, 3)))
    program(np.zeros((2, 3)))
    np.testing.assert_array_equal(first, np.full((3, 2), np.sin(1.0)))


def test_an_open_length_is_filled_in_for_each_that_comes() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(None, 2))
        y = ops.reduce_mean(ops.square(x))
        (slope,) = gradients(y, [x])
    program = lower([slope], [x])
    for rows in (3, 5, 3):
        np.testing.assert_allclose(program(np.ones((rows, 2)))[0], np.full((rows, 2), 1 / rows))


def test_matrices_are_multiplied_and_their_rows_added_by_blas() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(2, 3))
        w = ops.placeholder("float64", shape=(3, 2))
        rows = ops.reduce_sum(ops.matrix_product(x, w), 0)
        kept = ops.reduce_sum(x * 2.0, 0, keepdims=True)
        columns = ops.reduce_sum(x, 1)
    program = lower([rows, kept, columns], [x, w])
    assert program.source.count(".dot(") == 3
    assert program.source.count("np.add.reduce(") == 1  # along each row, as the numbers lie in memory
    added, doubled, across = program([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.eye(3, 2))
    np.testing.assert_array_equal(added, [5.0, 7.0])
    np.testing.assert_array_equal(doubled, [[10.0, 14.0, 18.0]])
    np.testing.assert_array_equal(across, [6.0, 15.0])


def test_a_square_is_computed_once_however_it_is_written() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=(2,))
        program = lower([x * x + 1.0, ops.square(x) - 1.0, x**2.0], [x])
    assert program.source.count("np.square(") == 1
    np.testing.assert_array_equal(program([2.0, -3.0]), [[5.0, 10.0], [3.0, 8.0], [4.0, 9.0]])


def test_a_constant_beside_arrays_is_an_array_of_its_own_type() -> None:
    for dtype in ("float32", "float64"):
        with Graph(default_float=dtype).as_default():
            x = ops.placeholder(dtype, shape=(2,))
            y = x * 0.1 + 0.1
        written = write_program(lowered_program([y], [x], [(2,)], {}))
        (tenth,) = (value for name, value in written.names.items() if name[0] == "c")
        assert (tenth.shape, tenth.dtype) == ((), dtype)


def test_a_very_large_graph_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MAX_NODES", 3)
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", shape=())
        y = ops.sin(ops.sin(ops.sin(ops.sin(x))))
    program = lower([y], [x])
    assert program.source == ""
    assert program(0.0) == (0.0,)


def test_weights_and_biases_are_updated_in_one_go() -> None:
    with Graph(default_float="float64").as_default() as graph:
        w, b, c = Variable(np.ones((2, 2)) * 0.5), Variable([0.1, 0.2]), Variable(0.3)
        loss = ops.reduce_mean(ops.square(ops.matrix_product(ops.constant(np.ones((4, 2))), w) + b + c))
        train_op = adam_optimizer(0.1).minimize(loss)
    state = {v.node: v.initial_value.node.attrs["value"] for v in graph.collection("variables")}
    loop = lower_training(train_op, [loss])
    loop.run({node: np.zeros(node.outputs[0].shape) if v is None else v for node, v in state.items()}, 1)
    assert loop.source.count("np.sqrt(") == 1  # for w and b together; c is a number
    assert loop.source.count("sqrt(") == 1 + 2  # its own, and the one of the rate that all share


def test_the_loop_of_a_number_is_plain_python_and_holds_only_what_the_next_step_needs() -> None:
    with Graph(default_float="float64").as_default():
        x = Variable(8.0, name="x")
        y = ops.square(x)
        step = gradient_descent_optimizer(0.25).minimize(y)
    loop = lower_training(step, [x.ref, y])
    loop.run({x.node: 8.0}, 1)
    assert loop.source == (
        "c0 = 2.0\n"
        "c1 = 0.25\n"
        "\n"
        "def scan(steps, s0, x0):\n"
        "    s0 = s0.data\n"
        "    k = 0\n"
        "    try:\n"
        "        for k in range(steps):\n"
        "            s0[k] = x0\n"
        "            x0 = x0 - (c1 * (x0 * c0))  # GradientDescent/update_x/ApplyGradientDescent\n"
        "    except domain_errors:\n"
        "        return k, x0\n"
        "    return steps, x0\n"
        "\n\n"
        "def loop(steps, x0):\n"
        '    with np.errstate(all="ignore"):\n'
        "        a0 = np.empty((2, steps))\n"
        "        s0, s1 = a0[0], a0[1]\n"
        "        k, x0 = scan(steps, s0, x0)\n"
        "        if k < steps:\n"
        "            return k, (), ()\n"
        "        np.square(s0, out=s1)  # Square\n"
        "        return steps, (s0, s1,), (x0,)\n"
    )
