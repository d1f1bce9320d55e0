"""jit: a function that is traced once for each kind of arguments, as one equation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import batch_jaxpr
from engine.languages.surfaces.jax.core.jaxpr import (
    Equation,
    Jaxpr,
    as_function,
    evaluate,
    evaluate_compiled,
    forwarded_inputs,
    without_dead,
)
from engine.languages.surfaces.jax.core.linearizing import linearize_jaxpr
from engine.languages.surfaces.jax.core.primitive import EvalTrace, Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import is_zero, jvp_jaxpr
from engine.languages.surfaces.jax.core.transposing import backward, is_undefined
from engine.languages.surfaces.jax.core.unknowns import IN_PARTS, PartialTrace
from engine.languages.surfaces.jax.core.values import Zero, aval_of, constant

jit_p = Primitive("jit", several=True)


def _call(*values: Any, jaxpr: Jaxpr, name: str, _inline: bool) -> list[Any]:
    return evaluate_compiled(jaxpr, values)


def _types(*avals: Aval, jaxpr: Jaxpr, name: str, _inline: bool) -> list[Aval]:
    return jaxpr.out_avals


def _stage(trace: StagingTrace, tracers: Sequence[Any], parameters: Any) -> Any:
    """A function of JAX's own that is written in line."""
    if not parameters["_inline"]:
        return None
    with run_now().under(trace):
        return [trace.tracer(constant(x)) for x in evaluate(parameters["jaxpr"], tracers)]


def _tangent(primals: Any, tangents: Any, jaxpr: Jaxpr, name: str, _inline: bool) -> tuple[Any, Any]:
    nonzeros = [not is_zero(t) for t in tangents]
    both, nonzeros_out = _cached("jvp", jaxpr, nonzeros, lambda: jvp_jaxpr(jaxpr, nonzeros, False))
    moving = [t for t in tangents if not is_zero(t)]
    outs = jit_p(*primals, *moving, jaxpr=both, name=name, _inline=_inline)
    count = len(jaxpr.results)
    given = iter(outs[count:])
    out_tangents = [
        next(given) if nonzero else Zero(aval.tangent())
        for nonzero, aval in zip(nonzeros_out, jaxpr.out_avals, strict=True)
    ]
    return outs[:count], out_tangents


def _linear(nonzeros: Sequence[bool], *primals: Any, jaxpr: Jaxpr, name: str, _inline: bool) -> Any:
    first, count, nonzeros_out, forwards, second = _cached(
        "linear", jaxpr, nonzeros, lambda: linearize_jaxpr(jaxpr, nonzeros)
    )
    outs = _without_copies(first, primals, name, _inline)
    values, given = outs[: len(outs) - count], iter(outs[len(outs) - count :])
    everything = [*jaxpr.values, *primals]
    needed = [next(given) if place is None else everything[place] for place in forwards]

    def linear(*tangents: Any) -> list[Any]:
        moving = [t for t in tangents if not is_zero(t)]
        found = iter(jit_p(*needed, *moving, jaxpr=second, name=name, _inline=_inline))
        return [
            next(found) if nonzero else Zero(aval.tangent())
            for nonzero, aval in zip(nonzeros_out, jaxpr.out_avals, strict=True)
        ]

    return values, linear


def _without_copies(jaxpr: Jaxpr, primals: Sequence[Any], name: str, inline: bool) -> list[Any]:
    """The call without results that are arguments or other results; all results."""
    sources, kept, copies, smaller = _cached("short", jaxpr, (), lambda: _short(jaxpr))
    found = dict(zip(kept, jit_p(*primals, jaxpr=smaller, name=name, _inline=inline), strict=True))
    results = []
    for index, source in enumerate(sources):
        results.append(primals[source] if source is not None else found[copies.get(index, index)])
    return results


def _short(jaxpr: Jaxpr) -> tuple[list[int | None], list[int], dict[int, int], Jaxpr]:
    """Which results are arguments, are kept, are copies of those; and the jaxpr of what is kept."""
    sources = forwarded_inputs(jaxpr)
    kept: list[int] = []
    seen: dict[int, int] = {}
    copies: dict[int, int] = {}
    for index, atom in enumerate(jaxpr.results):
        if sources[index] is not None:
            continue
        if id(atom) in seen:
            copies[index] = seen[id(atom)]
        else:
            seen[id(atom)] = index
            kept.append(index)
    smaller = Jaxpr(
        jaxpr.constants,
        jaxpr.arguments,
        [jaxpr.results[index] for index in kept],
        jaxpr.equations,
        jaxpr.values,
        jaxpr.notes,
    )
    return sources, kept, copies, smaller


def _transpose(cts: Any, *values: Any, jaxpr: Jaxpr, name: str, _inline: bool) -> list[Any]:
    known = [x for x in values if not is_undefined(x)]
    coming = [ct for ct in cts if not is_zero(ct)]
    types = tuple(aval_of(x) for x in (*known, *coming))
    shape = tuple(map(is_undefined, values)), tuple(map(is_zero, cts)), types
    transposed, found = _cached("transpose", jaxpr, shape, lambda: _transposed(jaxpr, cts, values, types))
    results = iter(jit_p(*known, *coming, jaxpr=transposed, name=name, _inline=_inline))
    return [
        next(results) if has else (Zero(x.aval) if is_undefined(x) else None)
        for has, x in zip(found, values, strict=True)
    ]


