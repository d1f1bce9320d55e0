"""What the examples of a `vmap` know of each other by the name of their axis: sums, means, places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.core.batching import BatchTracer
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.lax import basics as ba
from engine.languages.surfaces.jax.lax import shapes as sh
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP

AXES: dict[str, Callable[..., Any]] = {}


def _across(name: str, reduce: Any) -> Callable[..., Any]:
    def call(x: Any, axis_name: Any, **_: Any) -> Any:
        leaves, structure = trees().flatten(x)
        return trees().unflatten(
            structure, [_of_one_value(as_value(leaf), axis_name, reduce) for leaf in leaves]
        )

    return call


def trace_of(axis_name: Any) -> Any:
    """The trace of the vmap that names an axis. Raises: NameError where none does."""
    trace = run_now().trace
    while trace is not None and (axis_name is None or getattr(trace, "axis_name", None) != axis_name):
        trace = getattr(trace, "parent", None)
    if trace is None:
        said = f"Found an unbound axis name: {axis_name}."
        raise ProgramError(
            said,
            message_zh=f"没有名为 {axis_name} 的轴。",
            hint=f"Call it under jax.vmap(f, axis_name={axis_name!r}).",
            hint_zh=f"请在 jax.vmap(f, axis_name={axis_name!r}) 之内调用。",
            code="unknown_name",
            kind="NameError",
            said=said,
        )
    return trace


def _of_one_value(value: Any, axis_name: Any, reduce: Any) -> Any:
    trace = trace_of(axis_name)
    batch, axis = trace.pair(value)
    with run_now().under(trace.parent):
        if axis is None:
            return reduce(ba.broadcast(batch, (trace.size,)), 0)
        return reduce(batch, axis)


AXES["psum"] = _across("psum", lambda x, axis: JNP["sum"](x, axis))
AXES["pmean"] = _across("pmean", lambda x, axis: JNP["mean"](x, axis))
AXES["pmax"] = _across("pmax", lambda x, axis: JNP["max"](x, axis))
AXES["pmin"] = _across("pmin", lambda x, axis: JNP["min"](x, axis))


def axis_index(axis_name: Any) -> Any:
    """Which example of a vmap it is."""
    trace = trace_of(axis_name)
    with run_now().under(trace.parent):
        places = sh.iota("int32", (trace.size,))
    return BatchTracer(trace, places, 0)


AXES["axis_index"] = axis_index
AXES["all_gather"] = _across("all_gather", lambda x, axis: JNP["moveaxis"](x, axis, 0))
