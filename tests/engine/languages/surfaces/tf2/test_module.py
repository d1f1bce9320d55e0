"""TensorFlow 2 programs: what they print, hold and answer. TensorFlow 2.21 gives these numbers."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.engine.languages.surfaces.tf2.programs import codes, data, printed, run
from tests.limits import ROOMY

# -- the programs of the articles --------------------------------------------------------------------

COLUMN = "x = tf.reshape(tf.Variable(range(4), dtype=tf.float32), (4, 1))\n"


def test_p10_shows_the_gradient_of_a_quadratic_form_as_a_notebook_would():
    answer = run(
        COLUMN
        + """\
with tf.GradientTape() as t:
    t.watch(x)
    y = 2 * tf.matmul(tf.transpose(x), x)
dy_dx = t.gradient(y, x)
dy_dx
"""
    )
    assert answer["result"]["value"]["data"] == [[0], [4], [8], [12]]  # 4x
    assert answer["target"] == "mul:0"


def test_p11_answers_twice_and_says_why_tensorflow_warns():
    answer = run(
        COLUMN
        + """\
with tf.GradientTape(persistent=True) as g:
    g.watch(x)
    y = x * x
    z = y * y
    dz_dx = g.gradient(z, x)
    dy_dx = g.gradient(y, x)
"""
    )
    assert data(answer, "dz_dx") == [[0], [4], [32], [108]]  # 4x^3
    assert data(answer, "dy_dx") == [[0], [2], [4], [6]]
    assert codes(answer) == ["gradient_inside_tape"]


CONTROL_FLOW = """\
def f(a):
    b = a * 2
    while tf.norm(b) < 1000:
        b = b * 2
    if tf.reduce_sum(b) > 0:
        c = b
    else:
        c = 100 * b
    return c

a = tf.constant([[%s]])
with tf.GradientTape() as t:
    t.watch(a)
    c = f(a)
slope = t.gradient(c, a)
print(slope == c / a)
"""


@pytest.mark.parametrize(("a", "c", "slope"), [("0.5", 1024, 2048), ("-0.5", -102400, 204800)])
def test_p12_differentiates_the_branch_and_the_turns_that_were_taken(a, c, slope):
    answer = run(CONTROL_FLOW % a)
    assert data(answer, "c") == [[c]]
    assert data(answer, "slope") == [[slope]]
    assert answer["printed"] == ["tf.Tensor([[ True]], shape=(1, 1), dtype=bool)"]


@pytest.mark.slow
def test_p12_never_ends_at_zero():
    answer = run_program(ProgramRequest(CONTROL_FLOW % "0.0"), ROOMY)
    assert answer["status"] == "limit"
    assert "node_limit" in codes(answer)
    assert data(answer, "a") == [[0]]


def test_none_is_explained_for_everything_that_no_tape_watches():
    answer = run(
        """\
x0 = tf.Variable(3.0, name='x0')
x1 = tf.Variable(3.0, name='x1', trainable=False)
x2 = tf.Variable(2.0, name='x2') + 1.0
x3 = tf.constant(3.0, name='x3')
with tf.GradientTape() as tape:
    y = (x0**2) + (x1**2) + (x2**2)
for g in tape.gradient(y, [x0, x1, x2, x3]):
    print(g)
"""
    )
    assert answer["printed"] == ["tf.Tensor(6.0, shape=(), dtype=float32)", "None", "None", "None"]
    reasons = [row["reason"] for row in answer["gradients"]]
    assert reasons[0] is None
    assert reasons[1].startswith("The tape did not watch x")
    assert codes(answer) == ["gradient_not_watched"]


@pytest.mark.parametrize(
    ("b", "expected"), [("2 * a", ["3.0", "1.0"]), ("tf.stop_gradient(2 * a)", ["1.0", "1.0"])]
)
def test_stopping_a_gradient_makes_a_total_derivative_a_partial_one(b, expected):
    source = f"""\
a = tf.constant(0.)
with tf.GradientTape() as t:
    t.watch(a)
    b = {b}
    t.watch(b)
    y = a + b
for g in t.gradient(y, [a, b]):
    print(g.numpy())
"""
    assert printed(source) == expected


def test_towers_of_equal_batches_average_to_the_whole_gradient():
    source = """\
w = tf.Variable(0.)
def slope(x, y):
    with tf.GradientTape() as t:
        loss = tf.reduce_mean(tf.square(y - w * x))
    return t.gradient(loss, w)
