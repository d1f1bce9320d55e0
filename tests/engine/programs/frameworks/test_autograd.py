"""PyTorch's picture of a program: autograd nodes beneath the forward ops, and the order in which they run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.programs import ProgramRequest
from engine.programs.answers.graph_files import download_graph
from engine.programs.frameworks.autograd import Entry, run_order
from engine.programs.service import run_program, tell_lesson
from tests.limits import ROOMY

EXP_SIN = """\
import torch
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(torch.sin(x))
y.backward()
"""
TWICE = """\
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for k in range(2):
    y = 3 * w.sum()
    y.backward()
"""


def picture(source: str) -> dict[str, dict[str, Any]]:
    """The nodes of PyTorch's picture, by name."""
    request = ProgramRequest(source, dialect="torch")
    nodes = json.loads(download_graph(request, "torch", "json", ROOMY))["nodes"]
    return {node["name"]: node for node in nodes}


def steps(source: str, level: str = "torch") -> list[dict[str, Any]]:
    """The steps of its lesson."""
    found = tell_lesson(ProgramRequest(source, dialect="torch"), ROOMY, level)
    assert found["level"] == level
    steps: list[dict[str, Any]] = found["steps"]
    return steps


def test_each_forward_op_has_its_autograd_node_and_the_leaf_its_grad() -> None:
    nodes = picture(EXP_SIN)
    backward = {name: node["inputs"] for name, node in nodes.items() if node["phase"] == "gradient"}
    assert backward == {
        "ExpBackward0": [],
        "SinBackward0": ["ExpBackward0"],
        "AccumulateGrad x": ["SinBackward0"],
        "x.grad": ["AccumulateGrad x"],
    }
    assert (nodes["ExpBackward0"]["of"], nodes["SinBackward0"]["of"]) == ("Exp", "Sin")
    assert nodes["Exp"]["inputs"] == ["Sin"]
    assert nodes["x.grad"]["value"]["data"] == pytest.approx(-1.1400385)  # e^sin 3 · cos 3


def test_what_was_computed_without_gradients_is_one_given_tensor() -> None:
    source = """\
import torch
X = torch.linspace(-1, 1, 3).unsqueeze(1)
y = 3 * X + 0.5
w = torch.tensor([[2.0]], requires_grad=True)
loss = torch.nn.functional.mse_loss(X @ w, y)
loss.backward()
"""
    forward = {name: one["inputs"] for name, one in picture(source).items() if one["phase"] == "forward"}
    assert forward == {
        "ExpandDims": [],  # X
        "Add": [],  # y
        "Variable": [],
        "MatMul": ["ExpandDims", "Variable"],
        "Mean": ["MatMul", "Add"],
    }
    assert picture(source)["Add"]["value"]["data"] == [[-2.5], [0.5], [3.5]]
    assert [one["node"] for one in steps(source) if one["phase"] == "forward"] == [
        "Variable",
        "MatMul",
        "Mean",
    ]


def test_what_a_function_computes_of_its_labels_is_no_tensor_of_the_program() -> None:
    source = """\
import torch
labels = torch.arange(2.0) / 2
p = torch.full((2,), 0.5, requires_grad=True)
loss = torch.nn.functional.binary_cross_entropy(p, labels)
loss.backward()
"""
    nodes = picture(source)
    tensors = {name for name, one in nodes.items() if one["phase"] == "forward" and one["op"] != "Const"}
    assert tensors == {"Variable", "truediv", "Mean"}  # p, labels, loss
    assert nodes["truediv"]["value"]["data"] == [0.0, 0.5]


def test_a_step_names_the_tensors_that_a_node_has_saved_and_no_lengths_or_strides() -> None:
    source = """\
import torch
layer = torch.nn.Linear(2, 3)
loss = layer(torch.tensor([[1.0, 2.0]])).sum()
loss.backward()
"""
    assert picture(source)["AddmmBackward0"]["attrs"] == {"saved": "mat1, mat2"}
    [said] = [one["sentence"]["en"] for one in steps(source) if one["node"] == "AddmmBackward0"]
    assert "With mat1, mat2, which it saved in the forward pass" in said


def test_a_lesson_walks_in_the_order_of_the_engine_with_what_each_node_received() -> None:
    backward = [step for step in steps(EXP_SIN) if step["phase"] == "backward"]
    assert [step["node"] for step in backward] == [
        "ExpBackward0",
        "SinBackward0",
        "AccumulateGrad x",
        "x.grad",
    ]
    received = [step["output"]["value"]["data"] for step in backward]
    assert received == pytest.approx([1, 1.1515628, -1.1400385, -1.1400385])
    assert backward[0]["sentence"]["en"] == (
        "ExpBackward0 has received 1. With result, which it saved in the forward pass, "
        "it computes what goes on: to SinBackward0."
    )


def test_gradients_that_were_not_emptied_add_up_and_the_lesson_says_so() -> None:
    assert picture(TWICE)["w.grad"]["value"]["data"] == [6.0, 6.0]
    last = steps(TWICE)[-1]["sentence"]["en"]
    assert last.startswith("[3, 3] is added to w.grad, which held [3, 3] from before: [6, 6] now.")


