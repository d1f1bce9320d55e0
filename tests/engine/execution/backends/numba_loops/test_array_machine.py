"""Programs and loops with arrays as text for machine code: the text run as Python, and compiled."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given, settings

from engine import ops
from engine.differentiation import gradients
from engine.execution import TrainingLoop, lower, lower_training
from engine.execution.backends.numba_loops import array_code
from engine.execution.backends.numba_loops.array_code import function_in
from engine.execution.backends.numba_loops.array_machine import machine_program
from engine.execution.backends.numba_loops.emitter import MachineText
from engine.execution.backends.numba_loops.vector_functions import vector_functions
from engine.execution.backends.numpy_calls.text import NAMES
from engine.execution.interpreter.feeds import fed_value
from engine.execution.tracing.operands import held
from engine.execution.tracing.tracer import NotLowered
from engine.execution.tracing.walk import Lowered, lowered_loop, lowered_program
from engine.graph import Graph, Tensor, Variable
from engine.optimizers import adam_optimizer, gradient_descent_optimizer, momentum_optimizer
from tests.engine.execution.test_random_graphs import SEEDS, SHAPES, STEPS, Step, grown, same
from tests.engine.execution.test_random_graphs import held as start_of
from tests.engine.test_tensorflow_oracle import (
    CASES,
    TRAJECTORIES,
    built,
    check_value,
    expected,
    names_of,
    started,
)

ELEMENTS = 1 << 12  # more than any array here has


# -- the text as Python -----------------------------------------------------------------------------------


def as_python(text: MachineText) -> Callable[..., Any]:
    """What would be compiled, run by Python on the same addresses, with numbers that do not raise."""
    numpys = {name: getattr(np, "arc" + name[1:] if name[0] == "a" else name, None) for name in NAMES}
    known = {
        **NAMES,
        **{name: function for name, function in numpys.items() if isinstance(function, np.ufunc)},
        **vector_functions(lambda function: function),
        "pow": np.power,
        "address": address,
        "floats": lambda start: elements(ctypes.c_double, start, ELEMENTS),
        "matrix": lambda start, rows, columns: elements(ctypes.c_double, start, rows * columns).reshape(
            rows, columns
        ),
    }
    helpers = {name: function_in(code, known) for name, code in text.helpers.items()}
    machine = function_in(text.code, known | helpers)

    def run(*arguments: Any) -> Any:
        own = [np.float64(item) if isinstance(item, float) else item for item in arguments]
        with np.errstate(all="ignore"):
            return machine(*own)

    return run


def address(array: Any) -> int:
    assert array.flags.c_contiguous
    return int(array.ctypes.data)


def elements(kind: Any, start: int, count: int) -> Any:
    return np.ctypeslib.as_array((kind * count).from_address(start))


# TensorFlow's programs that stay with numpy, by name, so that no other one joins them unseen.
WITH_NUMPY = {
    "array-concat",
    "array-concat-axis1",
    "array-gather",
    "array-matrix-inverse",
    "array-pad",
    "array-reduce-prod",
    "array-slice-op",
    "array-slice-range",
    "array-slice-row",
    "array-tile",
    "array-unstack",
    "opt-constant-x",
    "opt-hessian",
    "opt-placeholder",
    "opt-placeholder-unknown-shape",
    "opt-split-outputs",
    "train-clip-global-norm-rosenbrock",
    "train-decay-square",
    "train-polynomial-decay-adam",
    "unary-erf",
}


def stays_with_numpy(name: str, reason: str) -> NoReturn:
    """Skip a program that is known to stay; any other one fails."""
    if name not in WITH_NUMPY:
        pytest.fail(f"{name} was machine code before: {reason}")
    pytest.skip(f"stays with numpy: {reason}")


def program_as_python(fetches: Sequence[Tensor], arguments: Sequence[Tensor]) -> Callable[..., Any]:
    lowered = lowered_program(fetches, arguments, [t.shape for t in arguments], {})  # type: ignore[misc]
    text, around = machine_program(lowered)
    return around(as_python(text))


def lowered(loop: TrainingLoop, state: dict[Any, Any]) -> Lowered:
    return lowered_loop(loop.plan, loop.record, {n: np.shape(v) for n, v in state.items()}, {})


@pytest.fixture
def text_as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops and programs take their steps by the text run as Python, as if that were machine code."""
    monkeypatch.setattr(array_code, "available", lambda: True)
    monkeypatch.setattr(array_code.ArrayCode, "_compiled", lambda code: as_python(code._text))
    monkeypatch.setattr(array_code, "_known_codes", {})


