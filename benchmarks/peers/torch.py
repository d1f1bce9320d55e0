"""PyTorch, eager, on one CPU thread in double precision."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import deep, descent, exp_sin, grids, growth, mlp, race, rosenbrock
from benchmarks.workloads.updates import adam, race_start, race_update

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


def _slope(y: Any, xs: Any) -> Any:
    return torch.autograd.grad(y, xs)


def _warm_up() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    _slope(x * x, [x])


PEER = Peer("PyTorch", package="torch", asked=True, warm_up=_warm_up)


@PEER.does("W1")
def gradient_of_exp_sin() -> Task:
    def run(at: float) -> tuple[Any, Any]:
        x = torch.tensor(at, requires_grad=True)
        y = torch.exp(torch.sin(x))
        return y, _slope(y, [x])[0]

    return Task(run, (exp_sin.X,), lambda pair: {"y": pair[0].item(), "dy": pair[1].item()})


def _descent(steps: int) -> Task:
    def run() -> dict[str, list[float]]:
        x = torch.tensor(descent.START, requires_grad=True)
        xs, ys, dys = [], [], []
        for _ in range(steps):
            y = x * x
            (dy,) = _slope(y, [x])
            xs.append(x.item())
            ys.append(y.item())
            dys.append(dy.item())
            with torch.no_grad():
                x -= descent.RATE * dy
        return {"x": xs, "y": ys, "dy": dys}

    return Task(run)


PEER.does("W2-100")(partial(_descent, 100))
PEER.does("W2-10k")(partial(_descent, 10_000))


@PEER.does("W3")
def adam_on_rosenbrock() -> Task:
    def run() -> dict[str, Any]:
        theta = torch.tensor(rosenbrock.START)
        m = v = torch.zeros(2)
        rows = torch.empty(rosenbrock.STEPS, 14)
        for k in range(rosenbrock.STEPS):
            p = theta.requires_grad_()
            x, y = p
            a, b = 1.0 - x, x * x
            c = y - b
            aa, cc = a * a, c * c
            f = aa + 100.0 * cc
            (g,) = _slope(f, [p])
            with torch.no_grad():
                rows[k] = torch.hstack([p, f, g, a, b, c, aa, cc, m, v])
                theta, m, v = adam(torch, rosenbrock.SETTINGS, p, g, m, v, k + 1)
        return dict(zip(rosenbrock.COLUMNS, rows.T, strict=False))

    return Task(run)


@PEER.does("W4")
def train_mlp() -> Task:
    xs, ts = map(torch.as_tensor, mlp.data())
    first = mlp.start()
    sizes = [p.size for p in first]

    def run() -> dict[
        str, Any
    ]:  # not torch.optim.Adam, whose epsilon stands elsewhere: 1e-3 apart at the end
        theta = torch.cat([torch.as_tensor(p).ravel() for p in first])
        m = v = torch.zeros_like(theta)
        losses, path = [], []
        for t in range(1, mlp.STEPS + 1):
            leaf = theta.requires_grad_()
            w1, b1, w2, b2, w3, b3 = (
                part.view(p.shape) for part, p in zip(leaf.split(sizes), first, strict=True)
            )
            hidden = torch.tanh(torch.tanh(xs @ w1 + b1) @ w2 + b2)
            loss = ((hidden @ w3 + b3 - ts) ** 2).mean()
            (g,) = _slope(loss, [leaf])
            losses.append(loss.item())
            path.append(leaf.detach())
            with torch.no_grad():
                theta, m, v = adam(torch, mlp.SETTINGS, leaf, g, m, v, t)
        return {"loss": losses, "parameters": torch.stack(path)}

    return Task(run)


@PEER.does("W5")
def deep_gradient() -> Task:
    x = torch.as_tensor(deep.batch())
    theta = [torch.tensor(p, requires_grad=True) for p in deep.parameters()]

    def run() -> list[Any]:
        h = x
        for w, b in zip(theta[::2], theta[1::2], strict=True):
            h = torch.tanh(h @ w + b)
        loss = (h * h).mean()
        return [loss, *_slope(loss, theta)]

    return Task(run, (), lambda values: deep.named([value.detach().numpy() for value in values]))


def _grow(shape: str, ops: int) -> tuple[Any, Any]:
    x = torch.tensor(growth.X, requires_grad=True)
    y = x
    for k in range(ops):
        if shape == "sum":
            y = y + x
        elif k % 3 == 0:
            y = torch.sin(y)
        elif k % 3 == 1:
            y = y * x
        else:
            y = y + 1.5
    return y, _slope(y, [x])[0]


for _shape in growth.SHAPES:
    for _size, _ops in growth.SIZES.items():
        PEER.does(f"W6-{_shape}-{_size}", what=("cold",))(
            partial(Task, _grow, (_shape, _ops), lambda pair: {"y": pair[0].item(), "dy": pair[1].item()})
        )


def _hills(x: Any, y: Any) -> Any:
    return (x * x + y - 11.0) ** 2 + (x + y * y - 7.0) ** 2


@PEER.does("W7")
def surfaces() -> Task:
    def run(x: Any, y: Any) -> tuple[Any, Any]:
        return (1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2, _hills(x, y)

    return Task(run, tuple(map(torch.as_tensor, grids.axes())), grids.named)


@PEER.does("W8")
def race_in_torch() -> Task:
    eta = torch.as_tensor(race.rates())
    start, nothing = race_start()

    def run() -> dict[str, Any]:
        position, slots = torch.tensor(start), tuple(map(torch.tensor, nothing))
        path, losses = [], []
        for t in range(1, race.STEPS + 1):
            p = position.requires_grad_()
            f = _hills(p[0], p[1])
            (g,) = _slope(f.sum(), [p])
            path.append(p.detach())
            losses.append(f.detach())
            with torch.no_grad():
                position, slots = race_update(torch, p, g, slots, eta, t)
        x, y = torch.stack(path).moveaxis(1, 0)
        return {"x": x, "y": y, "loss": torch.stack(losses)}

    return Task(run)
