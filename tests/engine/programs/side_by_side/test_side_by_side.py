"""Two levels of one program: what both show, and what differs between them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import GradlensError
from engine.programs import ProgramRequest
from engine.programs.side_by_side import side_by_side
from tests.limits import ROOMY

EXP_SIN = ProgramRequest("y = exp(sin(x))", dialect="math", at={"x": 3.0})
TORCH = ProgramRequest(
    """\
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([[0.5, -0.3], [0.1, 0.7]], requires_grad=True)
h = torch.tanh(w @ x)
loss = (h ** 2).sum() + (x * x).sum()
loss.backward()
""",
    dialect="torch",
)
JAX = ProgramRequest(
    """\
import jax
import jax.numpy as jnp
w = jnp.array([0.3, -0.2])
b = jnp.array(0.1)
print(jax.grad(lambda w, b: jnp.sum(jnp.tanh(w * 2.0 + b) ** 2), argnums=(0, 1))(w, b))
""",
    dialect="jax",
)
TF1 = ProgramRequest(
    """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
W = tf.Variable([[0.1], [0.4]])
y = tf.nn.sigmoid(tf.matmul(x, W))
loss = tf.reduce_mean(tf.square(y - [[1.0], [0.0]]))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run(train, {x: [[1, 2], [3, 4]]})
""",
    dialect="tf1",
)


def beside(request: ProgramRequest, left: str, right: str) -> dict[str, Any]:
    return side_by_side(request, ROOMY, left, right)


def pairs(found: dict[str, Any], kind: str) -> dict[str, tuple[list[str], list[str]]]:
    return {one["text"]: (one["left"], one["right"]) for one in found["quantities"] if one["kind"] == kind}


def sentences(found: dict[str, Any], kind: str) -> list[str]:
    return [one["sentence"]["en"] for one in found["differences"] if one["kind"] == kind]


def test_the_same_gradient_is_found_in_tensorflow_and_in_jax() -> None:
    found = beside(EXP_SIN, "tensorflow", "jax")
    assert pairs(found, "value") == {
        "x": (["x", "x/read"], ["a"]),
        "sin x": (["Sin"], ["b"]),
        "exp(sin x)": (["Exp"], ["d"]),
    }
    assert pairs(found, "gradient") == {
        "∂y/∂(sin x)": (["gradients/Exp_grad/mul"], ["e"]),
        "∂y/∂x": (["gradients/Sin_grad/mul"], ["f"]),
    }
    assert pairs(found, "factor") == {"cos x": (["gradients/Sin_grad/Cos"], ["c"])}


def test_jax_computes_cos_in_the_forward_pass_and_the_others_on_the_way_back() -> None:
    assert sentences(beside(EXP_SIN, "tensorflow", "jax"), "local") == [
        "sin x: TensorFlow computes `Cos` in the backward pass; "
        "JAX computes `cos` in the forward pass and keeps it."
    ]
    assert sentences(beside(EXP_SIN, "torch", "jax"), "local") == [
        "sin x: PyTorch computes its local derivative in the backward pass, inside `SinBackward0`; "
        "JAX computes `cos` in the forward pass and keeps it."
    ]
    assert sentences(beside(EXP_SIN, "tensorflow", "torch"), "local") == []


def test_what_is_kept_for_the_way_back_is_said() -> None:
    assert sentences(beside(EXP_SIN, "tensorflow", "jax"), "kept") == [
        "For the way back TensorFlow keeps x, exp(sin x); JAX keeps cos x, exp(sin x)."
    ]


def test_a_box_of_mathematics_is_called_by_the_node_that_it_is_about() -> None:
    found = beside(EXP_SIN, "mathematics", "torch")
    assert pairs(found, "gradient")["∂y/∂(sin x)"] == (["Sin"], ["SinBackward0"])  # which receives it
    assert pairs(found, "gradient")["∂y/∂x"] == (["x"], ["AccumulateGrad x", "x.grad"])


def test_equal_numbers_of_other_quantities_are_not_paired() -> None:
    square = ProgramRequest("y = x*x + (x + x)", dialect="math", at={"x": 2.0})  # both terms are 4
    values = pairs(beside(square, "tensorflow", "torch"), "value")
    assert values["x · x"] == (["mul"], ["Mul"])
    assert values["x + x"] == (["add"], ["Add"])


def test_a_program_of_pytorch_has_its_own_nodes_paired_with_those_of_its_text_for_jax() -> None:
    found = pairs(beside(TORCH, "torch", "jax"), "gradient")
    assert found["∂loss/∂w"][0] == ["AccumulateGrad w", "w.grad"]
    assert found["∂loss/∂x"][0] == ["AccumulateGrad x", "x.grad"]
    assert len(found["∂loss/∂x"][1]) == 1


def test_what_comes_back_on_two_ways_is_added_by_a_node_or_by_the_engine() -> None:
    (sentence,) = sentences(beside(TORCH, "torch", "jax"), "sum")
    assert sentence.startswith("What comes back on several ways is added up: PyTorch has no node for it; JAX")


def test_of_a_program_of_jax_tensorflow_is_spoken_of_as_it_would_build_it() -> None:
    found = beside(JAX, "tensorflow", "jax")
    assert sentences(found, "written") != []
    assert "inside `TanhGrad`; JAX computes `sub` in the forward pass" in " ".join(sentences(found, "local"))
    assert pairs(found, "gradient")["∂y/∂w"][1] != []


def test_a_program_that_trains_is_paired_at_the_values_that_it_begins_with() -> None:
    found = pairs(beside(TF1, "tensorflow", "torch"), "gradient")
    assert found["∂loss/∂W"][1] == ["AccumulateGrad W", "W.grad"]


def test_at_a_corner_the_gradient_differs_and_is_not_paired() -> None:
    tie = ProgramRequest("y = max(a, b)", dialect="math", at={"a": 1.0, "b": 1.0})
    found = beside(tie, "tensorflow", "torch")
    assert sentences(found, "result") == [
        "∂y/∂a differs here: TensorFlow and PyTorch take different slopes at a corner.",
        "∂y/∂b differs here: TensorFlow and PyTorch take different slopes at a corner.",
    ]
    assert "∂y/∂a" not in pairs(found, "gradient")
    apart = ProgramRequest("y = max(a, b)", dialect="math", at={"a": 1.0, "b": 2.0})
    assert sentences(beside(apart, "tensorflow", "torch"), "result") == []


def test_what_pytorch_has_nothing_to_differentiate_of_has_no_pairs() -> None:
    plain = ProgramRequest("import jax.numpy as jnp\ny = jnp.sum(jnp.array([1.0, 2.0]))", dialect="jax")
    assert beside(plain, "tensorflow", "torch")["quantities"] == []


@pytest.mark.parametrize("levels", [("torch", "torch"), ("torch", "caffe")])
def test_two_levels_are_asked_for(levels: tuple[str, str]) -> None:
    with pytest.raises(GradlensError, match="no two levels"):
        beside(EXP_SIN, *levels)
