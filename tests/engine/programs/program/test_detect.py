"""What a text is taken for."""

from __future__ import annotations

import json

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
    *("import miniflow as tf\nx = tf.Variable(1.)", "import autodiff as ad\nx = ad.Variable(name='x')"),
    "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()",
    "with tf.Session() as sess:\n    pass",
    "@tf.RegisterGradient('A')\ndef f(op, grad): pass",
    "s = tf.Session()\nopt = tf.keras.optimizers.SGD(0.1)",
    *("x = tf.placeholder(tf.float32)", "x = tf.placeholder_with_default(1., [])", "tf.InteractiveSession()"),
    *("init = tf.global_variables_initializer()", "init = tf.initialize_all_variables()"),
    *("w = tf.get_variable('w', [2])", "with tf.variable_scope('a'):\n    x = tf.Variable(1.)"),
    *("opt = tf.train.AdamOptimizer(0.1)", "opt = tf.train.GradientDescentOptimizer(0.1)"),
    *("rate = tf.train.exponential_decay(0.1, 1, 2, 3)", "saver = tf.train.Saver()"),
    *("h = tf.layers.dense(x, 3)", "g = tf.gradients(y, x)", "y = tf.log(x)", "x = tf.random_normal([2])"),
    *("import tensorflow.compat.v1 as tf\nx = tf.Variable(1.)", "x = tf.compat.v1.Variable(1.)"),
    *(
        "update = tf.assign(x, 1.)",
        "tf.set_random_seed(1)",
        "y = tf.to_float(x)",
        "y = tf.contrib.layers.flatten(x)",
    ),
    *("with tf.Graph().as_default():\n    x = tf.constant(1.)", "tf.reset_default_graph()"),
    *(
        "loss = tf.losses.mean_squared_error(y, p)",
        "v = tf.trainable_variables()",
        "y = tf.matrix_inverse(x)",
    ),
    "import tensorflow as tf\nprint(sess.run(y, feed_dict={x: 1.}))",
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
    *(
        "import tensorflow as tf\nx = tf.Variable(3.)\nprint(x * x)",
        "import tensorflow as tf\ntf.print(tf.constant(1))",
    ),
    "for x in tf.data.Dataset.range(3):\n    print(x)",
    "from tensorflow import keras\nmodel = keras.Sequential([keras.layers.Dense(1)])",
    "import keras\nmodel = keras.Sequential()",
    "from tensorflow.keras import layers",
    "import tensorflow.compat.v1 as tf\nwith tf.GradientTape() as tape:\n    y = x * x",
    "with tf.GradientTape() as tape:\n    y = tf.log(x)",
    "x = tf.contrib.eager.Variable(1.)",
    "y = tf.math.log(tf.constant([1., 2.]))\nprint(y)",
    "x = tf.Variable(1.)\nx.assign_add(1.)",
    "x = tf.random.normal([2])",
    "loss = tf.losses.MeanSquaredError()(y, p)",
    "accuracy = tf.metrics.Mean()",
    "# sess = tf.Session()\nx = tf.constant(1.)",
    "x = tf.constant(1.)\nprint('tf.Session()')",
    *("import tensorflow as tf", "a = tf.Variable(3.)", "import tensorflow as t\nx = t.constant(1.)"),
]
WITHOUT_TENSORFLOW = [
    *("print(3)", "print 3", "def f(x):\n    return x"),
    *("for i in range(3): x = i", "x += 1"),
    *("y = [i**2 for i in range(3)]", "x = {'a': 1}", "a, b = 1, 2", "x = 'text'", "assert x == 3", "del x"),
    *(
        "class A:\n    pass",
        "y = x if x > 0 else 0",
        "x = None",
        "f = lambda x: x * 2",
        "y = 7 // 2",
        "y = 7 % 2",
    ),
    *("while x < 3:\n    x = x + 1", "if x > 0:\n    y = 1"),
    *("x = np.array([1, 2])", 'text = "x^2 \\\\frac"'),
    *("print('GradientTape')", "print(r'\\frac{a}{b}', x)", "# y = x^2\nimport numpy as np"),
]
OTHERS = [
    ("import torch\nx = torch.tensor(1.)", "torch"),
    ("import torch\nimport keras\nmodel = keras.Sequential()\nmodel.fit(torch.ones(3))", "tf2"),
    ("import torch\nimport keras\nmodel = torch.nn.Linear(1, 1)\nscaler.fit(x)", "torch"),
    ("from jax import grad", "jax"),
    ("jnp.sum(x)", "jax"),
]