x, y = tf.constant([1., 2., 3., 4.]), tf.constant([2., 4., 6., 8.])
a, b = slope(x[:2], y[:2]), slope(x[2:], y[2:])
print(a.numpy(), b.numpy(), ((a + b) / 2).numpy(), slope(x, y).numpy())
"""
    assert printed(source) == ["-10.0 -50.0 -30.0 -30.0"]


# -- text --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("tf.constant(6.)", "tf.Tensor(6.0, shape=(), dtype=float32)"),
        ("[tf.constant(6.)]", "[<tf.Tensor: shape=(), dtype=float32, numpy=6.0>]"),
        ("tf.constant([[1, 2], [3, 4]])", "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"),
        ("tf.Variable(3.)", "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=3.0>"),
        (
            "tf.Variable([1.], name='w')",
            "<tf.Variable 'w:0' shape=(1,) dtype=float32, numpy=array([1.], dtype=float32)>",
        ),
        ("tf.constant([1., 2.]).shape", "(2,)"),
        ("[tf.constant([1., 2.]).shape]", "[TensorShape([2])]"),
        ("tf.constant(2.) == 2.", "tf.Tensor(True, shape=(), dtype=bool)"),
        ("float(tf.constant(2.5)), int(tf.constant(2)), bool(tf.constant(0.))", "2.5 2 False"),
        ("f'{tf.constant(2.5):.2f} {tf.Variable(1.5).numpy():.1f}'", "2.50 1.5"),
        ("len(tf.constant([1., 2.])), [v.numpy() for v in tf.constant([1., 2.])]", "2 [1.0, 2.0]"),
        ("tf.__version__", "2.21.0"),
        ("tf.executing_eagerly()", "True"),
    ],
)
def test_values_print_as_tensorflow_prints_them(expression, text):
    assert "\n".join(printed(f"print({expression})")) == text


def test_tensorflows_own_print_leaves_out_what_is_no_news():
    source = "tf.print('loss:', tf.constant(9.), tf.constant([1., 0.5]), tf.constant(1 / 3))"
    assert printed(source) == ["loss: 9 [1 0.5] 0.333333343"]


# -- values and variables ----------------------------------------------------------------------------


def test_variables_change_at_once():
    source = """\
w = tf.Variable(2.)
w.assign_add(1.)
w.assign(w * 2)
w.assign_sub(0.5)
print(w.numpy(), (w + 1).numpy())
"""
    assert printed(source) == ["5.5 6.5"]


def test_an_array_on_the_left_makes_a_tensor():
    source = (
        "import numpy as np\nprint((np.array([1., 2.], dtype='float32') * tf.constant([3., 4.])).numpy())"
    )
    assert printed(source) == ["[3. 8.]"]


def test_numpy_inside_a_tape_is_reported():
    answer = run(
        """\
import numpy as np
x = tf.Variable(4.)
with tf.GradientTape() as t:
    y = tf.constant(np.sqrt(x)) * 3
print(t.gradient(y, x))
"""
    )
    assert answer["printed"] == ["None"]
    assert codes(answer) == ["numpy_leaves_tape", "gradient_not_recorded"]


def test_a_power_of_zero_has_no_slope_at_zero():
    source = """\
x = tf.Variable(0.)
with tf.GradientTape() as t:
    y = x ** 0
print(t.gradient(y, x).numpy())
"""
    assert printed(source) == ["nan"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("tf.Session()", "refused_name"),
        ("tf.placeholder(tf.float32)", "refused_name"),
        ("tf.gradients(x, x)", "refused_name"),
        ("x.initializer", "eager_variable"),
        ("(x + 1).name", "eager_tensor"),
        ("tf.constant(1.) * tf.constant(1)", "dtype_mismatch"),
    ],
)
def test_what_belongs_to_graphs_is_refused_with_what_to_write_instead(call, code):
    answer = run(f"x = tf.Variable(1.)\n{call}\n")
    assert codes(answer) == [code]
    assert answer["diagnostics"][0]["hint"]


def test_a_second_question_to_a_tape_is_refused_at_its_place():
    answer = run(
        """\
x = tf.Variable(1.)
with tf.GradientTape() as t:
    y = x * x
t.gradient(y, x)
t.gradient(y, x)
"""
    )
    assert (codes(answer), answer["diagnostics"][0]["line"]) == (["tape_used_twice"], 6)


def test_sources_come_back_in_their_own_form():
    source = """\
p = {'w': tf.Variable(2.), 'b': [tf.Variable(1.), tf.Variable(5.)]}
with tf.GradientTape() as t:
    y = p['w'] * p['b'][0]
g = t.gradient(y, p)
print(g['w'].numpy(), g['b'][0].numpy(), g['b'][1])
"""
    assert printed(source) == ["1.0 2.0 None"]


def test_decorators_of_tensorflow_work():
    source = """\
@tf.function
def double(x):
    return x * 2