# -- programs ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(STEPS, SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_random_graph_and_its_gradient(steps: list[Step], seed: int) -> None:
    with Graph(default_float="float64").as_default() as graph:
        arguments = [ops.placeholder("float64", shape) for shape in SHAPES]
        y = ops.reduce_sum(grown(arguments, steps)[-1])
        gradients(y, arguments)
    fetches = [t for node in graph.nodes for t in node.outputs if node.op.name != "Placeholder"]
    fetches = [tensor for tensor in fetches if tensor.dtype in ("float64", "bool")]
    values: list[Any] = [np.random.default_rng(seed).normal(size=shape) for shape in SHAPES]
    values[0] = float(values[0])  # as programs take numbers
    try:
        program = program_as_python(fetches, arguments)
    except NotLowered:
        return
    same(program(*values), lower(fetches, arguments).interpret(*values), fetches, 1e-12)


def text_of(layers: int) -> MachineText:
    """The mean square of a network of so many tanh layers, and its gradients."""
    with Graph(default_float="float64").as_default():
        h = ops.constant(np.cos(np.arange(12.0)).reshape(4, 3))
        variables = []
        for _ in range(layers):
            variables += [Variable(np.full((3, 3), 0.1)), Variable(np.zeros(3))]
            h = ops.tanh(ops.matrix_product(h, variables[-2].read) + variables[-1].read)
        loss = ops.reduce_mean(ops.square(h))
        fetches = [loss, *gradients(loss, variables)]
    arguments = [variable.ref for variable in variables]
    return machine_program(lowered_program(fetches, arguments, [(3, 3), (3,)] * layers, {}))[0]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["dialect"] == "tf1"])
def test_what_tensorflow_was_asked_for(name: str) -> None:
    case = CASES[name]
    session = started(built(case, "float64"))
    graph, known = session.graph, {feed["tensor"]: feed["value"] for feed in expected(case).get("feeds", [])}
    feeds = {graph.tensor(name): np.asarray(value) for name, value in known.items()}
    names = [fetch["tensor"] for fetch in case["fetches"] if isinstance(fetch["tensor"], str)]
    fetches = [graph.tensor(name) for name in names if name in names_of(graph)]
    fetches = [tensor for tensor in fetches if tensor.dtype == "float64"]
    arguments = [variable.ref for variable in graph.collection("variables")]
    values = [held(session.variables[tensor.node], tensor.dtype) for tensor in arguments]
    fed = {tensor: fed_value(tensor, value) for tensor, value in feeds.items()}
    try:
        given = lowered_program(fetches, arguments, [np.shape(v) for v in values], fed)
        text, around = machine_program(given)
    except NotLowered as reason:
        stays_with_numpy(name, str(reason))
    found = around(as_python(text))(*values)
    same(found, session.run(fetches, feeds), fetches, 1e-12)


@pytest.mark.slow
@pytest.mark.usefixtures("text_as_python")
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "trajectory" in case])
def test_tensorflows_way_down(name: str) -> None:
    case = CASES[name]
    graph = built(case, "float64")
    state = started(graph).variables
    tensors = {fetch["name"]: fetch["tensor"] for fetch in case["fetches"]}
    record = [graph.tensor(tensors.get(n, f"{n}:0")) for n in case["trajectory"]["variables"]]
    loop = lower_training(graph.node(expected(case)["train_op"]), record)
    if not loop.is_lowered(state) or not loop.compile(state):
        stays_with_numpy(name, "or with the session")
    steps = len(case["trajectory"]["float64"])
    columns = loop.run(state, steps)
    for step, *row in case["trajectory"]["float64"]:
        for tensor, theirs in zip(record, row, strict=False):
            check_value(columns[tensor][step], theirs, f"step {step}", TRAJECTORIES["float64"])


def test_neighbours_share_a_loop_and_what_only_they_need_is_never_stored() -> None:
    with Graph(default_float="float64").as_default():
        x, b = ops.placeholder("float64", (2, 3)), ops.placeholder("float64", (3,))
        y = ops.tanh(ops.square(x) + b)
    text, _ = machine_program(lowered_program([y], [x, b], [(2, 3), (3,)], {}))
    (nest,) = text.helpers.values()
    assert nest.splitlines()[4:] == [
        " for i0 in range(2):",
        "  for i1 in range(3):",
        "   v0 = n0[i0 * 3 + i1] * n0[i0 * 3 + i1]",
        "   v1 = v0 + n1[i1]",
        "   v2 = tanh(v1)",
        "   n2[i0 * 3 + i1] = v2",
    ]


