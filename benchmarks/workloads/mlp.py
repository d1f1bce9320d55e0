"""W4: a network 2-16-16-1 with tanh, 256 points, mean squared error, Adam, 500 steps.

The loss and all parameters of every step are recorded, as they are before the update. The data has no
symmetry that would make a gradient zero: Adam would blow up what rounding leaves of it. Its settings are
given as float64 tensors, because TensorFlow 1 makes float32 of a plain number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.workloads.workload import BEST, BY_HAND, Bound, Claim, Workload

STEPS = 500
SETTINGS = RATE, BETA1, BETA2, EPSILON = 0.002, 0.9, 0.999, 1e-8
SIZES = (2, 16, 16, 1)
NAMES = ("w1", "b1", "w2", "b2", "w3", "b3")

Floats = NDArray[np.float64]

W4 = Workload(
    "W4",
    "network 2-16-16-1, 256 points, Adam, 500 steps; loss and parameters of each",
    claims=(
        Claim("cold", BEST, must=1.0, aim=0.5),
        Claim("warm", BY_HAND, must=1.15),
        Claim("warm", "TensorFlow, tf.function", must=0.8),
        Claim("warm", "PyTorch", must=0.15),
        Claim("warm", "JAX, scan", must=None, aim=1.5),
    ),
    bound=Bound(40_000_000, ours="Gradlens, text to trace"),
)

# What a person would paste: the same data and start as `data` and `start`, in double precision.
TEXT = """\
import numpy as np
import tensorflow as tf

k = np.arange(256.0)
xs = np.stack([k // 16.0 / 7.5 - 1.0, k % 16.0 / 7.5 - 1.0], axis=1)
ts = (np.sin(3.0 * xs[:, 0] + 1.0) * np.cos(2.0 * xs[:, 1])).reshape((256, 1))

def weights(rows, columns, scale):
    return tf.Variable(scale * np.sin(np.arange(1.0, rows * columns + 1.0) ** 2).reshape((rows, columns)))

w1 = weights(2, 16, 0.7)
b1 = tf.Variable(0.1 * np.ones(16))
w2 = weights(16, 16, 0.3)
b2 = tf.Variable(0.1 * np.ones(16))
w3 = weights(16, 1, 0.3)
b3 = tf.Variable(0.1 * np.ones(1))

h1 = tf.tanh(tf.matmul(xs, w1) + b1)
h2 = tf.tanh(tf.matmul(h1, w2) + b2)
out = tf.matmul(h2, w3) + b3
loss = tf.reduce_mean(tf.square(out - ts))
rate, beta1, beta2, epsilon = [tf.constant(value, tf.float64) for value in [0.002, 0.9, 0.999, 1e-8]]
train = tf.train.AdamOptimizer(rate, beta1, beta2, epsilon).minimize(loss)
"""


def data() -> tuple[Floats, Floats]:
    """The points (256, 2) and their targets (256, 1)."""
    k = np.arange(256.0)
    xs = np.stack([k // 16.0 / 7.5 - 1.0, k % 16.0 / 7.5 - 1.0], axis=1)
    return xs, (np.sin(3.0 * xs[:, 0] + 1.0) * np.cos(2.0 * xs[:, 1])).reshape(256, 1)


def start() -> list[Floats]:
    """w1, b1, w2, b2, w3, b3 at the start."""
    parameters = []
    for rows, columns, scale in zip(SIZES, SIZES[1:], (0.7, 0.3, 0.3), strict=False):
        wave = np.sin(np.arange(1.0, rows * columns + 1.0) ** 2)
        parameters += [scale * wave.reshape(rows, columns), np.full(columns, 0.1)]
    return parameters


def by_hand() -> dict[str, Any]:
    """Numpy as an expert writes it: all parameters in one vector, one update for all of them."""
    xs, ts = data()
    first = start()
    theta = np.concatenate([p.ravel() for p in first])
    g = np.empty_like(theta)
    w1, b1, w2, b2, w3, b3 = views(theta, first)
    gw1, gb1, gw2, gb2, gw3, gb3 = views(g, first)
    m, v = np.zeros_like(theta), np.zeros_like(theta)
    scratch = np.empty_like(theta)
    losses, path = np.empty(STEPS), np.empty((STEPS, theta.size))
    scale = 2.0 / len(xs)
    for k in range(STEPS):
        h1 = xs @ w1
        h1 += b1
        np.tanh(h1, out=h1)
        h2 = h1 @ w2
        h2 += b2
        np.tanh(h2, out=h2)
        error = h2 @ w3
        error += b3
        error -= ts
        losses[k] = np.vdot(error, error) / len(xs)
        path[k] = theta
        error *= scale
        np.matmul(h2.T, error, out=gw3)
        error.sum(axis=0, out=gb3)
        dh2 = error @ w3.T
        np.multiply(h2, h2, out=h2)
        dh2 -= dh2 * h2
        np.matmul(h1.T, dh2, out=gw2)
        dh2.sum(axis=0, out=gb2)
        dh1 = dh2 @ w2.T
        np.multiply(h1, h1, out=h1)
        dh1 -= dh1 * h1
        np.matmul(xs.T, dh1, out=gw1)
        dh1.sum(axis=0, out=gb1)
        rate = RATE * np.sqrt(1.0 - BETA2 ** (k + 1)) / (1.0 - BETA1 ** (k + 1))
        np.subtract(g, m, out=scratch)
        scratch *= 1.0 - BETA1
        m += scratch
        np.multiply(g, g, out=scratch)
        scratch -= v
        scratch *= 1.0 - BETA2
        v += scratch
        np.sqrt(v, out=scratch)
        scratch += EPSILON
        np.divide(m, scratch, out=scratch)
        scratch *= rate
        theta -= scratch
    return {"loss": losses, "parameters": path}


def views(flat: Floats, like: list[Floats]) -> list[Floats]:
    """The parts of a vector, shaped like those given."""
    cuts = np.cumsum([part.size for part in like])[:-1]
    return [part.reshape(old.shape) for part, old in zip(np.split(flat, cuts), like, strict=True)]
