"""What is seen in JAX's picture: the equations of a gradient's jaxpr, by their fingerprints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.interchange.fingerprints import Fingerprint
from engine.programs.frameworks.jaxprs import UNREAD, named_apart
from engine.programs.frameworks.picture import Json
from engine.programs.side_by_side.graphs import PLUMBING
from engine.programs.side_by_side.sightings import Sighting, Sightings, Work

ADDS = "add_any"
NO_WORK = frozenset(
    {"broadcast_in_dim", "reshape", "squeeze", "transpose", "convert_element_type", "copy", *PLUMBING}
)


def jax_sightings(functions: Sequence[Json]) -> Sightings:
    """All that the picture of a JAX program shows: of the function that it differentiated last."""
    if not functions or "fingerprints" not in functions[-1]:
        return Sightings("jax")
    last = functions[-1]
    prints: Mapping[str, Fingerprint] = last["fingerprints"]
    gradient = last["gradient"]
    equations = named_apart(gradient["equations"])
    forward = [one for one in equations if not one["is_backward"]]
    backward = [one for one in equations if one["is_backward"]]
    own = own_equations(last["function"]["equations"], forward)
    extra = {_name(one): one for one in forward if one not in own}
    given = [one["name"] for one in (*gradient["constants"], *gradient["arguments"])]
    return Sightings(
        "jax",
        values=_seen([*given, *map(_name, own)], prints),
        gradients=[*_results(gradient, last["by"], prints), *_gradients(backward, prints)],
        factors=_seen(list(extra), prints),
        works={_name(one): _work(one, extra, backward, prints) for one in own},
        kept=_residuals([*given, *map(_name, forward)], backward, prints),
        sums={_name(one): ADDS for one in backward if one["primitive"] == ADDS},
        backward=len(backward),
        order=[_name(one) for one in equations],
    )


def own_equations(function: Sequence[Json], forward: Sequence[Json]) -> list[Json]:
    """The forward equations that are the function's own, in order; the rest is for the way back."""
    found: list[Json] = []
    place = 0
    for equation in function:
        later = next((at for at in range(place, len(forward)) if _same(equation, forward[at])), None)
        if later is not None:
            found.append(forward[later])
            place = later + 1
    return found


def _same(one: Json, other: Json) -> bool:
    """Whether two equations compute the same, as far as it is known."""
    facts = [
        (each["primitive"], each["params"], [output["value"] for output in each["outputs"]])
        for each in (one, other)
    ]
    return facts[0] == facts[1]


def _name(equation: Json) -> str:
    return str(equation["outputs"][0]["name"]) if equation["outputs"] else ""


def _seen(names: Sequence[str], prints: Mapping[str, Fingerprint]) -> list[Sighting]:
    return [Sighting(name, prints.get(name), name) for name in names if name and not name.startswith(UNREAD)]


def _results(gradient: Json, by: Sequence[int], prints: Mapping[str, Fingerprint]) -> list[Sighting]:
    """What the gradient gives, by each of the arguments that it is by."""
    arguments = gradient["arguments"]
    pairs = zip(by, gradient["results"], strict=False)
    named = [(arguments[place]["name"], one["name"]) for place, one in pairs if "name" in one]
    return [Sighting(name, prints.get(name), of) for of, name in named]


def _gradients(backward: Sequence[Json], prints: Mapping[str, Fingerprint]) -> list[Sighting]:
    """Of other equations of the way back JAX does not say by what they are gradients."""
    return [Sighting(_name(one), prints.get(_name(one))) for one in backward if _name(one)]


def _work(
    equation: Json, extra: Mapping[str, Json], backward: Sequence[Json], prints: Mapping[str, Fingerprint]
) -> Work:
    """What the forward pass computes beside the function for the linear part of an equation."""
    waiting = [
        one["name"]
        for reader in backward
        for one in reader["inputs"]
        if reader["of"] == _name(equation) and one.get("name") in extra
    ]
    made: dict[str, Json] = {}
    while waiting:
        name = waiting.pop()
        if name not in made:
            made[name] = extra[name]
            waiting += [one["name"] for one in extra[name]["inputs"] if one.get("name") in extra]
    known = [one for name, one in extra.items() if name in made and _is_work(one, prints)]
    names = tuple(dict.fromkeys(one["primitive"] for one in known))
    return Work(equation["primitive"], forward=names, nodes=tuple(map(_name, known)))


def _is_work(equation: Json, prints: Mapping[str, Fingerprint]) -> bool:
    known = prints.get(_name(equation))
    return equation["primitive"] not in NO_WORK and known is not None and known.varies


def _residuals(
    names: Sequence[str], backward: Sequence[Json], prints: Mapping[str, Fingerprint]
) -> list[str]:
    """What the forward pass hands on to the way back."""
    read = {one.get("name") for equation in backward for one in equation["inputs"]}
    return [name for name in names if name in read and name in prints and prints[name].varies]
