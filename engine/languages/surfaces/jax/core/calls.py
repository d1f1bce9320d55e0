"""Calling functions of JAX's own library as jitted ones: `jnp.mean` is one, and written in line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.primitive import PRIMITIVES
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, trace_to_jaxpr
from engine.languages.surfaces.jax.core.values import Tracer, aval_of, constant


def call_jitted(
    function: Callable[..., Any],
    values: Sequence[Any],
    settings: dict[str, Any],
    name: str,
    inline: bool,
) -> Any:
    """Call a function of arrays, and of settings that are no arrays, as one equation of its trace."""
    run = run_now()
    if run.trace is run.evaluation or (inline and isinstance(run.trace, StagingTrace)):
        return function(*values, **settings)
    constants = [constant(value) for value in values]
    avals = [aval_of(value) for value in constants]
    key = (function, tuple(avals), tuple(sorted((k, repr(v)) for k, v in settings.items())))
    if key not in run.caches:
        shape: list[bool] = []

        def flat(*tracers: Any) -> list[Any]:
            found = function(*tracers, **settings)
            shape.append(isinstance(found, (list, tuple)))
            return list(found) if shape[-1] else [found]

        run.caches[key] = (trace_to_jaxpr(flat, avals), shape)
    jaxpr, is_several = run.caches[key]
    outs = bind_jit(jaxpr, constants, name, inline)
    return list(outs) if is_several[-1] else outs[0]


def bind_jit(jaxpr: Jaxpr, values: Sequence[Any], name: str, inline: bool) -> list[Any]:
    """The jaxpr as one equation."""
    if inline or any(isinstance(value, Tracer) for value in jaxpr.values):
        jaxpr, values = _closed(jaxpr), [*jaxpr.values, *values]
    found: list[Any] = PRIMITIVES["jit"](*values, jaxpr=jaxpr, name=name, _inline=inline)
    return found


def _closed(jaxpr: Jaxpr) -> Jaxpr:
    """The jaxpr with its constants first: one object, as what is used twice is written once."""
    made: tuple[Jaxpr, Jaxpr] = run_now().caches.setdefault(
        ("closed", id(jaxpr)), (jaxpr.with_constants_first(), jaxpr)
    )
    return made[0]


def library_jit(
    arrays: int | None = None, *, inline: bool = False, name: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a function of JAX's own that is jitted.

    arrays: how many of its arguments are arrays; all by position, where it is None.
    """

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **settings: Any) -> Any:  # every argument after the arrays is a setting
            count = len(args) if arrays is None else arrays
            values, rest = args[:count], args[count:]
            if not rest:
                return call_jitted(function, values, settings, name or function.__name__, inline)

            names = function.__code__.co_varnames[count : count + len(rest)]
            for parameter, value in zip(names, rest, strict=True):
                settings[parameter] = value
            return call_jitted(function, values, settings, name or function.__name__, inline)

        return call

    return enter
