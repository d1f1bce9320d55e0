"""The backward pass: the equations of a linear function from the last to the first, each transposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.jaxpr import Atom, Equation, Jaxpr, Literal, Var, has_effect
from engine.languages.surfaces.jax.core.primitive import no_rule
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.tangents import add_tangents, is_zero
from engine.languages.surfaces.jax.core.values import Zero

NO_TRANSPOSE = ("Transpose rule (for reverse-mode differentiation)", "转置规则（反向求导用）")


NOTHING: Mapping[int, Any] = MappingProxyType({})


class Undefined:
    """An argument of a linear function: only its type is known."""

    __slots__ = ("aval",)

    def __init__(self, aval: Aval) -> None:
        self.aval = aval


class Sum:
    """The cotangent of a value, as far as it has been added up."""

    __slots__ = ("aval", "value")

    def __init__(self, aval: Aval) -> None:
        self.aval = aval
        self.value: Any = Zero(aval)

    def add(self, cotangent: Any) -> None:
        """Add a part."""
        if cotangent is not None:
            self.value = add_tangents(self.value, cotangent)


def is_undefined(value: Any) -> bool:
    """Whether a value is an argument of the linear function, or depends on one."""
    return isinstance(value, Undefined)


def backward(
    jaxpr: Jaxpr,
    constants: Sequence[Any],
    arguments: Sequence[Any],
    cotangents: Sequence[Any],
    begun: Mapping[int, Any] = NOTHING,
) -> list[Any]:
    """The cotangents of the arguments that are `Undefined`, of those of the results; None for the others.

    begun: by place of an argument, what its cotangent is added to.
    """
    sums = [Sum(one.aval) if is_undefined(one) else one for one in arguments]
    for place, value in begun.items():
        sums[place].value = value
    if not (all(map(is_zero, cotangents)) and not jaxpr.has_effect):
        _accumulate(jaxpr, constants, sums, cotangents)
    return [one.value if isinstance(one, Sum) else None for one in sums]


def _accumulate(
    jaxpr: Jaxpr, constants: Sequence[Any], arguments: Sequence[Any], cotangents: Sequence[Any]
) -> None:
    held: dict[Var, Any] = dict(zip(jaxpr.constants, constants, strict=True))
    held.update(zip(jaxpr.arguments, arguments, strict=True))

    def read(atom: Atom) -> Any:
        return atom.value if isinstance(atom, Literal) else held[atom]

    linear: list[Equation] = []
    for equation in jaxpr.equations:
        inputs = [read(atom) for atom in equation.inputs]
        if any(isinstance(one, Sum) for one in inputs):
            held.update((var, Sum(var.aval)) for var in equation.outputs)
            linear.append(equation)
        else:
            found = equation.primitive(*inputs, **equation.parameters)
            held.update(zip(equation.outputs, found if equation.primitive.several else [found], strict=True))
    for atom, cotangent in zip(jaxpr.results, cotangents, strict=True):
        target = read(atom)
        if isinstance(target, Sum):
            target.add(cotangent)
    for equation in reversed(linear):
        _transpose(equation, [read(atom) for atom in equation.inputs], [held[v] for v in equation.outputs])


def _transpose(equation: Equation, inputs: Sequence[Any], outputs: Sequence[Sum]) -> None:
    """Add to the cotangents of what an equation is given, of those of what it gives."""
    primitive, coming = equation.primitive, [one.value for one in outputs]
    if all(map(is_zero, coming)) and not has_effect(equation):
        return
    if primitive.transpose is None:
        raise no_rule(*NO_TRANSPOSE, primitive)
    given = [Undefined(one.aval) if isinstance(one, Sum) else one for one in inputs]
    run = run_now()
    with run.gradient_of(run.forward_of if equation.of is None else equation.of):
        parts = primitive.transpose(coming if primitive.several else coming[0], *given, **equation.parameters)
    for one, part in zip(inputs, parts, strict=True):
        if isinstance(one, Sum) and part is not None and not is_zero(part):
            one.add(part)
