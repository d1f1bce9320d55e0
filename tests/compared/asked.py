"""Which arguments of which functions the recorded expressions give, by position and by name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .drawn.expressions import (
    PROGRAMS_OF_THEIR_OWN,
    RELEASES,
    expressions,
    last_of,
    recorded_signatures,
)

Way = tuple[str, str]  # an argument, and "position" or "name"


@dataclass(frozen=True, slots=True)
class Asked:
    """Of one function: what was given in which way, and what was not."""

    name: str
    given: frozenset[Way]
    missing: frozenset[Way]


def ways_of(sources: Iterable[str], dialect: str) -> Mapping[str, set[Way]]:
    """What each function is given in these expressions, by its name below `tf`."""
    signatures = recorded_signatures(RELEASES[dialect])
    found: dict[str, set[Way]] = defaultdict(set)
    for source in sources:
        for call in _calls(source):
            name = ast.unparse(call.func).removeprefix("tf.")
            if name in signatures:
                parameters, _ = signatures[name]
                found[name].update((word, "position") for word in parameters[: len(call.args)])
                found[name].update((one.arg, "name") for one in call.keywords if one.arg)
    return found


def _calls(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("tf."):
            yield node


def asked(dialect: str) -> list[Asked]:
    """Every function whose arguments are asked one by one, with what is asked of it.

    A function that has another name below `tf`, too, is asked there: `tf.sin` for `tf.math.sin`.
    """
    ways = ways_of(expressions(dialect), dialect)
    made = []
    seen: set[str] = set()
    signatures = recorded_signatures(RELEASES[dialect])
    for name in sorted(signatures, key=lambda name: (name.count("."), name)):
        if PROGRAMS_OF_THEIR_OWN.search(name) or last_of(name) in seen:
            continue
        seen.add(last_of(name))
        every = {(word, way) for word in signatures[name][0] for way in ("position", "name")}
        given = ways.get(name, set()) & every
        made.append(Asked(name, frozenset(given), frozenset(every - given)))
    return made
