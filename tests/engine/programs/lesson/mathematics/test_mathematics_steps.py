"""The lesson at level Mathematics: true sentences in the learner's own words, with numbers to check."""

from __future__ import annotations

import pytest

from engine.languages.interpreter.budget import Budget
from engine.programs import ProgramRequest, tell_lesson
from engine.programs.lesson.mathematics.notation import as_text
from engine.programs.program.static_values import fresh_run
from engine.programs.service import differentiated
from tests.engine.programs.lesson.mathematics.lessons import array, chinese, english, of_phase, steps
from tests.limits import ROOMY

EXPONENTIAL = "The exponential function is its own derivative, so"


def test_the_chain_rule_is_told_in_the_learners_names() -> None:
    told = steps("y = exp(sin(x))", x=3)
    assert english(told) == [
        "To begin with, x = 3.",
        "sin x = 0.1411.",
        "y = exp(sin x) = 1.152.",
        "The gradient starts as 1 at y, since ∂y/∂y = 1.",
        f"{EXPONENTIAL} exp(sin x) = 1.152 changes 1.152 times as fast as sin x.",
        "sin x changes cos x = −0.99 times as fast as x.",
        "∂y/∂x = −1.14: raise x by 0.01 and y changes by about −0.0114. Tried: −0.01135.",
    ]
    assert chinese(told)[3:] == [
        "梯度从 y 处的 1 开始，因为 ∂y/∂y = 1。",
        "指数函数的导数就是它自己，所以 sin x 变化一点，exp(sin x) = 1.152 的变化就是它的 1.152 倍。",
        "x 变化一点，sin x 的变化就是它的 cos x = −0.99 倍。",
        "∂y/∂x = −1.14：把 x 增大 0.01，y 大约变化 −0.0114。试算结果：−0.01135。",
    ]
    assert [step["phase"] for step in told] == ["forward"] * 3 + ["seed", "backward", "backward", "close"]


def test_a_backward_step_has_its_formula_its_numbers_and_its_nodes() -> None:
    last = of_phase(steps("y = exp(sin(x))", x=3), "backward")[-1]
    assert last["of"] == "Sin"
    assert last["nodes"] == ["gradients/Sin_grad/Cos", "gradients/Sin_grad/mul"]
    assert last["rule"] == r"\partial y/\partial x = \partial y/\partial(\sin x) \cdot \cos x"
    assert last["rule_numbers"] == r"1.152 \times (-0.99)"
    assert last["result"] == r"\partial y/\partial x = -1.14"
    (sent,) = last["contributions"]
    assert (sent["from"], sent["to"], sent["expression"]) == ("Sin:0", "x:0", r"\partial y/\partial x")
    assert sent["factor"] == r"\cos x"
    assert sent["upstream"]["data"] == pytest.approx(1.151562836514535)
    assert sent["local"]["data"] == pytest.approx(-0.9899924966004454)
    assert sent["value"]["data"] == pytest.approx(-1.1400385675133151)


