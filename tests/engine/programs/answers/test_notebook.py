"""Notebooks: what stands in them, and that they run from top to bottom in a kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import ProgramError
from engine.programs import ProgramRequest
from engine.programs.answers.notebook import fenced, written_notebook
from tests.limits import ROOMY

TORCH = """
import torch
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
b = torch.tensor([0.5, -0.5], requires_grad=True)
loss = ((w @ torch.tensor([1.0, -1.0]) + b) ** 2).mean()
loss.backward()
print(loss.item())
"""
TRAINED = """
import tensorflow as tf
x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
w = tf.Variable([[0.5, -0.25]])
labels = [[1.0, 0.0], [0.0, 1.0]]
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=x * w))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(5):
        session.run(train)
"""
JAX = """
import jax, jax.numpy as jnp
x = jnp.array([0.5, -1.0])
print(jax.grad(lambda x: jnp.sum(jnp.tanh(x) * x))(x))
"""


def notebook(source: str, **given: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(written_notebook(ProgramRequest(source, **given), ROOMY))
    return found


def texts(book: dict[str, Any], kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == kind]


def test_a_notebook_has_the_program_its_values_numpy_and_the_derivation() -> None:
    book = notebook("y = x^2 + 1", at={"x": 3})
    words, code = texts(book, "markdown"), texts(book, "code")
    assert "```text\ny = x^2 + 1\n```" in words[0]
    assert "| `x` | `3.0` |\n| `y` | `10.0` |\n| `d y / d x` | `6.0` |" in words[1]  # 3² + 1, 2 · 3
    assert "\n\ny = x ** 2.0 + 1.0\nd_x = " in code[0]
    assert "np.testing.assert_allclose(y, 10.0, rtol=1e-09, atol=1e-10)" in code[1]
    assert any("$$y = x^{2} + 1$$" in text for text in words)
    assert any("求导" in text for text in words)


def test_a_program_of_pytorch_has_its_own_names_and_what_it_printed() -> None:
    words = texts(notebook(TORCH), "markdown")
    assert "```text\n1.25\n```" in words[1]
    assert "| `d loss / d b` | `[-0.5, -1.5]` |" in words[2]


def test_the_same_request_gives_the_same_bytes() -> None:
    request = ProgramRequest(TORCH)
    assert written_notebook(request, ROOMY) == written_notebook(request, ROOMY)


def test_a_program_with_a_mistake_has_no_notebook() -> None:
    with pytest.raises(ProgramError) as refused:
        notebook("y = sim(x)")
    assert refused.value.message.startswith("The program did not run to its end: ")


def test_what_numpy_has_no_words_for_is_named_in_place_of_the_code() -> None:
    book = notebook(
        "import tensorflow as tf\nx = tf.Variable(3.0)\ni, y = tf.while_loop(lambda i, y: i < 3, "
        "lambda i, y: (i + 1, y * x), [0, 1.0])\ng = tf.gradients(y, x)"
    )
    assert any(
        "cannot be written in numpy" in text and "无法用 numpy 表示" in text
        for text in texts(book, "markdown")
    )


def test_a_fence_is_longer_than_those_within() -> None:
    assert fenced("a\n```\nb") == "````text\na\n```\nb\n````"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["y = exp(sin(x)) + relu(x)", TORCH, TRAINED, JAX], ids=["math", "torch", "tf", "jax"]
)
def test_a_notebook_runs_from_top_to_bottom_in_a_kernel(source: str, tmp_path: Path) -> None:
    import nbclient
    import nbformat

    book = nbformat.reads(json.dumps(notebook(source)), 4)
    nbformat.validate(book)
    nbclient.NotebookClient(book, timeout=240, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = [
        out["text"] for cell in book.cells for out in cell.get("outputs", []) if out["name"] == "stdout"
    ]
    assert printed[0] == "numpy and Gradlens agree.\n"
    differences = [float(line.split()[-1]) for line in printed[1].splitlines()]
    assert differences
    assert max(differences) < 1e-4  # between the gradients and central differences


@pytest.mark.slow
def test_a_notebook_whose_numbers_were_changed_does_not_run(tmp_path: Path) -> None:
    import nbclient
    import nbformat

    text = json.dumps(notebook("y = x^2", at={"x": 3})).replace(
        "assert_allclose(y, 9.0", "assert_allclose(y, 9.1"
    )
    book = nbformat.reads(text, 4)
    with pytest.raises(nbclient.exceptions.CellExecutionError, match="Not equal to tolerance"):
        nbclient.NotebookClient(book, timeout=240, resources={"metadata": {"path": str(tmp_path)}}).execute()
