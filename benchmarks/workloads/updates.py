"""The optimizers of the workloads as pure updates of arrays, for peers that come without TensorFlow's own.

`xp` is whichever module the arrays belong to: numpy, jax.numpy, autograd.numpy, torch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.workloads import race

Arrays = tuple[Any, ...]
Settings = tuple[float, float, float, float]  # rate, beta1, beta2, epsilon


def adam(xp: Any, settings: Settings, theta: Any, g: Any, m: Any, v: Any, t: Any) -> Arrays:
    """One step of Adam, the t-th (from 1): theta, m and v afterwards."""
    rate, beta1, beta2, epsilon = settings
    scaled = rate * (1.0 - beta2**t) ** 0.5 / (1.0 - beta1**t)
    m = m + (1.0 - beta1) * (g - m)
    v = v + (1.0 - beta2) * (g * g - v)
    return theta - scaled * m / (xp.sqrt(v) + epsilon), m, v


def race_start() -> tuple[Any, Arrays]:
    """Where W8 starts, (2, 1000), and the optimizers' slots, each (2, 200)."""
    position = np.repeat(np.array(race.START)[:, None], race.RUNS_EACH * len(race.OPTIMIZERS), axis=1)
    nothing = np.zeros((2, race.RUNS_EACH))
    return position, (nothing, nothing + race.ACCUMULATOR, nothing + 1.0, nothing, nothing)


def race_update(xp: Any, position: Any, g: Any, slots: Arrays, eta: Any, t: Any) -> tuple[Any, Arrays]:
    """One step of all 1,000 runs of W8, the t-th (from 1)."""
    speed, accumulated, mean_square, m, v = slots
    g1, g2, g3, g4, g5 = (g[:, part] for part in race.groups())
    speed = race.MOMENTUM * speed + g2
    accumulated = accumulated + g3 * g3
    mean_square = mean_square + (1.0 - race.DECAY) * (g4 * g4 - mean_square)
    m = m + (1.0 - race.BETA1) * (g5 - m)
    v = v + (1.0 - race.BETA2) * (g5 * g5 - v)
    correction = (1.0 - race.BETA2**t) ** 0.5 / (1.0 - race.BETA1**t)
    moves = [
        g1,
        speed,
        g3 / xp.sqrt(accumulated),
        g4 / xp.sqrt(mean_square + race.RMS_EPSILON),
        correction * m / (xp.sqrt(v) + race.ADAM_EPSILON),
    ]
    moved = position - xp.concatenate([eta * move for move in moves], axis=1)
    return moved, (speed, accumulated, mean_square, m, v)