@tf.custom_gradient
def clipped(x):
    def grad(dy):
        return dy * 100.
    return tf.square(x), grad

x = tf.Variable(3.)
with tf.GradientTape() as t:
    y = clipped(double(x))
print(y.numpy(), t.gradient(y, x).numpy())
"""
    assert printed(source) == ["36.0 200.0"]  # 6^2; 100 * 2


# -- limits ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("tf.zeros((10**9, 10**9))", "tensor_limit"),
        ("x = tf.ones([1000, 1000])\nwhile True:\n    y = tf.matmul(x, x)", "operation_limit"),
        ("x = tf.ones([1000, 1000])\nwhile True:\n    x = x * 1.0001", "alive_limit"),
        (
            "x = tf.Variable(tf.ones([50000]))\nwith tf.GradientTape() as t:\n    y = 2 * x\n"
            "t.jacobian(y, x)",
            "alive_limit",
        ),
        ("x = tf.Variable(1.)\nx -= 0.1", "variable_in_place"),
        ("x = tf.Variable(1.)\nx.assign([1., 2.])", "shape_mismatch"),
    ],
)
def test_what_cannot_be_is_reported_before_it_happens(source, code):
    assert codes(run(source)) == [code]


def test_a_module_knows_its_variables():
    source = """\
class Line(tf.Module):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.w = tf.Variable(5.)
        self.b = tf.Variable(1., trainable=False)

    def __call__(self, x):
        return self.w * x + self.b

line = Line(name='line')
with tf.GradientTape() as tape:
    y = line(2.)
print(y.numpy(), tape.gradient(y, line.trainable_variables)[0].numpy(), len(line.variables), line.name)
"""
    assert printed(source) == ["11.0 2.0 2 line"]


def test_cross_entropies_take_labels_and_logits_by_position():
    source = """\
labels, logits = tf.Variable([[0.25, 0.75]]), tf.Variable([[0., 0.]])
with tf.GradientTape() as tape:
    loss = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
print([g.numpy().tolist() for g in tape.gradient(loss, [labels, logits])])
print(tf.nn.sparse_softmax_cross_entropy_with_logits([1], logits).numpy())
print(tf.nn.sigmoid_cross_entropy_with_logits(labels, logits).numpy())
"""
    assert printed(source) == [
        "[[[0.6931471824645996, 0.6931471824645996]], [[0.25, -0.25]]]",
        "[0.6931472]",
        "[[0.6931472 0.6931472]]",
    ]  # as TensorFlow 2.21.0


def test_losses_are_means_where_tensorflow_1_runs_eagerly() -> None:
    """Those of Keras give one loss for each row; `tf.compat.v1` has TensorFlow 1's in TensorFlow 2, too."""
    two = "tf.constant([[1.], [2.]]), tf.constant([[2.], [4.]])"
    assert printed(f"tf.enable_eager_execution()\nprint(tf.losses.mean_squared_error({two}).numpy())") == [
        "2.5"
    ]
    assert printed(f"print(tf.losses.mean_squared_error({two}).numpy())") == ["[1. 4.]"]
    assert printed(f"print(tf.compat.v1.losses.mean_squared_error({two}).numpy())") == ["2.5"]


def test_tf_print_shows_tensors_in_a_dict_and_as_many_numbers_as_are_asked_for() -> None:
    assert printed('tf.print({"b": tf.constant(1.), "a": [1, 2]}, tf.range(8), summarize=-1)') == [
        "{'a': [1, 2], 'b': 1} [0 1 2 3 4 5 6 7]"
    ]
    assert printed("tf.print(tf.range(8), summarize=2)") == ["[0 1 ... 6 7]"]


def test_a_shape_with_unknown_lengths_and_one_that_becomes_known() -> None:
    assert printed("print(tf.TensorShape([None, 3]), [tf.TensorShape([None, 3])], tf.TensorShape(None))") == [
        "(None, 3) [TensorShape([None, 3])] <unknown>"
    ]
    assert printed(
        """@tf.function(input_signature=[tf.TensorSpec([None, None])])
def f(x):
    x.set_shape((2, None))
    print(x.shape)
    return x
f(tf.ones((2, 2)))"""
    ) == ["(2, None)"]


@pytest.mark.parametrize(
    "source",
    [
        "from tensorflow.keras.applications.vgg16 import VGG16\nVGG16()",
        "import keras\nkeras.applications.MobileNetV2()",
    ],
)
def test_models_whose_weights_would_be_fetched_are_refused_with_what_to_do(source: str):
    (error,) = [one for one in run(source)["diagnostics"] if one["severity"] == "error"]
    assert error["message"] == "`tf.keras.applications` is not supported."
    assert error["hint"].startswith("Its weights would have to be fetched: build a small model")
