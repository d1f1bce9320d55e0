"""Forward mode: what a primitive's tangent is, and the trace that carries primals with tangents (jvp)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

from engine.languages.surfaces.jax.core.avals import FLOAT0, Aval
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, as_function
from engine.languages.surfaces.jax.core.primitive import PRIMITIVES, Primitive, no_rule
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.values import Tracer, Zero, aval_of, zero_tangent

NO_TANGENT = ("Differentiation rule", "求导规则")


def zeros_of(aval: Aval) -> Any:
    """An array of zeros of a type."""
    return PRIMITIVES["zeros"](aval)  # see lax/basics.py


def instantiated(tangent: Any) -> Any:
    """A tangent as an array."""
    return MAKE_ZEROS[0](tangent.aval) if isinstance(tangent, Zero) else tangent


MAKE_ZEROS: list[Callable[[Aval], Any]] = []  # filled by lax/basics.py, which needs the primitives


def is_zero(tangent: Any) -> bool:
    """Whether a tangent is zero everywhere, by its kind."""
    return isinstance(tangent, Zero)


class TracerWithTangent(Tracer):
    """A value that varies, and its tangent: a value, too, or a variable of a linear function."""

    __slots__ = ("primal", "tangent")

    def __init__(self, trace: Any, primal: Any, tangent: Any) -> None:
        super().__init__(trace, aval_of(primal))
        self.primal = primal
        self.tangent = tangent

    def lowered(self) -> Any:
        """The value without its tangent."""
        return self.primal


class JvpTracer(TracerWithTangent):
    """A value with its tangent."""

    __slots__ = ()

    def short(self) -> str:
        """How it prints."""
        return f"JVPTracer(primal={shown(self.primal)}, tangent={shown(self.tangent)})"


def shown(value: Any) -> str:
    """A value inside of a tracer's text."""
    return value.short() if isinstance(value, Tracer) else str(value.array)


