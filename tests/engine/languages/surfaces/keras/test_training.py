"""TensorFlow 2 programs that train: optimizers, schedules, datasets. TensorFlow 2.21 gives these numbers."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, tell_lesson
from tests.engine.languages.surfaces.tf2.programs import codes, data, printed, run

TRAINING = """\
w, b = tf.Variable(0.), tf.Variable(0.)
opt = tf.keras.optimizers.SGD(%s)
x, y = tf.constant([0., 1.]), tf.constant([1., 3.])
for step in range(%d):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x + b - y))
    grads = tape.gradient(loss, [w, b])
    opt.apply_gradients(zip(grads, [w, b]))
"""


def test_keras_moves_each_variable_by_its_gradient():
    answer = run(TRAINING % ("learning_rate=0.1", 1))
    assert data(answer, "w") == pytest.approx(0.3)  # 0.1 * (2 * 3 * 1) / 2
    assert data(answer, "b") == pytest.approx(0.4)  # 0.1 * 2 * (1 + 3) / 2


def test_a_long_training_draws_what_a_short_one_draws():
    short, long = run(TRAINING % ("0.1", 2)), run(TRAINING % ("0.1", 300))
    assert [n["name"] for n in short["graph"]["nodes"]] == [n["name"] for n in long["graph"]["nodes"]]
    assert data(long, "w") == pytest.approx(2, abs=1e-3)
    assert (long["sessions"][0]["runs"], len(long["sessions"][0]["kept"])) == (300, 100)


def test_each_turn_shows_what_it_changed():
    answer = run(TRAINING % ("0.1", 2))
    first, second = answer["sessions"][0]["kept"]
    changes = {u["variable"]: (u["before"]["data"], u["after"]["data"]) for u in first["updates"]}
    assert changes["Variable:0"] == (0, pytest.approx(0.3))
    assert first["nodes"]["Mean:0"]["data"] == 5  # (1 + 9) / 2
    assert second["nodes"]["Mean:0"]["data"] == pytest.approx(2.825)  # (0.6^2 + 2.3^2) / 2
    assert (first["line"], second["line"]) == (6, 6)


def test_the_old_name_of_the_rate_is_understood_and_noted():
    assert codes(run(TRAINING % ("lr=0.1", 1))) == ["old_argument"]


def test_the_old_minimize_calls_the_loss_on_a_tape_of_its_own():
    answer = run(
        """\
x = tf.Variable(5.)
opt = tf.optimizers.SGD(0.1)
for _ in range(2):
    opt.minimize(lambda: (x - 1.) ** 2, var_list=[x])
"""
    )
    assert data(answer, "x") == pytest.approx(3.56)  # 5, 4.2, 3.56
    assert codes(answer) == ["old_minimize"]


def test_a_schedule_follows_the_steps():
    answer = run(
        """\
x = tf.Variable(0.)
rate = tf.keras.optimizers.schedules.ExponentialDecay(1., 1, 0.5)
opt = tf.keras.optimizers.SGD(rate)
for _ in range(3):
    opt.apply_gradients([(tf.constant(-1.), x)])
"""
    )
    assert data(answer, "x") == pytest.approx(1.75)  # 1 + 0.5 + 0.25


def test_a_small_pipeline_gives_every_element_once_in_each_turn():
    source = """\
data = tf.data.Dataset.from_tensor_slices(([1., 2., 3.], [10., 20., 30.]))
for x, y in data.batch(2).repeat(2):
    print(x.numpy(), y.numpy())
print(sum(int(x) for x in tf.data.Dataset.range(10).shuffle(4).take(10)))
"""
    assert printed(source) == ["[1. 2.] [10. 20.]", "[3.] [30.]"] * 2 + ["45"]


def test_batches_of_one_shape_share_their_nodes():
    source = """\
w = tf.Variable(0.)
for x in tf.data.Dataset.from_tensor_slices([1., 2., 3., 4.]).batch(2).repeat(%d):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(w * x)
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""
    few, many = run(source % 1), run(source % 10)
    assert len(few["graph"]["nodes"]) == len(many["graph"]["nodes"])
    assert data(many, "w") == pytest.approx(-5)  # ten times -0.1 * (1.5 + 3.5)


def test_a_loss_of_keras_is_the_mean_over_all():
    source = """\
print(tf.keras.losses.MeanSquaredError()([1., 2.], [3., 2.]).numpy())
print(tf.keras.losses.MSE([1.], [4.]).numpy())
"""
    assert printed(source) == ["2.0", "9.0"]  # (4 + 0) / 2; 3^2


