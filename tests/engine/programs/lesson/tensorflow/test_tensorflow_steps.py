"""The lesson at level TensorFlow: every step told with its values, each following from those before it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, tell_lesson


def steps(source: str, **fields: Any) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = tell_lesson(ProgramRequest(source, **fields), level="tensorflow")["steps"]
    assert [step["index"] for step in told] == list(range(len(told)))
    return told


def english(told: list[dict[str, Any]]) -> list[str]:
    return [step["sentence"]["en"] for step in told]


def chinese(told: list[dict[str, Any]]) -> list[str]:
    return [step["sentence"]["zh"] for step in told]


def test_the_chain_rule_is_told_node_by_node() -> None:
    told = steps("y = exp(sin(x))", at={"x": 3})
    assert english(told) == [
        "Forward 1/3. x = 3.",
        "Forward 2/3. Sin: sin x = 0.1411.",
        "Forward 3/3. Exp: e^Sin = 1.152.",
        "The gradient of y with respect to itself is 1.",
        "Backward 1/3. At Exp: upstream 1 × local derivative 1.152 = 1.152.",
        "Backward 2/3. Sin needs its local derivative: cos x = −0.99.",
        "Backward 3/3. At Sin: upstream 1.152 × local derivative −0.99 = −1.14.",
    ]
    assert chinese(told)[3:5] == [
        "y 对自身的梯度是 1。",
        "反向 1/3。在 Exp 处：上游梯度 1 × 局部导数 1.152 = 1.152。",
    ]
    assert [step["node"] for step in told] == [
        "x",
        "Sin",
        "Exp",
        "gradients/Fill",
        "gradients/Exp_grad/mul",
        "gradients/Sin_grad/Cos",
        "gradients/Sin_grad/mul",
    ]
    assert [step["phase"] for step in told] == ["forward"] * 3 + ["gradient"] * 4


def test_a_backward_step_has_its_three_factors_in_full() -> None:
    last = steps("y = exp(sin(x))", at={"x": 3})[-1]
    assert last["upstream"]["tensor"] == "gradients/Exp_grad/mul:0"
    assert last["upstream"]["value"]["data"] == pytest.approx(1.151562836514535)
    assert last["local"][0]["input"] == "x/read:0"
    assert last["local"][0]["value"]["data"] == pytest.approx(-0.9899924966004454)
    assert last["output"]["value"]["data"] == pytest.approx(-1.1400385675133151)
    assert last["of"] == "Sin"
    assert last["rule"] == r"\bar{y} \cos x"
    assert last["rule_numbers"] == r"1.152 \times (-0.99) = -1.14"


def test_a_forward_step_has_its_formula_with_names_and_with_numbers() -> None:
    square = steps("y = x^2", at={"x": -3})[1]
    assert square["rule"] == "{x}^{{2}}"
    assert square["rule_numbers"] == "{(-3)}^{{2}} = 9"


TRAINED = """
import tensorflow as tf
w = tf.Variable(0., name="w")
loss = tf.reduce_mean(tf.square(w * tf.constant([1., 2.]) - 4.))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        sess.run(train)
"""


def test_a_lesson_has_the_values_of_its_own_run_where_the_program_has_trained_on() -> None:
    lesson = tell_lesson(ProgramRequest(TRAINED))
    others = {name: value["data"] for name, value in lesson["values"].items()}
    assert others["w"] == others["w/read"] == 0
    assert others["mul"] == [0, 0]
    assert others["gradients/mul_grad/tuple/control_dependency"] == -12  # mean of 2 * 1 * -4 and 2 * 2 * -4
    assert lesson["steps"][-1]["sentence"]["en"] == "w ← 0 − 0.1 × −12 = 1.2."
    assert "Const" not in others  # a value that the program's answer has too


def test_a_program_that_was_run_once_has_all_values_in_its_answer() -> None:
    assert tell_lesson(ProgramRequest("y = exp(sin(x))", at={"x": 3}), level="tensorflow")["values"] == {}


UNFED = """
import tensorflow as tf
x = tf.placeholder(tf.float32)
w = tf.Variable(10., name="w")
y = w * x
optimizer = tf.train.GradientDescentOptimizer(0.1)
clipped = [(tf.clip_by_norm(g, 5.), v) for g, v in optimizer.compute_gradients(y, [w])]
train = optimizer.apply_gradients(clipped)
"""


def test_a_graph_that_was_fed_nothing_is_told_without_numbers_that_nobody_knows() -> None:
    told = steps(UNFED)
    assert english(told) == [
        "Forward 1/3. x is a placeholder: feed_dict gives its value when the graph is run.",
        "Forward 2/3. w = 10.",
        "Forward 3/3. mul: w · x = ?.",
        "The gradient of y with respect to itself is 1.",
        "Backward 1/3. At mul: 1 · x = ?.",
        "Backward 2/3. At mul: Σ Mul = ?.",
        "Backward 3/3. mul passes back z̄ y = ?.",
        "A norm over 5 is scaled down to 5.",
    ]
    assert chinese(told)[0] == "前向 1/3。x 是占位符：它的值在运行计算图时由 feed_dict 给出。"
    assert chinese(told)[-1] == "超过 5 的范数缩小到 5。"


def test_the_gradient_of_a_longer_name_has_a_bar_over_all_of_it() -> None:
    told = steps(UNFED.replace("y = w * x", "y = tf.square(w + x)"))
    overlined = "".join(f"{letter}\u0305" for letter in "add")
    assert f"Backward 3/4. At add: Σ {overlined} = ?." in english(told)


@pytest.mark.slow
def test_a_chain_of_thousands_has_no_lesson_and_no_mistake() -> None:
    told = tell_lesson(ProgramRequest(CHAIN_OF % 3000))
    assert told == {"level": "tensorflow", "steps": [], "values": {}, "reason": None}


CHAIN_OF = """
import tensorflow as tf
x = tf.Variable(1.0)
h = x
for i in range(%d):
    h = tf.sin(h)
