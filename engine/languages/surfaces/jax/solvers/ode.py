"""`jax.experimental.ode.odeint`: an ordinary differential equation by adaptive Runge-Kutta steps.

Source: Dormand & Prince, A family of embedded Runge-Kutta formulae (1980); Shampine, Some practical
        Runge-Kutta formulas (1986), for values between the steps; Hairer, Nørsett & Wanner, Solving ordinary
        differential equations I, II.4, for the first step; Chen et al., Neural ordinary differential
        equations (2018), for the gradient: the adjoint equation, backwards in time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.api.own_rules.custom_vjp import VjpRule
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, evaluate
from engine.languages.surfaces.jax.core.linearizing import linearize
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.transposing import Undefined, backward
from engine.languages.surfaces.jax.core.values import Zero, aval_of
from engine.languages.surfaces.jax.lax.basics import convert, full_like, shape_of
from engine.languages.surfaces.jax.numpy.indexing.taking import getitem
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.solvers.inner import each_for_itself, norm, on_arrays, written

ALPHA = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
BETA = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
FIFTH = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0.0)
FOURTH = (1951 / 21600, 0.0, 22642 / 50085, 451 / 720, -12231 / 42400, 649 / 6300, 1 / 60)
MIDDLE = (
    *(6025192743 / 30085553152 / 2, 0.0, 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2),
    *(187940372067 / 1594534317056 / 2, -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2),
)
Slope = Callable[[Any, Any], Any]


# -- one step ----------------------------------------------------------------------------------------


def _weights(numbers: Sequence[float], dtype: Any) -> Any:
    return np.array(numbers, dtype)


def _step(slope: Slope, y: Any, f: Any, t: Any, dt: Any) -> tuple[Any, Any, Any, Any]:
    """y + dt Σ bᵢ kᵢ, the slope there, the difference to the formula of order 4, and the slopes kᵢ."""
    kind = y.dtype.type
    k = np.zeros((7, len(y)), y.dtype)
    k[0] = f
    for i, (a, row) in enumerate(zip(ALPHA, BETA, strict=True), 1):
        ahead = y + dt * (_weights(row, y.dtype) @ k[:i])
        k[i] = slope(ahead, t + dt * kind(a))
    found = dt * (_weights(FIFTH, y.dtype) @ k) + y
    error = dt * (_weights(np.subtract(FIFTH, FOURTH).tolist(), y.dtype) @ k)
    return found, k[-1], error, k


def _first_step(slope: Slope, t: Any, y: Any, f: Any, rtol: Any, atol: Any) -> Any:
    kind = y.dtype.type
    scale = atol + np.abs(y) * rtol
    d0, d1 = norm(y / scale), norm(f / scale)
    h0 = kind(1e-6) if d0 < 1e-5 or d1 < 1e-5 else kind(0.01) * d0 / d1
    d2 = norm((slope(y + h0 * f, t + h0) - f) / scale) / h0
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = max(kind(1e-6), h0 * kind(1e-3))
    else:
        h1 = (kind(0.01) / max(d1, d2)) ** kind(1 / 5)
    return min(kind(100) * h0, h1)


def _error_ratio(error: Any, rtol: Any, atol: Any, y: Any, new: Any) -> Any:
    """The root of the mean square of errors, each over what it may be."""
    ratio = error / (atol + rtol * np.maximum(np.abs(y), np.abs(new)))
    return np.sqrt(np.mean(ratio * ratio)).astype(y.dtype)


def _next_step(dt: Any, ratio: Any) -> Any:
    kind = type(dt)
    if ratio == 0:
        return dt * kind(10)
    least = kind(1.0 if ratio < 1 else 0.2)
    return dt * min(kind(10), max(ratio ** kind(-1 / 5) * kind(0.9), least))


def _between(y: Any, new: Any, k: Any, dt: Any) -> Any:
    """The polynomial of degree 4 through both ends of a step and its middle, in the share of the step."""
    middle = y + dt * (_weights(MIDDLE, y.dtype) @ k)
    f, g = dt * k[0], dt * k[-1]
    return (
        -2 * f + 2 * g - 8 * y - 8 * new + 16 * middle,
        5 * f - 3 * g + 18 * y + 14 * new - 32 * middle,
        -4 * f + g - 11 * y - 5 * new + 16 * middle,
        f,
        y,
    )


def _at(polynomial: Any, share: Any) -> Any:
    total = np.zeros_like(polynomial[0])
    for coefficient in polynomial:
        total = total * share + coefficient
    return total


def solve(slope: Slope, y: Any, ts: Any, rtol: Any, atol: Any, most: float, longest: float) -> Any:
    """The solution at the times ts. Shapes: y (n), ts (m) -> (m, n)."""
    kind = y.dtype.type
    rtol, atol, longest = kind(rtol), kind(atol), kind(longest)
    f, t = slope(y, ts[0]), ts[0]
    dt = min(max(_first_step(slope, t, y, f, rtol, atol), kind(0)), longest)
    last, polynomial = t, (y,) * 5
    rows = [y]
    with np.errstate(all="ignore"):
        for target in ts[1:]:
            turns = 0
            while t < target and turns < most and dt > 0:
                new, slope_there, error, k = _step(slope, y, f, t, dt)
                ratio = _error_ratio(error, rtol, atol, y, new)
                old, dt = dt, min(max(_next_step(dt, ratio), kind(0)), longest)
                if ratio <= 1:
                    polynomial, last = _between(y, new, k, old), t
                    y, f, t = new, slope_there, t + old
                turns += 1
            rows.append(_at(polynomial, (target - last) / (t - last)))
    return np.stack(rows)


# -- the primitive -----------------------------------------------------------------------------------

odeint_p = Primitive("odeint", several=True)


def _odeint(
    y: Any, ts: Any, *extra: Any, _jaxpr: Jaxpr, _count: int, _settings: tuple[float, ...]
) -> list[Any]:
    of_arrays = on_arrays(_jaxpr)

    def slope(at: Any, t: Any) -> Any:
        return of_arrays(*extra[:_count], at, np.asarray(t), *extra[_count:])[0]

    return [solve(slope, y, ts, *_settings)]


def _types(y: Aval, ts: Aval, *extra: Aval, **_: Any) -> list[Aval]:
    return [Aval((ts.shape[0], *y.shape), y.dtype)]


odeint_p.compute, odeint_p.types = _odeint, _types
each_for_itself(odeint_p)


class Equation:
    """dy/dt = f(y, t, …) of flat values.

    jaxpr: of `count` values from outside, y, t and the arguments; settings: tolerances and bounds.
    """

    def __init__(self, jaxpr: Jaxpr, count: int, settings: tuple[float, ...]) -> None:
        self.jaxpr = jaxpr
        self.count = count
        self.settings = settings

    def slope(self, y: Any, t: Any, extra: Sequence[Any]) -> Any:
        """f."""
        return evaluate(self.jaxpr, [*extra[: self.count], y, t, *extra[self.count :]])[0]

    def solved(self, y: Any, ts: Any, *extra: Any) -> list[Any]:
        """The solution at all times."""
        found: list[Any] = odeint_p(
            y, ts, *extra, _jaxpr=self.jaxpr, _count=self.count, _settings=self.settings
        )
        return found

    def forward(self, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The solution, and what its gradient needs."""
        outs = self.solved(*values)
        return outs, [outs[0], *values[1:]]

    def backward(self, residuals: Sequence[Any], cts: Sequence[Any]) -> list[Any]:
        """The cotangents of y, ts and the rest: the adjoint equation from each time back to the one before.

        With a = ∂loss/∂y: dy/dt = f, da/dt = -aᵀ ∂f/∂y, and those of the arguments -aᵀ ∂f/∂argument.
        """
        ys, ts, *extra = residuals
        (g,) = cts
        last = shape_of(ts)[0] - 1
        moving = [i for i, x in enumerate(extra) if aval_of(x).is_float]
        y_bar, t0_bar = getitem(g, last), full_like(getitem(ts, 0), 0)
        bars = [full_like(extra[i], 0) for i in moving]
        of_times = []
        for i in range(last, 0, -1):
            t_bar = JNP["vdot"](self.slope(getitem(ys, i), getitem(ts, i), extra), getitem(g, i))
            t0_bar = t0_bar - t_bar
            of_times.append(t_bar)
            span = JNP["stack"]([-getitem(ts, i), -getitem(ts, i - 1)])
            y_bar, t0_bar, *bars = self._back(getitem(ys, i), y_bar, t0_bar, bars, span, extra, moving)
            y_bar = y_bar + getitem(g, i - 1)
        ts_bar = JNP["stack"]([t0_bar, *of_times[::-1]])
        placed = dict(zip(moving, bars, strict=True))
        rest = [placed.get(i) for i in range(len(extra))]  # None: whole numbers do not vary
        return [y_bar, ts_bar, *rest]

    def _back(
        self,
        y: Any,
        y_bar: Any,
        t_bar: Any,
        bars: Sequence[Any],
        span: Any,
        extra: Sequence[Any],
        moving: Sequence[int],
    ) -> list[Any]:
        parts = [y, y_bar, t_bar, *bars]
        flat = _Flat(parts)

        def augmented(state: Any, t: Any, *given: Any) -> list[Any]:
            at, bar, *_ = flat.apart(state)

            def of(*values: Any) -> list[Any]:
                every = list(given)
                for place, value in zip(moving, values[2:], strict=True):
                    every[place] = value
                return [self.slope(values[0], values[1], every)]

            primals = [at, -t, *(given[i] for i in moving)]
            found = linearize(of, primals)
            pulled = _pulled(found, primals, bar)
            return [flat.together([-found.values[0], *pulled])]

        state = flat.together(parts)
        avals = [aval_of(state), aval_of(getitem(span, 0)), *map(aval_of, extra)]
        jaxpr, consts = written(augmented, avals)
        adjoint = Equation(jaxpr, len(consts), self.settings)
        return flat.apart(getitem(adjoint.solved(state, span, *consts, *extra)[0], 1))[1:]


