"""JAX's picture: the jaxprs of the functions that a program differentiated, and of their gradients.

They are traced when the program has ended; what the functions print meanwhile is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from engine.errors import GradlensError, ProgramError
from engine.interchange.fingerprints import fingerprint
from engine.interchange.values import tensor_json
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    flat_arguments,
    function_name,
    parameter_names,
)
from engine.languages.surfaces.jax.api.derivatives.cotangents import pulled_back
from engine.languages.surfaces.jax.api.derivatives.gradients import with_gradient
from engine.languages.surfaces.jax.api.derivatives.recording import gradient_call
from engine.languages.surfaces.jax.api.tracing.following import follow_to_jaxpr
from engine.languages.surfaces.jax.api.tracing.jitting import jaxpr_of
from engine.languages.surfaces.jax.core.jaxpr import Atom, Jaxpr, Literal, Var
from engine.languages.surfaces.jax.core.printing import (
    Names,
    literal_text,
    parameter_text,
    shown_parameters,
    written_jaxpr,
)
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, known

MOST_EQUATIONS = 2_000  # of a jaxpr
MOST_NUMBERS = 64  # of a value that is written in full

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array that a function was given. parameter: its name there; node: of the graph, that shows it."""

    parameter: str
    node: str | None
    value: Any


Points = Callable[[Sequence[Leaf]], Sequence[Sequence[Any]]]  # at each point an array for each leaf
_POINTS: ContextVar[Points | None] = ContextVar("jax_points", default=None)


@contextmanager
def pictures_at(points: Points) -> Iterator[None]:
    """Programs that run inside have `fingerprints` in their pictures: of each variable, of these points."""
    token = _POINTS.set(points)
    try:
        yield
    finally:
        _POINTS.reset(token)


def pictures() -> list[Json]:
    """For each function that was differentiated: its name, `function` and `gradient`."""
    run = run_now()
    calls, run.recorder = run.pictures, None
    found = []
    for call in calls:
        printed = list(call.interpreter.printed)
        try:
            found.append(_picture(call))
        except GradlensError:  # a budget that is used up, or a function that gives another result now
            continue
        finally:
            call.interpreter.printed[:] = printed
    return found


def _picture(call: gradient_call) -> Json:
    interpreter, args, keywords = call.interpreter, list(call.args), dict(call.keywords)
    argnums = tuple(call.places) if len(call.places) > 1 else call.places[0]

    def gradient(*given: Any, **named: Any) -> Any:
        if call.cotangents is not None:
            return pulled_back(interpreter, call.function, call.has_aux, given, call.cotangents)
        return with_gradient(interpreter, call.function, argnums, call.has_aux, given, named)[2]

    leaves = flat_arguments(args, keywords)[0]
    values = [known(as_value(leaf)) for leaf in leaves]
    name = function_name(call.function)
    function = _jaxpr(interpreter, call.function, args, keywords)
    derived = _jaxpr(interpreter, Native(f"grad({name})", gradient), args, keywords)
    found = {"name": name, "function": picture_of(function, values), "gradient": picture_of(derived, values)}
    points = _POINTS.get()
    if points is None or keywords or any(value is None for value in values):
        return found
    at_each = points(_leaves(call, leaves, values))
    return {**found, "by": _places(call), "fingerprints": _fingerprints(derived, at_each)}


def _places(call: gradient_call) -> list[int]:
    """Which of the arrays that a function was given its gradient is by."""
    sizes = [len(flat_arguments([one], {})[0]) for one in call.args]
    return [sum(sizes[:place]) + each for place in call.places for each in range(sizes[place])]


def _leaves(call: gradient_call, leaves: Sequence[Any], values: Sequence[Any]) -> list[Leaf]:
    """What a function was given: names are known where each parameter is one array."""
    names = parameter_names(call.function)
    plain = len(call.args) == len(leaves) <= len(names)
    return [
        Leaf(names[place] if plain else "", _node_of(leaf), value)
        for place, (leaf, value) in enumerate(zip(leaves, values, strict=True))
    ]


def _node_of(leaf: Any) -> str | None:
    tensor = leaf.tensor if isinstance(leaf, JaxArray) else None
    return None if tensor is None else str(tensor.node.name)


