"""Layers and losses of PyTorch, JAX and Keras in a lesson: each call by itself, in the learner's names."""

from __future__ import annotations

from engine.programs import ProgramRequest, tell_lesson
from tests.engine.programs.lesson.mathematics.lessons import chinese, english, of_phase, steps

NETWORK = """import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(2 * 2 * 2, 3),
)
images = torch.randn(2, 1, 6, 6)
labels = torch.tensor([0, 2])
criterion = nn.CrossEntropyLoss()
loss = criterion(model(images), labels)
loss.backward()
"""


def formulas(source: str) -> list[str]:
    """What the forward steps compute."""
    return [step["rule_text"] for step in of_phase(steps(source), "forward")]


def test_a_model_is_told_layer_by_layer() -> None:
    assert formulas(NETWORK) == [
        "model.0.weight",
        "images * model.0.weight",
        "model.0.bias",
        "u₁ = images * model.0.weight + model.0.bias",
        "max(0, u₁)",
        "maxpool(max(0, u₁))",
        "model.4.weight",
        "model.4.weightᵀ",
        "model.4.bias",
        "u₂ = maxpool(max(0, u₁)) model.4.weightᵀ",
        "u₂ + model.4.bias",
        "loss = criterion(u₂ + model.4.bias, labels)",
    ]


def test_losses_windows_and_filters_have_sentences_of_their_own() -> None:
    said = english(of_phase(steps(NETWORK), "backward"))
    assert said[0] == (
        "Softmax with cross entropy, the mean of 2 rows: each row of u₂ + model.4.bias gets (p − t) / 2, the "
        "probabilities that it predicts minus the right ones, times what comes back."
    )
    assert (
        "Only the largest number of each window of max(0, u₁) decides, so what comes back to a window goes "
        "to it alone and the others get 0."
    ) in said
    assert said[-1].startswith("The filter slides over its input and multiplies and adds up at every place: ")


WEIGHTED = """import torch
z = torch.tensor([[1.0, 2.0], [0.0, 0.5]], requires_grad=True)
loss = torch.nn.functional.cross_entropy(z, torch.tensor([0, 1]), weight=torch.tensor([1.0, 2.0]))
loss.backward()
"""


def test_weights_of_classes_leave_the_general_sentence() -> None:
    first = english(of_phase(steps(WEIGHTED), "backward"))[0]
    assert first.startswith(
        "Through cross_entropy(z) each number of z gets back what a small change of it does"
    )


SQUARES = """import torch
from torch import nn
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
y = torch.tensor([[1.0], [0.0]])
layer = nn.Linear(2, 1, bias=False)
nn.init.ones_(layer.weight)
loss = nn.functional.mse_loss(layer(x), y)
loss.backward()
"""


def test_a_layer_turns_its_weights_over_before_the_product() -> None:
    told = steps(SQUARES)
    assert [one["rule_text"] for one in of_phase(told, "forward")][1:] == [
        "layerᵀ",
        "x layerᵀ",
        "loss = mean((x layerᵀ − y)²)",
    ]
    rules = [one["rule_text"] for one in of_phase(told, "backward")]
    assert rules[1:] == ["∂loss/∂(layerᵀ) = xᵀ ∂loss/∂(x layerᵀ)", "∂loss/∂layer = ∂loss/∂(layerᵀ)ᵀ"]


def test_the_mean_of_squares_gives_twice_the_distance() -> None:
    told = of_phase(steps(SQUARES), "backward")
    assert english(told)[0] == (
        "The mean of 2 squares: each number of x layerᵀ gets 2 · (x layerᵀ − y) / 2, twice its distance from "
        "the target, times what comes back."
    )
    assert chinese(told)[0].startswith("2 个平方的平均：")


IN_JAX = """import jax, jax.numpy as jnp
x = jnp.array([[1., 2.], [3., 4.], [5., 6.]])
y = jnp.array([1., 0., 2.])
def loss(w):
    return jnp.mean((jnp.dot(x, w) - y) ** 2)
g = jax.grad(loss)(jnp.array([0.5, -0.5]))
"""


def test_jax_writes_products_and_means_as_a_learner_does() -> None:
    told = steps(IN_JAX)
    rules = [step["rule_text"] for step in of_phase(told, "forward")]
    assert rules[0] == "x w"
    assert rules[-1] == "loss = mean((x w − y)²)"
    assert english(of_phase(told, "backward"))[0] == (
        "In a mean each of the 3 numbers counts a third: 0.3333 comes back to each."
    )
    assert of_phase(told, "backward")[-1]["rule_text"].endswith("∂loss/∂w = xᵀ ∂loss/∂(x w)")


IN_KERAS = """import numpy as np
from tensorflow import keras
model = keras.Sequential([keras.layers.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]]), epochs=1, verbose=0)
"""


def test_what_fit_computes_is_called_loss() -> None:
    assert formulas(IN_KERAS)[-1].startswith("loss = mean(")


def reason(source: str) -> str:
    """Why a program has no lesson."""
    told = tell_lesson(ProgramRequest(source), level="mathematics")
    assert told["steps"] == []
    return str(told["reason"]["en"])


def test_without_a_lesson_the_reason_is_said() -> None:
    by_functions = "import torch\nfrom torch.func import grad\nprint(grad(torch.sin)(torch.tensor(2.0)))\n"
    assert reason(by_functions).startswith("Derivatives by torch.func are not told step by step;")
    stopped = "import torch\na = torch.ones(3, requires_grad=True)\nb = torch.ones(3)\nc = nothing(a)\n"
    assert reason(stopped).startswith("The program stops at a mistake before there is anything to tell;")
