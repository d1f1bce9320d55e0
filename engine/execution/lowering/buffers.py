"""Which array takes each result: one that is no longer needed, or a new one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.lowering.values import Instruction, Lengths, Value

INTO = frozenset({"ufunc", "matmul", "reduce"})  # kinds that can write into a given array
ALIASES = frozenset({"view", "call"})  # kinds whose result may share its argument's memory
Kind = tuple[Lengths, np.dtype[Any]]


@dataclass(slots=True)
class Buffers:
    """Names of arrays.

    into:  result number -> the array that it is written into.
    made:  the arrays to provide, with their shape and dtype.
    """

    into: dict[int, str] = field(default_factory=dict)
    made: dict[str, Kind] = field(default_factory=dict)


def assign_buffers(
    steps: Sequence[Instruction],
    owned: Mapping[Value, str],
    last: Collection[int],
    wanted: Mapping[int, str],
    fresh: Collection[int],
) -> Buffers:
    """Give every array result an array to go into, by how long each is needed.

    owned:  arguments whose arrays may be written once nothing needs them any more, and their names.
    last:   numbers that are needed after the last step.
    wanted: results that would best go into one of the owned arrays.
    fresh:  results that must have an array of their own.
    """
    found = Buffers()
    roots: dict[int, frozenset[str]] = {value.number: frozenset([name]) for value, name in owned.items()}
    kinds: dict[str, Kind] = {name: (value.held, value.dtype) for value, name in owned.items()}
    ends = _last_uses(steps, last)
    free: list[str] = []
    live: dict[str, int] = {}

    def keep(value: Value, names: Iterable[str]) -> None:
        roots[value.number] = frozenset(names)
        for name in roots[value.number]:
            live[name] = max(live.get(name, -1), ends.get(value.number, -1))

    for value, own in owned.items():
        live[own] = ends.get(value.number, -1)
    for place, step in enumerate(steps):
        arguments = [item for item in step.arguments if isinstance(item, Value)]
        output = step.outputs[0]
        shared = frozenset[str]().union(*(roots.get(item.number, frozenset()) for item in arguments))
        dying = [name for name, end in live.items() if end <= place and name not in free]
        if step.kind in ALIASES:
            for item in step.outputs:
                keep(item, shared)
        elif step.kind in INTO and not output.is_number and output.number not in fresh:
            ready = [*free, *dying] if step.kind == "ufunc" else [n for n in free if n not in shared]
            kind = (output.held, output.dtype)
            name = _chosen(ready, kinds, kind, wanted.get(output.number), shared) or f"b{len(found.made)}"
            if name not in kinds:
                found.made[name] = kinds[name] = kind
            if name in free:
                free.remove(name)
            live[name] = -1
            found.into[output.number] = name
            keep(output, [name])
        free += [name for name, end in live.items() if end <= place and name not in free]
    return found


def _chosen(
    ready: Sequence[str], kinds: Mapping[str, Kind], kind: Kind, wanted: str | None, near: Collection[str]
) -> str | None:
    """Of the arrays that are free and fit: the wanted one, else one at hand, else any."""
    fitting = [name for name in ready if kinds.get(name) == kind]
    if wanted in fitting:
        return wanted
    return next((name for name in fitting if name in near), fitting[-1] if fitting else None)


def _last_uses(steps: Sequence[Instruction], last: Collection[int]) -> dict[int, int]:
    """The place of the last step that needs each number."""
    ends: dict[int, int] = {}
    for place, step in enumerate(steps):
        for item in step.arguments:
            if isinstance(item, Value):
                ends[item.number] = place
        for output in step.outputs:
            ends.setdefault(output.number, place)
    ends.update(dict.fromkeys(last, len(steps)))
    return ends


def sources(steps: Sequence[Instruction], numbers: Collection[int]) -> set[int]:
    """These results, and those whose memory they may share."""
    found = set(numbers)
    for step in reversed(steps):
        if step.kind in ALIASES and any(output.number in found for output in step.outputs):
            found.update(item.number for item in step.arguments if isinstance(item, Value))
    return found
