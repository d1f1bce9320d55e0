"""What a PyTorch program builds: one graph with its gradients, the same nodes in every turn of a loop."""

import json
from typing import Any

import pytest

from engine.programs.answers.graph_files import download_graph
from engine.programs.program.packing import unpack_outcome
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from engine.programs.service import run_and_pack
from tests.limits import ROOMY

SIN_EXP = """import torch
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(torch.sin(x))
y.backward()
"""
DESCENT = """import torch
w = torch.tensor(1.0, requires_grad=True)
for _ in range({turns}):
    loss = (w - 3) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
    w.grad = None
print(w.item())
"""


def _answer(source: str) -> dict[str, Any]:
    return run_and_pack(ProgramRequest(source=source))[0]


def test_a_gradient_node_belongs_to_the_function_whose_formula_made_it() -> None:
    nodes = {node["name"]: node for node in _answer(SIN_EXP)["graph"]["nodes"]}

    assert [name for name, node in nodes.items() if node["phase"] == "forward"] == [
        *("Variable/initial_value", "Variable", "Variable/Assign", "Variable/read", "Sin", "Exp")
    ]
    assert nodes["gradients/Sin_grad/Cos"]["of"] == "Sin"
    assert nodes["gradients/Exp_grad/Mul"]["of"] == "Exp"


def test_the_answer_names_the_leaf_and_its_gradient() -> None:
    answer = _answer(SIN_EXP)

    assert answer["target"] == "Exp:0"
    (row,) = answer["gradients"]
    assert row["name"] == "x"
    assert row["value"]["data"] == pytest.approx(-1.1400385)  # exp(sin 3) cos 3
    x, y = answer["bindings"]
    assert (x["is_leaf"], x["requires_grad"], x["grad_fn"]) == (True, True, None)
    assert x["grad"]["data"] == pytest.approx(-1.1400385)
    assert (y["is_leaf"], y["grad_fn"], y["grad"]) == (False, "ExpBackward0", None)


@pytest.mark.parametrize(("turns", "left"), [(3, 0.25), (12, 2 / 2**12)])
def test_every_turn_of_a_loop_runs_the_same_nodes(turns: int, left: float) -> None:
    answer = _answer(DESCENT.format(turns=turns))

    assert float(answer["printed"][0]) == pytest.approx(3 - left)  # each turn halves the distance of 2
    assert [session["runs"] for session in answer["sessions"]] == [turns]
    assert len(answer["graph"]["nodes"]) == len(_answer(DESCENT.format(turns=4))["graph"]["nodes"])


def test_a_program_without_backward_is_differentiated_by_pytorchs_rules() -> None:
    answer = _answer("import torch\nx = torch.tensor(0.0, requires_grad=True)\ny = x.abs() + 2 * x\n")

    (row,) = answer["gradients"]
    assert (row["name"], row["value"]["data"]) == ("x", 2.0)  # abs has the slope 0 at 0


def test_the_autograd_graph_is_served_with_what_came_to_each_node() -> None:
    request = ProgramRequest(source=SIN_EXP)
    served = json.loads(download_graph(request, "torch", "json", ROOMY))["tensors"]["y"]

    assert [node["name"] for node in served] == ["ExpBackward0", "SinBackward0", "AccumulateGrad"]
    assert [node["of"] for node in served] == ["Exp", "Sin", "Variable"]
    assert served[0]["received"][0]["data"] == 1.0
    assert served[2]["variable"] == "x"


def test_a_program_that_was_packed_keeps_its_tensors_and_graphs() -> None:
    _, packed = run_and_pack(ProgramRequest(source=SIN_EXP))
    outcome = unpack_outcome(packed, ROOMY)

    assert outcome.names["y"].grad_fn == "ExpBackward0"
    assert [node["id"] for node in outcome.workspace.autograd["y"]] == [0, 1, 2]


def test_the_first_gradient_has_memory_of_its_own() -> None:
    source = """import torch
y = torch.zeros(2, 2, requires_grad=True)
z = y.sum(dim=1)
z[0].backward(retain_graph=True)
z[1].backward()
print(y.grad.tolist())
"""
    assert run_request(ProgramRequest(source=source), ROOMY).printed == ["[[1.0, 1.0], [1.0, 1.0]]"]


@pytest.mark.parametrize(
    "line",
    [
        "torch.zeros(10**9)",
        "torch.arange(10**12)",
        "torch.eye(10**6)",
        "torch.ones(10**4).expand(10**6, 10**4) + 1",
        "torch.diag(torch.ones(10**6))",
        "torch.combinations(torch.arange(10**4), 5)",
        "torch.bincount(torch.tensor([10**12]))",
        "torch.ones(10**3)[torch.zeros(10**3, 1, dtype=torch.long).expand(10**3, 10**5)]",
    ],
)
def test_too_many_elements_stop_a_program_before_they_are_made(line: str) -> None:
    outcome = run_request(ProgramRequest(source=f"import torch\nx = {line}\n"), ROOMY)

    assert outcome.status == "limit"
    assert outcome.diagnostics[-1].code in ("tensor_limit", "alive_limit")


def test_gradient_descent_without_momentum_keeps_nothing_and_says_so() -> None:
    source = """import torch
x = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.1)
(x ** 2).backward()
optimizer.step()
"""
    nodes = {node["name"]: node for node in _answer(source)["graph"]["nodes"]}
    updates = [name for name, node in nodes.items() if node["phase"] == "update"]

    assert updates == ["SGD/learning_rate", "SGD/update_Variable/ApplyTorchPlainSGD", "SGD"]
    assert nodes["SGD/update_Variable/ApplyTorchPlainSGD"]["op"] == "ApplyTorchPlainSGD"


def test_a_graph_is_the_same_whether_autograd_takes_note_or_not() -> None:
    source = """import torch
a, b = torch.tensor([1.0, 2.0]{0}), torch.tensor(3.0)
{1}:
    y = (2 * a + b) * (a - 1) / b - (1 - a) / 4
"""
    noted = _answer(source.format(", requires_grad=True", "if True"))["graph"]["nodes"]
    not_noted = _answer(source.format(", requires_grad=True", "with torch.no_grad()"))["graph"]["nodes"]

    assert [(one["name"], one["op"], one["inputs"]) for one in not_noted] == [
        (one["name"], one["op"], one["inputs"]) for one in noted if one["phase"] == "forward"
    ]
    assert len(not_noted) > 15
