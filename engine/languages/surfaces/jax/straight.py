"""Equations in a row that only compute, run as a list of calls: what a jitted function does in a loop.

The types of all that they give, and what they cost, depend on the types of what they take alone. Once they
are known, numpy is called one time after the other, and the work is counted as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.languages.interpreter.budget import SMALL_ARRAY
from engine.languages.surfaces.jax.core.avals import BFLOAT16, KEY, Aval, dtype_of
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import JaxArray, Tracer, constant

Kind = tuple[Any, tuple[int, ...], bool, str]  # of an array: type, shape, whether weak, the kind of a key


@dataclass(slots=True, eq=False)
class Call:
    """One computation. sources: the places of what it takes; target: the place of the first result."""

    compute: Any
    parameters: Any
    several: bool
    sources: list[int]
    target: int
    dtypes: list[Any]


@dataclass(slots=True, eq=False)
class Calls:
    """The computations for arguments of some types.

    literals: what stands in the equations, behind the arguments; results: a variable, its type, whether it is
    weak, and its kind, in the order of their places; work: element operations that are charged for all.
    """

    calls: list[Call]
    literals: list[Any]
    results: list[tuple[Any, bool, str]]
    work: int


class Straight:
    """Equations in a row. computes: whether all of them only compute."""

    __slots__ = ("_inputs", "_known", "_runs", "computes", "equations")

    def __init__(self, equations: Sequence[Any], computes: bool) -> None:
        self.equations = equations
        self.computes = computes
        self._runs = 0
        self._inputs: list[Any] = []
        self._known: dict[tuple[tuple[Kind, ...], bool], Calls | None] = {}

    def run(self, held: dict[Any, Any], budget: Any) -> bool:
        """Compute what the variables hold. False, with nothing done, where that has to go one by one.

        It has where types are not known yet, arrays are large, a limit or a look at the clock comes in
        between, or a computation fails.
        """
        self._runs += 1
        if not self.computes or self._runs == 1:
            return False
        if self._runs == 2:
            self._inputs = _inputs_of(self.equations)
        values = [constant(held[var]) for var in self._inputs]
        if any(isinstance(value, Tracer) for value in values):
            return False
        is_compiled = run_now().is_compiled
        calls = self._calls_for(tuple([kind_of(value) for value in values]), is_compiled)
        if calls is None or not budget.takes(len(calls.calls), calls.work, 0):
            return False
        try:
            found = _computed(calls, [value.array for value in values])
        except Exception:
            budget.steps -= len(calls.calls)
            budget.operations -= calls.work
            return False
        for (var, weak, kind), array in zip(calls.results, found, strict=True):
            held[var] = JaxArray(array, weak, kind)
        return True

    def _calls_for(self, kinds: tuple[Kind, ...], is_compiled: bool) -> Calls | None:
        """The computations for arguments of these types, once every equation knows what it gives for them."""
        key = kinds, is_compiled
        if key in self._known:
            return self._known[key]
        types = _types_of(self.equations, dict(zip(self._inputs, kinds, strict=True)))
        if types is None:
            return None
        is_small = all(aval.size <= SMALL_ARRAY for avals, _ in types for aval in avals)
        found = _calls_of(self.equations, self._inputs, types, is_compiled) if is_small else None
        self._known[key] = found
        return found


def kind_of(value: Any) -> Kind:
    """What decides the types of all that is computed from an array."""
    return value.array.dtype, value.array.shape, value.weak, value.kind


def _inputs_of(equations: Sequence[Any]) -> list[Any]:
    """The variables that equations take from elsewhere."""
    made = {var for equation in equations for var in equation.outputs}
    taken = [atom for equation in equations for atom in _all_taken(equation) if not hasattr(atom, "value")]
    return [var for var in dict.fromkeys(taken) if var not in made]


def _all_taken(equation: Any) -> list[Any]:
    """What an equation takes, and what is multiplied where it takes a product."""
    return [*equation.inputs, *(() if equation.product is None else equation.product.sources)]


def _types_of(equations: Sequence[Any], kinds: dict[Any, Kind]) -> list[tuple[list[Aval], int]] | None:
    """Of each equation the types of its results and its cost; None where one has not been met."""
    found = []
    for equation in equations:
        given = [kind_of(atom.value) if hasattr(atom, "value") else kinds[atom] for atom in equation.inputs]
        known = equation.known.get(tuple(given))
        if known is None or any(aval.dtype == BFLOAT16 for aval in known[0]):
            return None
        found.append(known)
        for var, aval in zip(equation.outputs, known[0], strict=True):
            kinds[var] = dtype_of(aval), aval.shape, aval.weak, _key(aval)
    return found


def _calls_of(
    equations: Sequence[Any],
    inputs: Sequence[Any],
    types: Sequence[tuple[list[Aval], int]],
    is_compiled: bool,
) -> Calls:
    taken = [atom for one in equations for atom in _all_taken(one)]
    atoms = list(dict.fromkeys(atom for atom in taken if hasattr(atom, "value")))
    literals = [atom.value.array for atom in atoms]
    places = {var: place for place, var in enumerate((*inputs, *atoms))}
    target = len(places)
    calls, results = [], []
    for equation, (avals, _) in zip(equations, types, strict=True):
        together = is_compiled and equation.product is not None
        sources = [places[atom] for atom in (_all_taken(equation) if together else equation.inputs)]
        primitive, parameters = equation.primitive, equation.parameters
        dtypes = [dtype_of(aval) for aval in avals]
        compute = _together(equation, len(equation.inputs)) if together else equation.compute
        calls.append(Call(compute, parameters, primitive.several, sources, target, dtypes))
        places.update((var, target + index) for index, var in enumerate(equation.outputs))
        results += [(var, aval.weak, _key(aval)) for var, aval in zip(equation.outputs, avals, strict=True)]
        target += len(avals)
    return Calls(calls, literals, results, sum(work for _, work in types))


def _together(equation: Any, count: int) -> Any:
    """What computes a sum, of what it takes and then of what is multiplied in place of a product."""
    name, product, compute = equation.primitive.name, equation.product, equation.compute

    def together(*arrays: Any, **parameters: Any) -> Any:
        found = product.compute(name, arrays[:count], arrays[count:], parameters)
        return compute(*arrays[:count], **parameters) if found is None else found

    return together


def _key(aval: Aval) -> str:
    return KEY if aval.dtype == KEY else ""


def _computed(calls: Calls, arguments: Sequence[Any]) -> list[Any]:
    """The arrays of all results, in the order of their places."""
    arrays = [*arguments, *calls.literals]
    first = len(arrays)
    for call in calls.calls:
        found = call.compute(*[arrays[place] for place in call.sources], **call.parameters)
        parts = found if call.several else (found,)
        arrays += [np.asarray(part, dtype) for part, dtype in zip(parts, call.dtypes, strict=True)]
    return arrays[first:]
