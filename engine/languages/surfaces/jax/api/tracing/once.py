"""Functions of the program that are traced once for each kind of arguments, as JAX keeps their jaxprs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import Flat, as_value, function_name
from engine.languages.surfaces.jax.api.tracing.paths import argument_paths
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import Tracer

MOST_FUNCTIONS = 512  # whose traces are kept: the last ones

Traces = dict[Hashable, tuple[Jaxpr, Structure]]


def traces_of(function: Any) -> Traces:
    """What is kept of a function, by the kinds of its arguments: one for the same object."""
    every = _all()
    kept = every.pop(id(function), (function, {}))  # the function stays alive, and so its identity
    every[id(function)] = kept
    if len(every) > MOST_FUNCTIONS:
        del every[next(iter(every))]
    return kept[1]


def forget() -> None:
    """Forget what is kept of all functions: `jax.clear_caches()`."""
    _all().clear()


def _all() -> dict[int, tuple[Any, Traces]]:
    found: dict[int, tuple[Any, Traces]] = run_now().caches.setdefault("traced", {})
    return found


def traced(
    interpreter: Interpreter,
    function: Any,
    structure: Structure,
    avals: Sequence[Aval],
    what: str,
    *,
    of: Any = None,
    given: Hashable = (),
    check: Callable[[Any], Any] = as_value,
    paths: Sequence[str] | None = None,
    only_types: bool = False,
    takes_cells: bool = False,
) -> tuple[Jaxpr, Structure]:
    """The jaxpr of a function of the program, and the structure of its results.

    what: what it is traced for; only_types: whether for the types of its results alone.
    paths: how its arguments are reached, where not by the parameters of the program's own function.
    takes_cells: whether it may use references from outside, which the jaxpr takes and gives beside the rest.
    of: the program's own function, where `function` only calls it; given: arguments that are no arrays.
    """
    kept, key = traces_of(function if of is None else of), (what, structure, tuple(avals), given, _setting())
    if key not in kept or _is_over(kept[key][0]):
        flat = Flat(interpreter, function, structure, check=check)
        own = function if of is None else of
        named = argument_paths(own, structure) if paths is None else paths
        jaxpr = trace_to_jaxpr(flat, avals, function_name(own), what, named, only_types, takes_cells)
        assert flat.structure is not None
        kept[key] = jaxpr, flat.structure
    return kept[key]


def _setting() -> Hashable:
    """What a trace depends on beside its arguments: the width of numbers, and the axes that have a name."""
    axes, trace = [], run_now().trace
    while trace is not None:
        if getattr(trace, "axis_name", None) is not None:
            axes.append((trace.axis_name, trace.size))
        trace = getattr(trace, "parent", None)
    return run_now().x64, tuple(axes)


def _is_over(jaxpr: Jaxpr) -> bool:
    """Whether it closes over values of a trace that has ended: the function is traced anew."""
    return any(isinstance(value, Tracer) and value.trace.is_over for value in jaxpr.values)
