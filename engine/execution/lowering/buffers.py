"""Which array takes each result: one that is no longer needed, or a new one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
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
    parts: of such an array that holds several end to end, their shapes.
    """

    into: dict[int, str] = field(default_factory=dict)
    made: dict[str, Kind] = field(default_factory=dict)
    parts: dict[str, tuple[Lengths, ...]] = field(default_factory=dict)


def assign_buffers(
    steps: Sequence[Instruction],
    owned: Mapping[Value, str],
    last: Collection[int],
    wanted: Mapping[int, str],
    fresh: Collection[int],
    parts: Mapping[int, str] = MappingProxyType({}),
) -> Buffers:
    """Give every array result an array to go into, by how long each is needed.

    owned:  arguments whose arrays may be written once nothing needs them any more, and their names.
    last:   numbers that are needed after the last step.
    wanted: results that would best go into one of the owned arrays.
    fresh:  results that must have an array of their own.
    parts:  arguments that are part of an owned array, and its name.
    """
    found = Buffers()
    packs = _packs(steps, found)
    kinds: dict[str, Kind] = {name: (value.held, value.dtype) for value, name in owned.items()}
    roots = {value.number: frozenset([name]) for value, name in owned.items()}
    roots |= {number: frozenset([name]) for number, name in parts.items()}
    ends = _last_uses(steps, last)
    free: dict[Kind, list[str]] = {}
    needed: dict[str, int] = {}  # until which step each array holds something
    leaving: dict[int, dict[str, None]] = {}  # and which arrays may become free with a step
    counter = count()

    def keep(value: Value, names: Collection[str]) -> None:
        roots[value.number] = frozenset(names)
        hold(names, ends.get(value.number, -1))

    def hold(names: Collection[str], end: int) -> None:
        for name in names:
            needed[name] = max(needed.get(name, -1), end)
            leaving.setdefault(needed[name], {})[name] = None

    for number, names in roots.items():
        hold(names, ends.get(number, -1))
    for place, step in enumerate(steps):
        output = step.outputs[0]
        arguments = [item for item in step.arguments if isinstance(item, Value)]
        shared = frozenset[str]().union(*(roots.get(item.number, frozenset()) for item in arguments))
        kind = (output.held, output.dtype)
        if output.number in packs:
            name = packs[output.number]
            kinds[name] = kind
            keep(output, [name])
        elif output.number in found.into:
            pass  # it has a place in a pack
        elif step.kind in ALIASES:
            for item in step.outputs:
                keep(item, shared)
        elif step.kind in INTO and not output.is_number and output.number not in fresh:
            dying = [n for n in leaving.get(place, ()) if needed[n] == place and kinds[n] == kind]
            ready = [*free.get(kind, ()), *(dying if step.kind == "ufunc" else ())]
            name = _chosen(ready, wanted.get(output.number), shared) or f"b{next(counter)}"
            if name not in kinds:
                found.made[name] = kinds[name] = kind
            if name in free.get(kind, ()):
                free[kind].remove(name)
            needed[name] = -1
            found.into[output.number] = name
            keep(output, [name])
        for name in leaving.pop(place, {}) | (leaving.pop(-1, {}) if place == 0 else {}):
            if needed[name] <= place:
                free.setdefault(kinds[name], []).append(name)
    return found


def _packs(steps: Sequence[Instruction], found: Buffers) -> dict[int, str]:
    """An array for every pack; what goes into it is computed right there, where it can be."""
    homes = {output.number: step for step in steps for output in step.outputs}
    names: dict[int, str] = {}
    for step in steps:
        if step.kind != "pack":
            continue
        name, output = f"g{len(names)}", step.outputs[0]
        names[output.number] = name
        found.made[name], found.parts[name] = (output.held, output.dtype), step.options["shapes"]
        for n, (item, shape) in enumerate(zip(step.arguments, step.options["shapes"], strict=True)):
            home = homes.get(item.number) if isinstance(item, Value) else None
            fits = home is not None and home.kind in INTO and (item.held, item.dtype) == (shape, output.dtype)
            if fits and item.number not in found.into:
                found.into[item.number] = f"{name}_{n}"
    return names


def _chosen(ready: Sequence[str], wanted: str | None, near: Collection[str]) -> str | None:
    """Of the arrays that are free: the wanted one, else one at hand, else any."""
    if wanted in ready:
        return wanted
    return next((name for name in ready if name in near), ready[-1] if ready else None)


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
