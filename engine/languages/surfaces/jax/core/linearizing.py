"""Linearizing: a function at a point as its value and the linear function of tangents, as a jaxpr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, as_function, without_dead
from engine.languages.surfaces.jax.core.primitive import Primitive, no_rule
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace
from engine.languages.surfaces.jax.core.tangents import (
    NO_TANGENT,
    TracerWithTangent,
    instantiated,
    is_zero,
    shown,
)
from engine.languages.surfaces.jax.core.unknowns import linear_part
from engine.languages.surfaces.jax.core.values import Zero, aval_of, zero_tangent


class GradTracer(TracerWithTangent):
    """A value, and its tangent as a variable of the linear function."""

    __slots__ = ()

    def short(self) -> str:
        """How it prints."""
        return f"GradTracer(primal={shown(self.primal)}, typeof(tangent)={self.tangent.aval.short()})"


class LinearizeTrace:
    """Computes values at once, and writes down what happens to tangents."""

    def __init__(self, parent: Any, tangents: StagingTrace) -> None:
        self.parent = parent
        self.tangents = tangents
        self.is_over = False

    def pair(self, value: Any) -> tuple[Any, Any]:
        """The primal and the tangent of a value."""
        if isinstance(value, GradTracer) and value.trace is self:
            return value.primal, value.tangent
        return value, zero_tangent(value)

    def pairs(self, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The primals, and the tangents."""
        found = [self.pair(value) for value in values]
        return [primal for primal, _ in found], [tangent for _, tangent in found]

    def tracer(self, primal: Any, tangent: Any) -> Any:
        """A value with a tangent; the value itself where that is zero."""
        return primal if is_zero(tangent) else GradTracer(self, primal, tangent)

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Compute a primitive, and write down its linear part."""
        primals, tangents = self.pairs(values)
        if all(map(is_zero, tangents)):
            return self.parent.process(primitive, primals, parameters)
        nonzeros = [not is_zero(t) for t in tangents]
        run = run_now()
        with run.under(self.parent):
            if primitive.linear is not None:
                outs, linear = primitive.linear(nonzeros, *primals, **parameters)
            else:
                outs, linear = self._by_tangent_rule(primitive, nonzeros, primals, parameters)
        with run.under(self.tangents), run.gradient_of(outs[0] if primitive.several and outs else outs):
            out_tangents = linear(*tangents)
        if primitive.several:
            return [self.tracer(x, t) for x, t in zip(outs, out_tangents, strict=True)]
        return self.tracer(outs, out_tangents)

    def _by_tangent_rule(
        self, primitive: Primitive, nonzeros: Sequence[bool], primals: Sequence[Any], parameters: Any
    ) -> tuple[Any, Callable[..., Any]]:
        rule = primitive.tangent
        if rule is None:
            raise no_rule(*NO_TANGENT, primitive)

        def flat(values: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            outs, out_tangents = rule(values, tangents, **parameters)
            return (list(outs), list(out_tangents)) if primitive.several else ([outs], [out_tangents])

        outs, linear = linear_part(flat, nonzeros, primals, instantiate=False)
        if primitive.several:
            return outs, linear
        return outs[0], lambda *tangents: linear(*tangents)[0]

    def custom_jvp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own for tangents: the linear part of the rule."""
        primals, tangents = self.pairs(values)
        if all(map(is_zero, tangents)):
            return list(self.parent.custom_jvp(rule, primals))
        run = run_now()
        with run.under(self.parent):
            outs, linear = linear_part(
                rule.rule, [not is_zero(t) for t in tangents], primals, instantiate=True
            )
        with run.under(self.tangents), run.gradient_of(outs[0]):
            out_tangents = linear(*tangents)
        return [self.tracer(x, t) for x, t in zip(outs, out_tangents, strict=True)]

    def custom_vjp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with its own gradient: its forward function, and a linear step that keeps the other."""
        primals, tangents = self.pairs(values)
        if all(map(is_zero, tangents)):
            return list(self.parent.custom_vjp(rule, primals))
        run = run_now()
        with run.under(self.parent):
            outs, residuals = rule.forward(primals)
        with run.under(self.tangents), run.gradient_of(outs[0]):
            out_tangents = rule.linear(residuals, tangents, [aval_of(out) for out in outs])
        return [self.tracer(x, t) for x, t in zip(outs, out_tangents, strict=True)]


class Linearized:
    """The values of a function, which of their tangents are zero, and the others as a jaxpr of tangents."""

    def __init__(self, values: list[Any], zeros: list[bool], jaxpr: Jaxpr) -> None:
        self.values = values
        self.zeros = zeros
        self.jaxpr = jaxpr


def linearize(function: Callable[..., Sequence[Any]], primals: Sequence[Any]) -> Linearized:
    """Compute a function of flat arguments, and write down its linear part."""
    run = run_now()
    tangents = StagingTrace(for_tangents=True)
    trace = LinearizeTrace(run.trace, tangents)
    tracers = [
        GradTracer(trace, primal, tangents.argument(aval_of(primal).tangent()))
        if aval_of(primal).is_inexact
        else _unmoved(tangents, primal)
        for primal in primals
    ]
    with run.under(trace):
        results = function(*tracers)
    outs, out_tangents = trace.pairs(results)
    trace.is_over = True
    zeros = [is_zero(t) for t in out_tangents]
    return Linearized(outs, zeros, tangents.jaxpr([t for t in out_tangents if not is_zero(t)]))


def _unmoved(tangents: StagingTrace, primal: Any) -> Any:
    """A whole number: it has an argument of the linear function, which nothing uses."""
    tangents.argument(aval_of(primal).tangent())
    return primal


def linearize_jaxpr(
    jaxpr: Jaxpr,
    nonzeros: Sequence[bool],
    instantiate: bool | Sequence[bool] = False,
    allow_forwards: bool | Sequence[bool] = True,
) -> tuple[Jaxpr, int, list[bool], list[int | None], Jaxpr]:
    """A jaxpr as one of values, which also gives what the second one, of tangents, needs of them.

    Returns: the first, how many of its results that are, which tangents are not zero, what of the needed are
             constants or arguments of the first, and the second: of what is needed, then the tangents.
    """
    run = run_now()
    values, tangents = StagingTrace(), StagingTrace(for_tangents=True)
    trace = LinearizeTrace(values, tangents)
    primals, tracers = [], []
    for aval, nonzero in zip(jaxpr.in_avals, nonzeros, strict=True):
        primal = values.argument(aval)
        primals.append(primal)
        moved = tangents.argument(aval.tangent()) if nonzero else None
        tracers.append(primal if moved is None else GradTracer(trace, primal, moved))
    with run.under(trace):
        results = as_function(jaxpr)(*tracers)
    outs, out_tangents = trace.pairs(results)
    makes = [instantiate] * len(outs) if isinstance(instantiate, bool) else list(instantiate)
    with run.under(tangents):
        out_tangents = [instantiated(t) if make else t for t, make in zip(out_tangents, makes, strict=True)]
    trace.is_over = True
    nonzeros_out = [not is_zero(t) for t in out_tangents]
    second = tangents.jaxpr([t for t in out_tangents if not is_zero(t)])
    second, _ = without_dead(second, [True] * len(second.results), instantiate=True)
    needed = second.values
    second = second.with_constants_first()
    allowed = [allow_forwards] * len(primals) if isinstance(allow_forwards, bool) else list(allow_forwards)
    everything = [*jaxpr.values, *primals]
    allowed = [True] * len(jaxpr.values) + allowed
    places = {id(x): i for i, (x, ok) in enumerate(zip(everything, allowed, strict=True)) if ok}
    forwards = [places.get(id(value)) for value in needed]
    given = [value for value, place in zip(needed, forwards, strict=True) if place is None]
    first = values.jaxpr([*outs, *given])
    first, _ = without_dead(first, [True] * len(first.results), instantiate=True)
    return first, len(given), nonzeros_out, forwards, second


def zeros_where(zeros: Sequence[bool], tangents: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The tangents of all results, of those that are not zero."""
    given = iter(tangents)
    return [
        Zero(aval_of(value).tangent()) if zero else next(given)
        for zero, value in zip(zeros, values, strict=True)
    ]