@pytest.mark.parametrize(
    ("source", "x", "sentence"),
    [
        ("y = x^2", 3, "x² changes 2x = 6 times as fast as x."),
        ("y = x^3", 2, "x³ changes 3x² = 12 times as fast as x."),
        ("y = e^x", 0, f"{EXPONENTIAL} e^x = 1 changes exactly as fast as x."),
        ("y = exp(x)", 0, f"{EXPONENTIAL} exp x = 1 changes exactly as fast as x."),
        ("y = -x", 2, "−x falls as fast as x rises, so the sign turns."),
        ("y = max(x, 0)", 3, "The larger one was x = 3, so all that comes back goes on to x."),
        ("y = max(x, 0)", -1, "The larger one was 0, so nothing comes back to x."),
        ("y = relu(x)", -1, "x = −1 is not above 0, so nothing comes back to x."),
        ("y = x + 4", 3, "4 stays fixed, so x + 4 changes exactly as fast as x: what comes back goes on "
         "unchanged."),
        ("y = 4 - x", 3, "4 stays fixed, so 4 − x falls exactly as fast as x rises: the sign turns."),
        ("y = x^x", 2, "x stands in x^x twice: as the base it counts x · x^(x − 1) = 4 times (the exponent "
         "times the base to the exponent less one); as the exponent it counts x^x ln x = 2.773 times (the "
         "power times the logarithm of the base)."),
        ("y = x*x", 3, "x · x changes x = 3 times as fast as each of its two factors x."),
    ],
)  # fmt: skip
def test_what_an_operation_does_to_a_small_change(source: str, x: float, sentence: str) -> None:
    assert english(of_phase(steps(source, x=x), "backward")) == [sentence]


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("y = max(x, 0)", "∂y/∂x = ∂y/∂y · (1 if x ≥ 0, else 0)"),
        ("y = relu(x)", "∂y/∂x = ∂y/∂y · (1 if x > 0, else 0)"),
        ("y = x / (x + 1)", "[∂y/∂x]₂ = ∂y/∂(x + 1)"),
        ("a = 2 x\nb = 3 + x\ny = a (b + 1)", "∂y/∂a = ∂y/∂y · (b + 1)"),
    ],
)
def test_the_formula_of_a_step_says_what_is_multiplied(source: str, rule: str) -> None:
    latex = [step["rule"] for step in of_phase(steps(source, x=2), "backward")]
    assert rule in " & ".join(map(as_text, latex)).replace(" \\ ", " & ").replace("  ", " ")


def test_a_choice_passes_it_to_the_case_that_holds() -> None:
    chosen = of_phase(steps("y = if(x > 1, x^3, 2x)", x=2), "backward")[0]
    assert r"\partial y/\partial y \cdot \begin{cases} 1 & x > 1 \\ 0 & x \le 1 \end{cases}" in chosen["rule"]
    assert r"\partial y/\partial y \cdot \begin{cases} 0 & x > 1 \\ 1 & x \le 1 \end{cases}" in chosen["rule"]


def test_each_factor_of_a_product_is_as_sensitive_as_the_other_is_large() -> None:
    (product,) = of_phase(steps("y = w*x", w=10, x=50), "backward")
    assert product["sentence"]["en"] == (
        "w · x changes x = 50 times as fast as w and w = 10 times as fast as x."
    )
    assert [one["to"] for one in product["contributions"]] == ["w:0", "x:0"]
    assert {
        wrong["to"]: wrong["value"]["data"] for wrong in product["misconceptions"] if wrong["id"] == "M7"
    } == {
        "w:0": 10,
        "x:0": 50,
    }


def test_paths_that_meet_are_added_in_a_step_of_their_own() -> None:
    told = steps("f = (a*b)*(a+b)", a=-2, b=3)
    sums = of_phase(told, "sum")
    assert english(sums) == [
        "a is used twice, so its two gradients are added: 3 + (−6) = −3.",
        "b is used twice, so its two gradients are added: (−2) + (−6) = −8.",
    ]
    assert (
        sums[0]["rule"]
        == r"\partial f/\partial a = [\partial f/\partial a]_{1} + [\partial f/\partial a]_{2}"
    )
    assert {w["id"]: w["value"]["data"] for w in sums[0]["misconceptions"]} == {"M1": -6, "M5": -18}


def test_wrong_values_of_a_sum_that_are_right_by_chance_say_so() -> None:
    (total, _) = of_phase(steps("b = a + a\nc = b + b", a=1), "sum")
    assert [(w["id"], w["value"]["data"], w.get("coincides")) for w in total["misconceptions"]][:2] == [
        ("M1", 1, None),
        ("M5", 1, None),
    ]


def test_the_start_is_what_was_asked_for() -> None:
    told = steps(
        "import tensorflow as tf\nx = tf.Variable(3.0)\ny = x * x\ng = tf.gradients(y, x, grad_ys=4.0)\n"
    )
    (seed,) = of_phase(told, "seed")
    assert seed["sentence"]["en"] == "The gradient starts as 4 at y, as was asked for."
    assert seed["output"]["value"]["data"] == 4
    assert of_phase(told, "close")[0]["output"]["value"]["data"] == 24  # 4 * 2x


