"""Values of imported graphs: all that can be computed of what is fed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import GradlensError
from engine.interchange.messages import GraphDef
from engine.programs.imported.valuing import compute_values
from tests.engine.interchange.reading.graphs import small
from tests.engine.programs.imported.test_growing import file_of
from tests.limits import ROOMY

LIMITS = ROOMY
LINE = file_of(
    "w = tf.Variable(2.0, name='w')\nx = tf.placeholder(tf.float32, [], name='x')\n"
    "y = tf.multiply(w, x, name='y')"
)


def values(data: bytes, feeds: Any = None, variables: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = compute_values(data, feeds or {}, variables or {}, LIMITS)
    return {name: value["data"] for name, value in answer["values"].items()}, answer


def test_a_variable_takes_its_initial_value_or_the_one_that_is_given() -> None:
    found, answer = values(LINE, {"x": 3.0})
    assert (found["w:0"], found["y:0"], answer["variables"]) == (2.0, 6.0, {"w": "initial"})
    found, answer = values(LINE, {"x": 3.0}, {"w": 5.0})
    assert (found["w:0"], found["y:0"], answer["variables"]) == (5.0, 15.0, {"w": "given"})


def test_what_depends_on_an_unfed_placeholder_is_left_out_and_named() -> None:
    found, answer = values(LINE)
    assert "y:0" not in found
    assert (found["w/read:0"], answer["unfed"]) == (2.0, ["x"])


def test_any_tensor_can_be_fed() -> None:
    assert values(LINE, {"y:0": 7.0})[0]["y:0"] == 7.0


def test_x_times_x_is_nine_and_its_gradient_is_not_there_without_its_seed() -> None:
    message = small("mul_x_x")
    data = message.SerializeToString()
    assert "mul:0" not in values(data)[0]  # the neutral file holds no value of the variable
    found = values(data, {"Variable/read:0": 3.0, "gradients/Fill:0": 1.0})[0]
    assert (found["mul:0"], found["gradients/AddN:0"]) == (9.0, 6.0)  # 2 x


def test_a_branch_and_a_loop_are_run() -> None:
    data = file_of(
        "x = tf.placeholder(tf.float32, [], name='x')\n"
        "y = tf.cond(x > 0, lambda: x * 2, lambda: x * 3)\n"
        "i, total = tf.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t + x), [0, 0.0])"
    )
    found, _ = values(data, {"x": 5.0})
    assert found["cond/Merge:0"] == 10.0
    assert found["while/Exit_1:0"] == 20.0  # 5 four times


def test_a_node_that_cannot_run_is_said_and_the_rest_is_computed() -> None:
    data = file_of(
        "a = tf.placeholder(tf.float32, None, name='a')\nb = tf.placeholder(tf.float32, None, name='b')\n"
        "c = tf.add(a, b, name='c')\nd = tf.exp(tf.zeros([], name='z'), name='d')"
    )
    found, answer = values(data, {"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]})
    assert found["d:0"] == 1.0
    assert "c:0" not in found
    assert len(answer["diagnostics"]) == 1


def test_an_op_without_a_definition_stops_what_follows_alone() -> None:
    message = GraphDef.FromString(LINE)
    message.node.add(name="f", op="Frobnicate", input=["y"])
    message.node.add(name="g", op="Neg", input=["f"]).attr["T"].type = 1
    found, _ = values(message.SerializeToString(), {"x": 3.0})
    assert found["y:0"] == 6.0
    assert not {"f:0", "g:0"} & found.keys()


@pytest.mark.parametrize(
    ("feeds", "variables", "code"),
    [
        ({"z": 1.0}, {}, "unknown_node"),
        ({"x": [1.0, 2.0]}, {}, "shape_mismatch"),
        ({}, {"x": 1.0}, "bad_feed"),
    ],
)
def test_what_does_not_fit_is_refused(feeds: Any, variables: Any, code: str) -> None:
    with pytest.raises(GradlensError) as error:
        compute_values(LINE, feeds, variables, LIMITS)
    assert error.value.code == code
