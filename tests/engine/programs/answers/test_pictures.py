"""A program looked at as PyTorch and JAX would build it, whatever it is written in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest, run_program
from engine.programs.answers.graph_files import download_graph
from engine.programs.answers.pictures import tell_lesson_at
from tests.limits import ROOMY

FORMULA = ProgramRequest("y = exp(sin(x))", at={"x": 3})
TENSORFLOW = ProgramRequest(
    "import tensorflow as tf\nx = tf.Variable(3.)\nwith tf.GradientTape() as tape:\n"
    "    y = tf.exp(tf.sin(x))\nprint(tape.gradient(y, x))\n"
)


def graph(request: ProgramRequest, detail: str) -> dict[str, Any]:
    """The graph of a program as a framework builds it."""
    found: dict[str, Any] = json.loads(download_graph(request, detail, "json", ROOMY))
    return found


@pytest.mark.parametrize("request_", [FORMULA, TENSORFLOW], ids=["formula", "tensorflow"])
def test_a_formula_and_a_tensorflow_program_are_drawn_as_pytorch_builds_them(
    request_: ProgramRequest,
) -> None:
    found = graph(request_, "torch")
    backward = [node["name"] for node in found["nodes"] if node["phase"] == "gradient"]
    assert backward == ["ExpBackward0", "SinBackward0", "AccumulateGrad x", "x.grad"]
    (leaf,) = [node["name"] for node in found["nodes"] if node["op"] == "VariableV2"]
    assert found["names"][leaf] == "x"
    last = tell_lesson_at(request_, ROOMY, "torch")["steps"][-1]
    assert last["sentence"]["en"] == "x.grad was None and is −1.14 now."  # e^sin 3 · cos 3


def test_a_formula_is_drawn_as_the_jaxpr_that_jax_writes_for_it() -> None:
    operations = [node["op"] for node in graph(FORMULA, "jax")["nodes"] if node["inputs"]]
    assert operations == ["sin", "cos", "exp", "mul", "mul"]  # cos in the forward pass


def test_a_program_of_pytorch_is_drawn_as_jax_would_and_the_lesson_has_the_text() -> None:
    source = "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x ** 2\ny.backward()\n"
    lesson = tell_lesson_at(ProgramRequest(source), ROOMY, "jax")
    assert lesson["level"] == "jax"
    assert lesson["written"].startswith("import jax")
    assert lesson["steps"][-1]["output"]["value"]["data"] == 6.0


def test_what_jax_differentiates_by_is_called_as_the_function_calls_it() -> None:
    source = (
        "import jax\n\ndef f(w, shift):\n    return (w['a'] - shift) ** 2\n\n"
        "w = {'a': 1.0}\nfor step in range(3):\n"
        "    g = jax.grad(f)(w, 3.0)\n    w = {'a': w['a'] - 0.1 * g['a']}\n"
    )
    lesson = tell_lesson_at(ProgramRequest(source), ROOMY, "torch")
    assert lesson["steps"][-1]["sentence"]["en"] == "w_a.grad was None and is −2.56 now."  # 2 (1.72 - 3)
    assert [row["name"] for row in run_program(ProgramRequest(source))["gradients"]] == ["w_a", "w_a", "w_a"]


def test_the_level_of_a_programs_own_framework_is_its_own_text() -> None:
    source = "import torch\nx = torch.tensor(3.0, requires_grad=True)\n(x ** 2).backward()\n"
    assert "written" not in tell_lesson_at(ProgramRequest(source), ROOMY, "torch")


def test_what_cannot_be_written_for_a_framework_is_refused_in_both_languages() -> None:
    with pytest.raises(ProgramError) as refusal:
        tell_lesson_at(ProgramRequest("y = 2 + 3"), ROOMY, "torch")
    assert refusal.value.code == "not_writable"
    assert refusal.value.message_zh
