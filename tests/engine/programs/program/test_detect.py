"""What a text is taken for."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from engine.programs.program.detect import detect_dialect

MATHEMATICS = [
    *("y = exp(sin(x))", "x^2", "损失 = (θ - 3)²", "x = 3\ny = x*x  # for a start", "2x + 1", "a(b+c)"),
    *(
        "y = x'",
        "f'(x) + g'(x)",
        r"\foo{x}",
        r"\frac{a}{b}",
        r"$y = e^{\sin x}$",
        r"$$\nx^2\n$$",
        r"\[ x^2 \]",
    ),
    *(r"\begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}", r"\lambda x", "lambda * x", "λx"),
    *("x_{12} + x_1", "e^{x}", "|x - 1|", "‖v‖", "√(x+1)", "（x＋1）×2", "y＝x", "sum(i, 1, 3, x^i)"),
    *(
        "if(x > 0, x, 0)",
        "if(x == 0, 1, sin(x)/x)",
        "if(0 < x < 1 and y != 2, x, y)",
        "x = [1, 2, 3]\nsum(x)",
    ),
    *("A = [[1, 2], [3, 4]]\nA @ A", "A^T A", "f(x) = x^2\nf(3)", "y := x^2", "x = 3; y = x^2", "max(x, 2)"),
    *(
        "x ** 2",
        "y = 1e-3 * x",
        ".5 x",
        "3",
        "x",
        "",
        "y = w*x + b",
        "loss = (y - w*x - b)**2",
        "not_a_word + 1",
    ),
    *(
        "for_ = 3",
        "dy/dx",
        "x!",
        "x ≤ 1",
        "∑_{i=1}^{3} i",
        "x₁ + x₂",
        "y = sigmoid(w x + b)",
        "1/2x",
        "iffy + 2",
    ),
]
TF1_PROGRAMS = [
    *("import tensorflow as tf", "a = tf.Variable(3.)", "print(3)", "print 3", "def f(x):\n    return x"),
    *("import miniflow as tf\nx = tf.Variable(1.)", "import autodiff as ad\nx = ad.Variable(name='x')"),
    *(
        "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()",
        "for i in range(3): x = i",
        "x += 1",
    ),
    *("y = [i**2 for i in range(3)]", "x = {'a': 1}", "a, b = 1, 2", "x = 'text'", "assert x == 3", "del x"),
    *(
        "class A:\n    pass",
        "y = x if x > 0 else 0",
        "x = None",
        "f = lambda x: x * 2",
        "y = 7 // 2",
        "y = 7 % 2",
    ),
    *("with tf.Session() as sess:\n    pass", "while x < 3:\n    x = x + 1", "if x > 0:\n    y = 1"),
    *("@tf.RegisterGradient('A')\ndef f(op, grad): pass", "x = np.array([1, 2])", 'text = "x^2 \\\\frac"'),
    *("print('GradientTape')", "print(r'\\frac{a}{b}', x)", "# y = x^2\nimport numpy as np"),
    *("s = tf.Session()\nopt = tf.keras.optimizers.SGD(0.1)",),
]
TF2_PROGRAMS = [
    *("with tf.GradientTape() as t:\n    pass", "import tensorflow as tf\nprint(tf.constant(2.).numpy())"),
    *(
        "tf.enable_eager_execution()",
        "@tf.function\ndef f(x): return x",
        "opt = tf.keras.optimizers.Adam(0.1)",
    ),
    *("opt = tf.optimizers.SGD(0.1)", "import tensorflow.compat.v2 as tf", "tf.random.set_seed(1)"),
    *("tf.compat.v1.enable_eager_execution()", "import tensorflow.compat.v1 as tf\ntf.enable_v2_behavior()"),
]
OTHERS = [
    ("import torch\nx = torch.tensor(1.)", "torch"),
    ("from jax import grad", "jax"),
    ("jnp.sum(x)", "jax"),
]


@pytest.mark.parametrize(
    ("source", "dialect"),
    [
        *((text, "math") for text in MATHEMATICS),
        *((text, "tf1") for text in TF1_PROGRAMS),
        *((text, "tf2") for text in TF2_PROGRAMS),
        *OTHERS,
    ],
)
def test_a_text_is_taken_for_what_it_is(source: str, dialect: str) -> None:
    assert detect_dialect(source) == dialect


@pytest.mark.parametrize(
    ("part", "dialect"), [("\n", "math"), ("if ", "math"), ("1a", "math"), (" \nimport x", "tf1")]
)
@pytest.mark.timeout(60)  # searched anew at each place, it would be hours
def test_a_text_however_long_is_soon_known(part: str, dialect: str) -> None:
    assert detect_dialect(part * (250_000 // len(part))) == dialect


@pytest.mark.parametrize("source", ["import torch\nx = torch.tensor(1.)", "from jax import grad"])
def test_a_framework_that_is_not_read_yet_is_refused_by_name(source: str) -> None:
    answer = run_program(ProgramRequest(source))
    assert answer["status"] == "refused"
    assert answer["diagnostics"][0]["code"] == "unsupported_dialect"


def test_an_unknown_dialect_is_refused() -> None:
    answer = run_program(ProgramRequest("x", dialect="fortran"))
    assert (answer["status"], answer["diagnostics"][0]["code"]) == ("refused", "unknown_dialect")


SYMBOLIC = ["if x > 2:\n    pass", "float(x)", "for part in x:\n    pass"]
TRAINED = "train = tf.train.AdamOptimizer(0.1).minimize(x * x)\n"


@pytest.mark.parametrize("line", SYMBOLIC)
@pytest.mark.parametrize(
    ("before", "dialect", "is_offered"),
    [("", "auto", True), ("", "tf1", False), (TRAINED, "auto", False), ("s = tf.Session()\n", "auto", False)],
)
def test_what_could_be_of_tensorflow_2_is_offered_that(
    line: str, before: str, dialect: str, is_offered: bool
) -> None:
    source = f"import tensorflow as tf\nx = tf.Variable(3.)\n{before}{line}\n"
    reported = run_program(ProgramRequest(source, dialect=dialect))["diagnostics"][0]
    assert ("choose TensorFlow 2" in reported["hint"]) == is_offered
    assert ("选择 TensorFlow 2" in reported["hint_zh"]) == is_offered
    if is_offered and "for" not in line:  # a single number has no parts there either
        assert run_program(ProgramRequest(source, dialect="tf2"))["status"] == "ok"
