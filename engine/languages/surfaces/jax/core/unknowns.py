"""The linear part of a rule for tangents: what is known is computed at once, the rest is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.tangents import MAKE_ZEROS, is_zero
from engine.languages.surfaces.jax.core.values import Tracer, Zero, aval_of


class UnknownTracer(Tracer):
    """A tangent, or what is computed of one."""

    __slots__ = ()

    def short(self) -> str:
        """How it prints."""
        return f"Traced<{'~' * self.aval.weak}{self.aval.long()}:JaxprTrace>"


class Written:
    """A primitive that waits for tangents."""

    __slots__ = ("inputs", "outputs", "parameters", "primitive")

    def __init__(self, primitive: Primitive, inputs: Any, outputs: Any, parameters: Any) -> None:
        self.primitive = primitive
        self.inputs = inputs
        self.outputs = outputs
        self.parameters = parameters


# By name, primitives that hold jaxprs, of which a part can be computed at once.
IN_PARTS: dict[str, Callable[[Any, Sequence[Any], Any], Any]] = {}


class PartialTrace:
    """Gives what is known to the trace outside, and writes down what waits for tangents."""

    def __init__(self, parent: Any) -> None:
        self.parent = parent
        self.written: list[Written] = []
        self.is_over = False

    def is_unknown(self, value: Any) -> bool:
        """Whether a value waits for tangents."""
        return isinstance(value, UnknownTracer) and value.trace is self

    def unknown(self, aval: Aval) -> UnknownTracer:
        """A new value that waits."""
        return UnknownTracer(self, aval)

    def process(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Compute a primitive of known values; write down any other."""
        if not any(map(self.is_unknown, values)):
            return self.parent.process(primitive, values, parameters)
        if primitive.name in IN_PARTS:
            return IN_PARTS[primitive.name](self, values, parameters)
        return self.write(primitive, values, parameters)

    def write(self, primitive: Primitive, values: Sequence[Any], parameters: Any) -> Any:
        """Write a primitive down."""
        run_now().budget.step()
        types = primitive.out_types([aval_of(value) for value in values], parameters)
        outs = [self.unknown(aval) for aval in types]
        self.written.append(Written(primitive, list(values), outs, parameters))
        return outs if primitive.several else outs[0]

    def custom_jvp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a rule of its own: the function, where it waits."""
        if not any(map(self.is_unknown, values)):
            return list(self.parent.custom_jvp(rule, values))
        return list(rule.function(*values))

    def custom_vjp(self, rule: Any, values: Sequence[Any]) -> list[Any]:
        """A function with a gradient of its own: the function, where it waits."""
        if not any(map(self.is_unknown, values)):
            return list(self.parent.custom_vjp(rule, values))
        return list(rule.function(*values))


def linear_part(
    rule: Callable[..., tuple[Sequence[Any], Sequence[Any]]],
    nonzeros: Sequence[bool],
    primals: Sequence[Any],
    instantiate: bool,
) -> tuple[list[Any], Callable[..., list[Any]]]:
    """Apply a rule for tangents to primals alone.

    Returns: its results, and the function that computes their tangents of those of the primals.
    """
    run = run_now()
    trace = PartialTrace(run.trace)
    moves = [n and aval_of(x).is_inexact for n, x in zip(nonzeros, primals, strict=True)]
    with run.under(trace):
        given: list[Any] = []
        for move, primal in zip(moves, primals, strict=True):
            aval = aval_of(primal).tangent()
            if move:
                given.append(trace.unknown(aval))
            else:
                given.append(MAKE_ZEROS[0](aval) if instantiate else Zero(aval))
        outs, out_tangents = rule(list(primals), given)
    zeros = [is_zero(t) or not trace.is_unknown(t) for t in out_tangents]
    types = [aval_of(out).tangent() for out in outs]
    needed = _needed(trace.written, [t for t, zero in zip(out_tangents, zeros, strict=True) if not zero])

    def linear(*tangents: Any) -> list[Any]:
        held = {id(u): t for u, t, move in zip(given, tangents, moves, strict=True) if move}
        for one in needed:
            values = [held.get(id(value), value) for value in one.inputs]
            found = one.primitive(*values, **one.parameters)
            results = found if one.primitive.several else [found]
            held.update((id(out), result) for out, result in zip(one.outputs, results, strict=True))
        return [
            Zero(aval) if zero else held[id(t)]
            for t, zero, aval in zip(out_tangents, zeros, types, strict=True)
        ]

    return list(outs), linear


def _needed(written: list[Written], results: Sequence[Any]) -> list[Written]:
    """What is written down and needed for the results, in order."""
    waiting = {id(result) for result in results}
    kept = []
    for one in reversed(written):
        if any(id(out) in waiting for out in one.outputs):
            kept.append(one)
            waiting.update(map(id, one.inputs))
    return kept[::-1]