MEAN = """
import tensorflow as tf
w = tf.Variable(0.5)
loss = tf.reduce_mean(tf.square(w * tf.constant([1., 2., 3., 4.])))
g = tf.gradients(loss, w)
"""


def test_a_mean_shares_it_out_and_what_is_used_four_times_is_added_up() -> None:
    mean, square, product = of_phase(steps(MEAN), "backward")
    assert mean["sentence"]["en"] == (
        "In a mean each of the 4 numbers counts a quarter: 0.25 comes back to each."
    )
    assert array(square["contributions"][0]["local"]).tolist() == [1, 2, 3, 4]  # 2 w x
    assert product["sentence"]["en"].endswith("w was used 4 times, so what comes back is added up: 7.5.")
    assert product["contributions"][0]["local"] is None


def test_a_matrix_times_a_vector_is_one_operation_with_shapes() -> None:
    told = steps("A = [[1,2],[3,4],[5,6]]\nx = [1,-1]\ny = A @ x")
    assert [step["rule"] for step in of_phase(told, "forward")] == ["A", "x", r"y = A\, x"]
    (product,) = of_phase(told, "backward")
    assert product["sentence"]["en"] == (
        "Each number of A x is a row of A times x, so x gets Aᵀ [2 × 3] times what comes back [3 × 1] and A "
        "gets what comes back [3 × 1] times xᵀ [1 × 2]."
    )
    assert product["rule"] == (
        r"\begin{aligned} & \partial y/\partial x = A^{\top}\; \partial y/\partial y \\ "
        r"& \partial y/\partial A = \partial y/\partial y\; x^{\top} \end{aligned}"
    )


SOFTMAX = """
import tensorflow as tf
z = tf.Variable([[1., 2., 0.5]])
t = tf.constant([[0., 1., 0.]])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=t, logits=z))
g = tf.gradients(loss, z)
"""


def test_softmax_with_cross_entropy_is_the_prediction_minus_the_truth() -> None:
    crossed = of_phase(steps(SOFTMAX), "backward")[-1]
    assert crossed["sentence"]["en"].startswith("Softmax with cross entropy: each row of z gets p − t,")
    sent = array(crossed["contributions"][0]["value"])
    assert sent[0] == pytest.approx([0.2312, 0.6285 - 1, 0.1402], abs=1e-4)  # e, e², e^½ over 11.756


def test_a_gathered_row_gets_back_what_each_copy_sent() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable([10., 20., 30.])\n"
        "y = tf.reduce_sum(tf.gather(x, [0, 2, 2]))\ng = tf.gradients(y, x)\n"
    )
    taken = of_phase(steps(source), "backward")[-1]
    assert taken["sentence"]["en"] == (
        "x[0, 2, 2] takes only some numbers of x, so what comes back goes to their places (added up where "
        "one was taken several times) and the others get 0: [1, 0, 2]."
    )


def test_a_line_that_runs_again_gives_its_name_a_number() -> None:
    source = (
        "import tensorflow as tf\nw = tf.Variable(0.5)\nh = tf.Variable(1.0)\nfor _ in range(2):\n"
        "    h = tf.sin(w * h)\ng = tf.gradients(h, w)\n"
    )
    forward = of_phase(steps(source), "forward")
    assert [step["rule"] for step in forward if not step.get("about")] == [
        "w",
        "h_{1}",
        r"w \cdot h_{1}",
        r"h_{2} = \sin (w \cdot h_{1})",
        r"w \cdot h_{2}",
        r"h_{3} = \sin (w \cdot h_{2})",
    ]


def test_the_closing_step_tries_what_the_gradient_says() -> None:
    (close,) = of_phase(steps("y = x^2", x=3), "close")
    assert close["tried"]["step"] == 0.01
    assert close["tried"]["predicted"] == pytest.approx(0.06)
    assert close["tried"]["measured"] == pytest.approx(0.0601)  # 3.01² − 9


