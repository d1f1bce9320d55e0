"""micrograd: scalars as objects with closures. sin, exp and tanh are added in its own way.

Its `backward` sorts by recursion; a long chain gets the stack that it needs.
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from micrograd.engine import Value

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import descent, exp_sin, growth, rosenbrock

DEEP = "it has scalars only, and one object for each"
PEER = Peer("micrograd", package="micrograd", cannot={"W4": DEEP, "W5": DEEP, "W7": DEEP, "W8": DEEP})
STACK_BYTES = 512 * 2**20


def sin(value: Any) -> Any:
    """Sine, written as micrograd writes `relu`."""
    out = Value(math.sin(value.data), (value,), "sin")

    def _backward() -> None:
        value.grad += math.cos(value.data) * out.grad

    out._backward = _backward
    return out


def exp(value: Any) -> Any:
    """The exponential, written as micrograd writes `relu`."""
    out = Value(math.exp(value.data), (value,), "exp")

    def _backward() -> None:
        value.grad += out.data * out.grad

    out._backward = _backward
    return out


@PEER.does("W1")
def gradient_of_exp_sin() -> Task:
    def run(at: float) -> tuple[float, float]:
        x = Value(at)
        y = exp(sin(x))
        y.backward()
        return y.data, x.grad

    return Task(run, (exp_sin.X,), lambda pair: {"y": pair[0], "dy": pair[1]})


def _descent(steps: int) -> Task:
    def run() -> dict[str, list[float]]:
        at = descent.START
        xs, ys, dys = [], [], []
        for _ in range(steps):
            x = Value(at)
            y = x**2
            y.backward()
            xs.append(at)
            ys.append(y.data)
            dys.append(x.grad)
            at -= descent.RATE * x.grad
        return {"x": xs, "y": ys, "dy": dys}

    return Task(run)


PEER.does("W2-100")(partial(_descent, 100))
PEER.does("W2-10k")(partial(_descent, 10_000))


@PEER.does("W3")
def adam_on_rosenbrock() -> Task:
    def rows_of_function(x0: float, y0: float) -> tuple[float, ...]:
        x, y = Value(x0), Value(y0)
        a = 1 - x
        b = x**2
        c = y - b
        aa, cc = a**2, c**2
        f = aa + 100 * cc
        f.backward()
        return x0, y0, f.data, x.grad, y.grad, a.data, b.data, c.data, aa.data, cc.data, c.grad

    return Task(lambda: rosenbrock.adam_rows(rows_of_function), (), rosenbrock.columns)


def _grow(shape: str, ops: int) -> dict[str, float]:
    x = Value(growth.X)
    y = x
    for k in range(ops):
        if shape == "sum":
            y = y + x
        elif k % 3 == 0:
            y = sin(y)
        elif k % 3 == 1:
            y = y * x
        else:
            y = y + 1.5
    y.backward()
    return {"y": y.data, "dy": x.grad}


def _with_deep_stack(work: Callable[..., dict[str, float]], *args: Any) -> dict[str, float]:
    """Run `work` where recursion as deep as the program is long has room."""
    found: list[dict[str, float]] = []
    sys.setrecursionlimit(1_000_000)
    old = threading.stack_size(STACK_BYTES)
    thread = threading.Thread(target=lambda: found.append(work(*args)))
    thread.start()
    threading.stack_size(old)
    thread.join()
    return found[0]


for _shape in growth.SHAPES:
    for _size, _ops in growth.SIZES.items():
        PEER.does(f"W6-{_shape}-{_size}", what=("cold",))(
            partial(Task, _with_deep_stack, (_grow, _shape, _ops))
        )
