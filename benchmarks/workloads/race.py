"""W8: 1,000 runs of 200 steps on Himmelblau's function from (-1, 1): five optimizers at 200 rates each.

x, y and the loss of every run at every step are recorded, as they are before the update.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.workloads.grids import TEXTS
from benchmarks.workloads.workload import BEST, BY_HAND, Claim, Workload

START = (-1.0, 1.0)
STEPS = 200
RUNS_EACH = 200
OPTIMIZERS = ("GradientDescent", "Momentum", "Adagrad", "RMSProp", "Adam")
TEXT = TEXTS["himmelblau"]
MOMENTUM, DECAY, BETA1, BETA2 = 0.9, 0.9, 0.9, 0.999
ACCUMULATOR, RMS_EPSILON, ADAM_EPSILON = 0.1, 1e-10, 1e-8

Floats = NDArray[np.float64]

W8 = Workload(
    "W8",
    "1,000 runs x 200 steps on Himmelblau, five optimizers at 200 rates; x, y, loss of each",
    claims=(
        Claim("cold", BEST, must=1.0, aim=0.5),
        Claim("cold", "SymPy", must=1.0, aim=0.5),  # the only other that begins with text
        Claim("warm", BY_HAND, must=0.75),
        Claim("warm", "JAX, scan", must=1.4, aim=1.0),
    ),
)


def rates() -> Floats:
    """The learning rates of each optimizer's runs."""
    return np.geomspace(1e-4, 3e-3, RUNS_EACH)


def groups() -> list[slice]:
    """Where the runs of each optimizer stand."""
    return [slice(k * RUNS_EACH, (k + 1) * RUNS_EACH) for k in range(len(OPTIMIZERS))]


def by_hand() -> dict[str, Any]:
    """Numpy as an expert writes it: x and y in one array (2, 1000), each group updated in its part."""
    runs = RUNS_EACH * len(OPTIMIZERS)
    descent, momentum, adagrad, rmsprop, adam = groups()
    position = np.repeat(np.array(START)[:, None], runs, axis=1)
    g = np.empty_like(position)
    x, y = position
    dx, dy = g
    eta = rates()
    speed = np.zeros((2, RUNS_EACH))
    accumulated = np.full((2, RUNS_EACH), ACCUMULATOR)
    mean_square = np.ones((2, RUNS_EACH))
    m, v = np.zeros((2, RUNS_EACH)), np.zeros((2, RUNS_EACH))
    path, losses = np.empty((STEPS, 2, runs)), np.empty((STEPS, runs))
    for k in range(STEPS):
        p = x * x
        p += y
        p -= 11.0
        q = y * y
        q += x
        q -= 7.0
        path[k] = position
        np.multiply(p, p, out=losses[k])
        losses[k] += q * q
        p += p
        q += q
        np.multiply(p, x, out=dx)
        dx += dx
        dx += q
        np.multiply(q, y, out=dy)
        dy += dy
        dy += p

        position[:, descent] -= eta * g[:, descent]

        speed *= MOMENTUM
        speed += g[:, momentum]
        position[:, momentum] -= eta * speed

        accumulated += g[:, adagrad] ** 2
        position[:, adagrad] -= eta * g[:, adagrad] / np.sqrt(accumulated)

        mean_square += (1.0 - DECAY) * (g[:, rmsprop] ** 2 - mean_square)
        position[:, rmsprop] -= eta * g[:, rmsprop] / np.sqrt(mean_square + RMS_EPSILON)

        m += (1.0 - BETA1) * (g[:, adam] - m)
        v += (1.0 - BETA2) * (g[:, adam] ** 2 - v)
        rate = eta * (np.sqrt(1.0 - BETA2 ** (k + 1)) / (1.0 - BETA1 ** (k + 1)))
        position[:, adam] -= rate * m / (np.sqrt(v) + ADAM_EPSILON)
    return {"x": path[:, 0], "y": path[:, 1], "loss": losses}
