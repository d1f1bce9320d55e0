"""HIPS autograd: numpy's functions, traced anew at every call."""

from __future__ import annotations

from functools import partial
from typing import Any

import autograd.numpy as np
from autograd import elementwise_grad, grad, value_and_grad

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, mlp, race, rosenbrock
from benchmarks.workloads.updates import adam, race_start, race_update

PEER = Peer(
    "autograd",
    package="autograd",
    warm_up=lambda: grad(lambda x: x + 1.0)(1.0),
    cannot={
        "W6": "it keeps no graph: tracing, running and differentiating are one",
        "W7": "without a derivative it is numpy itself",
    },
)


@PEER.does("W1")
def gradient_of_exp_sin() -> Task:
    function = value_and_grad(lambda x: np.exp(np.sin(x)))
    return Task(function, (exp_sin.X,), lambda pair: {"y": pair[0], "dy": pair[1]})


def _descent(steps: int) -> Task:
    function = value_and_grad(lambda x: x * x)

    def run() -> dict[str, list[float]]:
        x = descent.START
        xs, ys, dys = [], [], []
        for _ in range(steps):
            y, dy = function(x)
            xs.append(x)
            ys.append(y)
            dys.append(dy)
            x = x - descent.RATE * dy
        return {"x": xs, "y": ys, "dy": dys}

    return Task(run)


PEER.does("W2-100")(partial(_descent, 100))
PEER.does("W2-10k")(partial(_descent, 10_000))


@PEER.does("W3")
def adam_on_rosenbrock() -> Task:
    function = value_and_grad(lambda p: (1.0 - p[0]) ** 2 + 100.0 * (p[1] - p[0] * p[0]) ** 2)

    def run() -> dict[str, Any]:
        theta = np.array(rosenbrock.START)
        m = v = np.zeros(2)
        rows = np.empty((rosenbrock.STEPS, 9))
        for k in range(rosenbrock.STEPS):
            f, g = function(theta)
            rows[k] = *theta, f, *g, *m, *v
            theta, m, v = adam(np, rosenbrock.SETTINGS, theta, g, m, v, k + 1)
        return dict(zip(rosenbrock.COLUMNS, rows.T, strict=False))

    return Task(run)


@PEER.does("W4")
def train_mlp() -> Task:
    xs, ts = mlp.data()
    first = mlp.start()

    def loss(theta: Any) -> Any:
        w1, b1, w2, b2, w3, b3 = parts(theta)
        hidden = np.tanh(np.dot(np.tanh(np.dot(xs, w1) + b1), w2) + b2)
        return np.mean((np.dot(hidden, w3) + b3 - ts) ** 2)

    def parts(theta: Any) -> list[Any]:
        ends = list(np.cumsum([p.size for p in first]))
        cuts = zip([0, *ends], ends, first, strict=False)
        return [np.reshape(theta[begin:end], p.shape) for begin, end, p in cuts]

    function = value_and_grad(loss)

    def run() -> dict[str, Any]:
        theta = np.concatenate([p.ravel() for p in first])
        m = v = np.zeros_like(theta)
        losses, path = [], []
        for t in range(1, mlp.STEPS + 1):
            value, g = function(theta)
            losses.append(value)
            path.append(theta)
            theta, m, v = adam(np, mlp.SETTINGS, theta, g, m, v, t)
        return {"loss": losses, "parameters": path}

    return Task(run)


@PEER.does("W5")
def deep_gradient() -> Task:
    x = deep.batch()

    def loss(theta: Any) -> Any:
        h = x
        for w, b in zip(theta[::2], theta[1::2], strict=True):
            h = np.tanh(np.dot(h, w) + b)
        return np.mean(h * h)

    def read(pair: Any) -> dict[str, Any]:
        return deep.named([pair[0], *pair[1]])

    return Task(value_and_grad(loss), (deep.parameters(),), read)


@PEER.does("W8")
def race_of_autograd() -> Task:
    def hills(x: Any, y: Any) -> Any:
        return (x * x + y - 11.0) ** 2 + (x + y * y - 7.0) ** 2

    slope = elementwise_grad(hills, (0, 1))

    def run() -> dict[str, Any]:
        position, slots = race_start()
        eta = race.rates()
        path, losses = [], []
        for t in range(1, race.STEPS + 1):
            x, y = position
            path.append(position)
            losses.append(hills(x, y))
            position, slots = race_update(np, position, np.stack(slope(x, y)), slots, eta, t)
        x, y = np.moveaxis(np.array(path), 1, 0)
        return {"x": x, "y": y, "loss": losses}

    return Task(run)
