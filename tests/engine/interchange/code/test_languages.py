"""How each language writes: brackets, names, kinks, and what it has no words for."""

from __future__ import annotations

import pytest

from engine.errors import GradlensError
from engine.interchange.code import LANGUAGES
from engine.programs import ProgramRequest
from engine.programs.answers.code import written_code
from tests.limits import ROOMY


def written(source: str, language: str, **at: float) -> str:
    return written_code(ProgramRequest(source, at=at), language, ROOMY)


def test_mathematics() -> None:
    assert written("y = exp(sin(x))", "math", x=3) == "x = 3\ny = exp(sin(x))\n"


def test_latex() -> None:
    assert written("loss = (w x - y)^2 / θ", "latex") == "\n".join(
        [
            r"\begin{aligned}",
            r"w &= 1 \\",
            r"x &= 1 \\",
            r"y &= 1 \\",
            r"\theta &= 1 \\",
            r"\mathrm{loss} &= \frac{\left(w \cdot x - y\right)^{2}}{\theta}",
            r"\end{aligned}",
            "",
        ]
    )


def test_tensorflow_1() -> None:
    assert written("y = exp(sin(x))", "tf1", x=3) == (
        "import tensorflow as tf\n\n"
        'x = tf.Variable(3.0, dtype=tf.float64, name="x")\n\n'
        "y = tf.exp(tf.sin(x))\n"
        "gradients = tf.gradients(y, [x])\n\n"
        "with tf.Session() as sess:\n"
        "    sess.run(tf.global_variables_initializer())\n"
        "    print(sess.run([y, gradients]))\n"
    )


def test_tensorflow_2() -> None:
    assert written("y = exp(sin(x))", "tf2", x=3) == (
        "import tensorflow as tf\n\n"
        "x = tf.Variable(3.0, dtype=tf.float64)\n\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.exp(tf.sin(x))\n"
        "gradients = tape.gradient(y, [x])\n"
        "print(y, gradients)\n"
    )


def test_numpy_writes_the_backward_pass_out() -> None:
    assert written("y = exp(sin(x))", "numpy", x=3) == (
        "import numpy as np\n\n"
        "x = np.array(3.0, dtype=np.float64)\n\n"
        "y = np.exp(np.sin(x))\n"
        "d_x = 1.0 * y * np.cos(x)\n"
        "print(y, [d_x])\n"
    )


def test_pytorch_and_jax() -> None:
    assert "gradients = torch.autograd.grad(y, [x])" in written("y = exp(sin(x))", "torch", x=3)
    assert "jax.grad(f, argnums=(0,))(x)" in written("y = exp(sin(x))", "jax", x=3)


def test_pytorch_gets_a_tensor_where_a_number_has_no_method_and_no_shape() -> None:
    stopped = "import jax\njax.grad(lambda a, b: a * jax.lax.stop_gradient(b))(3.0, 2.0)\n"
    assert "y = a * torch.tensor(2.0, dtype=torch.float32).detach()" in written(stopped, "torch")
    shaped = "import tensorflow as tf\nx = tf.Variable([1.])\ny = x * tf.reshape(tf.constant(2.0), [1])\n"
    assert "torch.reshape(torch.tensor(2.0, dtype=torch.float32), [1])" in written(shaped, "torch")


@pytest.mark.parametrize(
    ("source", "expression"),
    [
        ("(a - b) - (c - d)", "a - b - (c - d)"),
        ("a / (b * c) * d", "a / (b * c) * d"),
        ("(a + b) c", "(a + b) * c"),
        ("-(a + b)", "-(a + b)"),
        ("-a^2", "-a ^ 2"),
        ("(-a)^2", "(-a) ^ 2"),
        ("(a^b)^c", "(a ^ b) ^ c"),
        ("a^b^c", "a ^ (b ^ c)"),
        ("a - (-b)", "a - (-b)"),
        ("if(a > 0 and not b < 1, a, b)", "if(a > 0 and not (b < 1), a, b)"),
    ],
)
def test_brackets_stand_where_they_are_needed(source: str, expression: str) -> None:
    assert written(source, "math").splitlines()[-1] == f"y = {expression}"


def test_names_are_those_of_the_program_as_far_as_the_language_allows() -> None:
    lines = "lambda_ = tf.Variable(2.)\nsin = tf.Variable(1.)\nloss = lambda_ * sin"
    source = f"import tensorflow.compat.v1 as tf\n{lines}"
    assert written(source, "math").splitlines()[-1] == "loss = lambda * sin_"
    assert written("损失 = (θ₁ - 3)²", "tf2").count("损失 = (θ1 - 3.0) ** 2.0") == 1


def test_another_convention_at_a_kink_is_said() -> None:
    assert "# Where both are equal, each gets half of the gradient" in written("max(x, y)", "torch")
    assert "# At 0 the slope of abs is 1 here; in TensorFlow it is 0." in written("abs(x)", "jax")
    assert "#" not in written("exp(x)", "torch")


OWN_RULE = """
import tensorflow.compat.v1 as tf
x = tf.Variable(3.0)
@tf.custom_gradient
def square(x):
    return x * x, lambda dy: 100.0 * dy
y = square(x)
"""
OWN_RULE_2 = (
    f"{OWN_RULE}".replace("y = ", "with tf.GradientTape() as tape:\n    y = ") + "tape.gradient(y, x)"
)


def test_numpy_writes_a_gradient_of_the_program_s_own() -> None:
    assert "d_x = np.array(100.0" in written(OWN_RULE, "numpy")


@pytest.mark.parametrize("language", ["tf1", "tf2", "torch", "jax", "math"])
@pytest.mark.parametrize("source", [OWN_RULE, OWN_RULE_2])
def test_a_language_that_differentiates_anew_refuses_a_gradient_of_the_program_s_own(
    source: str, language: str
) -> None:
    with pytest.raises(GradlensError, match="its gradient is a rule of the program's own"):
        written(source, language)


@pytest.mark.parametrize(
    ("source", "language", "message"),
    [
        (
            "import tensorflow as tf\nx = tf.Variable([[1., 2.]])\ny = tf.reduce_sum(x, 1)",
            "latex",
            "x is one number",
        ),
        (
            "import tensorflow as tf\nx = tf.Variable([[1., 2.], [3., 4.]])\ny = tf.reduce_sum(x, 1)",
            "math",
            "Sum cannot be written in mathematics: it works along an axis.",
        ),
        (
            "import tensorflow as tf\nx = tf.Variable([1., 2.])\ny = x + tf.random_normal([2])",
            "numpy",
            "RandomStandardNormal cannot be written in numpy.",
        ),
        (
            "import tensorflow as tf\nx = tf.placeholder(tf.float32, [2])\ny = tf.exp(x)",
            "jax",
            "The placeholder x has no value, which JAX needs.",
        ),
        (OWN_RULE, "jax", "IdentityN cannot be written in JAX: its gradient is a rule of the program's own."),
        ("print(1)", "tf2", "The program computes nothing that could be written in another language."),
    ],
)
def test_what_has_no_words_is_refused_by_name(source: str, language: str, message: str) -> None:
    if message == "x is one number":
        assert r"\operatorname{sum}" in written(source, language)
        return
    with pytest.raises(GradlensError) as caught:
        written(source, language)
    assert caught.value.message == message


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(GradlensError) as caught:
        written("x", "fortran")
    assert caught.value.hint == f"`as` is one of {', '.join(LANGUAGES)}, generated."