def test_the_lesson_tells_the_last_gradient_call():
    source = """\
import tensorflow as tf
x = tf.Variable(3.)
with tf.GradientTape() as t:
    y = x * x
t.gradient(y, x)
"""
    steps = tell_lesson(ProgramRequest(source))["steps"]
    assert [step["phase"] for step in steps][:2] == ["forward", "forward"]
    assert steps[-1]["output"]["value"]["data"] == 6


RACE = """\
ends = []
for rate in RATES:
    x = tf.Variable(8.)
    for i in range(2):
        with tf.GradientTape() as t:
            y = x * x
        x.assign_sub(rate * t.gradient(y, x))
    ends.append(x)
"""


def test_a_race_of_rates_keeps_each_result_and_each_can_be_trained_further():
    source = (
        RACE.replace("RATES", "[0.1, 0.25]")
        + """\
print([end.numpy() for end in ends], (ends[0] + ends[1]).numpy())
for end in ends:
    with tf.GradientTape() as t:
        y = end * end
    end.assign_sub(0.25 * t.gradient(y, end))
print([end.numpy() for end in ends])
"""
    )
    assert printed(source) == ["[5.12, 2.0] 7.12", "[2.56, 1.0]"]  # 8 * 0.8^2 and 8 * 0.5^2, then half


def test_a_long_race_shares_its_nodes_and_says_what_cannot_be_trained_further():
    ends = "ends[0].assign(1.0)\nprint([end.numpy() for end in ends[:2]], len(ends))\n"
    source = RACE.replace("RATES", "[0.25] * 30") + ends
    assert printed(source) == ["[1.0, 2.0] 30"]
    assert len(run(source)["graph"]["nodes"]) == len(run(source.replace("30", "40"))["graph"]["nodes"])
    (mistake,) = run(source + "ends[20].assign(1.0)")["diagnostics"]
    assert mistake["message"] == (
        "This variable was made in an earlier turn of a long loop, and later turns have made others in its "
        "place: it can be read, but not changed."
    )


def test_a_rate_may_change_at_boundaries():
    source = """\
rate = tf.keras.optimizers.schedules.PiecewiseConstantDecay([1, 5], [1.0, 0.5, 0.25])
print([float(rate(step)) for step in (0, 1, 2, 5, 6)])
x = tf.Variable(8.0)
optimizer = tf.keras.optimizers.SGD(rate)
for _ in range(3):
    optimizer.apply_gradients([(tf.constant(1.0), x)])
print(x.numpy())
"""
    assert printed(source) == ["[1.0, 1.0, 0.5, 0.5, 0.25]", "5.5"]  # 8 − 1 − 1 − 0.5


def test_a_rate_may_follow_a_cosine():
    source = """\
schedules = tf.keras.optimizers.schedules
rates = [schedules.CosineDecay(0.1, 10, alpha=0.1), schedules.CosineDecayRestarts(0.1, 4)]
print([['%.5f' % float(rate(step)) for rate in rates] for step in (0, 3, 7, 15)])
"""
    reported = (
        "[['0.10000', '0.10000'], ['0.08145', '0.01464'], ['0.02855', '0.06913'], ['0.01000', '0.09157']]"
    )
    assert printed(source) == [reported]  # as TensorFlow 2.21.0


def test_a_rate_that_starts_anew_or_warms_up():
    source = """\
schedules = tf.keras.optimizers.schedules
rates = [
    schedules.CosineDecayRestarts(0.5, 2, t_mul=1.0, m_mul=0.9),
    schedules.PolynomialDecay(0.5, 2, 0.1, cycle=True),
    schedules.CosineDecay(0.1, 4, warmup_target=0.5, warmup_steps=2),
]
for rate in rates:
    print(['%.6f' % float(rate(step)) for step in range(5)])
"""
    assert printed(source) == [  # as TensorFlow 2.21.0
        "['0.500000', '0.250000', '0.450000', '0.225000', '0.405000']",
        "['0.500000', '0.300000', '0.100000', '0.200000', '0.100000']",
        "['0.100000', '0.300000', '0.500000', '0.426777', '0.250000']",
    ]


def test_the_rate_of_an_optimizer_is_read_and_assigned():
    source = """\
x = tf.Variable(8.0)
optimizer = tf.keras.optimizers.SGD(1.0)
for step in range(3):
    optimizer.learning_rate.assign(1.0 / 2**step)
    optimizer.apply_gradients([(tf.constant(1.0), x)])
    print(optimizer.learning_rate.numpy(), x.numpy())
optimizer.learning_rate = 0.1
print(float(optimizer.learning_rate), optimizer.learning_rate * 2, optimizer.learning_rate)
"""
    assert printed(source) == [  # as TensorFlow 2.21.0
        "1.0 7.0",
        "0.5 6.5",
        "0.25 6.25",
        "0.10000000149011612 tf.Tensor(0.2, shape=(), dtype=float32) "
        "<Variable path=sgd/learning_rate, shape=(), dtype=float32, value=0.10000000149011612>",
    ]


