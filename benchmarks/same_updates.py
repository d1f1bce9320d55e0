"""Examples in mathematics whose other forms train: programs of TensorFlow with as many updates.

On the page a formula is one request, and its updates are runs of their own; the forms in PyTorch and JAX make
these updates in loops of theirs. These programs make the same ones, and print the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FIVE_RATES = """\
import tensorflow as tf

# y = x^2 from x = 3 at five learning rates: which of them come down?
x = tf.Variable(3.0, name="x")
y = x ** 2
rate = tf.placeholder(tf.float32, name="rate")
train = tf.train.GradientDescentOptimizer(rate).minimize(y)

with tf.Session() as sess:
    for eta in (0.1, 0.5, 0.9, 1.0, 1.1):
        sess.run(tf.global_variables_initializer())
        for step in range(100):
            sess.run(train, {rate: eta})
        print(f"rate {eta}: x {sess.run(x):.3g} after 100 steps")
"""
MOMENTUM = """\
import tensorflow as tf

# y = x^2 from x = 3: the momentum 0.9 carries x past the minimum and back.
x = tf.Variable(3.0, name="x")
y = x ** 2
optimizer = tf.train.MomentumOptimizer(0.02, momentum=0.9)
train = optimizer.minimize(y)
velocity = optimizer.get_slot(x, "momentum")

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(1, 31):
        sess.run(train)
        if step % 5 == 0:
            print("step %d: x %.4f, v %.4f" % (step, *sess.run([x, velocity])))
"""
OUT_OF_THE_DOMAIN = """\
import tensorflow as tf

# ln x downhill from 0.05: one step too long leaves the domain.
x = tf.Variable(0.05, name="x")
y = tf.log(x)
(slope,) = tf.gradients(y, x)
train = tf.train.GradientDescentOptimizer(0.01).minimize(y)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        print("x %.4f, ln x %.4f, slope %.4f" % tuple(sess.run([x, y, slope])))
        sess.run(train)
"""

SAME_UPDATES: Mapping[str, str] = MappingProxyType(
    {"g04": FIVE_RATES, "g23": MOMENTUM, "g28": OUT_OF_THE_DOMAIN}
)
