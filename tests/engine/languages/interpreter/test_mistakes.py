"""Wrong programs: each mistake is reported with its place and what to try."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def mistake(source: str) -> dict[str, Any]:
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["status"] in ("error", "refused")
    reported: dict[str, Any] = next(d for d in answer["diagnostics"] if d["severity"] == "error")
    assert reported["message_zh"] != reported["message"]  # reported in Chinese too
    return reported


@pytest.mark.parametrize(
    ("source", "line", "column", "message", "hint"),
    [
        (
            "x = 1\ny = x + * 2",
            2,
            9,
            "Syntax error: invalid syntax.",
            "Look at this place and just before it.",
        ),
        (
            "for i in range(3)\n    print(i)",
            1,
            18,
            "Syntax error: expected ':'.",
            "End the line with a colon.",
        ),
        ("x = [1, 2\ny = 3", 1, 5, "Syntax error: '[' was never closed.", "Add the closing bracket."),
        (
            "print(（1）)",
            1,
            7,
            "Syntax error: `（` is a full-width character.",
            "Type ( with the keyboard in English mode.",
        ),
        (
            "def f():\nreturn 1",
            2,
            1,
            "Syntax error: expected an indented block after function definition on line 1.",
            "Indent the lines that belong to it by four spaces.",
        ),
    ],
)
def test_a_syntax_error_points_at_its_place(
    source: str, line: int, column: int, message: str, hint: str
) -> None:
    reported = mistake(source)
    assert (reported["line"], reported["column"]) == (line, column)
    assert (reported["message"], reported["hint"]) == (message, hint)


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        (
            "learning_rate = 1\nprint(learing_rate)",
            "The name `learing_rate` is not defined.",
            "Did you mean `learning_rate`?",
        ),
        ("prnt(1)", "The name `prnt` is not defined.", "Did you mean `print`?"),
        ("'a'.uper()", "A str has no attribute `uper`.", "Did you mean `.upper`?"),
        (
            "import numpy as np\nnp.lnspace(0, 1)",
            "`np` has no member `lnspace`.",
            "Did you mean `np.linspace`?",
        ),
        (
            "import tensorflow as tf\ntf.GradientDescentOptimizer(1)",
            "`tf` has no member `GradientDescentOptimizer`.",
            "Did you mean `tf.train.GradientDescentOptimizer`?",
        ),
        ("def f(alpha): pass\nf(alpa=1)", "f() has no argument named `alpa`.", "Did you mean `alpha`?"),
        (
            "import tensorflow as tf\ntf.Variable(1., nam='x')",
            "tf.Variable() has no argument named `nam`.",
            "Did you mean `name`?",
        ),
        ("def f(a): pass\nf(1, 2)", "f() takes at most 1 positional arguments, but 2 were given.", ""),
        ("def f(a, b): pass\nf(1)", "f() is missing its argument `b`.", ""),
        (
            "x = 5\ndef f():\n    x += 1\nf()",
            "`x` is read here before it gets a value in this function.",
            "A name that a function assigns is its own; write `global x` to use the program's.",
        ),
        ("'a' + 1", "`+` does not work between str and int.", "Turn the number into text with str(...)."),
        ("3(4)", "An int cannot be called.", "Is a `*` or a comma missing before the bracket?"),
        ("1 / 0", "Division by zero in `/`.", ""),
        ("[1][3]", "Index 3 is outside of this list of length 1.", "Counting starts at 0."),
        ("{'a': 1}['b']", "The dict has no key 'b'.", "Its keys are: 'a'."),
        (
            "a, b = 1, 2, 3",
            "There are 2 names on the left, but 3 values on the right.",
            "The right side must give one value for each name.",
        ),
        ("for i in 3: pass", "An int cannot be gone through item by item.", "Use range(n) to count."),
        ("assert 1 == 2, 'not equal'", "The assertion does not hold: not equal", ""),
        (
            "import socket\nsocket.socket()",
            "The module `socket` is not available here.",
            "Programs may use torch, jax, tensorflow, keras, numpy and much of Python's own library.",
        ),
        (
            "import flax.linen as nn\nnn.Dense(3)",
            "The module `flax.linen` is not available here.",
            "Keep parameters in a dictionary, write layers as functions (x @ w + b); optax trains them.",
        ),
        (
            "import jaxopt\njaxopt.LBFGS(f)",
            "The module `jaxopt` is not available here.",
            "jax.experimental.ode.odeint solves differential equations, jax.scipy.optimize.minimize finds "
            "minima, optax trains.",
        ),
        ("eval('1')", "`eval` is not available here.", "Write the expression itself."),
        (
            "x = input('n? ')",
            "The program waits for a line: this is call 1 of input(), and no line was given.",
            "Type the line into the field below the program (elsewhere: `inputs` of a request, `--input`).",
        ),
        ("(1).__dict__", "`__dict__` reaches behind a value, which is not supported.", ""),
        (
            "'{0.real}'.format(1)",
            "The field {0.real} looks inside a value, which formats may not do here.",
            "Give the inner value itself to format(...).",
        ),
    ],
)
def test_a_mistake_is_reported_with_what_to_try(source: str, message: str, hint: str) -> None:
    reported = mistake(source)
    assert (reported["message"], reported["hint"]) == (message, hint)


def test_a_shape_mismatch_points_at_its_line_and_shows_both_shapes() -> None:
    source = (
        "import tensorflow as tf\na = tf.zeros((32, 784))\nb = tf.zeros((128, 10))\nc = 1 + tf.matmul(a, b)"
    )
    reported = mistake(source)
    assert reported["code"] == "shape_mismatch"
    assert "(32, 784)" in reported["message"]
    assert "(128, 10)" in reported["message"]
    assert (reported["line"], reported["column"], reported["end_column"]) == (4, 9, 24)


def test_an_uninitialised_variable_names_the_initializer() -> None:
    reported = mistake("import tensorflow as tf\nx = tf.Variable(1.)\nwith tf.Session() as s:\n    s.run(x)")
    assert reported["code"] == "uninitialised_variable"
    assert "global_variables_initializer" in reported["hint"]


def test_a_missing_feed_names_the_placeholder_and_the_run() -> None:
    reported = mistake(
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, name='x')\n"
        "y = 2 * x\nwith tf.Session() as s:\n    s.run(y)"
    )
    assert reported["code"] == "missing_feed"
    assert "x" in reported["message"]
    assert reported["line"] == 5


def test_what_has_no_value_is_called_as_the_program_calls_it() -> None:
    start = "import tensorflow as tf\nx = tf.placeholder(tf.float32)\na = tf.Variable(2., name='p')\n"
    reported = mistake(start + "y = 2 * x\nwith tf.Session() as s:\n    s.run(y)")
    assert reported["message"] == "The placeholder x (float32) has no value in this run."
    assert reported["hint"] == "Add it to the run: feed_dict={x: …}."
    reported = mistake(start + "with tf.Session() as s:\n    s.run(a)")
    assert reported["message"] == "The variable a has no value yet."
    assert reported["message_zh"] == "变量 a 还没有值。"


@pytest.mark.parametrize(
    ("source", "message_zh"),
    [
        ("def f():\nreturn 1", "语法错误：第 1 行之后应有缩进的代码块。"),
        ("f(3) = 2", "语法错误：等号左边应是一个名字。"),
        ("f(a=1, 2)", "语法错误：没有名字的参数不能放在有名字的参数之后。"),
        ("try:\n    x = 1\n", "语法错误：try 之后应有 except 或 finally。"),
        ("del f()", "语法错误：这里读不懂。"),
    ],
)
def test_a_syntax_error_is_reported_in_chinese_alone(source: str, message_zh: str) -> None:
    assert mistake(source)["message_zh"] == message_zh


def test_everything_up_to_the_mistake_is_kept() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(2.)\ny = x * x\nprint('so far')\nz = y +\n"
    assert run_program(ProgramRequest(source))["printed"] == []  # a syntax error: nothing ran
    answer = run_program(ProgramRequest(source.replace("z = y +\n", "z = undefined_name")))
    assert answer["status"] == "error"
    assert answer["printed"] == ["so far"]
    assert [binding["name"] for binding in answer["bindings"]] == ["x", "y"]
    assert answer["bindings"][1]["value"]["data"] == 4.0
    assert "mul" in [node["name"] for node in answer["graph"]["nodes"]]


def test_a_symbolic_tensor_has_no_truth_value() -> None:
    reported = mistake("import tensorflow as tf\nx = tf.Variable(1.)\nif x > 0:\n    pass")
    assert reported["code"] == "tensor_as_bool"


def test_shapes_that_clash_are_reported_under_the_names_of_the_program() -> None:
    reported = mistake(
        "import tensorflow as tf\nfeatures = tf.zeros([2, 3])\nweights = tf.zeros([4, 1])\n"
        "y = tf.matmul(features, weights)\n"
    )
    assert reported["message"].endswith("Here features is (2, 3) and weights is (4, 1).")
    assert reported["message_zh"].endswith("这里 features 是 (2, 3)，weights 是 (4, 1)。")
    sums = mistake("import tensorflow as tf\na = tf.zeros([3])\nb = tf.zeros([2])\nc = a + b\n")
    assert sums["message"].endswith("Here a is (3,) and b is (2,).")


def test_shapes_that_clash_inside_a_function_are_reported_there() -> None:
    reported = mistake(
        "import tensorflow as tf\ndef layer(v):\n    return tf.matmul(v, v)\nx = tf.zeros([2, 3])\nlayer(x)\n"
    )
    assert reported["line"] == 3
    assert reported["message"].endswith("Here v is (2, 3).")


def test_a_letter_of_another_alphabet_is_reported() -> None:
    reported = mistake("import tensorflow as tf\n\u0445 = tf.Variable(1.)\ny = x * 2.\n")
    assert (
        reported["hint"]
        == "`\u0445` looks the same, but in letters of another alphabet: type one of them anew."
    )


@pytest.mark.parametrize(
    "line",
    [
        "import pandas as pd\nprint(pd.read_csv('a.csv'))",
        "import tensorflow_datasets as tfds\nprint(tfds)",
        "tf.keras.utils.get_file('a.csv', 'https://example.org/a.csv')",
    ],
)
def test_data_from_elsewhere_is_refused_with_an_offer(line: str) -> None:
    reported = mistake(f"import tensorflow as tf\n{line}\n")
    assert "np.random.RandomState(0).randn(100, 2)" in reported["hint"]


def test_a_real_name_that_is_left_out_is_not_taken_for_misspelt() -> None:
    assert mistake("import tensorflow as tf\ntf.py_function(abs, [1.], tf.float32)")["code"] == "refused_name"
    assert mistake("import tensorflow as tf\ntf.map_fm(abs, [1.])")["code"] == "unknown_attribute"


def test_a_shape_has_no_negative_lengths() -> None:
    reported = mistake("import tensorflow as tf\nx = tf.zeros([-1, 2])")
    assert reported["message"] == "A shape has no negative lengths, but this is (-1, 2)."


@pytest.mark.parametrize(
    "source",
    [
        ">>> import tensorflow as tf\n>>> for i in range(2):\n...     print(i)\n...\n0\n1\n",
        "In [1]: import math\n\nIn [2]: for i in range(2):\n   ...:     print(i)\n   ...:\n0\n1\n",
        "%matplotlib inline\n!pip install tensorflow\nfor i in range(2):\n    print(i)\n",
    ],
)
def test_what_a_notebook_or_a_console_adds_is_left_out(source: str) -> None:
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert (answer["status"], answer["printed"]) == ("ok", ["0", "1"])
    assert "notebook_lines" in [reported["code"] for reported in answer["diagnostics"]]


def test_a_mistake_in_a_pasted_console_is_reported_at_its_place() -> None:
    reported = mistake(">>> x = 1\n>>> y = z\n")
    assert (reported["line"], reported["column"], reported["end_column"]) == (2, 9, 10)


def test_a_graph_too_large_to_run_says_so_where_it_is_built() -> None:
    answer = run_program(
        ProgramRequest(
            "import tensorflow.compat.v1 as tf\na = tf.zeros([1000, 1000])\nb = tf.tile(a, [100, 100])\n"
        )
    )
    assert answer["status"] == "limit"
    (reported,) = [d for d in answer["diagnostics"] if d["severity"] == "error"]
    assert (reported["code"], reported["line"]) == ("tensor_limit", 3)


def test_members_of_a_name_that_is_bound_anew_below_are_no_further_mistakes() -> None:
    source = "import numpy as random\n1 / 0\nfrom time import time as random\nprint(random.no_such)\n"
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert [one["message"] for one in answer["diagnostics"]] == ["Division by zero in `/`."]
    assumed = run_program(ProgramRequest("1 / 0\nfrom jax import random\nrandom.key(0)", dialect="jax"))
    assert [one["message"] for one in assumed["diagnostics"]] == ["Division by zero in `/`."]
