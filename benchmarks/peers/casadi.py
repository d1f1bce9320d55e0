"""CasADi: expressions made Functions; `mapaccum` is its loop, run by its own virtual machine."""

from __future__ import annotations

from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, grids, mlp, race, rosenbrock
from benchmarks.workloads.updates import Settings, race_start

PEER = Peer(
    "CasADi",
    package="casadi",
    warm_up=lambda: ca.Function("f", [x := ca.SX.sym("x")], [ca.gradient(x * x, x)])(1.0),
    cannot={"W6": "its expressions simplify themselves while they are built, so it is another program"},
)


@PEER.does("W1", "Function")
def gradient_of_exp_sin() -> Task:
    x = ca.SX.sym("x")
    y = ca.exp(ca.sin(x))
    function = ca.Function("f", [x], [y, ca.gradient(y, x)])
    return Task(function, (exp_sin.X,), lambda pair: {"y": float(pair[0]), "dy": float(pair[1])})


def _row(value: Any) -> Any:
    return np.asarray(value).ravel()


def _descent(steps: int) -> Task:
    x = ca.SX.sym("x")
    y = x * x
    dy = ca.gradient(y, x)
    step = ca.Function("step", [x], [x - descent.RATE * dy, x, y, dy])
    loop = step.mapaccum(steps)

    def read(columns: Any) -> dict[str, Any]:
        return dict(zip(("x", "y", "dy"), map(_row, columns[1:]), strict=True))

    return Task(loop, (descent.START,), read)


PEER.does("W2-100", "mapaccum")(partial(_descent, 100))
PEER.does("W2-10k", "mapaccum")(partial(_descent, 10_000))


def _adam(theta: Any, g: Any, m: Any, v: Any, t: Any, settings: Settings) -> Any:
    rate, beta1, beta2, epsilon = settings
    m = m + (1.0 - beta1) * (g - m)
    v = v + (1.0 - beta2) * (g * g - v)
    scaled = rate * ca.sqrt(1.0 - beta2**t) / (1.0 - beta1**t)
    return theta - scaled * m / (ca.sqrt(v) + epsilon), m, v


@PEER.does("W3", "mapaccum")
def adam_on_rosenbrock() -> Task:
    theta, m, v, t = ca.SX.sym("theta", 2), ca.SX.sym("m", 2), ca.SX.sym("v", 2), ca.SX.sym("t")
    x, y = theta[0], theta[1]
    a, b = 1.0 - x, x * x
    c = y - b
    f = a * a + 100.0 * (c * c)
    g = ca.gradient(f, theta)
    state = ca.vertcat(theta, m, v)
    moved = ca.vertcat(*_adam(theta, g, m, v, t, rosenbrock.SETTINGS))
    row = ca.vertcat(x, y, f, g, a, b, c, a * a, c * c, m, v)
    loop = ca.Function("step", [state, t], [moved, row]).mapaccum(rosenbrock.STEPS)
    start = np.array([*rosenbrock.START, 0.0, 0.0, 0.0, 0.0])

    def read(found: Any) -> dict[str, Any]:
        return dict(zip(rosenbrock.COLUMNS, np.asarray(found[1]), strict=False))

    return Task(loop, (start, np.arange(1.0, rosenbrock.STEPS + 1.0)[None, :]), read)


@PEER.does("W4", "mapaccum")
def train_mlp() -> Task:
    xs, ts = mlp.data()
    first = mlp.start()
    shapes = [np.atleast_2d(p).shape for p in first]
    sizes = [rows * columns for rows, columns in shapes]
    total = sum(sizes)
    theta, m, v, t = (
        ca.MX.sym(name, n) for name, n in (("theta", total), ("m", total), ("v", total), ("t", 1))
    )
    parts = ca.vertsplit(theta, [0, *np.cumsum(sizes).tolist()])
    # row by row, as numpy: reshape to the transpose, then transpose
    w1, b1, w2, b2, w3, b3 = (
        ca.reshape(p, columns, rows).T for p, (rows, columns) in zip(parts, shapes, strict=True)
    )
    points = len(xs)
    hidden = ca.tanh(ca.mtimes(ca.DM(xs), w1) + ca.repmat(b1, points, 1))
    hidden = ca.tanh(ca.mtimes(hidden, w2) + ca.repmat(b2, points, 1))
    error = ca.mtimes(hidden, w3) + ca.repmat(b3, points, 1) - ca.DM(ts)
    loss = ca.sumsqr(error) / points
    moved = _adam(theta, ca.gradient(loss, theta), m, v, t, mlp.SETTINGS)
    step = ca.Function("step", [ca.vertcat(theta, m, v), t], [ca.vertcat(*moved), loss, theta])
    loop = step.mapaccum(mlp.STEPS)
    start = np.concatenate([*(p.ravel() for p in first), np.zeros(2 * total)])

    def read(found: Any) -> dict[str, Any]:
        return {"loss": _row(found[1]), "parameters": np.asarray(found[2]).T}

    return Task(loop, (start, np.arange(1.0, mlp.STEPS + 1.0)[None, :]), read)


