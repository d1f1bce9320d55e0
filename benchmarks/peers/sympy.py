"""SymPy: the derivative as an expression, made a Python function by `lambdify`; loops are Python's own."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sympy

from benchmarks.harness.entry import Peer, Task
from benchmarks.workloads import descent, exp_sin, grids, race, rosenbrock
from benchmarks.workloads.updates import race_start, race_update

PEER = Peer(
    "SymPy",
    package="sympy",
    warm_up=lambda: sympy.lambdify(*_function("x + 1", "x"))(1.0),
    cannot={
        "W4": "its expressions are scalars; a network written out is far too long",
        "W5": "its expressions are scalars; a network written out is far too long",
        "W6": "it keeps no graph, and its derivative of a long chain grows as a tree",
    },
)


def _function(text: str, *names: str) -> tuple[list[Any], list[Any]]:
    """Symbols, and the value with its derivatives, read from text."""
    symbols = [sympy.Symbol(name) for name in names]
    value = sympy.sympify(text)
    return symbols, [value, *(sympy.diff(value, symbol) for symbol in symbols)]


def _python(text: str) -> str:
    """A formula as SymPy reads it."""
    return text.partition("=")[2].replace("^", "**").replace("100 (", "100*(")


@PEER.does("W1", "lambdify")
def gradient_of_exp_sin() -> Task:
    function = sympy.lambdify(*_function("exp(sin(x))", "x"), modules="math", cse=True)
    return Task(function, (exp_sin.X,), lambda pair: {"y": pair[0], "dy": pair[1]})


def _descent(steps: int) -> Task:
    function = sympy.lambdify(*_function("x**2", "x"), modules="math")

    def run() -> dict[str, list[float]]:
        x = descent.START
        xs, ys, dys = [], [], []
        for _ in range(steps):
            y, dy = function(x)
            xs.append(x)
            ys.append(y)
            dys.append(dy)
            x -= descent.RATE * dy
        return {"x": xs, "y": ys, "dy": dys}

    return Task(run)


PEER.does("W2-100", "lambdify")(partial(_descent, 100))
PEER.does("W2-10k", "lambdify")(partial(_descent, 10_000))


@PEER.does("W3", "lambdify")
def adam_on_rosenbrock() -> Task:
    symbols, values = _function(_python(rosenbrock.TEXT), "x", "y")
    x_, y_ = symbols
    steps = [1 - x_, x_**2, y_ - x_**2, (1 - x_) ** 2, (y_ - x_**2) ** 2]
    function = sympy.lambdify(symbols, [*symbols, *values, *steps], modules="math", cse=True)
    return Task(lambda: rosenbrock.adam_rows(function), (), rosenbrock.columns)


@PEER.does("W7", "lambdify")
def grids_by_lambdify() -> Task:
    symbols = sympy.symbols("x y")
    surfaces = [sympy.sympify(_python(text)) for text in grids.TEXTS.values()]
    function = sympy.lambdify(symbols, surfaces, modules="numpy", cse=True)
    return Task(function, grids.axes(), grids.named)


@PEER.does("W8", "lambdify")
def race_by_lambdify() -> Task:
    symbols, values = _function(_python(race.TEXT), "x", "y")
    function = sympy.lambdify(symbols, values, modules="numpy", cse=True)

    def run() -> dict[str, Any]:
        position, slots = race_start()
        eta = race.rates()
        xs, ys, losses = [], [], []
        for t in range(1, race.STEPS + 1):
            x, y = position
            f, dx, dy = function(x, y)
            xs.append(x)
            ys.append(y)
            losses.append(f)
            position, slots = race_update(np, position, np.stack([dx, dy]), slots, eta, t)
        return {"x": np.stack(xs), "y": np.stack(ys), "loss": np.stack(losses)}

    return Task(run)
