"""W9 and W10: the loops that beginners write themselves, run as programs from their text.

W9:  TensorFlow 1's first example: a straight line through 17 points, one `sess.run` for each point and epoch.
W10: the same for TensorFlow 2: a tape, its gradients and an optimizer's step in each turn.
"""

from __future__ import annotations

import numpy as np

from benchmarks.workloads.workload import Claim, Workload

EPOCHS = 1_000  # of 17 runs each
TURNS = 1_000
RATE = float(np.float32(0.01))  # both versions of TensorFlow hold it as a float32
START = {"W": 0.3, "b": -0.2}
XS = "3.3,4.4,5.5,6.71,6.93,4.168,9.779,6.182,7.59,2.167,7.042,10.791,5.313,7.997,5.654,9.27,3.1"
YS = "1.7,2.76,2.09,3.19,1.694,1.573,3.366,2.596,2.53,1.221,2.827,3.465,1.65,2.904,2.42,2.94,1.3"

SESSION_TEXT = f"""\
import numpy
import tensorflow as tf

train_X = numpy.asarray([{XS}])
train_Y = numpy.asarray([{YS}])
n_samples = train_X.shape[0]
X = tf.placeholder(tf.float64)
Y = tf.placeholder(tf.float64)
W = tf.Variable({START["W"]}, name="weight", dtype=tf.float64)
b = tf.Variable({START["b"]}, name="bias", dtype=tf.float64)
pred = tf.add(tf.multiply(X, W), b)
cost = tf.reduce_sum(tf.pow(pred - Y, 2)) / (2 * n_samples)
optimizer = tf.train.GradientDescentOptimizer(0.01).minimize(cost)
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    for epoch in range({EPOCHS}):
        for (x, y) in zip(train_X, train_Y):
            sess.run(optimizer, feed_dict={{X: x, Y: y}})
    found = sess.run([W, b])
"""
TAPE_TEXT = f"""\
import numpy as np
import tensorflow as tf

X = np.array([{XS}])
Y = np.array([{YS}])
W = tf.Variable({START["W"]}, name="weight", dtype=tf.float64)
b = tf.Variable({START["b"]}, name="bias", dtype=tf.float64)

def linear_regression(x):
    return W * x + b

def mean_square(y_pred, y_true):
    return tf.reduce_mean(tf.square(y_pred - y_true))

optimizer = tf.optimizers.SGD(0.01)

def run_optimization():
    with tf.GradientTape() as g:
        pred = linear_regression(X)
        loss = mean_square(pred, Y)
    gradients = g.gradient(loss, [W, b])
    optimizer.apply_gradients(zip(gradients, [W, b]))

for step in range({TURNS}):
    run_optimization()
found = [W.numpy(), b.numpy()]
"""

W9 = Workload(
    "W9",
    f"a program's own loop: {17 * EPOCHS:,} times sess.run of a linear regression, fed one point at a time",
    claims=(Claim("warm", "TensorFlow 1.15", must=0.15),),
)
W10 = Workload(
    "W10",
    f"a program's own loop: {TURNS:,} turns with a tape and SGD on a linear regression",
    claims=(Claim("warm", "TensorFlow", must=0.05),),
)


def points() -> list[tuple[float, float]]:
    """What the line goes through."""
    xs, ys = ([float(number) for number in text.split(",")] for text in (XS, YS))
    return list(zip(xs, ys, strict=True))


def by_hand_one_by_one() -> dict[str, float]:
    """W9: the line after all runs."""
    w, b, data = START["W"], START["b"], points()
    for _ in range(EPOCHS):
        for x, y in data:
            off = (x * w + b - y) * (1.0 / (2 * len(data))) * 2.0
            w, b = w - RATE * (off * x), b - RATE * off
    return {"W": w, "b": b}


def by_hand_all_at_once() -> dict[str, float]:
    """W10: the line after all turns."""
    w, b = START["W"], START["b"]
    x, y = np.array(points()).T
    for _ in range(TURNS):
        off = 2.0 / len(x) * (w * x + b - y)
        w, b = w - RATE * np.sum(off * x), b - RATE * np.sum(off)
    return {"W": w, "b": b}


def named(found: list[float]) -> dict[str, float]:
    """What the programs end with."""
    return dict(zip(("W", "b"), found, strict=True))