def _transposed(
    jaxpr: Jaxpr, cts: Sequence[Any], values: Sequence[Any], types: Sequence[Aval]
) -> tuple[Jaxpr, list[bool]]:
    """The jaxpr of what is known, then of cotangents; which of the arguments it gives cotangents for."""
    count = sum(not is_undefined(x) for x in values)
    found: list[bool] = []

    def back(*flat: Any) -> list[Any]:
        given, cotangents = iter(flat[:count]), iter(flat[count:])
        arguments = [x if is_undefined(x) else next(given) for x in values]
        all_cts = [ct if is_zero(ct) else next(cotangents) for ct in cts]
        outs = backward(jaxpr, jaxpr.values, arguments, all_cts)
        del found[:]
        found.extend(ct is not None and not is_zero(ct) for ct in outs)
        return [ct for ct in outs if ct is not None and not is_zero(ct)]

    return trace_to_jaxpr(back, types), found


def _batch(size: int, values: Any, axes: Any, jaxpr: Jaxpr, name: str, _inline: bool) -> tuple[Any, Any]:
    batch, out_axes = _cached(("batch", size), jaxpr, axes, lambda: batch_jaxpr(jaxpr, size, axes))
    return jit_p(*values, jaxpr=batch, name=name, _inline=_inline), out_axes


def _dead(used: Sequence[bool], equation: Equation) -> tuple[list[bool], Equation | None]:
    jaxpr: Jaxpr = equation.parameters["jaxpr"]
    if not any(used) and not jaxpr.has_effect:
        return [False] * len(equation.inputs), None
    smaller, uses = _cached("dead", jaxpr, used, lambda: without_dead(jaxpr, used))
    inputs = [atom for atom, use in zip(equation.inputs, uses, strict=True) if use]
    outputs = [var for var, use in zip(equation.outputs, used, strict=True) if use]
    parameters = {**equation.parameters, "jaxpr": smaller}
    return uses, Equation(jit_p, inputs, outputs, parameters, equation.is_backward, equation.of)


jit_p.evaluate, jit_p.types, jit_p.stage = _call, _types, _stage
jit_p.tangent, jit_p.linear, jit_p.transpose = _tangent, _linear, _transpose
jit_p.batch, jit_p.dead = _batch, _dead


def _cached(kind: Any, jaxpr: Jaxpr, of: Sequence[Any], make: Callable[[], Any]) -> Any:
    """What was made of a jaxpr before: the same object, as jaxprs that are used twice are written once."""
    caches = run_now().caches
    key = (kind, id(jaxpr), tuple(of))
    if key not in caches:
        caches[key] = (make(), jaxpr)
    return caches[key][0]


def partial_jit(trace: PartialTrace, values: Sequence[Any], parameters: Any) -> list[Any]:
    """A jitted function of which some arguments are unknown: what is known is a call of its own."""
    jaxpr: Jaxpr = parameters["jaxpr"]
    if parameters["_inline"]:
        return evaluate(jaxpr, values)
    unknown = [trace.is_unknown(x) for x in values]
    first, needed_count, out_unknown, second = _cached(
        "partial", jaxpr, unknown, lambda: _parts(jaxpr, unknown)
    )
    known = [x for x, waits in zip(values, unknown, strict=True) if not waits]
    run = run_now()
    with run.under(trace.parent):
        outs = jit_p(*known, jaxpr=first, name=parameters["name"], _inline=False) if first.results else []
    needed = outs[len(outs) - needed_count :]
    waiting = [x for x, waits in zip(values, unknown, strict=True) if waits]
    later: list[Any] = []
    if second.results:
        later = trace.write(jit_p, [*waiting, *needed], {**parameters, "jaxpr": second})
    now, then = iter(outs), iter(later)
    return [next(then) if waits else next(now) for waits in out_unknown]


IN_PARTS["jit"] = partial_jit


def _parts(jaxpr: Jaxpr, unknown: Sequence[bool]) -> tuple[Jaxpr, int, list[bool], Jaxpr]:
    """A jaxpr as one of the known arguments, and one of the others and of what it needs of the first."""
    values, rest = StagingTrace(), StagingTrace(for_tangents=True)
    trace = SplitTrace(values, rest)
    arguments = [
        trace.waiting(rest.argument(aval)) if waits else values.argument(aval)
        for aval, waits in zip(jaxpr.in_avals, unknown, strict=True)
    ]
    run = run_now()
    with run.under(trace):
        outs = as_function(jaxpr)(*arguments)
    out_unknown = [trace.is_waiting(x) for x in outs]
    second = rest.jaxpr([trace.inner(x) for x in outs if trace.is_waiting(x)])
    needed = second.values
    ordered = Jaxpr([], [*second.arguments, *second.constants], second.results, second.equations)
    first = values.jaxpr([*(x for x in outs if not trace.is_waiting(x)), *needed])
    first, _ = without_dead(first, [True] * len(first.results), instantiate=True)
    return first, len(needed), out_unknown, ordered


class SplitTrace(EvalTrace):
    """Writes what depends on unknown values into one jaxpr, and all else into another."""

    def __init__(self, values: StagingTrace, rest: StagingTrace) -> None:
        self.values = values
        self.rest = rest
        self._waiting: dict[int, Any] = {}

    def waiting(self, tracer: Any) -> Any:
        """Mark a value of the second jaxpr."""
        self._waiting[id(tracer)] = tracer
        return tracer

    def is_waiting(self, value: Any) -> bool:
        """Whether a value belongs to the second jaxpr."""
        return id(value) in self._waiting

    def inner(self, value: Any) -> Any:
        """The variable of the second jaxpr."""
        return self._waiting[id(value)]

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Write a primitive into the jaxpr that it belongs to."""
        late = any(self.is_waiting(x) for x in values)
        trace = self.rest if late else self.values
        found = trace.process(primitive, values, parameters)
        if late:
            for one in found if primitive.several else [found]:
                self.waiting(one)
        return found
