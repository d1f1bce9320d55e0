"""W5: loss and gradient of a network of 20 tanh layers of width 32 on a batch of 64."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.workloads.workload import Claim, Workload

LAYERS, WIDTH, BATCH = 20, 32, 64

Floats = NDArray[np.float64]

W5 = Workload(
    "W5",
    "gradient of a network of 20 layers, width 32, batch 64",
    claims=(Claim("warm", "JAX, jit", must=0.9, aim=0.8),),
)

TEXT = """\
import numpy as np
import tensorflow as tf

h = tf.constant(np.cos(np.arange(64.0 * 32)).reshape((64, 32)))
for layer in range(20):
    w = tf.Variable(0.3 * np.sin(np.arange(32.0 * 32) ** 2 + layer).reshape((32, 32)))
    b = tf.Variable(np.zeros(32))
    h = tf.tanh(tf.matmul(h, w) + b)
loss = tf.reduce_mean(tf.square(h))
"""


def batch() -> Floats:
    """The input (64, 32)."""
    wave: Floats = np.cos(np.arange(float(BATCH * WIDTH)))
    return wave.reshape(BATCH, WIDTH)


def parameters() -> list[Floats]:
    """w and b of each layer in turn."""
    found = []
    for layer in range(LAYERS):
        wave = np.sin(np.arange(float(WIDTH * WIDTH)) ** 2 + layer)
        found += [0.3 * wave.reshape(WIDTH, WIDTH), np.zeros(WIDTH)]
    return found


def by_hand(x: Floats, theta: list[Floats]) -> list[float | Floats]:
    """The loss, then the gradient of each parameter."""
    hs = [x]
    for w, b in zip(theta[::2], theta[1::2], strict=True):
        z = hs[-1] @ w
        z += b
        hs.append(np.tanh(z, out=z))
    last = hs[-1]
    loss = float(np.vdot(last, last)) / last.size
    dh = last * (2.0 / last.size)
    gradients: list[float | Floats] = []
    for k in reversed(range(LAYERS)):
        h = hs[k + 1]
        dz = h * h
        dz *= dh
        np.subtract(dh, dz, out=dz)
        gradients += [dz.sum(axis=0), hs[k].T @ dz]
        if k:
            dh = dz @ theta[2 * k].T
    return [loss, *reversed(gradients)]


def named(values: Sequence[object]) -> dict[str, object]:
    """The result by names, in the order of `by_hand`."""
    return {str(k): value for k, value in enumerate(values)}