def test_the_count_of_steps_and_the_rate_of_a_schedule_are_numbers():
    source = """\
x = tf.Variable(8.0)
optimizer = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(1.0, 1, 0.5))
for _ in range(2):
    optimizer.apply_gradients([(tf.constant(1.0), x)])
    print(int(optimizer.iterations), optimizer.iterations.numpy(), float(optimizer.learning_rate))
"""
    assert printed(source) == ["1 1 0.5", "2 2 0.25"]


def test_several_numbers_that_a_layer_adds_to_the_loss_count_as_their_sum() -> None:
    """0.1 (5 + 25 + 61) = 9.1, as Keras 3.15 printed."""
    assert printed(
        """
import numpy as np
L = tf.keras.layers
class A(L.Layer):
    def call(self, x):
        self.add_loss(tf.reduce_sum(x ** 2, axis=1) * 0.1)
        return x
m = tf.keras.Sequential([tf.keras.Input((2,)), A()])
m.compile("sgd")
print(m.evaluate(np.array([[1., 2.], [3., 4.], [5., 6.]]), verbose=0))
m.compile("sgd", "mse")
x = np.array([[1., 2.], [3., 4.], [5., 6.]])
print(m.evaluate(x, x + 1, verbose=0))
"""
    ) == ["9.100000381469727", "10.100000381469727"]


def test_a_frozen_layer_says_so_of_its_variables_and_a_tape_watches_them_all_the_same() -> None:
    assert printed(
        """
import numpy as np
L = tf.keras.layers
m = tf.keras.Sequential([tf.keras.Input((2,)), L.Dense(1), L.BatchNormalization()])
m.layers[0].trainable = False
print([w.trainable for w in m.weights])
m.trainable = True
print([w.trainable for w in m.weights], "which it was already")
m.trainable = False
m.trainable = True
print([w.trainable for w in m.weights])
m.layers[0].kernel.trainable = False
print(len(m.trainable_weights), [w.name for w in m.layers[0].trainable_weights])
m.trainable = False
with tf.GradientTape() as t:
    y = tf.reduce_sum(m(tf.ones((1, 2))))
print([g is None for g in t.gradient(y, m.weights)], len(m.trainable_weights))
d = L.Dense(1, trainable=False)
d.build((None, 2))
print([w.trainable for w in d.weights])
"""
    ) == [
        "[False, False, True, True, False, False]",
        "[False, False, True, True, False, False] which it was already",
        "[True, True, True, True, False, False]",
        "3 ['bias']",
        "[False, False, False, False, True, True] 0",
        "[False, False]",
    ]


def test_weights_begin_with_those_that_are_trained_and_unnamed_ones_are_counted() -> None:
    assert printed(
        """
class A(tf.keras.layers.Layer):
    def build(self, shape):
        self.total = self.add_weight(shape=(), initializer="zeros", trainable=False, name="total")
        self.w = self.add_weight(shape=(1,))
        self.b = self.add_weight(shape=(1,))
    def call(self, x): return x * self.w + self.b
a = A()
a(tf.ones((1, 1)))
print([w.path for w in a.weights])
"""
    ) == ["['a/variable', 'a/variable_1', 'a/total']"]


def test_fit_before_compile_is_a_value_error_and_a_metric_shows_its_name() -> None:
    assert printed(
        """
m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
try:
    m.fit([[1.]], [[1.]])
except ValueError as e:
    print(e)
class F1(tf.keras.metrics.Metric):
    def result(self): return 0.
print(F1(name="f"))
"""
    ) == ["You must call `compile()` before using the model.", "<F1 name=f>"]


def test_a_loss_of_the_models_own_is_given_training_only_where_it_asks() -> None:
    assert printed(
        """
class M(tf.keras.Model):
    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, allow_empty=False):
        return tf.reduce_mean(tf.abs(y - y_pred)) * 2.0
i = tf.keras.Input((1,))
m = M(i, tf.keras.layers.Dense(1, kernel_initializer="ones")(i))
m.compile("sgd")
print(m.evaluate(tf.constant([[1.], [2.]]), tf.constant([[2.], [4.]]), verbose=0))
"""
    ) == ["3.0"]


def test_layers_of_outputs_by_name_stand_in_the_order_of_the_names() -> None:
    assert printed(
        """
i = tf.keras.Input((1,))
outs = {"b": tf.keras.layers.Dense(1, name="q")(i), "a": tf.keras.layers.Dense(1, name="r")(i)}
print([layer.name for layer in tf.keras.Model(i, outs).layers][1:])
"""
    ) == ["['r', 'q']"]