@pytest.mark.parametrize("length", [3, 7, 8, 12, 16, 24, 40, 48])
def test_short_inner_loops_of_whole_vectors_have_a_length_that_the_compiler_does_not_know(
    length: int,
) -> None:
    with Graph(default_float="float64").as_default():
        x, b = ops.placeholder("float64", (2, length)), ops.placeholder("float64", (length,))
        y = ops.tanh(x + b)
    text, _ = machine_program(lowered_program([y], [x, b], [(2, length), (length,)], {}))
    (nest,) = text.helpers.values()
    assert (f"range({length})" not in nest) == (length in (8, 16, 24, 40))
    values = np.linspace(-2.0, 2.0, 2 * length).reshape(2, length), np.linspace(0.0, 1.0, length)
    (found,) = program_as_python([y], [x, b])(*values)
    np.testing.assert_allclose(found, np.tanh(values[0] + values[1]), rtol=1e-15)


def test_a_column_times_a_row_is_taken_with_its_neighbours() -> None:
    with Graph(default_float="float64").as_default():
        x, y = ops.placeholder("float64", (3, 1)), ops.placeholder("float64", (1, 4))
        z = ops.square(ops.matrix_product(x, y))
    text, _ = machine_program(lowered_program([z], [x, y], [(3, 1), (1, 4)], {}))
    (nest,) = text.helpers.values()
    assert "v0 = n0[i0] * n1[i1]" in nest
    column, row = np.array([[1.0], [2.0], [3.0]]), np.array([[1.0, -2.0, 3.0, 0.5]])
    assert program_as_python([z], [x, y])(column, row)[0].tolist() == ((column @ row) ** 2).tolist()


def test_layers_that_do_the_same_share_their_helpers() -> None:
    assert len(text_of(9).helpers) == len(text_of(4).helpers)


def test_memory_is_used_again_going_backward() -> None:
    nine, eight = (text_of(layers).block.memory.size for layers in (9, 8))
    # the numbers of a layer's variables and their gradients, and one array of 4 x 3 in whole lines of 8
    assert nine - eight == 2 * (9 + 3) + 16


def test_a_view_is_a_way_through_memory() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", (2, 3))
        y = ops.transpose(x) * 2.0
        z = ops.matrix_product(x, y) + ops.matrix_product(ops.transpose(y), ops.transpose(x))
    program = program_as_python([y, z], [x])
    value = np.arange(6.0).reshape(2, 3)
    doubled, summed = program(value)
    assert doubled.tolist() == [[0.0, 6.0], [2.0, 8.0], [4.0, 10.0]]
    assert summed.tolist() == (4.0 * value @ value.T).tolist()


def test_an_index_may_have_an_ellipsis() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", (2,))
        y = ops.matrix_diag(x)  # x[..., None] on the diagonal
    (diagonal,) = program_as_python([y], [x])(np.array([3.0, 4.0]))
    assert diagonal.tolist() == [[3.0, 0.0], [0.0, 4.0]]


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_other_types_stay_with_numpy(dtype: str) -> None:
    with Graph().as_default():
        x = ops.placeholder(dtype, (3,))
        y = x + x
    with pytest.raises(NotLowered):
        machine_program(lowered_program([y], [x], [(3,)], {}))


@pytest.mark.usefixtures("text_as_python")
def test_arguments_in_another_order_are_taken_too() -> None:
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", (2, 3))
        program = lower([x + 1.0], [x])
    assert program.compile()
    turned = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert program(np.arange(6.0).reshape(2, 3))[0].tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert program(turned)[0].tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


# -- compiled ---------------------------------------------------------------------------------------------


@pytest.fixture
def numba() -> Any:
    pytest.importorskip("scipy")
    return pytest.importorskip("numba")


@pytest.mark.slow
@pytest.mark.parametrize("fused", [set(), {"contract"}], ids=["each rounded", "fused"])
def test_functions_of_vectors_are_within_2_ulp(numba: Any, fused: set[str]) -> None:
    compiled = numba.njit(error_model="numpy", fastmath=fused)
    draw = np.random.default_rng(1)
    x = np.concatenate([draw.normal(size=9999) * 10.0**power for power in (-9, -3, 0, 1, 2)])
    for name, function in vector_functions(compiled).items():
        for_all = function_in(
            "def apply(x, y):\n for k in range(x.size):\n  y[k] = f(x[k])", {"range": range, "f": function}
        )
        found, expected = np.empty_like(x), getattr(np, name)(x)
        numba.njit(error_model="numpy")(for_all)(x, found)
        np.testing.assert_array_max_ulp(found[expected > 1e-300], expected[expected > 1e-300], 2)


@pytest.mark.parametrize("x", [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 709.7, 710.0, -745.0, -746.0])
def test_functions_of_vectors_know_the_ends_of_the_range(x: float) -> None:
    with np.errstate(all="ignore"):
        for name, function in vector_functions(lambda same: same).items():
            np.testing.assert_allclose(function(np.float64(x)), getattr(np, name)(x), rtol=1e-15)