def test_a_gradient_of_0_is_tried_too() -> None:
    (close,) = of_phase(steps("y = max(x, 0)", x=-1), "close")
    assert close["sentence"] == {
        "en": "∂y/∂x = 0: raise x a little and y stays as it is. Tried with 0.01: no change.",
        "zh": "∂y/∂x = 0：x 稍微增大，y 不变。试着增大 0.01：没有变化。",
    }


@pytest.mark.parametrize(
    ("source", "x", "sentence"),
    [
        ("y = |x|", 0, "|x| has a corner at 0; TensorFlow takes the slope 0 there."),
        ("y = max(x, 0)", 0, "max(x, 0) has a corner where both are equal; TensorFlow gives the whole "
         "gradient to the first."),
    ],
)  # fmt: skip
def test_at_a_corner_the_convention_is_told(source: str, x: float, sentence: str) -> None:
    assert english(of_phase(steps(source, x=x), "backward")) == [sentence]


def test_at_a_corner_the_trial_says_why_it_differs() -> None:
    (close,) = of_phase(steps("y = |x|", x=0), "close")
    assert close["sentence"]["en"].endswith(
        "Tried: 0.01. They differ: at a corner the slope on one side is not that on the other."
    )


def test_a_condition_and_a_choice_are_told_in_words() -> None:
    told = steps("y = if(x > 0, x^2, -x)", x=-1)
    assert english(of_phase(told, "forward"))[1:] == [
        "x > 0 does not hold.",
        "x² = 1.",
        "−x = 1.",
        "x > 0 does not hold, so y = −x = 1.",
    ]
    assert chinese(of_phase(told, "forward"))[-1] == "x > 0 不成立，所以 y = −x = 1。"


def test_a_gradient_is_none_for_the_reason_that_there_is() -> None:
    floored = of_phase(steps("y = floor(z)*x", z=2.5, x=1), "close")[0]
    assert floored["sentence"]["en"] == (
        "⌊z⌋ passes nothing back, so y has no gradient with respect to z: None, which is not 0."
    )
    source = (
        "import tensorflow as tf\nx = tf.Variable(3.)\nc = tf.constant(2.)\n"
        "with tf.GradientTape() as t:\n    y = c * x\ng = t.gradient(y, [x, c])\n"
    )
    unwatched = of_phase(steps(source), "close")[1]
    assert unwatched["sentence"]["en"] == (
        "There is no gradient of y with respect to c. The tape did not watch c: only trainable variables are "
        "watched by themselves. None is not 0."
    )


def test_a_first_power_is_written_as_on_paper() -> None:
    told = steps("y = sum(i, 1, 2, x^i)", x=2)
    assert english(of_phase(told, "forward"))[1:] == ["x² = 4.", "y = x + x² = 6."]
    assert english(of_phase(told, "sum")) == ["x is used twice, so its two gradients are added: 1 + 4 = 5."]


PARTS = """
import tensorflow as tf
z = tf.Variable([[1., 2., 3., 4.]])
i, f = tf.split(z, 2, axis=1)
loss = tf.reduce_sum(i * f)
g = tf.gradients(loss, z)
"""


def test_an_operation_that_gives_several_quantities_tells_all_of_them() -> None:
    told = steps(PARTS)
    assert "split(z) gives i and f: i = [[1, 2]], f = [[3, 4]]." in english(told)
    assert english(of_phase(told, "backward"))[-1] == (
        "split(z) only cuts z into parts, so what comes back to the parts is put together again."
    )


def test_an_update_of_a_small_matrix_is_written_out_and_one_of_a_large_one_is_told() -> None:
    source = (
        "import tensorflow as tf\nW = tf.Variable(tf.ones([{shape}]))\n"
        "train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(W * W))\n"
    )
    small, large = (of_phase(steps(source.format(shape=shape)), "update") for shape in ("1, 2", "4, 8"))
    assert english(small) == ["W ← [[1, 1]] − 0.5 × [[2, 2]] = [[0, 0]]."]
    assert english(large)[0].endswith("each of the 32 numbers of W takes its step.")