def _fingerprints(jaxpr: Jaxpr, points: Sequence[Sequence[Any]]) -> Json:
    """The fingerprint of each variable that is computed at every point, by its name."""
    names = written_jaxpr(jaxpr)[1]
    at_each = [_held_at(jaxpr, [JaxArray(value) for value in values]) for values in points]
    known = [var for var in at_each[0] if all(var in held for held in at_each)] if at_each else []
    found = {}
    for var in known:
        values = [held[var] for held in at_each]
        if all(isinstance(value, (JaxArray, Constant)) for value in values):
            one = fingerprint([value.array for value in values])
            if one is not None:
                found[names.name(var)] = one
    return found


def _held_at(jaxpr: Jaxpr, arguments: Sequence[JaxArray]) -> dict[Var, Any]:
    held: dict[Var, Any] = dict(zip(jaxpr.constants, jaxpr.values, strict=True))
    held.update(zip(jaxpr.arguments, arguments, strict=True))
    _follow(jaxpr, held)
    return held


def _jaxpr(interpreter: Any, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Jaxpr:
    """The jaxpr of a function; where its path depends on values, of the path that it takes at these."""
    try:
        return jaxpr_of(interpreter, function, args, keywords)
    except ProgramError:
        leaves, structure = flat_arguments(args, keywords)
        flat = Flat(interpreter, function, structure)
        return follow_to_jaxpr(flat, [as_value(leaf) for leaf in leaves], function_name(function))


def picture_of(jaxpr: Jaxpr, arguments: Sequence[Any]) -> Json:
    """A jaxpr as text and as equations, with the values that arguments of these values give."""
    text, names = written_jaxpr(jaxpr)
    held: dict[Var, Any] = dict(zip(jaxpr.constants, jaxpr.values, strict=True))
    if all(value is not None for value in arguments):
        given = (JaxArray(value) for value in arguments)
        held.update(zip(jaxpr.arguments, given, strict=True))
        _follow(jaxpr, held)
    return {"text": text, **_structured(jaxpr, names, held)}


def _follow(jaxpr: Jaxpr, held: dict[Var, Any]) -> None:
    for equation in jaxpr.equations:
        if equation.primitive.has_effect:
            continue
        inputs = [atom.value if isinstance(atom, Literal) else held.get(atom) for atom in equation.inputs]
        if any(value is None for value in inputs):
            continue
        found = equation.primitive(*inputs, **equation.parameters)
        held.update(zip(equation.outputs, found if equation.primitive.several else [found], strict=True))


def _structured(jaxpr: Jaxpr, names: Names, held: Mapping[Var, Any]) -> Json:
    variables = {*jaxpr.constants, *jaxpr.arguments, *(var for one in jaxpr.equations for var in one.outputs)}
    return {
        "constants": [_variable(var, names, held) for var in jaxpr.constants],
        "arguments": [_variable(var, names, held) for var in jaxpr.arguments],
        "equations": [
            {
                "primitive": equation.primitive.name,
                "inputs": [_input(atom, names) for atom in equation.inputs],
                "outputs": [_variable(var, names, held) for var in equation.outputs],
                "is_backward": equation.is_backward,
                "of": names.name(equation.of) if equation.of in variables else None,
                "params": {
                    name: parameter_text(value)
                    for name, value in shown_parameters(equation).items()
                    if not _inner(value)
                },
                "jaxprs": {
                    name: [_structured(one, names, {}) for one in _inner(value)]
                    for name, value in equation.parameters.items()
                    if _inner(value)
                },
            }
            for equation in jaxpr.equations[:MOST_EQUATIONS]
        ],
        "results": [_input(atom, names) for atom in jaxpr.results],
    }


def _inner(value: Any) -> list[Jaxpr]:
    """The jaxprs that a parameter holds."""
    parts = value if isinstance(value, tuple) else (value,)
    return [part for part in parts if isinstance(part, Jaxpr)]


def _input(atom: Atom, names: Names) -> Json:
    if isinstance(atom, Literal):
        return {"literal": literal_text(atom).partition(":")[0], "type": atom.aval.short()}
    return {"name": names.name(atom), "type": atom.aval.short()}


def _variable(var: Var, names: Names, held: Mapping[Var, Any]) -> Json:
    value = held.get(var)
    number = None
    if isinstance(value, (JaxArray, Constant)) and value.array.dtype.kind in "fiub":
        number = tensor_json(value.array, full_up_to=MOST_NUMBERS)
    return {"name": names.name(var), "type": var.aval.short(), "value": number}
