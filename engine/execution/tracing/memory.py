"""Which memory takes each result: memory that nothing needs any more, or new memory."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.tracing.tracer import Instruction, Lengths, Tracer

INTO = frozenset({"ufunc", "matmul", "reduce"})  # kinds that can write into a given array
ALIASES = frozenset({"view", "call"})  # kinds whose result may share its argument's memory
Kind = tuple[Lengths, np.dtype[Any]]


# -- any memory -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """What one step does with memory. Pieces of memory go by the numbers of the results they are made for.

    reads: the pieces that it reads.
    makes: results that need a piece each, and of which kind: only pieces of one kind replace each other.
    over:  pieces among those read that its results may overwrite, if nothing reads them later.
    """

    reads: Collection[int]
    makes: Sequence[tuple[int, Hashable]] = ()
    over: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """of: the name of the piece that each result stands in. made: the pieces to provide, with their kinds."""

    of: dict[int, str]
    made: dict[str, Any]


def plan_memory(
    uses: Sequence[Use],
    given: Mapping[int, tuple[str, Hashable]],
    last: Collection[int],
    wanted: Mapping[int, str] = MappingProxyType({}),
) -> Memory:
    """Give every result of a sequence of steps memory, by how long each is needed.

    given:  pieces that are there before the first step: their names and kinds. They may be used again.
    last:   what is needed after the last step.
    wanted: the piece that a result would best take, if it is free by then.
    """
    ends = {number: place for place, use in enumerate(uses) for number in use.reads}
    ends |= dict.fromkeys(last, len(uses))
    memory = Memory({number: name for number, (name, _) in given.items()}, {})
    kinds = {number: kind for number, (_, kind) in given.items()}
    free: dict[Hashable, list[str]] = {}
    leaving: dict[int, list[int]] = {}  # what each step is the last to need
    for number, (name, kind) in given.items():
        if number in ends:
            leaving.setdefault(ends[number], []).append(number)
        else:
            free.setdefault(kind, []).append(name)
    names = (f"b{n}" for n in count())
    for place, use in enumerate(uses):
        over = [number for number in use.over if ends[number] == place]
        for number, kind in use.makes:
            ready = free.setdefault(kind, [])
            dying = {memory.of[n]: n for n in over if kinds[n] == kind}
            name = _chosen(wanted.get(number), dying, ready) or next(names)
            if name in dying:
                over.remove(dying[name])
                leaving[place].remove(dying[name])
            elif name in ready:
                ready.remove(name)
            else:
                memory.made[name] = kind
            memory.of[number], kinds[number] = name, kind
            leaving.setdefault(ends.setdefault(number, place), []).append(number)
        for number in leaving.pop(place, ()):
            free.setdefault(kinds[number], []).append(memory.of[number])
    return memory


def _chosen(wanted: str | None, dying: Collection[str], free: Sequence[str]) -> str | None:
    """The wanted piece, else one that was just read and is at hand, else any that is free."""
    if wanted in dying or wanted in free:
        return wanted
    return next(iter(dying), free[-1] if free else None)


# -- numpy's arrays ---------------------------------------------------------------------------------------


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
    owned: Mapping[Tracer, str],
    last: Collection[int],
    wanted: Mapping[int, str],
    fresh: Collection[int],
    parts: Mapping[int, str] = MappingProxyType({}),
) -> Buffers:
    """Give every array result that numpy can write into an array to go into.

    owned:  arguments whose arrays may be written once nothing needs them any more, and their names.
    last:   numbers that are needed after the last step.
    wanted: results that would best go into one of the owned arrays.
    fresh:  results that must have an array of their own.
    parts:  arguments that are part of an owned array, and its name.
    """
    found = Buffers()
    packs = _packs(steps, found)
    homes = {name: value.number for value, name in owned.items()}
    lies_in = {number: frozenset([number]) for number in homes.values()}
    lies_in |= {number: frozenset([homes[name]]) for number, name in parts.items()}
    elsewhere = {*fresh, *packs, *found.into}
    uses: list[Use] = []
    for step in steps:
        output = step.outputs[0]
        reads = under(step, lies_in)
        makes: list[tuple[int, Hashable]] = []
        if step.kind in ALIASES:
            lies_in.update((item.number, reads) for item in step.outputs)
        elif step.kind in INTO and not output.is_number and output.number not in elsewhere:
            makes = [(output.number, (output.core, output.dtype))]
            lies_in[output.number] = frozenset([output.number])
        uses.append(Use(reads, makes, reads if step.kind == "ufunc" else ()))
    needed = frozenset[int]().union(*(lies_in.get(number, frozenset()) for number in last))
    given = {value.number: (name, (value.core, value.dtype)) for value, name in owned.items()}
    memory = plan_memory(uses, given, needed, wanted)
    found.made |= memory.made
    found.into |= {number: memory.of[number] for use in uses for number, _ in use.makes}
    return found


def under(step: Instruction, lies_in: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """The pieces of memory that a step's arguments may lie in."""
    arguments = (item.number for item in step.arguments if isinstance(item, Tracer))
    return frozenset[int]().union(*(lies_in.get(number, frozenset()) for number in arguments))


def _packs(steps: Sequence[Instruction], found: Buffers) -> set[int]:
    """An array for every pack; what goes into it is computed right there, where it can be."""
    homes = {output.number: step for step in steps for output in step.outputs}
    packs: set[int] = set()
    for step in steps:
        if step.kind != "pack":
            continue
        name, output = f"g{len(packs)}", step.outputs[0]
        packs.add(output.number)
        found.made[name], found.parts[name] = (output.core, output.dtype), step.options["shapes"]
        for n, (item, shape) in enumerate(zip(step.arguments, step.options["shapes"], strict=True)):
            home = homes.get(item.number) if isinstance(item, Tracer) else None
            fits = home is not None and home.kind in INTO and (item.core, item.dtype) == (shape, output.dtype)
            if fits and item.number not in found.into:
                found.into[item.number] = f"{name}_{n}"
    return packs


def sources(steps: Sequence[Instruction], numbers: Collection[int]) -> set[int]:
    """These results, and those whose memory they may share."""
    found = set(numbers)
    for step in reversed(steps):
        if step.kind in ALIASES and any(output.number in found for output in step.outputs):
            found.update(item.number for item in step.arguments if isinstance(item, Tracer))
    return found