g = tf.gradients(h, x)
"""


@pytest.mark.parametrize(
    ("optimizer", "rule"),
    [
        ("GradientDescentOptimizer(0.1)", r"{w} \leftarrow {w} - {0.1} \cdot {\bar{w}}"),
        (
            "MomentumOptimizer(0.1, 0.9)",
            r"\begin{aligned} & {\mathrm{accum}} \leftarrow {0.9}\, {\mathrm{accum}} + {\bar{w}} "
            r"\\ & {w} \leftarrow {w} - {0.1}\, {\mathrm{accum}} \end{aligned}",
        ),
    ],
)
def test_an_update_names_the_optimizers_own_variables_as_its_rule_does(optimizer: str, rule: str) -> None:
    source = f"""
import tensorflow as tf
w = tf.Variable(3.)
train = tf.train.{optimizer}.minimize(w * w)
"""
    assert steps(source)[-1]["rule"] == rule


def test_a_bound_given_as_a_tensor_is_told_as_its_number() -> None:
    source = UNFED.replace("tf.placeholder(tf.float32)", "tf.constant(50.)").replace(
        "g, 5.", "g, tf.constant(5.)"
    )
    assert english(steps(source))[-2:] == [
        "Norm 50 is over 5: scaled by 5/50.",
        "w ← 10 − 0.1 × 5 = 9.5.",
    ]


def test_a_clip_along_an_axis_is_not_told_by_the_norm_of_the_whole() -> None:
    source = """
