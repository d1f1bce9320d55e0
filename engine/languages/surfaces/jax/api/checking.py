"""`jax.test_util.check_grads`: derivatives beside difference quotients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import Flat, as_value, flat_arguments
from engine.languages.surfaces.jax.api.derivatives.cotangents import pull_back
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.linearizing import linearize
from engine.languages.surfaces.jax.core.tangents import instantiated, jvp
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of

STEP, NEAR = 3e-3, 0.02  # of a difference quotient in float32, and how far one is off


def check_grads(
    interpreter: Interpreter,
    f: Any,
    args: Any,
    order: Any,
    modes: Any = ("fwd", "rev"),
    atol: Any = None,
    rtol: Any = None,
    eps: Any = None,
) -> None:
    """Compare derivatives in a random direction with difference quotients. Raises: AssertionError.

    order: derivatives of derivatives, too, up to this one. modes: forward ("fwd"), reverse ("rev"), or both.
    """
    leaves, structure = flat_arguments(list(args), {})
    near = NEAR if atol is None else float(atol)
    check = Check(
        tuple(mode for mode in ("fwd", "rev") if mode in modes),
        near,
        near if rtol is None else float(rtol),
        STEP if eps is None else float(eps),
    )
    check.derivatives(Flat(interpreter, f, structure), [as_value(leaf) for leaf in leaves], int(order))


Function = Callable[..., Sequence[Any]]


@dataclass(frozen=True)
class Check:
    """How derivatives are compared with difference quotients.

    atol, rtol: how far they may differ; step: of the quotient, along a direction of normal random numbers.
    """

    modes: tuple[str, ...]
    atol: float
    rtol: float
    step: float

    def derivatives(self, f: Function, values: Sequence[Any], order: int) -> None:
        """Compare those of a function of flat values, and below the given order their own."""
        for mode in self.modes:
            _check_floats(values, mode)
            if mode == "fwd":
                self._forward(f, values)
            else:
                self._reverse(f, values)
            if order > 1 and mode == "fwd":
                self.derivatives(_pushed(f), [*values, *values], order - 1)
            elif order > 1:
                self.derivatives(_pulled(f), values, order - 1)

    def _forward(self, f: Function, values: Sequence[Any]) -> None:
        """J v against (f(x + h v) − f(x − h v)) / 2h."""
        _, tangents = jvp(f, values, ways := _directions(values, np.random.RandomState(0)))
        for tangent, slope in zip(tangents, self._slopes(f, values, ways), strict=True):
            if slope is not None:
                self._compare(instantiated(tangent).array, slope)

    def _reverse(self, f: Function, values: Sequence[Any]) -> None:
        """v · (uᵀ J) against u · (f(x + h v) − f(x − h v)) / 2h."""
        random = np.random.RandomState(0)
        ways = _directions(values, random)
        found = linearize(f, values)
        cotangents = _directions(found.values, random)
        slopes = self._slopes(f, values, ways)
        outs = pull_back(found, values, cotangents)
        self._compare(
            sum(
                _dot(way, out) for way, out, x in zip(ways, outs, values, strict=True) if aval_of(x).is_float
            ),
            sum(_dot(u, slope) for u, slope in zip(cotangents, slopes, strict=True) if slope is not None),
        )

    def _slopes(self, f: Function, values: Sequence[Any], ways: Sequence[Any]) -> list[Any]:
        """The difference quotients of the results; None for those that are no floats."""
        above, below = (f(*map(_moved, values, ways, [h] * len(ways))) for h in (self.step, -self.step))
        return [
            (np.asarray(high.array, "float64") - low.array) / (2 * self.step)
            if aval_of(high).is_float
            else None
            for high, low in zip(above, below, strict=True)
        ]

    def _compare(self, found: Any, slope: Any) -> None:
        if not np.allclose(found, slope, atol=self.atol, rtol=self.rtol):
            raise ProgramError(
                f"The derivative {found} differs from the difference quotient {slope}.",
                message_zh=f"导数 {found} 与差商 {slope} 不一致。",
                code="wrong_gradient",
                kind="AssertionError",
            )


def _check_floats(values: Sequence[Any], mode: str) -> None:
    """Raises: TypeError as JAX does where an argument is no float, along which nothing can be compared."""
    for value in values:
        aval = aval_of(value)
        if aval.is_float:
            continue
        if mode == "fwd":
            said = (
                "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of "
                "int/bool primal dtype the tangent dtype must be float0."
                f"Got primal dtype {aval.dtype} and so expected tangent dtype [('float0', 'V')], but got "
                f"tangent dtype {aval.dtype} instead."
            )
        else:
            said = (
                "ufunc 'conjugate' not supported for the input types, and the inputs could not be safely "
                "coerced to any supported types according to the casting rule ''safe''"
            )
        raise type_error(
            said,
            f"check_grads 只检查浮点参数，而这里有 {aval.dtype}。",
            "Give arguments with a fraction, such as 2.0.",
            "请给出浮点数参数，例如 2.0。",
        )


def _pushed(f: Function) -> Function:
    """The results and their tangents, as a function of values and tangents."""

    def both(*given: Any) -> list[Any]:
        half = len(given) // 2
        results, tangents = jvp(f, given[:half], given[half:])
        return [*results, *map(instantiated, tangents)]

    return both


def _pulled(f: Function) -> Function:
    """The results pulled back to the arguments."""

    def pull(*given: Any) -> list[Any]:
        found = linearize(f, given)
        return pull_back(found, given, found.values)

    return pull


def _directions(values: Sequence[Any], random: np.random.RandomState) -> list[Any]:
    """A normal random direction; nothing along what are no floats."""
    avals = [aval_of(value) for value in values]
    return [
        JaxArray(
            (random.standard_normal(one.shape) if one.is_float else np.zeros(one.shape)).astype(one.dtype)
        )
        for one in avals
    ]


def _moved(value: Any, way: Any, step: float) -> JaxArray:
    array = np.asarray(value.array)
    return JaxArray(array + (step * way.array).astype(array.dtype))


def _dot(a: Any, b: Any) -> float:
    return float(np.sum(np.asarray(getattr(a, "array", a), "float64") * getattr(b, "array", b)))
