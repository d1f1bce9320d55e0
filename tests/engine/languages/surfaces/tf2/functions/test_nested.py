"""Gradients through a function that another one calls. Expected: TensorFlow 2.21."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

BEGIN = """
import tensorflow as tf
w = tf.Variable(5.0)
u = tf.Variable([1.0, 2.0])
@tf.function
def inner(x):
    if tf.reduce_sum(x) > 0:
        return u * x
    else:
        return u * u * x
@tf.function
def middle(x):
    return inner(x) + w
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(BEGIN + source, dialect="tf2"))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_variables_that_inner_functions_read_have_gradients() -> None:
    source = """
@tf.function
def outer(x):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(middle(x))
    return tape.gradient(y, [u, w])
for x in ([1.0, 3.0], [-1.0, -3.0]):
    print([g.numpy().tolist() for g in outer(tf.constant(x))])
"""
    assert printed(source) == ["[[1.0, 3.0], 2.0]", "[[-2.0, -12.0], 2.0]"]


def test_a_module_with_a_function_is_trained_by_another_function() -> None:
    source = """
class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(5.0)
    @tf.function
    def __call__(self, x):
        return self.w * x
line = Line()
@tf.function
def train(model, x, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    model.w.assign_sub(rate * tape.gradient(loss, model.w))
    return loss
print(train(line, tf.constant([1.0, 2.0]), 0.1).numpy(), line.w.numpy())
"""
    assert printed(source) == ["7.5 4.85"]


def test_a_gradient_of_a_gradient_goes_through_an_inner_function() -> None:
    source = """
@tf.function
def square(x):
    return w * w * x
@tf.function
def second(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = square(x) * w
        first = inner.gradient(y, w)
    return first, outer.gradient(first, w)
print(*[g.numpy() for g in second(tf.constant(2.0))])
"""
    assert printed(source) == ["150.0 60.0"]
