"""Tracing a function along the path that its values take: the program may ask them which way to go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.surfaces.jax.core.errors import concretization
from engine.languages.surfaces.jax.core.jaxpr import Atom, Jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, StagingTracer
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of, kind_of, known


class FollowedTracer(StagingTracer):
    """A variable of the jaxpr, with the array that it holds along the path."""

    __slots__ = ("value",)

    def __init__(self, trace: StagingTrace, atom: Atom, value: Any) -> None:
        super().__init__(trace, atom)
        self.value = value

    def lowered(self) -> Any:
        """The array that it holds."""
        return self.value


class FollowingTrace(StagingTrace):
    """Writes equations, and computes them as it goes."""

    def tracer(self, value: Any) -> StagingTracer:
        """What stands for a value; that of an array of the program holds it."""
        made = super().tracer(value)
        if isinstance(made, FollowedTracer):
            return made
        held = made.lowered()
        found = FollowedTracer(self, made.atom, value if held is made else held)
        if id(value) in self.held:
            self.held[id(value)] = (value, found)
        return found

    def write(self, primitive: Primitive, tracers: Sequence[StagingTracer], parameters: Any) -> Any:
        """Write an equation, and compute it."""
        written = super().write(primitive, tracers, parameters)
        if isinstance(written, FollowedTracer):  # an argument that is passed on
            return written
        run = run_now()
        with run.under(run.evaluation):
            found = primitive(*(one.lowered() for one in tracers), **parameters)
        if not primitive.several:
            return FollowedTracer(self, written.atom, found)
        return [FollowedTracer(self, one.atom, value) for one, value in zip(written, found, strict=True)]


def follow_to_jaxpr(function: Callable[..., Sequence[Any]], values: Sequence[Any], name: str = "") -> Jaxpr:
    """The jaxpr of the path that a function takes at these values."""
    run = run_now()
    traced = next((value for value in values if known(value) is None), None)
    if traced is not None:
        raise concretization(traced)
    trace = FollowingTrace(name, what="make_jaxpr")
    tracers = [
        FollowedTracer(
            trace,
            trace.argument(aval_of(value)).atom,
            JaxArray(known(value), aval_of(value).weak, kind_of(aval_of(value).dtype)),
        )
        for value in values
    ]
    with run.under(trace):
        results = function(*tracers)
        return trace.jaxpr(results)
