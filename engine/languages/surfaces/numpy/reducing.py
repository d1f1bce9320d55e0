"""numpy's reductions: sums, means, spreads, extremes and their kin, over all elements or along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.numpy.module import ANY_NUMPY, NUMPY, numpy_dtype, to_array, unpack
from engine.languages.surfaces.numpy.universal import given_back, written_into

SUMMING = ("sum", "prod", "nansum", "nanprod")
AVERAGING = ("mean", "nanmean")
SPREADING = ("std", "var", "nanstd", "nanvar")
EXTREMES = ("max", "min", "amax", "amin", "nanmax", "nanmin")
TRUTHS = ("any", "all")
PLACES = ("argmax", "argmin", "nanargmax", "nanargmin")
SO_FAR = ("cumsum", "cumprod", "nancumsum", "nancumprod")


def _reduced(interpreter: Interpreter, function: Callable[..., Any], a: Any, axis: Any, **given: Any) -> Any:
    """The function over these axes, with those of the other arguments that are given."""
    options = {name: value for name, value in given.items() if value is not None}
    if "dtype" in options:
        options["dtype"] = numpy_dtype(options["dtype"])
    if "where" in options:
        options["where"] = to_array(interpreter, options["where"], "bool")
    if "out" in options:
        options["out"] = written_into(options["out"])
    over = tuple(axis) if isinstance(axis, list) else axis
    found = function(to_array(interpreter, a), axis=over, **options)
    return given_back(found, given.get("out"))


def _keepdims(keepdims: Any) -> Any:
    """numpy is given `keepdims` where it is wanted: not all reductions have it."""
    return True if keepdims else None


def _summing(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any:
        given = {
            "dtype": dtype,
            "out": out,
            "keepdims": _keepdims(keepdims),
            "initial": initial,
            "where": where,
        }
        return _reduced(interpreter, function, a, axis, **given)

    return call


def _averaging(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        *,
        where: Any = None,
    ) -> Any:
        given = {"dtype": dtype, "out": out, "keepdims": _keepdims(keepdims), "where": where}
        return _reduced(interpreter, function, a, axis, **given)

    return call


def _spreading(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: Any = False,
        *,
        where: Any = None,
    ) -> Any:
        given = {"dtype": dtype, "out": out, "ddof": ddof, "keepdims": _keepdims(keepdims), "where": where}
        return _reduced(interpreter, function, a, axis, **given)

    return call


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any:
        given = {"out": out, "keepdims": _keepdims(keepdims), "initial": initial, "where": where}
        return _reduced(interpreter, function, a, axis, **given)

    return call


def _truth(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter,
        a: Any,
        axis: Any = None,
        out: Any = None,
        keepdims: Any = False,
        *,
        where: Any = None,
    ) -> Any:
        return _reduced(interpreter, function, a, axis, out=out, keepdims=_keepdims(keepdims), where=where)

    return call


def _place(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(
        interpreter: Interpreter, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False
    ) -> Any:
        return _reduced(interpreter, function, a, axis, out=out, keepdims=_keepdims(keepdims))

    return call


def _so_far(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(interpreter: Interpreter, a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return _reduced(interpreter, function, a, axis, dtype=dtype, out=out)

    return call


FAMILIES = (
    (_summing, SUMMING),
    (_averaging, AVERAGING),
    (_spreading, SPREADING),
    (_extreme, EXTREMES),
    (_truth, TRUTHS),
    (_place, PLACES),
    (_so_far, SO_FAR),
)
for family, words in FAMILIES:
    for word in words:
        NUMPY.function(word)(family(getattr(np, word)))


@NUMPY.function("average")
def average(
    interpreter: Interpreter,
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: Any = False,
    *,
    keepdims: Any = False,
) -> Any:
    """The mean, with weights where they are given; `returned` also gives the sum of the weights."""
    values, share = to_array(interpreter, a), None if weights is None else to_array(interpreter, weights)
    found: Any = ANY_NUMPY.average(values, axis, share, bool(returned), keepdims=bool(keepdims))
    return tuple(map(unpack, found)) if isinstance(found, tuple) else unpack(found)
