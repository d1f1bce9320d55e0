"""Our graphs and numbers against those that TensorFlow 1.15.5 itself built and computed.

Each file of `tests/data/tensorflow` is a program, the graph that the real TensorFlow made of it, and its
values; the folder's README describes the format. Our interpreter runs the same text.
"""

import json
from typing import Any

import numpy as np
import pytest

from engine.execution import Session
from engine.graph import Graph
from engine.ops.base.building import default_float
from engine.programs import ProgramRequest, run_program
from engine.programs.program.running import run_request
from tests.data import FOLDER
from tests.limits import ROOMY

VERSION = "1.15.5"
CASES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}

VALUES = {"float32": {"rtol": 2e-5, "atol": 2e-6}, "float64": {"rtol": 1e-9, "atol": 1e-12}}
TRAJECTORIES = {"float32": {"rtol": 1e-4, "atol": 1e-5}, "float64": {"rtol": 1e-6, "atol": 1e-9}}


def expected(case: dict[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = case["graphs"][VERSION]
    return facts


def comparable(node: dict[str, Any]) -> dict[str, Any]:
    """A node of either side in one form: control inputs as a set, shapes as lists, `process` as `after`."""
    attrs = {key: value for key, value in node["attrs"].items() if key not in ("colocate", "value")}
    colocate = node.get("colocate", node["attrs"].get("colocate", []))
    outputs = [
        (out["dtype"], out["shape"]) if isinstance(out, dict) else (out[0], out[1]) for out in node["outputs"]
    ]
    return {
        "name": node["name"],
        "op": node["op"],
        "inputs": node["inputs"],
        "control_inputs": sorted(node["control_inputs"]),
        "phase": "after" if node["phase"] == "process" else node["phase"],
        "colocate": sorted(colocate),
        "outputs": outputs,
        "attrs": attrs,
    }


def check_nodes(case: dict[str, Any]) -> None:
    """Every node: name, op, inputs, control inputs, phase, placement, output types and shapes, attributes."""
    answer = run_program(ProgramRequest(case["source"], gradients=False))
    assert [d["message"] for d in answer["diagnostics"] if d["severity"] == "error"] == []
    ours = [comparable(node) for node in answer["graph"]["nodes"]]
    theirs = [comparable(node) for node in expected(case)["nodes"]]
    for our, their in zip(ours, theirs, strict=False):
        assert our == their
    assert len(ours) == len(theirs)


def built(case: dict[str, Any], dtype: str) -> Graph:
    with default_float(dtype):
        source = case["source"].replace("tf.float32", f"tf.{dtype}")
        outcome = run_request(ProgramRequest(source, gradients=False), ROOMY)
    graph: Graph = outcome.workspace.graph
    return graph


def started(graph: Graph) -> Session:
    session = Session(graph)
    for variable in graph.collection("variables"):
        session.run(variable.initializer)
    return session


def check_values(case: dict[str, Any], dtype: str) -> None:
    """Every fetched value at the initial point."""
    session = started(built(case, dtype))
    feeds = {feed["tensor"]: feed["value"] for feed in expected(case).get("feeds", [])}
    for fetch in case["fetches"]:
        if fetch["tensor"] is None:
            continue
        if fetch.get("kind") == "IndexedSlices":
            for part in ("values", "indices"):
                tensor = fetch["tensor"][part]
                check_value(session.run(tensor, feeds), fetch[dtype][part], fetch["name"], VALUES[dtype])
        elif fetch["tensor"] in names_of(session.graph):
            check_value(session.run(fetch["tensor"], feeds), fetch[dtype], fetch["name"], VALUES[dtype])


def names_of(graph: Graph) -> set[str]:
    return {output.name for node in graph.nodes for output in node.outputs}


def check_value(ours: Any, theirs: Any, name: str, tolerance: dict[str, Any]) -> None:
    np.testing.assert_allclose(
        np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64), err_msg=name, **tolerance
    )


def check_trajectory(case: dict[str, Any], dtype: str) -> None:
    """Every variable after every step of the train op, and the loss."""
    session = started(built(case, dtype))
    tensors = {fetch["name"]: fetch["tensor"] for fetch in case["fetches"]}
    columns = [*case["trajectory"]["variables"], "loss"]
    fetches = [tensors.get(column, f"{column}:0") for column in columns]
    for step, *row in case["trajectory"][dtype]:
        if step:
            session.run(expected(case)["train_op"])
        for ours, theirs in zip(session.run(fetches), row, strict=True):
            check_value(ours, theirs, f"step {step}", TRAJECTORIES[dtype])


def check_tape(case: dict[str, Any], dtype: str) -> None:
    """Every value that an eager program holds at its end, by Python name (`du[1]` is an item of a list)."""
    with default_float(dtype):
        source = case["source"].replace("tf.float32", f"tf.{dtype}")
        answer = run_program(ProgramRequest(source))
    assert answer["status"] == "ok"
    bound = {item["name"]: item for item in answer["bindings"]}
    for fetch in case["fetches"]:
        name, _, index = fetch["name"].rstrip("]").partition("[")
        item = bound[name]["items"][int(index)] if index else bound[name]
        ours = None if item["kind"] == "none" else item["value"]["data"]
        check_value(ours, fetch[dtype], fetch["name"], VALUES[dtype])


def check(case: dict[str, Any]) -> None:
    if case["dialect"] == "tf1":
        check_nodes(case)
    for dtype in VALUES:
        if case["dialect"] == "tf2":
            check_tape(case, dtype)
            continue
        check_values(case, dtype)
        if "trajectory" in case:
            check_trajectory(case, dtype)


@pytest.mark.parametrize("name", CASES)
def test_a_program_builds_and_computes_what_tensorflow_does(name):
    check(CASES[name])