class JvpTrace:
    """Carries primals and tangents through a function."""

    def __init__(self, parent: Any) -> None:
        self.parent = parent
        self.is_over = False

    def pair(self, value: Any) -> tuple[Any, Any]:
        """The primal and the tangent of a value."""
        if isinstance(value, JvpTracer) and value.trace is self:
            return value.primal, value.tangent
        return value, zero_tangent(value)

    def tracer(self, primal: Any, tangent: Any) -> Any:
        """A value with a tangent; the value itself where that is zero."""
        if is_zero(tangent) or aval_of(tangent).dtype == FLOAT0:
            return primal
        return JvpTracer(self, primal, tangent)

    def pairs(self, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The primals, and the tangents."""
        found = [self.pair(value) for value in values]
        return [primal for primal, _ in found], [tangent for _, tangent in found]

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Apply the rule of a primitive."""
        primals, tangents = self.pairs(values)
        if all(map(is_zero, tangents)):
            return self.parent.process(primitive, primals, parameters)
        if primitive.tangent is None:
            raise no_rule(*NO_TANGENT, primitive)
        with run_now().under(self.parent):
            primal, tangent = primitive.tangent(primals, tangents, **parameters)
        if primitive.several:
            return [self.tracer(x, t) for x, t in zip(primal, tangent, strict=True)]
        return self.tracer(primal, tangent)

    def custom_jvp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own: the rule."""
        primals, tangents = self.pairs(values)
        if all(map(is_zero, tangents)):
            return list(self.parent.custom_jvp(rule, primals))
        with run_now().under(self.parent):
            outs, out_tangents = rule.rule(primals, [instantiated(t) for t in tangents])
        return [self.tracer(x, t) for x, t in zip(outs, out_tangents, strict=True)]

    def custom_vjp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a gradient of its own: no forward mode goes through it."""
        primals, tangents = self.pairs(values)
        if all(map(is_zero, tangents)):
            return list(self.parent.custom_vjp(rule, primals))
        with run_now().under(self.parent):
            outs, residuals = rule.forward(primals)
            out_tangents = rule.linear(residuals, tangents, [aval_of(out) for out in outs])
        return [self.tracer(x, t) for x, t in zip(outs, out_tangents, strict=True)]


def jvp(
    function: Callable[..., Sequence[Any]],
    primals: Sequence[Any],
    tangents: Sequence[Any],
    instantiate: bool | Sequence[bool] = True,
) -> tuple[list[Any], list[Any]]:
    """The results of a function of flat arguments, and their tangents."""
    run = run_now()
    trace = JvpTrace(run.trace)
    with run.under(trace):
        results = function(*(trace.tracer(x, t) for x, t in zip(primals, tangents, strict=True)))
    outs, out_tangents = trace.pairs(results)
    trace.is_over = True
    wanted = [instantiate] * len(outs) if isinstance(instantiate, bool) else list(instantiate)
    return outs, [instantiated(t) if make else t for t, make in zip(out_tangents, wanted, strict=True)]


def jvp_jaxpr(
    jaxpr: Jaxpr, nonzeros: Sequence[bool], instantiate: bool | Sequence[bool]
) -> tuple[Jaxpr, list[bool]]:
    """The jaxpr of primals and tangents together; which of the tangents that it gives are not zero."""
    avals = jaxpr.in_avals
    out_nonzeros: list[bool] = []

    def both(*arguments: Any) -> list[Any]:
        primals, given = arguments[: len(avals)], iter(arguments[len(avals) :])
        tangents = [
            next(given) if nonzero else Zero(aval.tangent())
            for nonzero, aval in zip(nonzeros, avals, strict=True)
        ]
        outs, out_tangents = jvp(as_function(jaxpr), primals, tangents, instantiate)
        out_nonzeros.extend(not is_zero(t) for t in out_tangents)
        return [*outs, *(t for t in out_tangents if not is_zero(t))]

    moving = [aval.tangent() for aval, nonzero in zip(avals, nonzeros, strict=True) if nonzero]
    return trace_to_jaxpr(both, [*avals, *moving]), out_nonzeros


# -- rules of primitives -----------------------------------------------------------------------------


def add_tangents(a: Any, b: Any) -> Any:
    """The sum of two tangents."""
    if is_zero(a):
        return b
    return a if is_zero(b) else PRIMITIVES["add_any"](a, b)


def by_argument(primitive: Primitive, *rules: Any) -> None:
    """The tangent is a sum of one part for each argument: rule(tangent, *primals)."""

    def tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
        out = primitive(*primals, **parameters)
        parts = [
            rule(t, *primals, **parameters)
            for rule, t in zip(rules, tangents, strict=False)
            if rule is not None and not is_zero(t)
        ]
        return out, reduce(add_tangents, parts, zero_tangent(out))

    primitive.tangent = tangent


def by_result(primitive: Primitive, *rules: Any) -> None:
    """The same for rules that use the result: rule(tangent, result, *primals)."""

    def tangent(primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
        out = primitive(*primals, **parameters)
        parts = [
            rule(t, out, *primals, **parameters)
            for rule, t in zip(rules, tangents, strict=False)
            if rule is not None and not is_zero(t)
        ]
        return out, reduce(add_tangents, parts, zero_tangent(out))

    primitive.tangent = tangent


def _no_tangent(primitive: Primitive, primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    out = primitive(*primals, **parameters)
    zeros = [zero_tangent(one) for one in out] if primitive.several else zero_tangent(out)
    return out, zeros


def without_tangent(primitive: Primitive) -> None:
    """The tangent is zero: it does not vary smoothly."""
    primitive.tangent = partial(_no_tangent, primitive)


def _linear_tangent(primitive: Primitive, primals: Any, tangents: Any, **parameters: Any) -> tuple[Any, Any]:
    out = primitive(*primals, **parameters)
    if all(map(is_zero, tangents)):
        return out, [zero_tangent(one) for one in out] if primitive.several else zero_tangent(out)
    return out, primitive(*map(instantiated, tangents), **parameters)


def linear(primitive: Primitive, transpose: Callable[..., Any]) -> None:
    """The tangent is the primitive of the tangents; transpose(cotangent, *arguments): the arguments'."""
    primitive.tangent = partial(_linear_tangent, primitive)
    primitive.transpose = transpose
