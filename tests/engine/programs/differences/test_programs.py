"""Two programs, before and after a change: their graphs, gradients and output."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import GradlensError
from engine.programs import ProgramRequest
from engine.programs.answers.graph_files import download_graph
from engine.programs.differences import Compared, Tolerance, compare_programs
from tests.limits import ROOMY

TRAINED = """import tensorflow as tf
x = tf.Variable(3.0)
w = tf.Variable(2.0)
y = tf.exp(x * w)
loss = tf.sin(y) + x
grads = tf.gradients(loss, [x, w])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(loss))
"""
REORDERED = TRAINED.replace(
    "x = tf.Variable(3.0)\nw = tf.Variable(2.0)", "w = tf.Variable(2.0)\nx = tf.Variable(3.0)"
)


def compared(before: Compared | str, after: Compared | str, **asked: Any) -> dict[str, Any]:
    """The answer about two programs, given as texts."""
    one, other = (ProgramRequest(side) if isinstance(side, str) else side for side in (before, after))
    return compare_programs(one, other, ROOMY, **asked)


def differing(body: dict[str, Any]) -> dict[str, list[Any]]:
    """The names of the nodes that differ by themselves, where there are some."""
    found = {
        "added": body["added"],
        "removed": body["removed"],
        "changed": [one["after"] for one in body["changed"]],
    }
    return {kind: names for kind, names in found.items() if names}


@pytest.mark.parametrize("detail", ["essentials", "tensorflow"])
def test_a_program_does_not_differ_from_itself(detail: str) -> None:
    body = compared(TRAINED, TRAINED, detail=detail)
    assert body["equal"]
    assert body["says"]["en"] == "The graphs are the same. All gradients are numerically equal."
    assert body["says"]["zh"] == "两个图相同。所有梯度在数值上相等。"
    assert body["renamed"] == []


@pytest.mark.parametrize("detail", ["essentials", "tensorflow"])
def test_variables_are_known_by_their_names_in_the_program(detail: str) -> None:
    body = compared(TRAINED, REORDERED, detail=detail)  # TensorFlow calls them the other way round now
    assert body["equal"]
    assert {"before": "Variable", "after": "Variable_1"} in body["renamed"]
    assert [row["name"]["before"] for row in body["gradients"]] == ["x", "w"]


def test_another_name_for_a_variable_is_no_change() -> None:
    body = compared("y = exp(sin(x))", "y = exp(sin(t))")
    assert body["equal"]
    assert body["gradients"][0]["name"] == {"before": "x", "after": "t"}
    assert body["gradients"][0]["equal"] is True


def test_one_op_more_is_one_op_more_and_its_gradient() -> None:
    body = compared("y = exp(sin(x))", "y = exp(-sin(x))")
    assert differing(body) == {"added": ["Neg", "gradients/Neg_grad/Neg"]}
    assert body["verdict"] == {"structure": False, "target": False, "gradients": False, "printed": True}
    assert body["target"]["is_same_node"]


def test_a_constant_has_both_values() -> None:
    body = compared("y = 2*x + 3*w", "y = 2*x + 4*w")
    assert differing(body) == {"changed": ["mul_1/x"]}
    (change,) = body["changed"][0]["changes"]
    assert change["kind"] == "constant"
    assert (change["before"]["data"], change["after"]["data"]) == (3.0, 4.0)
    by_x, by_w = body["gradients"]
    assert by_x["equal"] is True
    assert (by_w["equal"], by_w["absolute"], by_w["relative"]) == (False, 1.0, 0.25)  # |4 - 3|, and of 4


def test_terms_in_another_order_are_the_same() -> None:
    assert compared("y = 2*x + 3*w", "y = 3*w + 2*x")["equal"]


def test_what_a_variable_begins_with_is_named() -> None:
    body = compared(TRAINED, TRAINED.replace("3.0", "3.5"))
    assert [change["kind"] for change in body["changed"][0]["changes"]] == ["initial_value"]
    assert body["printed"]["first_difference"]["line"] == 1


def test_an_op_in_place_of_another_one_is_a_change() -> None:
    body = compared("y = exp(sin(x))", "y = exp(cos(x))")
    assert body["changed"][0]["changes"] == [{"kind": "op", "name": None, "before": "Sin", "after": "Cos"}]


def test_shapes_that_follow_from_a_variables_are_no_changes_of_their_own() -> None:
    program = "import tensorflow as tf\nw = tf.Variable(tf.ones([2, 3]))\nloss = tf.reduce_sum(tf.tanh(w))\n"
    body = compared(program, program.replace("[2, 3]", "[4, 3]"))
    assert [one["after"] for one in body["changed"]] == ["Variable"]
    assert "Tanh" in [one["after"] for one in body["following"]]
    assert body["gradients"][0]["reason"]["en"] == "The shapes differ: [2, 3] and [4, 3]."


def test_a_gradient_that_only_one_of_them_takes_is_none_of_the_other() -> None:
    body = compared("y = x^2", "y = x^2 * w")
    rows = {row["name"]["after"]: row for row in body["gradients"]}
    assert rows["w"]["reason"]["en"] == "Only the program after takes this gradient."
    assert rows["w"]["equal"] is False


def test_an_exchange_of_the_two_exchanges_what_is_said() -> None:
    there, back = (
        compared("y = exp(sin(x))", "y = exp(-cos(x*w))"),
        compared("y = exp(-cos(x*w))", "y = exp(sin(x))"),
    )
    assert there["added"] == back["removed"]
    assert there["removed"] == back["added"]
    assert there["counts"]["matched"] == back["counts"]["matched"]


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nx = torch.tensor(3., requires_grad=True)\ny = (x ** 2).sum()\ny.backward()",
        "import tensorflow as tf\nx = tf.Variable(3.)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
        "print(tape.gradient(y, x))",
        "import jax, jax.numpy as jnp\nprint(jax.grad(lambda x: jnp.sin(x) ** 2)(2.0))",
    ],
)
def test_programs_of_every_framework_can_be_compared(source: str) -> None:
    assert compared(source, source)["equal"]


def test_a_program_that_does_not_run_is_named_with_its_place() -> None:
    with pytest.raises(GradlensError) as caught:
        compared("y = exp(sin(x))", "y = exp(sni(x))")
    error = caught.value
    assert error.part == "after"
    assert (error.where.line, error.where.column) == (1, 9) if error.where else False
    assert error.message.startswith("The program after the change does not run: ")
    assert error.message_zh.startswith("改动后的程序无法运行：")


def test_a_tolerance_decides_what_is_equal() -> None:
    close = compared("y = 2*x", "y = 2.0001*x")
    assert close["verdict"]["gradients"] is False
    wide = compared("y = 2*x", "y = 2.0001*x", tolerance=Tolerance(relative=1e-3))
    assert wide["verdict"]["gradients"] is True


def test_a_program_and_a_graph_from_a_file_are_matched_too() -> None:
    request = ProgramRequest("y = exp(sin(x))")
    file = download_graph(request, "tensorflow", "pb", ROOMY)
    body = compared(request, file)
    assert body["verdict"] == {"structure": True, "target": None, "gradients": None, "printed": None}
    assert body["after"]["kind"] == "graph"
    assert compared(file, file)["equal"]


# -- the one graph of both --------------------------------------------------------------------------------


def marked(body: dict[str, Any]) -> dict[str, str]:
    """What each node of the one graph is, where it is not the same."""
    return {
        node["name"]: node["difference"] for node in body["graph"]["nodes"] if node["difference"] != "same"
    }


def test_what_is_gone_stands_in_the_one_graph_behind_what_it_was_computed_from() -> None:
    body = compared("y = exp(-sin(x))", "y = exp(sin(x))")
    nodes = body["graph"]["nodes"]
    names = [node["name"] for node in nodes]
    assert names.index("Sin") < names.index("Neg") < names.index("Exp")
    assert marked(body) == {"Neg": "removed", "gradients/Neg_grad/Neg": "removed"}
    exp = nodes[names.index("Exp")]
    assert (exp["inputs"], exp["removed_inputs"]) == (["Sin"], ["Neg"])


def test_a_node_that_is_gone_has_a_name_of_its_own() -> None:
    body = compared("y = sin(x) + cos(sin(x))", "y = sin(cos(x) * x)")
    names = [node["name"] for node in body["graph"]["nodes"]]
    assert len(set(names)) == len(names)
    known = set(names)
    for node in body["graph"]["nodes"]:
        sources = {name.partition(":")[0] for name in (*node["inputs"], *node["removed_inputs"])}
        assert sources <= known
