"""`jax.scipy.optimize.minimize`: the method of Broyden, Fletcher, Goldfarb and Shanno.

Source: Nocedal & Wright, Numerical optimization (2nd ed., 2006), algorithm 6.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import RefusedError
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.api.derivatives.gradients import value_and_grad
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import default_int, run_now
from engine.languages.surfaces.jax.core.values import aval_of
from engine.languages.surfaces.jax.lax.basics import convert, shape_of
from engine.languages.surfaces.jax.solvers.inner import each_for_itself, on_arrays, written
from engine.languages.surfaces.jax.solvers.line_search import Point, Search

OPTIONS = ("gtol", "maxiter", "norm", "line_search_maxiter")
SHORTEST = 1e-8  # of a step in less than 64 bits, which would not move x otherwise
RESULT = RecordKind(
    "OptimizeResults", ("x", "success", "status", "fun", "jac", "hess_inv", "nfev", "njev", "nit")
)

Function = Callable[[Any], tuple[Any, Any]]


def _length(gradient: Any, order: Any) -> Any:
    return np.linalg.norm(gradient, ord=order)


def bfgs(function: Function, x: Any, gtol: float, most: int, order: Any, most_searched: int) -> list[Any]:
    """The items of the result, in order; function: value and gradient."""
    f, g = function(x)
    inverse, before = np.eye(len(x), dtype=x.dtype), f + np.linalg.norm(g).astype(x.dtype) / 2
    calls, turns, status = 1, 0, 0
    is_done, has_failed = bool(_length(g, order) < gtol), False
    with np.errstate(all="ignore"):
        while not is_done and not has_failed and turns < most:
            p = -(inverse @ g)
            found = _searched(function, x, p, Point(x.dtype.type(0), f, g @ p, g), before, most_searched)
            s = _step_length(found.point.a) * p
            inverse = _next_inverse(inverse, s, found.point.gradient - g)
            before, has_failed, status = f, found.failed, found.status
            x, f, g = x + s, found.point.phi, found.point.gradient
            calls, turns = calls + found.calls, turns + 1
            is_done = bool(_length(g, order) < gtol)
    said = 0 if is_done else 1 if turns == most else 2 + status if has_failed else -1
    return [x, is_done and not has_failed, said, f, g, inverse, calls, calls, turns]


def _searched(function: Function, x: Any, p: Any, start: Point, before: Any, most: int) -> Any:
    def at(a: Any) -> Point:
        value, gradient = function(x + a * p)
        return Point(a, value, gradient @ p, gradient)

    kind = x.dtype.type
    first = kind(1.01) * kind(2) * (start.phi - before) / start.slope
    return Search(at, start).run(kind(1) if first > 1 else first, most)


def _step_length(a: Any) -> Any:
    is_short = a.dtype.itemsize < 8 and abs(a) < SHORTEST
    return a.dtype.type(np.sign(a) * SHORTEST) if is_short else a


def _next_inverse(inverse: Any, s: Any, y: Any) -> Any:
    """(I - ρ s yᵀ) H (I - ρ y sᵀ) + ρ s sᵀ, ρ = 1 / yᵀ s; H itself where that is no number."""
    rho = 1 / (y @ s)
    if not np.isfinite(rho):
        return inverse
    w = np.eye(len(s), dtype=s.dtype) - rho * np.outer(s, y)
    return w @ inverse @ w.T + rho * np.outer(s, s)


# -- the primitive -----------------------------------------------------------------------------------

minimize_p = Primitive("minimize", several=True)


def _minimize(*values: Any, _jaxpr: Jaxpr, _settings: tuple[Any, ...]) -> list[Any]:
    *outside, x = values
    of_arrays = on_arrays(_jaxpr)

    def function(at: Any) -> tuple[Any, Any]:
        value, gradient = of_arrays(*outside, at)
        return value[()], gradient

    return bfgs(function, x, *_settings)


def _types(*avals: Aval, **_: Any) -> list[Aval]:
    x = avals[-1]
    (n,), whole = x.shape, Aval((), default_int())
    number = Aval((), x.dtype)
    return [x, Aval((), "bool"), whole, number, x, Aval((n, n), x.dtype), whole, whole, whole]


minimize_p.compute, minimize_p.types = _minimize, _types
each_for_itself(minimize_p)


def _no_reverse(nonzeros: Any, *primals: Any, **_: Any) -> Any:
    raise value_error(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic "
        "start/stop values. Try using lax.scan, or using fori_loop with static start/stop.",
        "minimize 内部是循环次数不定的 while_loop，不支持反向求导。",
        "Differentiate the condition grad(f)(x) = 0 instead (implicit differentiation).",
        "请改用隐函数求导：对条件 grad(f)(x) = 0 求导。",
    )


minimize_p.linear = _no_reverse


def minimize(
    interpreter: Interpreter,
    fun: Any,
    x0: Any,
    args: Any = (),
    *,
    method: Any,
    tol: Any = None,
    options: Any = None,
) -> Record:
    """The minimum of a function of a vector, from x0 on, by BFGS; its bound is the option `gtol`, not `tol`.

    Raises: RefusedError for other methods; TypeError where args is no tuple.
    """
    if not isinstance(args, tuple):
        raise type_error(
            f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}", "args 必须是元组。"
        )
    if str(method).lower() != "bfgs":
        raise RefusedError(
            f"minimize(method={method!r}) is not part of Gradlens.",
            message_zh=f"Gradlens 不包含 minimize(method={method!r})。",
            hint="Write method='BFGS'.",
            hint_zh="请写 method='BFGS'。",
            code="refused_name",
        )
    given = dict(options or {})
    for name in given:
        if name not in OPTIONS:
            raise type_error(
                f"minimize_bfgs() got an unexpected keyword argument '{name}'", f"BFGS 没有选项 {name!r}。"
            )
    x = as_value(x0)
    if len(shape_of(x)) != 1:
        raise value_error("x0 must be a 1-dimensional array.", "x0 必须是一维数组。")
    x = x if aval_of(x).is_float else convert(x, "float64" if run_now().x64 else "float32")
    x = convert(x, aval_of(x).dtype)
    pair = value_and_grad(interpreter, fun)

    def both(at: Any) -> list[Any]:
        value, gradient = interpreter.call(pair, [at, *args], {})
        return [convert(value, aval_of(x).dtype), gradient]

    jaxpr, consts = written(both, [aval_of(x)])
    size = shape_of(x)[0]
    settings = (
        float(given.get("gtol", 1e-5)),
        int(given["maxiter"]) if given.get("maxiter") is not None else size * 200,
        given.get("norm", np.inf),
        int(given.get("line_search_maxiter", 10)),
    )
    return Record(RESULT, minimize_p(*consts, x, _jaxpr=jaxpr, _settings=settings))