def _pulled(found: Any, primals: Sequence[Any], bar: Any) -> list[Any]:
    coming = [bar for zero in found.zeros if not zero]
    undefined = [Undefined(aval_of(x).tangent()) for x in primals]
    outs = backward(found.jaxpr, found.jaxpr.values, undefined, coming) if coming else [None] * len(primals)
    zeros = [full_like(x, 0) for x in primals]
    return [zero if ct is None or isinstance(ct, Zero) else ct for ct, zero in zip(outs, zeros, strict=True)]


class _Flat:
    """Several arrays as one vector."""

    def __init__(self, like: Sequence[Any]) -> None:
        self.shapes = [shape_of(x) for x in like]
        self.sizes = [aval_of(x).size for x in like]
        self.dtypes = [aval_of(x).dtype for x in like]

    def together(self, parts: Sequence[Any]) -> Any:
        """One vector, in the type that the parts have in common."""
        return JNP["concatenate"]([JNP["ravel"](x) for x in parts])

    def apart(self, vector: Any) -> list[Any]:
        """The arrays."""
        found, start = [], 0
        for shape, size, dtype in zip(self.shapes, self.sizes, self.dtypes, strict=True):
            part = getitem(vector, slice(start, start + size))
            found.append(convert(JNP["reshape"](part, shape), dtype))
            start += size
        return found


