"""What loops carry from turn to turn, and what they and branches close over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.api.calling import as_value, parameter_names, trees
from engine.languages.surfaces.jax.api.tracing.paths import argument_paths
from engine.languages.surfaces.jax.core.avals import Aval, same_type
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, Var
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import JaxArray, aval_of
from engine.languages.surfaces.jax.lax.basics import convert
from engine.languages.surfaces.jax.numpy.promotion import common_type


def closed_over(jaxprs: Sequence[Jaxpr]) -> tuple[list[Jaxpr], list[Any]]:
    """Jaxprs that take the constants of all of them as their first arguments, and these constants."""
    every: dict[int, Any] = {}
    for jaxpr in jaxprs:
        every.update((id(value), value) for value in jaxpr.values)
    made = []
    for jaxpr in jaxprs:
        own = {id(value): var for var, value in zip(jaxpr.constants, jaxpr.values, strict=True)}
        first = [own.get(key) or Var(aval_of(value)) for key, value in every.items()]
        arguments = [*first, *jaxpr.arguments]
        made.append(Jaxpr([], arguments, jaxpr.results, jaxpr.equations, notes=jaxpr.notes))
    return made, list(every.values())


def fixed_first(
    body: Jaxpr, num_consts: int, fixed: Sequence[bool], values: Sequence[Any]
) -> tuple[Jaxpr, list[Any], list[Any]]:
    """A body whose carried values that stay as they are have become its first constants.

    Returns: the body, these values, and those that are carried.
    """
    if not any(fixed):
        return body, [], list(values)
    consts, carry = body.arguments[:num_consts], body.arguments[num_consts:][: len(fixed)]
    rest = body.arguments[num_consts + len(fixed) :]
    moved, kept = split(fixed, carry)
    results = [*split(fixed, body.results[: len(fixed)])[1], *body.results[len(fixed) :]]
    arranged = Jaxpr([], [*moved, *consts, *kept, *rest], results, body.equations, notes=body.notes)
    return arranged, *split(fixed, values)


def split(flags: Sequence[bool], values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The values with a flag, and those without."""
    pairs = list(zip(flags, values, strict=True))
    return [x for flag, x in pairs if flag], [x for flag, x in pairs if not flag]


def merged(
    fixed: Sequence[bool], leaves: Sequence[Any], values: Sequence[Any], outs: Sequence[Any]
) -> list[Any]:
    """The carried values at the end: those that stay are what was given, a number of Python as it was."""
    given = iter(outs)
    return [
        (leaf if isinstance(leaf, (int, float)) and aval_of(as_value(leaf)) == aval_of(value) else value)
        if stay
        else next(given)
        for stay, leaf, value in zip(fixed, leaves, values, strict=True)
    ]


def _wider(a: Aval, b: Aval) -> str:
    """The element type of two types together."""
    return common_type([JaxArray(np.zeros((), one.dtype), one.weak) for one in (a, b)])[0]


def promoted(
    values: list[Any], avals: list[Aval], outs: Sequence[Aval], inner: Structure, structure: Structure
) -> tuple[list[Any], list[Aval], bool]:
    """Numbers of the program in the type that a turn gives them."""
    if inner != structure or all(same_type(a, b) for a, b in zip(avals, outs, strict=False)):
        return values, avals, False
    made = [
        convert(x, wider, b.weak) if a.weak and a.dtype != (wider := _wider(a, b)) else x
        for x, a, b in zip(values, avals, outs, strict=False)
    ]
    return made, [aval_of(x) for x in made], True


def paths(function: Any, *args: Any) -> list[str]:
    """How the arguments are reached that a loop calls the program's own function with."""
    return argument_paths(function, trees().flatten((args, {}))[1])


def first_name(function: Any) -> str:
    return (parameter_names(function) or ("carry",))[0]