def test_a_gradient_that_leaves_a_way_out_says_why_the_trial_differs() -> None:
    source = (
        "import tensorflow as tf\na = tf.Variable(0.)\nb = 2. * a\ny = a + tf.stop_gradient(b)\n"
        "g = tf.gradients(y, a)\n"
    )
    (close,) = of_phase(steps(source), "close")
    assert close["sentence"]["en"] == (
        "∂y/∂a = 1: raise a by 0.01 and y changes by about 0.01. Tried: 0.03. They differ: not every way on "
        "which it acts is counted here."
    )


def test_a_gradient_that_is_none_is_not_zero() -> None:
    source = (
        "import tensorflow as tf\nx, z = tf.Variable(1.), tf.Variable(1.)\n"
        "y = x * 2.\ng = tf.gradients(y, [x, z])"
    )
    none = of_phase(steps(source), "close")[-1]
    assert none["sentence"]["en"] == (
        "No path leads from z to y, so y has no gradient with respect to z: None, which is not 0."
    )
    assert none["output"] == {"tensor": "Variable_1:0", "value": None}
    assert [wrong["id"] for wrong in none["misconceptions"]] == ["M13"]


TRAINING = """\
import tensorflow as tf
x = tf.Variable(50.)
w = tf.Variable(4.)
y = w * x
opt = tf.train.GradientDescentOptimizer(0.1)
pairs = [(tf.clip_by_norm(g, 5), v) for g, v in opt.compute_gradients(y, [w])]
train = opt.apply_gradients(pairs)
"""


def test_processing_and_update_are_told_before_the_lesson_closes() -> None:
    told = steps(TRAINING)
    assert english(told)[-3:] == [
        "Norm 50 is over 5: scaled by 5/50.",
        "w ← 4 − 0.1 × 5 = 3.5.",
        "∂y/∂w = 50: raise w by 0.01 and y changes by about 0.5. Tried: 0.5.",
    ]
    assert [step["phase"] for step in told[-3:]] == ["process", "update", "close"]
    assert told[-3]["rule"] == (
        r"\partial y/\partial w \cdot \frac{c}{\max(\lVert \partial y/\partial w \rVert, c)}"
    )


def test_a_second_derivative_is_walked_from_the_first_on() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable(2.0)\ny = x * x * x\nd1 = tf.gradients(y, x)[0]\n"
        "d2 = tf.gradients(d1, x)[0]\n"
    )
    told = steps(source)
    (again,) = [step for step in told if step.get("about") == "gradient"]
    assert again["sentence"]["en"] == (
        "∂y/∂x = 3x², called d₁ here, is itself a formula, and now it is differentiated: what comes out is "
        "the second derivative of y."
    )
    assert again["sentence"]["zh"] == (
        "∂y/∂x = 3x²（这里叫 d₁）本身也是一个公式，现在对它求导：得到的是 y 的二阶导数。"
    )
    assert again["rule"] == r"\partial y/\partial x = 3 x^{2}"
    assert english(told)[1:3] == ["x · x = 4.", "y = x · x · x = 8."]
    assert of_phase(told, "seed")[0]["rule"] == r"\partial d_{1}/\partial d_{1}"
    assert of_phase(told, "close")[0]["output"]["value"]["data"] == 12  # 6x


def test_a_factor_of_1_that_only_the_sweep_has_is_no_step() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable(2.0)\ny = tf.sin(x)\nd1 = tf.gradients(y, x)[0]\n"
        "d2 = tf.gradients(d1, x)[0]\n"
    )
    told = steps(source)
    assert [step["of"] for step in of_phase(told, "backward")] == ["gradients/Sin_grad/Cos"]