import tensorflow as tf
w = tf.Variable([[3., 4.], [0., 1.]])
optimizer = tf.train.GradientDescentOptimizer(0.1)
(g, v), = optimizer.compute_gradients(tf.reduce_sum(w * w), [w])
train = optimizer.apply_gradients([(tf.clip_by_norm(g, 5., axes=[1]), v)])
"""
    assert not [line for line in english(steps(source)) if line.startswith("Norm")]


def test_several_uses_are_told_as_a_sum() -> None:
    told = steps("y = x*x*x", at={"x": 2})
    assert english(told)[-1] == (
        "Backward 5/5. x is used 3 times, so its 3 gradients are added: 4 + 4 + 4 = 12."
    )
    assert [part["value"]["data"] for part in told[-1]["contributions"]] == [4.0, 4.0, 4.0]
    assert [part["from"] for part in told[-1]["contributions"]] == ["mul_1", "mul", "mul"]


def test_each_partial_of_a_product_names_its_input() -> None:
    told = steps("y = w*x", at={"w": 10, "x": 50})
    assert english(told)[-2:] == [
        "Backward 1/2. At mul (w): upstream 1 × local derivative 50 = 50.",
        "Backward 2/2. At mul (x): upstream 1 × local derivative 10 = 10.",
    ]


TRAINING = """\
import tensorflow as tf
x = tf.Variable({x}.)
w = tf.Variable(4.)
y = w * x
opt = tf.train.GradientDescentOptimizer(0.1)
pairs = opt.compute_gradients(y, [w])
pairs = [(tf.clip_by_norm(g, 5), v) for g, v in pairs]
train = opt.apply_gradients(pairs)
"""


@pytest.mark.parametrize(
    ("x", "clip", "update"),
    [
        (3, "Norm 3 is within 5: unchanged.", "w ← 4 − 0.1 × 3 = 3.7."),
        (50, "Norm 50 is over 5: scaled by 5/50.", "w ← 4 − 0.1 × 5 = 3.5."),
    ],
)
def test_processing_and_update_are_told(x: int, clip: str, update: str) -> None:
    told = steps(TRAINING.format(x=x))
    assert english(told)[-2:] == [clip, update]
    assert [step["phase"] for step in told[-2:]] == ["process", "update"]


def test_a_lesson_starts_from_the_initial_values_whatever_the_program_did() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable(3.)\ny = tf.square(x)\n"
        "train = tf.train.GradientDescentOptimizer(0.01).minimize(y)\n"
        "with tf.Session() as s:\n    s.run(tf.global_variables_initializer())\n"
        "    for _ in range(100):\n        s.run(train)"
    )
    assert english(steps(source))[-1] == "x ← 3 − 0.01 × 6 = 2.94."


def test_matrices_are_told_by_their_shapes_and_small_ones_in_full() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable([[1.], [2.]])\n"
        "y = tf.reduce_sum(tf.matmul(x, x, transpose_a=True))\ntf.gradients(y, x)"
    )
    product = next(step for step in steps(source) if step["node"] == "MatMul")
    assert product["sentence"]["en"] == "Forward 2/3. MatMul: x x = [[5]]."
    assert r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}" in product["rule_numbers"]


def test_a_program_that_computes_nothing_has_no_steps() -> None:
    assert steps("print(3)") == []


def test_a_fed_program_is_told_with_its_own_feeds() -> None:
    source = (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\ny = tf.sin(x)\ng = tf.gradients(y, x)\n"
        "with tf.Session() as s:\n    s.run(g, {x: 3.})"
    )
    assert english(steps(source))[0] == "Forward 1/2. x = 3."


def wrong_values(step: dict[str, Any]) -> dict[str, Any]:
    return {wrong["id"]: pytest.approx(wrong["value"]["data"]) for wrong in step["misconceptions"]}


def step_of(told: list[dict[str, Any]], words: str) -> dict[str, Any]:
    return next(step for step in told if words in step["sentence"]["en"])


def test_a_product_is_told_with_what_learners_make_of_it() -> None:
    last = steps("y = exp(sin(x))", at={"x": 3})[-1]
    assert wrong_values(last) == {
        "M2": 1.151562836514535,  # the upstream gradient alone
        "M3": -0.9899924966004454,  # the local derivative alone
        "M4": 1.151562836514535 - 0.9899924966004454,  # added along the path
        "M6": 1.151562836514535 * 0.9900590857598653,  # cos(sin 3), not cos 3
    }


def test_a_swapped_partial_of_a_product_is_the_factor_itself() -> None:
    told = steps("y = w * x", at={"w": 10, "x": 50})
    assert wrong_values(step_of(told, "mul (w)"))["M7"] == 10  # it is 50
    assert wrong_values(step_of(told, "mul (x)"))["M7"] == 50


def test_fan_out_has_the_overwritten_the_multiplied_and_the_naive_sum() -> None:
    told = steps("c = a + b\nd = a * b\ny = (c + d) + c * d", at={"a": 2, "b": 3})
    assert wrong_values(step_of(told, "a is used")) == {"M1": 18, "M5": 126, "M14": 29}  # it is 25
    assert wrong_values(step_of(told, "b is used")) == {"M1": 12, "M5": 84, "M14": 22}  # it is 19


def test_a_wrong_value_of_fan_out_that_is_right_by_chance_says_so() -> None:
    told = steps("b = a + a\nc = b + b", at={"a": 1})
    (overwritten, multiplied, naive) = step_of(told, "a is used")["misconceptions"]
    assert "coincides" not in overwritten
    assert multiplied["coincides"]  # 2 · 2 = 2 + 2
    assert (naive["id"], naive["value"]["data"]) == ("M14", 8)


UPDATE = """\
import tensorflow as tf
v, w, z = tf.Variable([6., 8.]), tf.Variable(2.), tf.Variable(1.)
optimizer = tf.train.GradientDescentOptimizer(0.5)
pairs = optimizer.compute_gradients(tf.reduce_sum(v * [6., 8.]) + w * 3., [v, w, z])
pairs = [(tf.clip_by_norm(g, 5.), x) for g, x in pairs if g is not None]
train = optimizer.apply_gradients(pairs)
"""


TOWERS = """\
import tensorflow as tf
w = tf.Variable(2.)
optimizer = tf.train.GradientDescentOptimizer(0.1)
towers = [optimizer.compute_gradients(w * x, [w])[0][0] for x in (1., 2., 6.)]
train = optimizer.apply_gradients([({mean}, w)])
"""


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        ("tf.reduce_mean(tf.stack(towers), 0)", "Mean: 1 / n Σ stack = 3."),
        ("tf.add_n(towers) / 3.", "truediv: AddN / 3 = 3."),
    ],
)
def test_a_mean_of_towers_is_not_their_sum(mean: str, words: str) -> None:
    assert wrong_values(step_of(steps(TOWERS.format(mean=mean)), words)) == {"M12": 9}


def test_half_a_sum_of_three_towers_is_no_mean() -> None:
    assert wrong_values(step_of(steps(TOWERS.format(mean="tf.add_n(towers) / 2.")), "truediv")) == {}


def test_a_clip_an_update_and_a_missing_gradient_have_their_misconceptions() -> None:
    told = steps(UPDATE)
    assert wrong_values(step_of(told, "Norm 10 is over 5")) == {"M11": [5, 5]}  # it is (3, 4)
    assert wrong_values(step_of(told, "w ←")) == {"M8": 3.5, "M9": 1.997, "M10": -1}  # it is 0.5
    none = step_of(told, "No gradient of")
    assert none["sentence"]["en"].endswith("so z is not connected. This is not the same as 0.")
    assert none["output"] == {"tensor": "Variable_2:0", "value": None}
    assert wrong_values(none) == {"M13": 0}


LOOPS = {
    "while_loop": """
