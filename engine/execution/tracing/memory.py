"""Which array takes each result: one that is no longer needed, or a new one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.tracing.tracer import Instruction, Lengths, Value

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
    arrays = _Arrays(_last_uses(steps, last), owned, parts)
    names = (f"b{n}" for n in count())
    for place, step in enumerate(steps):
        output = step.outputs[0]
        kind = (output.core, output.dtype)
        if output.number in packs:
            name = packs[output.number]
            arrays.kinds[name] = kind
            arrays.keep(output, [name])
        elif output.number in found.into:
            pass  # it has a place in a pack
        elif step.kind in ALIASES:
            under = arrays.under(step)
            for item in step.outputs:
                arrays.keep(item, under)
        elif step.kind in INTO and not output.is_number and output.number not in fresh:
            ready = arrays.ready(kind, place, over_arguments=step.kind == "ufunc")
            name = _chosen(ready, wanted.get(output.number), arrays.under(step)) or next(names)
            if name not in arrays.kinds:
                found.made[name] = kind
            found.into[output.number] = name
            arrays.take(name, kind)
            arrays.keep(output, [name])
        arrays.release(place)
    return found


class _Arrays:
    """Which arrays hold what is still needed, step after step, and which are free.

    kinds: of every array its shape and dtype.
    """

    def __init__(self, ends: Mapping[int, int], owned: Mapping[Value, str], parts: Mapping[int, str]) -> None:
        self.kinds: dict[str, Kind] = {name: (value.core, value.dtype) for value, name in owned.items()}
        self._ends = ends
        self._free: dict[Kind, list[str]] = {}
        self._needed: dict[str, int] = {}  # until which step each array holds something
        self._leaving: dict[int, dict[str, None]] = {}  # and which arrays may become free with a step
        self._roots = {value.number: frozenset([name]) for value, name in owned.items()}
        self._roots |= {number: frozenset([name]) for number, name in parts.items()}
        for number, names in self._roots.items():
            self._hold(names, ends.get(number, -1))

    def under(self, step: Instruction) -> frozenset[str]:
        """The arrays that a step's arguments may lie in."""
        arguments = (item.number for item in step.arguments if isinstance(item, Value))
        return frozenset[str]().union(*(self._roots.get(number, frozenset()) for number in arguments))

    def keep(self, value: Value, names: Collection[str]) -> None:
        """A result lies in these arrays, so they are needed as long as it is."""
        self._roots[value.number] = frozenset(names)
        self._hold(names, self._ends.get(value.number, -1))

    def _hold(self, names: Collection[str], end: int) -> None:
        for name in names:
            self._needed[name] = max(self._needed.get(name, -1), end)
            self._leaving.setdefault(self._needed[name], {})[name] = None

    def ready(self, kind: Kind, place: int, *, over_arguments: bool) -> list[str]:
        """The arrays that a step may write into; over those that it is the last to read, where it can."""
        free = self._free.get(kind, [])
        if not over_arguments:
            return free
        leaving = self._leaving.get(place, ())
        return [*free, *(n for n in leaving if self._needed[n] == place and self.kinds[n] == kind)]

    def take(self, name: str, kind: Kind) -> None:
        """An array, free or new, gets something else to hold."""
        self.kinds.setdefault(name, kind)
        if name in self._free.get(kind, ()):
            self._free[kind].remove(name)
        self._needed[name] = -1

    def release(self, place: int) -> None:
        """Free the arrays that nothing after this step needs."""
        unread = self._leaving.pop(-1, {}) if place == 0 else {}
        for name in self._leaving.pop(place, {}) | unread:
            if self._needed[name] <= place:
                self._free.setdefault(self.kinds[name], []).append(name)


def _packs(steps: Sequence[Instruction], found: Buffers) -> dict[int, str]:
    """An array for every pack; what goes into it is computed right there, where it can be."""
    homes = {output.number: step for step in steps for output in step.outputs}
    names: dict[int, str] = {}
    for step in steps:
        if step.kind != "pack":
            continue
        name, output = f"g{len(names)}", step.outputs[0]
        names[output.number] = name
        found.made[name], found.parts[name] = (output.core, output.dtype), step.options["shapes"]
        for n, (item, shape) in enumerate(zip(step.arguments, step.options["shapes"], strict=True)):
            home = homes.get(item.number) if isinstance(item, Value) else None
            fits = home is not None and home.kind in INTO and (item.core, item.dtype) == (shape, output.dtype)
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