def odeint(
    interpreter: Interpreter,
    func: Any,
    y0: Any,
    t: Any,
    *args: Any,
    rtol: Any = 1.4e-8,
    atol: Any = 1.4e-8,
    mxstep: Any = np.inf,
    hmax: Any = np.inf,
) -> Any:
    """The solution of dy/dt = func(y, t, *args) at the times t, from y0 at the first of them."""
    leaves, structure = trees().flatten(y0)
    rest, of_rest = trees().flatten(args)
    parts, given = [as_value(x) for x in leaves], [as_value(x) for x in rest]
    for x in (*parts, *given):
        if not aval_of(x).dtype.startswith(("float", "int", "bool", "uint")):
            raise type_error(
                "The contents of odeint must be arrays or scalars.", "odeint 的参数必须是数组或数。"
            )
    flat, ts = _Flat(parts), convert(JNP["asarray"](t), None)
    start = flat.together(parts)
    if not aval_of(start).is_float or not aval_of(ts).is_float:
        kinds = (aval_of(start).dtype, aval_of(ts).dtype)
        raise type_error(
            f"odeint needs y0 and t of floats, but got {kinds[0]} and {kinds[1]}.",
            f"odeint 要求 y0 和 t 是浮点数，但得到 {kinds[0]} 和 {kinds[1]}。",
            "Write 1.0 instead of 1.",
            "请把 1 写成 1.0。",
        )

    def slope(y: Any, at: Any, *others: Any) -> list[Any]:
        state = trees().unflatten(structure, flat.apart(y))
        found = interpreter.call(func, [state, at, *trees().unflatten(of_rest, others)], {})
        moved = [as_value(x) for x in trees().up_to(structure, found)]
        for one, shape in zip(moved, flat.shapes, strict=True):
            if shape_of(one) != shape:
                raise type_error(
                    f"The derivative that func gives has the shape {shape_of(one)}, but y0 has {shape}.",
                    f"func 返回的导数形状是 {shape_of(one)}，但 y0 的形状是 {shape}。",
                )
        return [convert(flat.together(moved), aval_of(start).dtype)]

    avals = [aval_of(start), Aval((), aval_of(ts).dtype), *map(aval_of, given)]
    jaxpr, consts = written(slope, avals)
    equation = Equation(jaxpr, len(consts), tuple(map(float, (rtol, atol, mxstep, hmax))))
    rule = VjpRule(equation.solved, equation.forward, equation.backward, ("_odeint", "_odeint", "_odeint"))
    (rows,) = run_now().trace.custom_vjp(rule, [start, ts, *consts, *given])
    return trees().unflatten(structure, _columns(rows, flat))


def _columns(rows: Any, flat: _Flat) -> list[Any]:
    found, place = [], 0
    for shape, size, dtype in zip(flat.shapes, flat.sizes, flat.dtypes, strict=True):
        part = getitem(rows, (slice(None), slice(place, place + size)))
        found.append(convert(JNP["reshape"](part, (shape_of(rows)[0], *shape)), dtype))
        place += size
    return found
