"""Functions of jnp that also fold an array: `jnp.add.reduce(x)`, `jnp.maximum.accumulate(x)`, `.outer`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.jax.api.calling import whole
from engine.languages.surfaces.jax.lax import reductions as re
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.making.arrays import array
from engine.languages.surfaces.jax.numpy.reducing.axes import place_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

FOLDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "add": ("sum", "cumsum"),
        "multiply": ("prod", "cumprod"),
        "maximum": ("max", "cummax"),
        "minimum": ("min", "cummin"),
        "logical_and": ("all", ""),
        "logical_or": ("any", ""),
        "subtract": ("", ""),
        "divide": ("", ""),
        "power": ("", ""),
    }
)  # what each of them is between all elements, and between those so far


EXTREMES = MappingProxyType({"cummax": re.cummax_p, "cummin": re.cummin_p})


class ArrayFunction(Native):
    """A function of two arrays, element by element."""


TYPE_NAMES[ArrayFunction] = lambda _: "function"
METHODS = members_of(ArrayFunction, "function")


def _fold(function: ArrayFunction, place: int) -> Callable[..., Any]:
    name = function.name.rpartition(".")[2]
    fold = FOLDS[name][place]
    if fold in EXTREMES:
        return lambda x, axis: EXTREMES[fold](x, axis=place_of(axis, len(shape_of(x))), reverse=False)
    if fold:
        return JNP[fold]
    method = ("reduce", "accumulate")[place]
    raise RefusedError(
        f"jnp.{name}.{method} is not supported.",
        message_zh=f"不支持 jnp.{name}.{method}。",
        hint="Write it as a loop over the elements, or use lax.associative_scan.",
        hint_zh="请写成对元素的循环，或使用 lax.associative_scan。",
        code="refused_name",
    )


@METHODS.method("reduce")
def reduce(function: ArrayFunction, a: Any, axis: Any = 0, *, keepdims: Any = False) -> Any:
    """The function between all elements along an axis."""
    return _fold(function, 0)(array(a), axis=axis, keepdims=keepdims)


@METHODS.method("accumulate")
def accumulate(function: ArrayFunction, a: Any, axis: Any = 0) -> Any:
    """The function between the elements so far along an axis."""
    return _fold(function, 1)(array(a), axis=whole(axis, "axis"))


@METHODS.method("outer")
def outer(function: ArrayFunction, A: Any, B: Any, /) -> Any:
    """The function of each pair of elements. Shapes: (*S), (*T) -> (*S, *T)."""
    a, b = array(A), array(B)
    spread = JNP["reshape"](a, (*shape_of(a), *([1] * len(shape_of(b)))))
    return JNP[function.name.rpartition(".")[2]](spread, b)
