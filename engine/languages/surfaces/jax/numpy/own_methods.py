"""numpy as a program of JAX meets it: functions that leave an array of JAX to the array's own method.

`np.sum(x)` calls `x.sum()` where x is no array of numpy's: it gives an array of JAX, also of a traced one.
Source: numpy's `fromnumeric.py`. All others take the numbers of an array as numpy's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer
from engine.languages.surfaces.jax.harmless import guarded
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS
from engine.languages.surfaces.numpy.module import NUMPY

BY_THE_ARRAY = (
    *("sum", "prod", "max", "min", "amax", "amin", "mean", "std", "var", "any", "all", "argmax", "argmin"),
    *("cumsum", "cumprod", "squeeze", "transpose", "round", "around", "swapaxes", "repeat", "searchsorted"),
    *("reshape", "flip", "nonzero"),
)


class LeftToTheArray(Native):
    """A function of numpy's that calls the method of an array of JAX. own: that method."""

    def __init__(self, function: Native, own: Native) -> None:
        super().__init__(
            function.name, function.function, borrowed=function.borrowed, arguments=function.arguments
        )
        self.own = own

    def call(self, interpreter: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The method of an array of JAX, or numpy's function."""
        if args and isinstance(args[0], (JaxArray, Tracer)):
            return self.own.call(interpreter, args, keywords)
        return super().call(interpreter, args, keywords)

    def call_checked(
        self, interpreter: Any, args: Sequence[Any], keywords: Mapping[str, Any], checks: Any
    ) -> Any:
        """The same where the arguments are known to fit numpy's function."""
        if args and isinstance(args[0], (JaxArray, Tracer)):
            return self.own.call(interpreter, args, keywords)
        return super().call_checked(interpreter, args, keywords, checks)


def _own(name: str) -> Native:
    return Native(f"jax.numpy.{name}", guarded(FUNCTIONS[name]), borrowed=True)


def numpy_beside_jax() -> Module:
    """The module `numpy` for programs of JAX."""
    usual = NUMPY.module()
    left = {
        name: LeftToTheArray(
            usual.members[name], Native(f"jax.numpy.{name}", guarded(FUNCTIONS[name]), borrowed=True)
        )
        for name in BY_THE_ARRAY
    }
    return Module(usual.name, {**usual.members, **left}, usual.refused, usual.others, usual.gone)
