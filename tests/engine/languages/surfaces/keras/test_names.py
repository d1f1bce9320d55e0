"""The names that TensorFlow 2 and Keras give to layers and variables, as 2.21 prints them."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

NETWORK = """\
import tensorflow as tf
class Inner(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.early = self.add_weight(shape=(2,), name="early")
        self.d = tf.keras.layers.Dense(1, use_bias=False)
    def build(self, shape):
        self.late = self.add_weight(shape=(2,), name="late")
    def call(self, x):
        return self.d(x) * self.late[0]
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.rest = tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False)])
    def call(self, x):
        return self.rest(self.inner(x))
net = Net()
net(tf.ones([1, 2]))
"""


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(source, dialect="tf2", gradients=False))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


def test_the_path_of_a_variable_names_the_layers_that_were_being_called() -> None:
    assert printed(NETWORK + "for v in net.weights:\n    print(v.path)") == [
        "inner/early",  # made before anything is called
        "net/inner/late",
        "net/inner/dense/kernel",
        "net/sequential/dense_1/kernel",
    ]


def test_layers_of_a_kind_are_counted_whatever_scope_they_are_made_in() -> None:
    assert printed("""\
import tensorflow as tf
L = tf.keras.layers
with tf.name_scope("s"):
    first = L.Dense(1)
tf.add(1, 2, name="dense_1")
print(first.name, L.Dense(1, name="mine").name, L.Dense(1).name, L.ReLU().name)
""") == ["dense mine dense_1 re_lu"]


def test_a_name_scope_begins_the_names_of_variables_each_time_it_is_opened() -> None:
    assert printed("""\
import tensorflow as tf
for _ in range(2):
    with tf.name_scope("s") as scope, tf.name_scope("t"):
        print(scope, tf.Variable(1.0, name="q").name)
with tf.name_scope("u/"):
    print(tf.Variable(1.0).name)
""") == ["s/ s/t/q:0", "s/ s/t/q:0", "u/Variable:0"]


def test_a_module_has_a_name_scope_for_its_variables() -> None:
    assert printed("""\
import tensorflow as tf
class MyModel(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(2.0, name="w")
        with self.name_scope:
            self.u = tf.Variable(3.0, name="u")
    @tf.Module.with_name_scope
    def __call__(self, x):
        self.b = tf.Variable(1.0, name="b")
        return x * self.w + self.b
m = MyModel()
print(m(3.0).numpy(), m.name, [v.name for v in m.variables])
""") == ["7.0 my_model ['my_model/b:0', 'my_model/u:0', 'w:0']"]