@PEER.does("W5", "Function")
def deep_gradient() -> Task:
    given = deep.parameters()
    symbols = [ca.MX.sym(f"p{k}", *np.atleast_2d(p).shape) for k, p in enumerate(given)]
    h = ca.DM(deep.batch())
    for w, b in zip(symbols[::2], symbols[1::2], strict=True):
        h = ca.tanh(ca.mtimes(h, w) + ca.repmat(b, deep.BATCH, 1))
    loss = ca.sumsqr(h) / (deep.BATCH * deep.WIDTH)
    function = ca.Function("f", symbols, [loss, *(ca.gradient(loss, p) for p in symbols)])
    values = [ca.DM(np.atleast_2d(p)) for p in given]

    def read(found: Any) -> dict[str, Any]:
        arrays = [np.asarray(value) for value in found]
        return deep.named([float(arrays[0].item()), *(a[0] if len(a) == 1 else a for a in arrays[1:])])

    return Task(function, tuple(values), read)


def _hills(x: Any, y: Any) -> Any:
    return (x * x + y - 11.0) ** 2 + (x + y * y - 7.0) ** 2


@PEER.does("W7", "map")
def surfaces() -> Task:
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    function = ca.Function("f", [x, y], [(1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2, _hills(x, y)])
    xs, ys = np.broadcast_arrays(*grids.axes())

    def read(found: Any) -> dict[str, Any]:
        return grids.named(tuple(_row(value).reshape(xs.shape) for value in found))

    return Task(function.map(xs.size), (ca.DM(xs.reshape(1, -1)), ca.DM(ys.reshape(1, -1))), read)


@PEER.does("W8", "mapaccum")
def race_in_a_loop() -> Task:
    start, slots = race_start()
    flat = [ca.DM(start.ravel()), *(ca.DM(slot.ravel()) for slot in slots)]
    symbols = [ca.SX.sym(f"s{k}", value.numel()) for k, value in enumerate(flat)]
    t = ca.SX.sym("t")
    position, speed, accumulated, mean_square, m, v = symbols
    runs = start.shape[1]
    x, y = position[:runs], position[runs:]
    losses = _hills(x, y)
    g = ca.vertcat(ca.gradient(ca.sum1(losses), x), ca.gradient(ca.sum1(losses), y))
    both = [ca.vertcat(g[:runs][part], g[runs:][part]) for part in race.groups()]
    g1, g2, g3, g4, g5 = both
    eta = ca.DM(np.tile(race.rates(), 2))
    speed = race.MOMENTUM * speed + g2
    accumulated = accumulated + g3 * g3
    mean_square = mean_square + (1.0 - race.DECAY) * (g4 * g4 - mean_square)
    m = m + (1.0 - race.BETA1) * (g5 - m)
    v = v + (1.0 - race.BETA2) * (g5 * g5 - v)
    correction = ca.sqrt(1.0 - race.BETA2**t) / (1.0 - race.BETA1**t)
    moves = [
        eta * g1,
        eta * speed,
        eta * g3 / ca.sqrt(accumulated),
        eta * g4 / ca.sqrt(mean_square + race.RMS_EPSILON),
        eta * correction * m / (ca.sqrt(v) + race.ADAM_EPSILON),
    ]
    halves = [ca.vertcat(*(move[half] for move in moves)) for half in (slice(0, 200), slice(200, 400))]
    moved = position - ca.vertcat(*halves)
    state = ca.vertcat(moved, speed, accumulated, mean_square, m, v)
    step = ca.Function("step", [ca.vertcat(*symbols), t], [state, position, losses])
    loop = step.mapaccum(race.STEPS)

    def read(found: Any) -> dict[str, Any]:
        path = np.asarray(found[1]).T
        return {"x": path[:, :runs], "y": path[:, runs:], "loss": np.asarray(found[2]).T}

    return Task(loop, (ca.vertcat(*flat), np.arange(1.0, race.STEPS + 1.0)[None, :]), read)
