"""Which memory takes each array that machine code computes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.layouts import Layout
from engine.execution.backends.numba_loops.nests import Item, Nest
from engine.execution.tracing.tracer import Instruction, Value

Kind = tuple[int, np.dtype[Any]]


@dataclass(slots=True)
class Memory:
    """Names of memory.

    of:     for each value that memory was made for, by number, its name.
    made:   what has to be provided: how many elements of which type.
    stored: which results of nests are put into memory; the others are numbers at hand.
    """

    of: dict[int, str]
    stored: set[int]
    made: dict[str, Kind] = field(default_factory=dict)


def steps_of(item: Item) -> Sequence[Instruction]:
    """The instructions of a nest, or the one that stands alone."""
    return item.steps if isinstance(item, Nest) else [item]


def read_by(item: Item) -> Iterator[Value]:
    """What an item takes from outside of it."""
    own = {step.outputs[0].number for step in steps_of(item)}
    for step in steps_of(item):
        for argument in step.arguments:
            if isinstance(argument, Value) and argument.number not in own:
                yield argument


def assign_memory(
    items: Sequence[Item],
    layouts: Mapping[int, Layout],
    fixed: Mapping[int, str],
    last: Collection[int],
    wanted: Mapping[int, int],
) -> Memory:
    """Give every array memory, by how long it is needed.

    fixed:  memory that is there already, and its name.
    last:   values that are needed after the last item.
    wanted: results that would best go into the memory of another value, once nothing needs that any more.
    """
    ends = {layouts[n].root: place for place, item in enumerate(items) for n in _arrays(item, layouts)}
    ends |= {layouts[number].root: len(items) for number in last if number in layouts}
    found = Memory(dict(fixed), _stored(items, layouts, fixed, last))
    free: dict[Kind, list[str]] = {}
    until: dict[str, int] = {}  # the last place that needs what the memory holds
    leaving: dict[int, dict[str, None]] = {}
    for place, item in enumerate(items):
        ready = _overwritten(item, place, layouts, ends, found.of)
        for output in _outputs(item, found.stored):
            root = layouts[output.number].root
            if root in found.of:
                continue
            kind = (layouts[root].size, output.dtype)
            name = _taken_over(ready, found.of.get(wanted.get(output.number, -1)), found, kind)
            if name is not None and root == output.number:
                ready.remove(name)
            elif free.get(kind):
                name = free[kind].pop()
            else:
                name = f"m{len(found.made)}"
                found.made[name] = kind
            found.of[root] = name
            until[name] = ends.get(root, place)
            leaving.setdefault(until[name], {})[name] = None
        for name in leaving.pop(place, ()):
            if until[name] == place and name in found.made:
                free.setdefault(found.made[name], []).append(name)
    return found


def _taken_over(ready: Collection[str], home: str | None, found: Memory, kind: Kind) -> str | None:
    """Of the memory that the item overwrites: the wanted one, else any of this kind."""
    if home in ready:
        return home
    return next((name for name in ready if found.made.get(name) == kind), None)


def _outputs(item: Item, stored: Collection[int]) -> Iterator[Value]:
    """The arrays that an item puts into memory."""
    for step in steps_of(item):
        output = step.outputs[0]
        if not output.is_number and (not isinstance(item, Nest) or output.number in stored):
            yield output


def _arrays(item: Item, layouts: Mapping[int, Layout]) -> Iterator[int]:
    for value in read_by(item):
        if value.number in layouts:
            yield value.number


def _stored(
    items: Sequence[Item], layouts: Mapping[int, Layout], fixed: Collection[int], last: Collection[int]
) -> set[int]:
    """What a nest computes and others need, or what has its place in other memory."""
    needed = {layouts[n].source for item in items for n in _arrays(item, layouts)}
    needed |= {layouts[number].source for number in last if number in layouts}
    made = [step.outputs[0].number for item in items if isinstance(item, Nest) for step in item.steps]
    return {n for n in made if n in needed or n in fixed or layouts[n].root != n}


def _overwritten(
    item: Item, place: int, layouts: Mapping[int, Layout], ends: Mapping[int, int], names: Mapping[int, str]
) -> list[str]:
    """Memory that a nest is the last to need, each element before it writes one there."""
    if not isinstance(item, Nest):
        return []
    read = [layouts[n] for n in _arrays(item, layouts)]
    dying = dict.fromkeys(own.root for own in read if ends[own.root] == place)
    for own in read:
        if own.start or own.size != prod(item.shape) or not own.in_rows:
            dying.pop(own.root, None)
    return [names[root] for root in dying]