@pytest.mark.slow
def test_a_compiled_program_gives_what_the_session_does(numba: Any) -> None:
    with Graph(default_float="float64").as_default():
        x, w = ops.placeholder("float64", (5, 4)), ops.placeholder("float64", (4, 3))
        y = ops.softmax(ops.tanh(ops.matrix_product(x, w)))
        fetches = [
            y,
            ops.greater(y, 0.3),
            ops.reduce_max(y),
            *gradients(ops.reduce_sum(ops.square(y)), [x, w]),
        ]
        program = lower(fetches, [x, w])
    draw = np.random.default_rng(2)
    values = draw.normal(size=(5, 4)), draw.normal(size=(4, 3))
    expected = program(*values)
    assert program.compile()
    assert "def machine(" in program.source
    for our, their in zip(program(*values), expected, strict=True):
        np.testing.assert_allclose(our, their, rtol=1e-13, atol=1e-15)


# -- loops ------------------------------------------------------------------------------------------------


def trained(optimizer: Any, seed: int, steps: list[Step]) -> tuple[TrainingLoop, dict[Any, Any]]:
    draw = np.random.default_rng(seed)
    with Graph(default_float="float64").as_default() as graph:
        variables = [Variable(draw.normal(size=shape)) for shape in SHAPES]
        loss = ops.reduce_mean(grown([v.read for v in variables], steps)[-1]) + sum(
            ops.reduce_sum(ops.square(v)) for v in variables
        )
        train_op = optimizer.minimize(loss)
    state = {v.node: start_of(v.initial_value) for v in graph.collection("variables")}
    computed = [
        t for node in graph.nodes for t in node.outputs if node.phase == "backward" and t.dtype == "float64"
    ]
    return lower_training(train_op, [loss, *computed[-9:], *(v.ref for v in variables)]), state


@pytest.mark.slow
@pytest.mark.usefixtures("text_as_python")
@pytest.mark.parametrize(
    "optimizer", [adam_optimizer(0.1), momentum_optimizer(0.1, 0.9)], ids=["Adam", "Momentum"]
)
@given(STEPS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_random_training(optimizer: Any, steps: list[Step], seed: int) -> None:
    loop, state = trained(optimizer, seed, steps)
    expected = loop.interpret(state, 4)
    if not loop.compile(state):
        return
    found = loop.run(state, 4)
    for tensor in loop.record:
        same([np.asarray(found[tensor])], [np.asarray(expected[tensor])], [tensor], 1e-7)


@pytest.fixture
def network() -> tuple[Any, Any, dict[Any, Any]]:
    """A loop maker, its loss, and a start: one layer, trained by gradient descent."""
    with Graph(default_float="float64").as_default():
        w = Variable(np.ones((3, 2)))
        loss = ops.reduce_mean(ops.square(ops.tanh(ops.matrix_product(np.eye(3), w.read))))
        train_op = gradient_descent_optimizer(0.5).minimize(loss)
    return lambda: lower_training(train_op, [loss]), loss, {w.node: np.full((3, 2), 0.3)}


@pytest.mark.usefixtures("text_as_python")
def test_a_loop_that_has_begun_stays_with_numpy_and_the_next_takes_machine_code(network: Any) -> None:
    make, loss, state = network
    begun, waited, later = make(), make(), make()
    numpys = begun.run(state, 3)[loss]
    assert waited.compile(state)
    begun.run(state, 3)
    later.run(state, 3)
    assert "def loop(" in begun.source
    assert "def machine(" in later.source
    np.testing.assert_allclose(waited.run(state, 3)[loss], numpys, rtol=1e-14)


@pytest.mark.usefixtures("text_as_python")
def test_where_something_is_not_finite_numpy_finds_it(network: Any) -> None:
    make, loss, state = network
    loop = make()
    assert loop.compile(state)
    broken = {node: np.full_like(value, np.nan) for node, value in state.items()}
    assert np.isnan(loop.run(broken, 2)[loss]).all()
    assert np.isfinite(loop.run(state, 2)[loss]).all()


def test_machine_code_is_begun_once_it_would_have_paid(
    text_as_python: None, monkeypatch: pytest.MonkeyPatch, network: Any
) -> None:
    make, _, state = network
    monkeypatch.setattr(array_code, "WORTH_COMPILING_S", 0.0)
    make().run(state, 200)
    (code,) = array_code._known_codes.values()
    code.wait()
    later = make()
    later.run(state, 1)
    assert "def machine(" in later.source
