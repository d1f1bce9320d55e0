"""Generated functions against the session: the same numbers, whatever the graph."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import ops
from engine.execution import Program, Session, TrainingLoop, lower, lower_training
from engine.graph import Graph, Node, Tensor, Variable
from engine.ops.base.building import default_float
from engine.ops.base.definition import REGISTRY
from engine.optimizers import optimizer_named
from engine.programs import ProgramRequest
from engine.programs.program.running import run_request
from tests.data import FOLDER
from tests.engine.ops.samples import SAMPLES, Sample
from tests.limits import ROOMY

pytestmark = pytest.mark.slow  # lowers hundreds of graphs

CASES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
GRAPHS = {name: case for name, case in CASES.items() if case["dialect"] == "tf1"}
OPTIMIZERS = json.loads((Path(FOLDER).parent / "optimizers" / "trajectories.json").read_text())

# `math` and numpy round transcendental functions apart by an ulp or so, and sums amplify it
CLOSE: dict[str, dict[str, Any]] = {
    "float32": {"rtol": 2e-6, "atol": 1e-6},
    "float64": {"rtol": 1e-14, "atol": 1e-14},
}
ALONG: dict[str, dict[str, Any]] = {
    "float32": {"rtol": 1e-5, "atol": 1e-6},
    "float64": {"rtol": 1e-12, "atol": 1e-13},
}


def built(case: Mapping[str, Any], dtype: str) -> Graph:
    with default_float(dtype):
        source = case["source"].replace("tf.float32", f"tf.{dtype}")
        outcome = run_request(ProgramRequest(source, gradients=False), ROOMY)
    graph: Graph = outcome.workspace.graph
    return graph


def started(graph: Graph) -> dict[Node, Any]:
    session = Session(graph)
    session.run([variable.initializer for variable in graph.collection("variables")])
    return dict(session.variables)


def everything(graph: Graph) -> list[Tensor]:
    """Every tensor but those that an update makes."""
    return [
        t for node in graph.nodes if node.phase != "update" for t in node.outputs if t.dtype != "resource"
    ]


def feeds_of(case: Mapping[str, Any], graph: Graph) -> dict[Tensor, Any]:
    feeds = case["graphs"]["1.15.5"].get("feeds", [])
    return {graph.tensor(feed["tensor"]): np.asarray(feed["value"]) for feed in feeds}


def check_same(ours: Sequence[Any], theirs: Sequence[Any], tensors: Sequence[Tensor]) -> None:
    for our, their, tensor in zip(ours, theirs, tensors, strict=True):
        assert np.shape(our) == np.shape(their), tensor.name
        assert np.asarray(our).dtype == np.asarray(their).dtype, tensor.name
        close = CLOSE.get(tensor.dtype, {})
        np.testing.assert_allclose(np.asarray(our), np.asarray(their), err_msg=tensor.name, **close)


def without_the_interpreter(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the generated function cannot do is seen, rather than done by the session."""

    def refuse(*_: Any) -> Any:
        raise AssertionError("the interpreter was needed")

    monkeypatch.setattr(program, "interpret", refuse)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_value_of_a_program_is_the_sessions(
    name: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = built(GRAPHS[name], dtype)
    state = started(graph)
    feeds = feeds_of(GRAPHS[name], graph)
    flows = any(node.op.name in ("Enter", "Switch") or node.op.draws for node in graph.nodes)
    asked = [fetch["tensor"] for fetch in GRAPHS[name]["fetches"] if isinstance(fetch["tensor"], str)]
    fetches = [graph.tensor(tensor) for tensor in asked] if flows else everything(graph)
    arguments = [node.outputs[0] for node in state] + list(feeds)
    values = [*state.values(), *feeds.values()]
    program = lower(fetches, arguments)
    expected = program.interpret(*values)
    if not flows:
        without_the_interpreter(program, monkeypatch)
    check_same(program(*values), expected, fetches)
    check_same(program(*values), expected, fetches)  # and again, in the same arrays


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", [name for name, case in GRAPHS.items() if "trajectory" in case])
def test_every_step_of_a_training_is_the_sessions(
    name: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = built(GRAPHS[name], dtype)
    train_op = graph.node(GRAPHS[name]["graphs"]["1.15.5"]["train_op"])
    check_loop(graph, train_op, feeds_of(GRAPHS[name], graph), monkeypatch)


def check_loop(
    graph: Graph, train_op: Node, feeds: Mapping[Tensor, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = started(graph)
    record = [t for t in everything(graph) if t.node.phase in ("forward", "gradient")]
    record += [node.outputs[0] for node in state if node.outputs[0] not in record]
    record = [t for t in record if not t.node.op.writes and "initial" not in t.name.lower()]
    loop = lower_training(train_op, record, feeds)
    expected = loop.interpret(state, 7)
    refused(loop, monkeypatch)
    found = loop.run(state, 3)
    rest = loop.run(found.state, 4, first=3)
    for tensor in record:
        ours = [*found[tensor], *rest[tensor]]
        np.testing.assert_allclose(
            np.asarray(ours), np.asarray(expected[tensor]), err_msg=tensor.name, **ALONG.get(tensor.dtype, {})
        )
    assert set(rest.state) == set(expected.state)
    if loop.compile(state):
        again = loop.run(state, 3)
        for tensor in record:
            np.testing.assert_array_equal(again[tensor], found[tensor])


def refused(loop: TrainingLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("the interpreter was needed")

    monkeypatch.setattr(loop, "interpret", refuse)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", OPTIMIZERS, ids=lambda case: f"{case['name']}-{len(case['settings'])}")
def test_every_optimizer_steps_as_the_session_does(
    case: Mapping[str, Any], dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Graph(default_float=dtype).as_default() as graph:
        x, y = Variable([3.0, -1.0, 0.2], name="x"), Variable(0.7, name="y")
        w, v = Variable([[0.4], [-0.3]], name="w"), Variable([[0.5, 0.9]], name="v")  # with x, in one pack
        loss = ops.reduce_sum(ops.constant([1.0, 10.0, 0.5]) * ops.square(x - 0.1)) + ops.square(y)
        loss = loss + ops.reduce_sum(ops.square(ops.matrix_product(w, v) + y))
        optimizer, global_step = optimizer_named(case["name"], case["settings"])
        train_op = optimizer.minimize(loss, global_step)
    check_loop(graph, train_op, {}, monkeypatch)


def sampled(name: str, sample: Sample, dtype: str) -> tuple[Graph, list[Tensor], list[Tensor], list[Any]]:
    """A graph of one op on placeholders for its float inputs; its outputs, arguments and their values."""
    arguments: list[Tensor] = []
    values: list[Any] = []

    def given(value: Any) -> Any:
        if isinstance(value, list):
            return [given(item) for item in value]
        array = np.asarray(value)
        if array.dtype.kind != "f":
            return ops.constant(array)
        arguments.append(ops.placeholder(dtype, array.shape))
        values.append(array.astype(dtype))
        return arguments[-1]

    with Graph(default_float=dtype).as_default() as graph:
        node = REGISTRY[name].node(*map(given, sample.inputs), **sample.attrs)
    return graph, list(node.outputs), arguments, values


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_op_computes_what_its_kernel_does(name: str, dtype: str) -> None:
    for sample in SAMPLES[name]:
        _, fetches, arguments, values = sampled(name, sample, dtype)
        if not arguments or fetches[0].node.op.writes:
            continue
        program = lower(fetches, arguments)
        check_same(program(*values), program.interpret(*values), fetches)