@pytest.mark.parametrize(
    ("source", "dialect"),
    [
        *((text, "math") for text in MATHEMATICS),
        *((text, "tf1") for text in (*TF1_PROGRAMS, *WITHOUT_TENSORFLOW)),
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


def test_a_program_of_another_framework_is_read_as_one() -> None:
    answer = run_program(ProgramRequest("from jax import grad\nprint(grad(lambda x: x * x)(3.0))"))
    assert (answer["dialect"], answer["printed"]) == ("jax", ["6.0"])


def test_an_unknown_dialect_is_refused() -> None:
    answer = run_program(ProgramRequest("x", dialect="fortran"))
    assert (answer["status"], answer["diagnostics"][0]["code"]) == ("refused", "unknown_dialect")


SYMBOLIC = ["if x > 2:\n    pass", "float(x)", "for part in x:\n    pass"]
TRAINED = "train = tf.train.AdamOptimizer(0.1).minimize(x * x)\n"


@pytest.mark.parametrize("line", SYMBOLIC)
@pytest.mark.parametrize(
    ("before", "dialect", "runs_at_once"),
    [("", "auto", True), ("", "tf1", False), (TRAINED, "auto", False), ("s = tf.Session()\n", "auto", False)],
)
def test_what_could_be_of_tensorflow_2_runs_as_that(
    line: str, before: str, dialect: str, runs_at_once: bool
) -> None:
    source = f"import tensorflow as tf\nx = tf.Variable([3.])\n{before}{line}\n"
    answer = run_program(ProgramRequest(source, dialect=dialect))
    assert answer["dialect"] == ("tf2" if runs_at_once else "tf1")
    assert answer["status"] == ("ok" if runs_at_once else "error")


EAGER_PROGRAMS = [
    ("x = tf.Variable(3.)\nprint((x * x).numpy())", ["9.0"]),
    ("x = tf.constant([1, 2])\ntf.print(x)", ["[1 2]"]),
    ("for x in tf.data.Dataset.range(2):\n    print(int(x))", ["0", "1"]),
    ("x = tf.constant(2.)\nif x > 1:\n    print('large')", ["large"]),
    ("loss = tf.keras.losses.MeanSquaredError()\nprint(float(loss([1.], [3.])))", ["4.0"]),
]


@pytest.mark.parametrize(("source", "shown"), EAGER_PROGRAMS)
def test_an_eager_program_without_a_tape_runs(source: str, shown: list[str]) -> None:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{source}"))
    assert (answer["dialect"], answer["status"], answer["printed"]) == ("tf2", "ok", shown)


@pytest.mark.parametrize(
    ("code", "dialect"),
    [
        ("import tensorflow as tf\nx = tf.Variable(2.0)\nprint(x.numpy())", "tf2"),
        ("import tensorflow as tf\ns = tf.Session()", "tf1"),
    ],
)
def test_a_notebook_is_taken_for_what_its_code_is(code: str, dialect: str) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# About tf.Session() and y = x^2"]},
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": [code]},
    ]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}, indent=1)
    assert detect_dialect(text) == dialect


def test_a_session_that_only_sets_up_a_processor_makes_no_program_of_tensorflow_1() -> None:
    set_up = (
        "import tensorflow as tf\nconfig = tf.compat.v1.ConfigProto()\n"
        "config.gpu_options.allow_growth = True\n"
        "session = tf.compat.v1.Session(config=config)\n"
    )
    layer = "print(tf.keras.layers.Dense(2)(tf.ones([1, 3])).shape)\n"
    assert detect_dialect(set_up + layer) == "tf2"
    assert detect_dialect(set_up + layer + "session.run(y)\n") == "tf1"
    given = "tf.compat.v1.keras.backend.set_session(session)\nwith session as also:\n    pass\n"
    for source in (set_up + layer, set_up + given + layer):
        answer = run_program(ProgramRequest(source))
        assert (answer["status"], answer["printed"]) == ("ok", ["(1, 2)"])
