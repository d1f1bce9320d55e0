"""Variables that join an optimizer's steps later. Expected: TensorFlow 2.21 with Keras 3.15."""

from __future__ import annotations

from typing import Any

from engine.programs import ProgramRequest, run_program

BEGIN = """
import numpy as np
import tensorflow as tf
a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
def step(opt, variables):
    with tf.GradientTape() as t:
        loss = a ** 2 * b
    opt.apply_gradients(zip(t.gradient(loss, variables), variables))
"""
MODEL = """
d1 = tf.keras.layers.Dense(2, kernel_initializer="ones")
m = tf.keras.Sequential([tf.keras.Input((2,)), d1, tf.keras.layers.Dense(1, kernel_initializer="ones")])
x, y = np.ones((4, 2), "float32"), np.zeros((4, 1), "float32")
d1.trainable = False
"""


def answered(source: str) -> Any:
    return run_program(ProgramRequest(BEGIN + source, dialect="tf2"))


def test_an_optimizer_refuses_a_variable_that_it_was_not_built_for() -> None:
    source = "opt = tf.keras.optimizers.Adam(0.1)\nstep(opt, [a])\nstep(opt, [a, b])"
    (error,) = answered(source)["diagnostics"]
    assert error["message"].startswith(
        "Unknown variable: <tf.Variable 'b:0' shape=() dtype=float32, numpy=2.0>"
    )


def test_a_variable_that_it_was_built_for_joins_and_the_state_of_the_others_goes_on() -> None:
    source = """
opt = tf.keras.optimizers.RMSprop(0.1)
opt.build([a, b])
for i in range(12):
    step(opt, [b] if i < 6 else [a, b])
print(f"{a.numpy():.5f} {b.numpy():.5f}", opt.built)
"""
    assert answered(source)["printed"] == ["0.21417 0.48656 True"]


def test_each_optimizer_of_a_loop_begins_with_slots_of_its_own_once() -> None:
    source = """
for momentum in (0.0, 0.5, 0.9):
    opt = tf.keras.optimizers.SGD(0.1, momentum=momentum)
    w = tf.Variable(1.0)
    for i in range(20):
        with tf.GradientTape() as t:
            loss = w ** 2
        opt.apply_gradients([(t.gradient(loss, w), w)])
    print(f"{w.numpy():.5f}")
"""
    assert answered(source)["printed"] == ["0.01153", "0.00028", "-0.34925"]


def test_fit_goes_on_with_the_variables_that_it_was_compiled_for() -> None:
    source = (
        MODEL
        + """
m.compile(tf.keras.optimizers.Adam(0.1), "mse")
m.fit(x, y, epochs=2, verbose=0)
d1.trainable = True
m.fit(x, y, epochs=2, verbose=0)
print(d1.get_weights()[0].tolist())
m.compile(tf.keras.optimizers.Adam(0.1), "mse")
m.fit(x, y, verbose=0)
print(d1.get_weights()[0].tolist())
"""
    )
    answer = answered(source)
    assert answer["printed"][0] == "[[1.0, 1.0], [1.0, 1.0]]"
    assert answer["printed"][1] != answer["printed"][0]
    assert [note["code"] for note in answer["diagnostics"]] == ["trainable_after_compile"]


def test_optimizers_of_one_kind_are_counted_as_keras_counts_them() -> None:
    source = """import tensorflow as tf
first, second = tf.keras.optimizers.SGD(), tf.keras.optimizers.SGD()
print(first.name, [v.path for v in second.variables], tf.keras.optimizers.AdamW().name)
print(second.get_config()["name"], tf.keras.optimizers.SGD(name="mine").name, tf.keras.optimizers.SGD().name)
"""
    assert answered(source)["printed"] == [
        "sgd ['sgd_1/iteration', 'sgd_1/learning_rate'] adam_w",
        "sgd_1 mine sgd_2",
    ]