_, y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [tf.constant(0), tf.constant(1.0)])
""",
    "cond": "y = tf.cond(x > 1, lambda: x * x * x, lambda: -x)",
    "map_fn": "y = tf.reduce_prod(tf.map_fn(lambda v: v * x, tf.ones([3])))",
    "cond in while_loop": """
_, y = tf.while_loop(
    lambda i, a: i < 3, lambda i, a: (i + 1, tf.cond(a > 100, lambda: a / x, lambda: a * x)), [0, 1.0])
""",
}


@pytest.mark.parametrize("lines", LOOPS.values(), ids=LOOPS)
def test_a_program_with_a_loop_or_a_branch_has_a_lesson(lines: str) -> None:
    """Gradient nodes inside a loop have a value for each turn, so the lesson shows none for them."""
    source = f"import tensorflow as tf\nx = tf.Variable(2.0)\n{lines}\ngradient = tf.gradients(y, x)\n"
    steps = tell_lesson(ProgramRequest(source))["steps"]
    assert {step["phase"] for step in steps} == {"forward", "gradient"}
    assert all(step["sentence"]["en"] and step["sentence"]["zh"] for step in steps)
    values = [step["output"]["value"]["data"] for step in steps if step["output"]["value"]]
    assert 8.0 in values  # y
    assert 12.0 in values  # dy/dx