def test_mathematics_is_told_as_mathematics_and_a_program_node_by_node() -> None:
    assert tell_lesson(ProgramRequest("y = x^2"))["level"] == "mathematics"
    assert (
        tell_lesson(ProgramRequest("import tensorflow as tf\nx = tf.Variable(2.0)"))["level"] == "tensorflow"
    )


def test_what_is_done_with_an_array_on_its_way_back_is_written_for_the_arrow() -> None:
    told = steps(
        "import tensorflow as tf\n"
        "W = tf.Variable([[1., 2.], [3., 4.]])\n"
        "x = tf.constant([[1., 2.]])\n"
        "t = tf.constant([[1., 0.]])\n"
        "z = tf.matmul(x, W, transpose_b=True)\n"
        "loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=t, logits=z))\n"
        "tf.gradients(loss, [W])"
    )
    texts = [one["factor_text"] for step in of_phase(told, "backward") for one in step["contributions"]]
    assert texts == [None, "· (p − t)", "(xᵀ ·)ᵀ"]
    (product,) = of_phase(steps("A = [[1,2],[3,4]]\nx = [1,-1]\ny = A @ x"), "backward")
    assert [one["factor_text"] for one in product["contributions"]] == ["Aᵀ ·", "· xᵀ"]


def test_an_equation_for_the_elements_of_an_array_is_not_its_name() -> None:
    told = steps(
        "import tensorflow as tf\n"
        "b = tf.Variable([1., 2.])\n"
        "y = tf.reduce_sum(tf.cumsum(b) ** 2)\n"
        "tf.gradients(y, b)"
    )
    assert any("cumsum(b)" in step["sentence"]["en"] for step in told)
    assert not any("ᵢ =" in step["sentence"]["en"] for step in told)


def test_what_is_tried_at_each_step_has_a_budget_of_its_own() -> None:
    outcome, _ = differentiated(ProgramRequest("y = sin(x) * x", at={"x": 2}), ROOMY)
    meter = fresh_run(outcome, outcome.usual_feeds).session.meter
    assert isinstance(meter, Budget)
    assert (meter.limits, meter.steps, meter.operations) == (ROOMY, 0, 0)


@pytest.mark.parametrize(
    ("gradient", "measured"),
    [
        ("tf.gradients(x ** 2, [x])", "raise x[0] by 0.01 and the sum of y changes by about 0.04."),
        (
            "tf.gradients(x ** 2, [x], grad_ys=tf.constant([1., 0.]))",
            "raise x[0] by 0.01 and the weighted sum of y changes by about 0.04.",
        ),
        ("tf.gradients(x[0] ** 2, [x], grad_ys=3.)", "raise x[0] by 0.01 and 3 · y changes by about 0.12."),
    ],
)
def test_the_end_says_of_what_the_change_is(gradient: str, measured: str) -> None:
    told = steps(f"import tensorflow as tf\nx = tf.Variable([2., 1.])\n{gradient}")
    assert measured in told[-1]["sentence"]["en"]


OF_TORCH = """import torch
x = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.1{settings})
for step in range(20):
    optimizer.zero_grad()
    y = x ** 2
    y.backward()
    optimizer.step()
"""
OF_KERAS = """import tensorflow as tf
x = tf.Variable(3.0)
optimizer = tf.keras.optimizers.SGD(0.1{settings})
for step in range(20):
    with tf.GradientTape() as tape:
        y = x ** 2
    optimizer.apply_gradients([(tape.gradient(y, x), x)])
"""


@pytest.mark.parametrize("source", [OF_TORCH, OF_KERAS], ids=["torch", "keras"])
def test_gradient_descent_is_told_in_numbers_in_any_library(source: str) -> None:
    (update,) = of_phase(steps(source.format(settings="")), "update")
    assert (update["sentence"]["en"], update["rule_text"]) == (
        "x ← 3 − 0.1 × 6 = 2.4.",
        "x ← x − 0.1 · ∂y/∂x",
    )
    (other,) = of_phase(steps(source.format(settings=", momentum=0.9")), "update")
    assert "0.1 × 6" not in other["sentence"]["en"]
