"""JAX on one CPU thread in double precision: a compiled gradient called step by step, and a compiled loop."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, grids, growth, mlp, race, rosenbrock
from benchmarks.workloads.updates import adam, race_start, race_update

PEER = Peer(
    "JAX",
    package="jax",
    warm_up=lambda: jax.jit(jax.grad(lambda x: x * x + 1.0))(1.0).block_until_ready(),
    cannot={"W6-chain-1e5": "tracing takes minutes", "W6-sum-1e5": "tracing takes minutes"},
)


def _finished(function: Any) -> Any:
    """A compiled function whose call ends when its result is there."""
    compiled = jax.jit(function)
    return lambda *args: jax.block_until_ready(compiled(*args))


@PEER.does("W1", "jit")
def gradient_of_exp_sin() -> Task:
    function = _finished(jax.value_and_grad(lambda x: jnp.exp(jnp.sin(x))))
    return Task(function, (exp_sin.X,), lambda pair: {"y": pair[0], "dy": pair[1]})


@PEER.does("W1", "all node values")
def every_node_of_exp_sin() -> Task:
    """Every node of the graph and its gradient, each read as a number by the quickest way to read one."""

    @jax.jit
    def nodes(x: Any) -> dict[str, Any]:
        sin = jnp.sin(x)
        y, chain = jax.vjp(jnp.exp, sin)
        (upstream,) = chain(1.0)
        cos = jnp.cos(x)
        return {"x": x, "sin": sin, "y": y, "upstream": upstream, "cos": cos, "dy": upstream * cos}

    return Task(lambda x: {name: value.item() for name, value in nodes(x).items()}, (exp_sin.X,))


# -- W2 -----------------------------------------------------------------------------------------------


def _descent(steps: int) -> Task:
    function = jax.jit(jax.value_and_grad(lambda x: x * x))

    def run() -> dict[str, list[float]]:
        x = descent.START
        xs, ys, dys = [], [], []
        for _ in range(steps):
            y, dy = (float(value) for value in function(x))
            xs.append(x)
            ys.append(y)
            dys.append(dy)
            x -= descent.RATE * dy
        return {"x": xs, "y": ys, "dy": dys}

    return Task(run)


def _scanned_descent(steps: int) -> Task:
    function = jax.value_and_grad(lambda x: x * x)

    def step(x: Any, _: None) -> Any:
        y, dy = function(x)
        return x - descent.RATE * dy, {"x": x, "y": y, "dy": dy}

    return Task(_finished(lambda x: lax.scan(step, x, length=steps)[1]), (descent.START,))


PEER.does("W2-100", "jit")(partial(_descent, 100))
PEER.does("W2-100", "scan")(partial(_scanned_descent, 100))
PEER.does("W2-10k", "jit")(partial(_descent, 10_000))
PEER.does("W2-10k", "scan")(partial(_scanned_descent, 10_000))


# -- W3 to W5 -------------------------------------------------------------------------------------------


@PEER.does("W3", "scan")
def adam_on_rosenbrock() -> Task:
    def valley(p: Any) -> Any:
        x, y = p
        a, b = 1.0 - x, x * x
        c = y - b
        aa, cc = a * a, c * c
        return aa + 100.0 * cc, (a, b, c, aa, cc)

    function = jax.value_and_grad(valley, has_aux=True)

    def step(state: Any, t: Any) -> Any:
        theta, m, v = state
        (f, between), g = function(theta)
        row = {"x": theta[0], "y": theta[1], "f": f, "dx": g[0], "dy": g[1]}
        return adam(jnp, rosenbrock.SETTINGS, theta, g, m, v, t), (row, between, m, v)

    def run(theta: Any) -> Any:
        state = (theta, jnp.zeros(2), jnp.zeros(2))
        return lax.scan(step, state, jnp.arange(1.0, rosenbrock.STEPS + 1.0))[1]

    return Task(_finished(run), (jnp.array(rosenbrock.START),), lambda kept: kept[0])


def _mlp_loss(theta: Any, xs: Any, ts: Any) -> Any:
    w1, b1, w2, b2, w3, b3 = theta
    hidden = jnp.tanh(jnp.tanh(xs @ w1 + b1) @ w2 + b2)
    return jnp.mean((hidden @ w3 + b3 - ts) ** 2)


def _adam_of_all(theta: Any, gs: Any, ms: Any, vs: Any, t: Any) -> Any:
    moved = [adam(jnp, mlp.SETTINGS, *one, t) for one in zip(theta, gs, ms, vs, strict=True)]
    return tuple(map(list, zip(*moved, strict=True)))


def _mlp_result(kept: Any) -> dict[str, Any]:
    losses, path = kept
    return {"loss": losses, "parameters": jnp.concatenate([p.reshape(mlp.STEPS, -1) for p in path], axis=1)}


@PEER.does("W4", "scan")
def scanned_mlp() -> Task:
    xs, ts = map(jnp.asarray, mlp.data())
    function = jax.value_and_grad(_mlp_loss)

    def step(state: Any, t: Any) -> Any:
        theta, ms, vs = state
        loss, gs = function(theta, xs, ts)
        return _adam_of_all(theta, gs, ms, vs, t), (loss, theta)

    def run(theta: Any) -> Any:
        nothing = [jnp.zeros_like(p) for p in theta]
        return lax.scan(step, (theta, nothing, nothing), jnp.arange(1.0, mlp.STEPS + 1.0))[1]

    return Task(_finished(run), ([jnp.asarray(p) for p in mlp.start()],), _mlp_result)


@PEER.does("W4", "jit")
def jitted_mlp() -> Task:
    xs, ts = map(jnp.asarray, mlp.data())

    @jax.jit
    def step(theta: Any, ms: Any, vs: Any, t: Any) -> Any:
        loss, gs = jax.value_and_grad(_mlp_loss)(theta, xs, ts)
        return loss, *_adam_of_all(theta, gs, ms, vs, t)

    def run() -> Any:
        theta = [jnp.asarray(p) for p in mlp.start()]
        ms = vs = [jnp.zeros_like(p) for p in theta]
        losses, path = [], []
        for t in range(1, mlp.STEPS + 1):
            path.append(theta)
            loss, theta, ms, vs = step(theta, ms, vs, float(t))
            losses.append(float(loss))
        return losses, path

    def read(kept: Any) -> dict[str, Any]:
        losses, path = kept
        return {"loss": losses, "parameters": [jnp.concatenate([p.ravel() for p in row]) for row in path]}

    return Task(run, (), read)


@PEER.does("W5", "jit")
def deep_gradient() -> Task:
    x = jnp.asarray(deep.batch())

    def loss(theta: Any) -> Any:
        h = x
        for w, b in zip(theta[::2], theta[1::2], strict=True):
            h = jnp.tanh(h @ w + b)
        return jnp.mean(h * h)

    theta = [jnp.asarray(p) for p in deep.parameters()]
    return Task(_finished(jax.value_and_grad(loss)), (theta,), lambda pair: deep.named([pair[0], *pair[1]]))


# -- W6: tracing -----------------------------------------------------------------------------------------


def _grow(shape: str, ops: int) -> Any:
    def program(x: Any) -> Any:
        y = x
        for k in range(ops):
            if shape == "sum":
                y = y + x
            elif k % 3 == 0:
                y = jnp.sin(y)
            elif k % 3 == 1:
                y = y * x
            else:
                y = y + 1.5
        return y

    return jax.make_jaxpr(jax.value_and_grad(program))(growth.X)


def _evaluated(traced: Any) -> dict[str, Any]:
    y, dy = jax.core.eval_jaxpr(traced.jaxpr, traced.consts, growth.X)
    return {"y": y, "dy": dy}


for _shape in growth.SHAPES:
    for _size in ("1e3", "1e4"):
        PEER.does(f"W6-{_shape}-{_size}", "tracing", what=("cold",))(
            partial(Task, _grow, (_shape, growth.SIZES[_size]), _evaluated)
        )


# -- W7 and W8 -------------------------------------------------------------------------------------------


def _hills(x: Any, y: Any) -> Any:
    return (x * x + y - 11.0) ** 2 + (x + y * y - 7.0) ** 2


@PEER.does("W7", "jit")
def surfaces() -> Task:
    function = _finished(lambda x, y: ((1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2, _hills(x, y)))
    return Task(function, tuple(map(jnp.asarray, grids.axes())), grids.named)


@PEER.does("W8", "scan")
def scanned_race() -> Task:
    eta = jnp.asarray(race.rates())
    slope = jax.vmap(jax.value_and_grad(lambda p: _hills(p[0], p[1])), in_axes=1, out_axes=(0, 1))

    def step(state: Any, t: Any) -> Any:
        position, slots = state
        f, g = slope(position)
        return race_update(jnp, position, g, slots, eta, t), (position, f)

    def run(position: Any, slots: Any) -> Any:
        return lax.scan(step, (position, slots), jnp.arange(1.0, race.STEPS + 1.0))[1]

    def read(kept: Any) -> dict[str, Any]:
        path, losses = kept
        return {"x": path[:, 0], "y": path[:, 1], "loss": losses}

    position, slots = race_start()
    return Task(_finished(run), (jnp.asarray(position), tuple(map(jnp.asarray, slots))), read)