LOOP = """\
import torch
w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    loss = (w - 3) ** 2 / 2
    loss.backward()
    optimizer.step()
"""


LARGE = """\
import torch
x = torch.ones(4, 30)
w = torch.zeros(30, 3, requires_grad=True)
for step in range(2):
    loss = ((x @ w - 1) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        {emptied}
"""


@pytest.mark.parametrize(
    ("emptied", "said"),
    [
        ("w.grad = None", ["was None and is [30 × 3] now.", "None.", "was None and is [30 × 3] now."]),
        ("w.grad.zero_()", ["was None and is [30 × 3] now.", "all 0.", "which was 0: [30 × 3] now."]),
        (
            "pass",
            [
                "was None and is [30 × 3] now.",
                "which held [30 × 3] from before: [30 × 3] now. zero_grad() would have emptied it.",
            ],
        ),
    ],
)
def test_the_grad_of_a_large_leaf_held_something_only_where_it_was_not_emptied(
    emptied: str, said: list[str]
) -> None:
    of_w = [one for one in sentences(LARGE.format(emptied=emptied)) if "w.grad" in one]
    assert len(of_w) == len(said)
    assert all(one.endswith(end) for one, end in zip(of_w, said, strict=True))


def sentences(source: str) -> list[str]:
    """What its lesson says, in English."""
    return [step["sentence"]["en"] for step in steps(source)]


def test_a_training_loop_is_walked_turn_by_turn_with_gradients_that_add_up() -> None:
    said = sentences(LOOP)
    of_w = [one for one in said if one.startswith(("w.grad", "−2", "w ←"))]
    assert of_w == [
        "w.grad was None and is −3 now.",
        "w ← 0 − 0.1 × (−3) = 0.3.",
        "−2.7 is added to w.grad, which held −3 from before: −5.7 now. zero_grad() would have emptied it.",
        "w ← 0.3 − 0.1 × (−5.7) = 0.87.",
        "−2.13 is added to w.grad, which held −5.7 from before: −7.83 now. "
        "zero_grad() would have emptied it.",
        "w ← 0.87 − 0.1 × (−7.83) = 1.653.",
    ]


def test_where_gradients_are_emptied_the_lesson_says_so_between_two_turns() -> None:
    said = sentences(LOOP.replace("    loss.b", "    optimizer.zero_grad()\n    loss.b"))
    assert said.count("w.grad is emptied: None.") == 2
    assert "w ← 0.3 − 0.1 × (−2.7) = 0.57." in said


def test_the_steps_of_a_loop_are_about_the_same_nodes_in_every_turn() -> None:
    nodes = [step["node"] for step in steps(LOOP)]
    turn = nodes[: nodes.index("w.grad") + 2]
    assert nodes == turn * 3


def test_a_long_loop_is_shown_by_its_first_turns() -> None:
    said = sentences(LOOP.replace("range(3)", "range(50)"))
    assert sum(one.startswith("w is a leaf") for one in said) == 5
    assert said[-1].startswith("More turns follow in the same way; in the end w is ")


def test_a_loss_inside_a_function_has_a_picture_too() -> None:
    source = "import torch\ndef slope(x):\n    y = x ** 2\n    y.backward()\n    return x.grad\n"
    source += "print(slope(torch.tensor(3.0, requires_grad=True)))\n"
    assert "PowBackward0" in picture(source)


def test_a_loop_that_never_empties_its_gradients_is_noted_once() -> None:
    def codes(source: str) -> list[str]:
        return [one["code"] for one in run_program(ProgramRequest(source))["diagnostics"]]

    assert codes(LOOP) == ["gradients_add_up"]
    assert codes(LOOP.replace("    loss.b", "    optimizer.zero_grad()\n    loss.b")) == []


def test_of_nodes_that_are_ready_the_one_made_last_runs_first_and_accumulating_before_any() -> None:
    def entry(kind: str, forward: str, *targets: int) -> Entry:
        return Entry(kind, kind, [[target, 0] for target in targets], forward, None, [])

    entries = [
        entry("AddBackward0", "add", 1, 2),
        entry("MulBackward0", "mul", 3),
        entry("SinBackward0", "sin", 4),
        entry("AccumulateGrad", "a"),
        entry("AccumulateGrad", "b"),
    ]
    made = {"a": 0, "b": 1, "mul": 2, "sin": 3, "add": 4}
    assert run_order(entries, made) == [0, 2, 4, 1, 3]


def test_the_same_program_has_a_lesson_as_mathematics_whose_numbers_are_pytorchs() -> None:
    found = steps(EXP_SIN, "mathematics")
    assert [step["phase"] for step in found].count("backward") == 2
    assert "Tried: −0.01135" in found[-1]["sentence"]["en"]


def test_another_framework_has_no_picture_of_it() -> None:
    request = ProgramRequest("y = exp(sin(x))", at={"x": 3.0})
    assert tell_lesson(request, ROOMY, "torch")["level"] == "tensorflow"
