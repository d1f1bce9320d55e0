"""Gradients of imported graphs: node for node what TensorFlow 1.15.5 adds to them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.graph.essentials import everything
from engine.interchange.graphdef import to_pb
from engine.interchange.messages import GraphDef
from engine.programs import ProgramRequest
from engine.programs.imported.growing import grow_gradients
from engine.programs.program.running import run_request
from tests.data import FOLDER
from tests.limits import ROOMY

RECORDED = json.loads((FOLDER.parent / "imported" / "gradients.json").read_text())
LIMITS = ROOMY


def file_of(source: str) -> bytes:
    """The graph that a program builds, as a file."""
    outcome = run_request(ProgramRequest(f"import tensorflow as tf\n{source}", gradients=False), LIMITS)
    return to_pb(everything(outcome.workspace.graph))


@pytest.mark.parametrize("name", RECORDED)
def test_the_nodes_are_those_that_tensorflow_adds(name: str) -> None:
    case = RECORDED[name]
    data = (FOLDER / f"{name}.pbtxt").read_bytes()
    grown = grow_gradients(data, case["y"], case["xs"], LIMITS)
    new = grown.body["graph"]["nodes"][-len(case["nodes"]) :] if case["nodes"] else []
    assert [[n["name"], n["op"], n["inputs"], sorted(n["control_inputs"])] for n in new] == case["nodes"]
    found: list[Any] = [
        row["tensor"] if "rows" not in row else {key: row["rows"][key] for key in ("values", "indices")}
        for row in grown.body["gradients"]
    ]
    assert found == case["gradients"]


def test_the_grown_graph_is_a_file_that_grows_again() -> None:
    once = grow_gradients(
        file_of("x = tf.placeholder(tf.float32, [], name='x')\ny = tf.sin(x)"), "Sin", ["x"], LIMITS
    )
    twice = grow_gradients(once.file, "gradients/Sin_grad/mul:0", ["x"], LIMITS)
    names = [node.name for node in GraphDef.FromString(twice.file).node][-8:]
    assert names == [  # as TensorFlow 1.15.5 names them: a scope of the file alone is not taken
        *("gradients/Shape_1", "gradients/grad_ys_0_1", "gradients/Fill_1"),
        *("gradients/gradients/Sin_grad/mul_grad/Mul", "gradients/gradients/Sin_grad/mul_grad/Mul_1"),
        *(f"gradients/gradients/Sin_grad/Cos_grad/{name}" for name in ("Neg", "Sin", "mul")),
    ]


def test_without_a_path_a_gradient_says_why() -> None:
    data = file_of(
        "x = tf.placeholder(tf.float32, [], name='x')\n"
        "z = tf.placeholder(tf.float32, [], name='z')\n"
        "y = tf.sin(x)"
    )
    (row,) = grow_gradients(data, "Sin", ["z"], LIMITS).body["gradients"]
    assert row["tensor"] is None
    assert row["reason"]
    assert row["reason_zh"] != row["reason"]


def refused(data: bytes, y: str, x: str, limits: Limits = LIMITS) -> GradlensError:
    with pytest.raises(GradlensError) as error:
        grow_gradients(data, y, [x], limits)
    assert error.value.message_zh != error.value.message
    return error.value


def test_a_way_through_a_branch_is_refused() -> None:
    data = file_of(
        "x = tf.placeholder(tf.float32, [], name='x')\n"
        "y = tf.cond(x > 0, lambda: tf.sin(x), lambda: x)\nz = tf.exp(x, name='z')"
    )
    error = refused(data, "cond/Merge", "x")
    assert error.message.startswith("The way from x to y leads through cond/")
    assert grow_gradients(data, "z", ["x"], LIMITS).body["gradients"][0]["tensor"]  # which passes no branch


def test_an_op_without_a_definition_has_no_gradient() -> None:
    message = GraphDef()
    message.node.add(name="x", op="Placeholder").attr["dtype"].type = 1
    message.node.add(name="y", op="Frobnicate", input=["x"]).attr["T"].type = 1
    assert refused(message.SerializeToString(), "y", "x").message == (
        "Frobnicate has no gradient: Gradlens has no definition of this op."
    )


def test_names_that_are_not_there_and_integers_are_refused() -> None:
    data = file_of("x = tf.placeholder(tf.int32, [], name='x')\ny = tf.square(x)")
    assert refused(data, "Cube", "x").code == "unknown_node"
    assert refused(data, "Square", "x").code == "integer_gradient"


def test_a_graph_grows_to_the_limit_and_no_further() -> None:
    data = file_of("x = tf.placeholder(tf.float32, [], name='x')\ny = tf.sin(x)")
    assert refused(data, "Sin", "x", replace(ROOMY, import_nodes=4)).code == "node_limit"
