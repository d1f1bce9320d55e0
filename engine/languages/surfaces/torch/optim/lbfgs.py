"""`torch.optim.LBFGS`: steps along directions in which the last gradients show the curvature.

It calls the program's closure several times in one step, so it is no rule from step to step. All parameters
together are one vector here.

Source: Nocedal & Wright, Numerical Optimization, 2nd ed., algorithms 7.4 (the direction) and 3.5, 3.6 (the
        line search under the strong Wolfe conditions); the bounds and the order of the steps are PyTorch's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.torch.autograd.in_place import write
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.optim.catalogue import check_settings, number_of
from engine.languages.surfaces.torch.optim.optimizer import OPTIMIZER, begin
from engine.languages.surfaces.torch.state import recording
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import Array

CURVED = 1e-10  # the least product of a step and the change of the gradient that is remembered


def _begin(
    interpreter: Interpreter,
    self: UserObject,
    params: Any,
    lr: Any = 1,
    max_iter: Any = 20,
    max_eval: Any = None,
    tolerance_grad: Any = 1e-7,
    tolerance_change: Any = 1e-9,
    history_size: Any = 100,
    line_search_fn: Any = None,
    maximize: Any = False,
) -> None:
    settings = {
        "lr": lr,
        "max_iter": max_iter,
        "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
        "tolerance_grad": tolerance_grad,
        "tolerance_change": tolerance_change,
        "history_size": history_size,
        "line_search_fn": line_search_fn,
        "maximize": maximize,
    }
    check_settings({"lr": lr})
    begin(interpreter, self, params, settings)
    if len(self.fields["param_groups"]) != 1:
        raise torch_error(
            "LBFGS doesn't support per-parameter options (parameter groups)",
            "LBFGS 只支持一个参数组。",
            kind="ValueError",
        )


class Problem:
    """The function that is minimised: the program's closure, and its parameters as one vector.

    sign: -1 where the closure's value is to become as large as it can.
    """

    def __init__(self, interpreter: Interpreter, params: list[Tensor], closure: Any, sign: int) -> None:
        self.interpreter = interpreter
        self.params = params
        self.closure = closure
        self.sign = sign

    def evaluate(self) -> tuple[Any, float, Array]:
        """What the closure gives, as it is and as a number, and the gradient. Shapes: -> (n,)."""
        with recording(True):
            loss = self.interpreter.call(self.closure, [], {})
        array = concrete(loss)
        parts = [
            np.zeros(one.array.size, one.array.dtype) if one.grad is None else one.grad.array.reshape(-1)
            for one in self.params
        ]
        value = float(loss if array is None else array.item())
        return loss, self.sign * value, self.sign * np.concatenate(parts)

    def move(self, t: Any, d: Array) -> None:
        """Add t times d to the parameters. Shapes: d (n,)."""
        start = 0
        for one in self.params:
            old = one.array
            part = d[start : start + old.size].reshape(old.shape)
            self._put(one, old + np.asarray(t, dtype=old.dtype) * part)
            start += old.size

    def at(self, t: Any, d: Array) -> tuple[float, Array]:
        """Value and gradient t times d away; the parameters stay where they are."""
        before = [one.array for one in self.params]
        self.move(t, d)
        _, value, g = self.evaluate()
        for one, old in zip(self.params, before, strict=True):
            self._put(one, old)
        return value, g

    def _put(self, tensor: Tensor, array: Array) -> None:
        with recording(False):
            write(tensor, constant_node(array.astype(tensor.array.dtype), "moved"))


def _step(interpreter: Interpreter, self: UserObject, closure: Any) -> Any:
    """Up to max_iter directions, each with a step along it. Returns: the loss before the first."""
    group = self.fields["param_groups"][0]
    problem = Problem(interpreter, group["params"], closure, -1 if group["maximize"] else 1)
    state = self.fields["state"][group["params"][0]]
    state.setdefault("func_evals", 0)
    state.setdefault("n_iter", 0)
    first, loss, g = problem.evaluate()
    state["func_evals"] += 1
    if np.abs(g).max() > group["tolerance_grad"]:
        _descend(problem, group, state, loss, g)
    self.fields["_opt_called"] = True
    return first


@dataclass(slots=True)
class Memory:
    """The last steps s and changes of the gradient y, with 1 / (y s); gamma is the first guess of a
    curvature.
    """

    ys: list[Array]
    ss: list[Array]
    rho: list[Any]
    gamma: Any

    def remember(self, y: Array, s: Array, most: int) -> None:
        """Take a step into account, where the gradient grew along it."""
        curvature = y @ s
        if curvature <= CURVED:
            return
        if len(self.ys) == most:
            for one in (self.ys, self.ss, self.rho):
                one.pop(0)
        self.ys.append(y)
        self.ss.append(s)
        self.rho.append(1.0 / curvature)
        self.gamma = curvature / (y @ y)

    def direction(self, g: Array) -> Array:
        """Minus the inverse curvature times g, by two loops. Shapes: g (n,) -> (n,)."""
        q, alphas = -g, [0.0] * len(self.ys)
        for i in reversed(range(len(self.ys))):
            alphas[i] = (self.ss[i] @ q) * self.rho[i]
            q = q - alphas[i] * self.ys[i]
        r: Array = q * self.gamma
        for i in range(len(self.ys)):
            beta = (self.ys[i] @ r) * self.rho[i]
            r = r + (alphas[i] - beta) * self.ss[i]
        return r


KEPT = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")


def _descend(problem: Problem, group: dict[str, Any], state: dict[str, Any], loss: float, g: Array) -> None:
    known: list[Any] = [state.get(name) for name in KEPT]
    d, t, ys, ss, rho, gamma, g_before, loss_before = known
    memory = Memory(ys or [], ss or [], rho or [], gamma)
    rate, evaluations, count = number_of(group["lr"]), 1, 0
    while count < group["max_iter"]:
        count += 1
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            d, memory = -g, Memory([], [], [], 1)
        else:
            memory.remember(g - g_before, d * t, group["history_size"])
            d = memory.direction(g)
        g_before, loss_before = g, loss
        t = min(1.0, 1.0 / np.abs(g).sum()) * rate if state["n_iter"] == 1 else rate
        slope = g @ d
        if slope > -group["tolerance_change"]:
            break
        used = 0
        if group["line_search_fn"] is not None:
            _check_search(group["line_search_fn"])
            most = group["max_eval"] - evaluations
            loss, g, t, used = strong_wolfe(problem.at, t, d, loss, g, slope, most)
            problem.move(t, d)
        else:
            problem.move(t, d)
            if count != group["max_iter"]:
                _, loss, g = problem.evaluate()
                used = 1
        evaluations += used
        state["func_evals"] += used
        if count == group["max_iter"] or evaluations >= group["max_eval"]:
            break
        if np.abs(g).max() <= group["tolerance_grad"]:
            break
        change = group["tolerance_change"]
        if np.abs(d * t).max() <= change or abs(loss - loss_before) < change:
            break
    values = (d, t, memory.ys, memory.ss, memory.rho, memory.gamma, g_before, loss_before)
    state.update(zip(KEPT, values, strict=True))


def _check_search(name: Any) -> None:
    if name != "strong_wolfe":
        raise torch_error("only 'strong_wolfe' is supported", "只支持 'strong_wolfe'。")


# -- the line search ------------------------------------------------------------------------------------

At = Callable[[Any, Array], tuple[float, Array]]


@dataclass(slots=True)
class Point:
    """A place along the direction: its distance, the value, the gradient and the slope there."""

    t: Any
    f: float
    g: Array
    slope: Any


def strong_wolfe(
    at: At, t: Any, d: Array, f: float, g: Array, slope: Any, most: int, c1: float = 1e-4, c2: float = 0.9
) -> tuple[float, Array, Any, int]:
    """A step that lowers the value enough and flattens the slope enough.

    Shapes:  d, g (n,). most: how often the function may be evaluated.
    Returns: value and gradient at the step, the step, and how often the function was evaluated.
    """
    start = Point(0, f, g, slope)

    def look(t: Any) -> Point:
        value, gradient = at(t, d)
        return Point(t, value, gradient, gradient @ d)

    def is_too_high(point: Point) -> bool:
        return bool(point.f > f + c1 * point.t * slope)

    def is_flat(point: Point) -> bool:
        return bool(abs(point.slope) <= -c2 * slope)

    last, now, count = start, look(t), 0
    bracket, done = [start, now], False
    while count < most:
        bracket = [last, now]
        if is_too_high(now) or (count > 1 and now.f >= last.f):
            break
        if is_flat(now):
            bracket, done = [now], True
            break
        if now.slope >= 0:
            break
        bounds = (now.t + 0.01 * (now.t - last.t), now.t * 10)
        last, now = now, look(_cubic(last, now, bounds))
        count += 1
    if count == most:
        bracket = [start, now]
    best = bracket[0]
    if not done:
        best, count = _zoom(look, is_too_high, is_flat, bracket, count, most, np.abs(d).max())
    return best.f, best.g, best.t, count + 1


def _zoom(
    look: Callable[[Any], Point],
    is_too_high: Callable[[Point], bool],
    is_flat: Callable[[Point], bool],
    bracket: list[Point],
    count: int,
    most: int,
    largest: Any,
    smallest_change: float = 1e-9,
) -> tuple[Point, int]:
    """Narrow two places between which there is a good one. Returns: the lower of them, and the count."""
    low, high = sorted(bracket, key=lambda point: point.f)
    slow = False
    while count < most and abs(high.t - low.t) * largest >= smallest_change:
        t, slow = _away_from_ends(_cubic(low, high), low.t, high.t, slow)
        now = look(t)
        count += 1
        if is_too_high(now) or now.f >= low.f:
            low, high = (low, now) if low.f <= now.f else (now, low)
            continue
        if is_flat(now):
            return now, count
        low, high = now, low if now.slope * (high.t - low.t) >= 0 else high
    return low, count


def _away_from_ends(t: Any, a: Any, b: Any, slow: bool) -> tuple[Any, bool]:
    """A trial that is not too near to an end a second time. Returns: it, and whether it was near."""
    small, large = min(a, b), max(a, b)
    margin = 0.1 * (large - small)
    if min(large - t, t - small) >= margin:
        return t, False
    if not slow and small < t < large:
        return t, True
    return (large - margin if abs(t - large) < abs(t - small) else small + margin), False


def _cubic(a: Point, b: Point, bounds: tuple[Any, Any] | None = None) -> Any:
    """Where the cubic through both places with their slopes is lowest, within the bounds."""
    low, high = bounds or ((a.t, b.t) if a.t <= b.t else (b.t, a.t))
    d1 = a.slope + b.slope - 3 * (a.f - b.f) / (a.t - b.t)
    square = d1 * d1 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2.0
    d2 = np.sqrt(square)
    if a.t <= b.t:
        t = b.t - (b.t - a.t) * ((b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2))
    else:
        t = a.t - (a.t - b.t) * ((a.slope + d2 - d1) / (a.slope - b.slope + 2 * d2))
    return min(max(t, low), high)


LBFGS = library_class("LBFGS", OPTIMIZER, __init__=_begin, step=_step)
