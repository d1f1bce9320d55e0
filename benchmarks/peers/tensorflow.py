"""TensorFlow 2 on one CPU thread in double precision: `Session.run` step by step, and `tf.function` with the
loop inside, as it is and compiled by XLA (`jit_compile=True`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import tensorflow as tf

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, grids, growth, mlp, own_loops, race, rosenbrock
from benchmarks.workloads.updates import Settings, race_start, race_update

v1 = tf.compat.v1
DOUBLE = tf.float64
WAYS = {"tf.function": False, "XLA": True}  # whether the function is compiled by XLA
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)

PEER = Peer(
    "TensorFlow",
    package="tensorflow-cpu",
    asked=True,
    warm_up=lambda: tf.function(lambda x: tf.gradients(x * x, x))(tf.constant(1.0)),
    cannot={"W6-chain-1e5": "tracing takes minutes", "W6-sum-1e5": "tracing takes minutes"},
)


class Numpy:
    """The few functions that `updates` calls, by their names in numpy."""

    sqrt = staticmethod(tf.sqrt)
    concatenate = staticmethod(tf.concat)


def _constant(value: Any) -> Any:
    return tf.constant(value, dtype=DOUBLE)


def _arrays(found: Any) -> Any:
    return [value.numpy() for value in tf.nest.flatten(found)]


# -- W1 -------------------------------------------------------------------------------------------------


@PEER.does("W1", "tf.function")
def gradient_of_exp_sin() -> Task:
    @tf.function
    def function(x: Any) -> Any:
        y = tf.exp(tf.sin(x))
        return y, tf.gradients(y, x)[0]

    return Task(
        function, (_constant(exp_sin.X),), lambda pair: dict(zip(("y", "dy"), _arrays(pair), strict=True))
    )


@PEER.does("W1", "Session.run")
def gradient_of_exp_sin_in_a_session() -> Task:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(DOUBLE, ())
        y = tf.exp(tf.sin(x))
        fetches = [y, tf.gradients(y, x)[0]]
    session = v1.Session(graph=graph)
    return Task(session.run, (fetches, {x: exp_sin.X}), lambda pair: {"y": pair[0], "dy": pair[1]})


# -- loops -----------------------------------------------------------------------------------------------


def _loop(
    body: Callable[..., tuple[Any, Any]], state: tuple[Any, ...], steps: int, xla: bool
) -> Callable[..., Any]:
    """`body(t, *state) -> state, row`, run `steps` times inside one tf.function that keeps every row."""

    @tf.function(jit_compile=xla)
    def run(*state: Any) -> Any:
        kinds = body(_constant(1.0), *state)[1]
        kept = [tf.TensorArray(DOUBLE, size=steps, element_shape=row.shape) for row in kinds]

        def step(k: Any, kept: Any, state: Any) -> Any:
            state, row = body(tf.cast(k + 1, DOUBLE), *state)
            return k + 1, [array.write(k, value) for array, value in zip(kept, row, strict=True)], state

        _, kept, _ = tf.while_loop(lambda k, *_: k < steps, step, (0, kept, state))
        return [array.stack() for array in kept]

    return run


def _looped_descent(steps: int, xla: bool) -> Task:
    def body(_: Any, x: Any) -> Any:
        y = x * x
        (dy,) = tf.gradients(y, x)
        return (x - descent.RATE * dy,), [x, y, dy]

    start = (_constant(descent.START),)
    return Task(
        _loop(body, start, steps, xla),
        start,
        lambda rows: dict(zip(("x", "y", "dy"), _arrays(rows), strict=True)),
    )


def _session_descent(steps: int) -> Task:
    with tf.Graph().as_default() as graph:
        x = v1.Variable(descent.START, dtype=DOUBLE, use_resource=True)
        y = x * x
        optimizer = v1.train.GradientDescentOptimizer(_constant(descent.RATE))
        ((dy, _),) = pairs = optimizer.compute_gradients(y)
        read = tf.identity(x)
        with tf.control_dependencies([read, y, dy]):
            train = optimizer.apply_gradients(pairs)
    session = v1.Session(graph=graph)

    def run() -> dict[str, list[Any]]:
        session.run(x.initializer)
        xs, ys, dys = [], [], []
        for _ in range(steps):
            x_value, y_value, slope, _ = session.run([read, y, dy, train])
            xs.append(x_value)
            ys.append(y_value)
            dys.append(slope)
        return {"x": xs, "y": ys, "dy": dys}

    return Task(run)


for _name, _steps in descent.STEPS.items():
    for _way, _xla in WAYS.items():
        PEER.does(_name, _way)(partial(_looped_descent, _steps, _xla))
    PEER.does(_name, "Session.run")(partial(_session_descent, _steps))


def _adam(settings: Settings, theta: Any, g: Any, m: Any, v: Any, t: Any) -> Any:
    rate, beta1, beta2, epsilon = settings
    scaled = rate * tf.sqrt(1.0 - beta2**t) / (1.0 - beta1**t)
    m = m + (1.0 - beta1) * (g - m)
    v = v + (1.0 - beta2) * (g * g - v)
    return theta - scaled * m / (tf.sqrt(v) + epsilon), m, v


def _adam_on_rosenbrock(xla: bool) -> Task:
    def body(t: Any, theta: Any, m: Any, v: Any) -> Any:
        x, y = theta[0], theta[1]
        a, b = 1.0 - x, x * x
        c = y - b
        aa, cc = a * a, c * c
        f = aa + 100.0 * cc
        (g,) = tf.gradients(f, theta)
        return _adam(rosenbrock.SETTINGS, theta, g, m, v, t), [x, y, f, g[0], g[1], a, b, c, aa, cc, m, v]

    start = (_constant(rosenbrock.START), _constant([0.0, 0.0]), _constant([0.0, 0.0]))
    return Task(
        _loop(body, start, rosenbrock.STEPS, xla),
        start,
        lambda rows: dict(zip(rosenbrock.COLUMNS, _arrays(rows), strict=False)),
    )


def _mlp_loss(theta: Any, xs: Any, ts: Any) -> Any:
    w1, b1, w2, b2, w3, b3 = theta
    hidden = tf.tanh(tf.tanh(xs @ w1 + b1) @ w2 + b2)
    return tf.reduce_mean(tf.square(hidden @ w3 + b3 - ts))


def _mlp_result(losses: Any, path: list[Any]) -> dict[str, Any]:
    parts = [np.reshape(part, (mlp.STEPS, -1)) for part in path]
    return {"loss": losses, "parameters": np.concatenate(parts, axis=1)}


def _looped_mlp(xla: bool) -> Task:
    xs, ts = map(_constant, mlp.data())

    def body(t: Any, *state: Any) -> Any:
        theta, ms, vs = state[:6], state[6:12], state[12:]
        loss = _mlp_loss(theta, xs, ts)
        gs = tf.gradients(loss, theta)
        moved = [_adam(mlp.SETTINGS, *one, t) for one in zip(theta, gs, ms, vs, strict=True)]
        return tuple(part for parts in zip(*moved, strict=True) for part in parts), [loss, *theta]

    first = [_constant(p) for p in mlp.start()]
    start = (*first, *map(tf.zeros_like, first), *map(tf.zeros_like, first))

    def read(rows: Any) -> dict[str, Any]:
        losses, *path = _arrays(rows)
        return _mlp_result(losses, path)

    return Task(_loop(body, start, mlp.STEPS, xla), start, read)


@PEER.does("W4", "Session.run")
def mlp_in_a_session() -> Task:
    with tf.Graph().as_default() as graph:
        theta = [v1.Variable(p, use_resource=True) for p in mlp.start()]
        loss = _mlp_loss(theta, *map(_constant, mlp.data()))
        before = [tf.identity(variable) for variable in theta]
        optimizer = v1.train.AdamOptimizer(*map(_constant, mlp.SETTINGS))
        pairs = optimizer.compute_gradients(loss, theta)
        with tf.control_dependencies([loss, *before]):
            train = optimizer.apply_gradients(pairs)
        initialise = v1.global_variables_initializer()
    session = v1.Session(graph=graph)

    def run() -> Any:
        session.run(initialise)
        losses, path = [], []
        for _ in range(mlp.STEPS):
            loss_value, row, _ = session.run([loss, before, train])
            losses.append(loss_value)
            path.append(row)
        return losses, path

    return Task(
        run,
        (),
        lambda kept: _mlp_result(kept[0], [np.stack(column) for column in zip(*kept[1], strict=True)]),
    )


# -- W5 to W8 --------------------------------------------------------------------------------------------


def _deep_gradient(xla: bool) -> Task:
    x = _constant(deep.batch())

    @tf.function(jit_compile=xla)
    def function(theta: Any) -> Any:
        h = x
        for w, b in zip(theta[::2], theta[1::2], strict=True):
            h = tf.tanh(h @ w + b)
        loss = tf.reduce_mean(tf.square(h))
        return [loss, *tf.gradients(loss, theta)]

    theta = [_constant(p) for p in deep.parameters()]
    return Task(function, (theta,), lambda values: deep.named(_arrays(values)))


def _grow(shape: str, ops: int) -> Any:
    with tf.Graph().as_default():
        x = v1.placeholder(DOUBLE, ())
        y = x
        for k in range(ops):
            if shape == "sum":
                y = y + x
            elif k % 3 == 0:
                y = tf.sin(y)
            elif k % 3 == 1:
                y = y * x
            else:
                y = y + 1.5
        return x, y, tf.gradients(y, x)[0]


def _evaluated(tensors: Any) -> dict[str, Any]:
    x, y, dy = tensors
    found = v1.Session(graph=y.graph).run([y, dy], {x: growth.X})
    return dict(zip(("y", "dy"), found, strict=True))


for _shape in growth.SHAPES:
    for _size in ("1e3", "1e4"):
        PEER.does(f"W6-{_shape}-{_size}", "graph", what=("cold",))(
            partial(Task, _grow, (_shape, growth.SIZES[_size]), _evaluated)
        )


def _hills(x: Any, y: Any) -> Any:
    return tf.square(x * x + y - 11.0) + tf.square(x + y * y - 7.0)


def _surfaces(xla: bool) -> Task:
    @tf.function(jit_compile=xla)
    def function(x: Any, y: Any) -> Any:
        return tf.square(1.0 - x) + 100.0 * tf.square(y - x * x), _hills(x, y)

    return Task(
        function, tuple(map(_constant, grids.axes())), lambda found: grids.named(tuple(_arrays(found)))
    )


def _looped_race(xla: bool) -> Task:
    eta = _constant(race.rates())

    def body(t: Any, position: Any, *slots: Any) -> Any:
        f = _hills(position[0], position[1])
        (g,) = tf.gradients(f, position)
        moved, slots = race_update(Numpy, position, g, slots, eta, t)
        return (moved, *slots), [position, f]

    position, slots = race_start()
    start = tuple(map(_constant, (position, *slots)))

    def read(rows: Any) -> dict[str, Any]:
        path, losses = _arrays(rows)
        return {"x": path[:, 0], "y": path[:, 1], "loss": losses}

    return Task(_loop(body, start, race.STEPS, xla), start, read)


for _way, _xla in WAYS.items():
    PEER.does("W3", _way)(partial(_adam_on_rosenbrock, _xla))
    PEER.does("W4", _way)(partial(_looped_mlp, _xla))
    PEER.does("W5", _way)(partial(_deep_gradient, _xla))
    PEER.does("W7", _way)(partial(_surfaces, _xla))
    PEER.does("W8", _way)(partial(_looped_race, _xla))


# -- a program's own loop -----------------------------------------------------------------------------------


@PEER.does("W10", "eager")
def turns_with_a_tape() -> Task:
    program = compile(own_loops.TAPE_TEXT, "W10", "exec")

    def run() -> Any:
        names: dict[str, Any] = {}
        exec(program, names)  # noqa: S102  # the benchmark's own text
        return names["found"]

    return Task(run, (), own_loops.named)
