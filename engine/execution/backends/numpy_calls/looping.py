"""A training loop with arrays as one function: steps, what they record, and the state they leave.

Loops of numbers alone are written otherwise (`number_loops.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.backends.numpy_calls.writing import Line, Writer, Written, deeper, quietly
from engine.execution.tracing.fuse import Pack
from engine.execution.tracing.memory import Buffers, Kind, assign_buffers
from engine.execution.tracing.tracer import Tracer
from engine.execution.tracing.walk import Lowered


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where a loop's recorded values stand, each by its place among the fetches.

    stepwise:  the fetches that are numbers which each step records.
    numbers:   of each number, which of those it is, or its value where that is known.
    rows:      of arrays that have rows of their own, the shape and dtype of one row.
    packs:     which places of the state are parts of one array.
    pack_rows: which packs are recorded as a whole.
    parts:     of the variables in those: in which pack, and which part.
    """

    stepwise: list[int]
    numbers: dict[int, Any]
    rows: dict[int, Kind]
    packs: list[tuple[int, ...]]
    pack_rows: list[int]
    parts: dict[int, tuple[int, int]]


def recorded(lowered: Lowered) -> Recorded:
    """What the loop records."""
    fetches = lowered.fetches
    stepwise, numbers = _stepwise(fetches)
    arrays = [n for n in range(len(fetches)) if n not in numbers]
    parts = _rows_in_packs(fetches, arrays, lowered.packs)
    places = {before.number: place for place, (before, _) in enumerate(lowered.state.values())}
    return Recorded(
        stepwise,
        numbers,
        {n: _kind_of(fetches[n]) for n in arrays if n not in parts},
        [tuple(places[part.number] for part in pack.parts) for pack in lowered.packs],
        sorted({place for place, _ in parts.values()}),
        parts,
    )


def write_loop(lowered: Lowered, found: Recorded) -> Written:
    """A function that takes steps, records rows, and gives back how many it took and the new state.

    Arguments: steps; record, which packs a step's numbers as doubles into `numbers`; an array of rows for
               each recorded array, then for each recorded pack; the state, whose arrays are overwritten;
               whole packs; and the arrays to compute in.
    """
    writer = Writer(lowered, "x")
    buffers = _buffers(writer, found.stepwise)
    first, after = _recordings(writer, list(found.rows))
    first += [Line(f"q{place}[k] = p{place}") for place in found.pack_rows]
    body = [*first, *writer.lines(buffers, after)]
    if found.stepwise:
        row = ", ".join(writer.name(lowered.fetches[n]) for n in found.stepwise)
        body.append(Line(f"record(numbers, k * {8 * len(found.stepwise)}, {row})"))
    body += _next_state(writer, buffers)

    state = [writer.name(before) for before, _ in lowered.state.values()]
    columns = [*(f"r{n}" for n in found.rows), *(f"q{place}" for place in found.pack_rows)]
    wholes = [writer.name(pack.whole) for pack in lowered.packs]
    scratch = [name for made in buffers.made for name in _with_parts(made, buffers)]
    given = ["steps", "record", "numbers", *columns, *state, *wholes, *scratch]
    return writer.finish(
        f"def loop({', '.join(given)}):",
        _framed(body, "".join(f", {name}" for name in state), writer.texts.uses_numpy),
        arrays=tuple((*kind, buffers.parts.get(name)) for name, kind in buffers.made.items()),
    )


def _framed(body: Sequence[Line], state: str, uses_numpy: bool) -> list[Line]:
    """The steps around what one of them does; a domain error ends them."""
    loop = [Line("for k in range(steps):"), *deeper(body or [Line("pass")], 1)]
    return [
        Line("k = 0"),
        Line("try:"),
        *quietly(loop, 2, uses_numpy),
        Line("except domain_errors:"),
        Line(f"return (k{state},)", depth=2),
        Line(f"return (steps{state},)"),
    ]


def _buffers(writer: Writer, numbers: Sequence[int]) -> Buffers:
    """An array for every result; a variable's new value goes into its own array where it can."""
    lowered, changes = writer.lowered, writer.lowered.changes
    packed = {part.number: writer.name(pack.whole) for pack in lowered.packs for part in pack.parts}
    arrays = {before: writer.name(before) for before, _ in changes if not before.is_number}
    last = {after.number for _, after in changes if isinstance(after, Tracer)}
    last |= {lowered.fetches[n].number for n in numbers}
    wanted = {
        after.number: arrays[before]
        for before, after in changes
        if isinstance(after, Tracer) and before in arrays
    }
    return assign_buffers(writer.steps, arrays, last, wanted, (), packed)


def _rows_in_packs(
    fetches: Sequence[Any], rows: Sequence[int], packs: Sequence[Pack]
) -> dict[int, tuple[int, int]]:
    """Recorded variables whose whole pack is recorded: the pack's place, and theirs in it."""
    recorded = {fetches[n].number for n in rows if isinstance(fetches[n], Tracer)}
    homes = {
        part.number: (place, n)
        for place, pack in enumerate(packs)
        if all(part.number in recorded for part in pack.parts)
        for n, part in enumerate(pack.parts)
    }
    numbers = {n: fetches[n].number for n in rows if isinstance(fetches[n], Tracer)}
    return {n: homes[number] for n, number in numbers.items() if number in homes}


def _with_parts(name: str, buffers: Buffers) -> list[str]:
    return [name, *(f"{name}_{n}" for n in range(len(buffers.parts.get(name, ()))))]


def _stepwise(fetches: Sequence[Any]) -> tuple[list[int], dict[int, Any]]:
    """The places of the numbers that a step records, and what each recorded number is.

    Returns: for each recorded number, its place in a row, or the array that holds it where it is known.
    """
    found: dict[int, int] = {}
    same: dict[int, Any] = {}
    places: list[int] = []
    for n, item in enumerate(fetches):
        if not isinstance(item, Tracer) and np.ndim(item) == 0:
            same[n] = item
        elif isinstance(item, Tracer) and item.is_number:
            if item.number not in found:
                found[item.number] = len(places)
                places.append(n)
            same[n] = found[item.number]
    return places, same


def _recordings(writer: Writer, rows: Sequence[int]) -> tuple[list[Line], dict[int, list[str]]]:
    """Copies of arrays into their rows: of the state first of all, of results as soon as they are there."""
    first, after = list[Line](), dict[int, list[str]]()
    computed = {output.number for step in writer.steps for output in step.outputs}
    for n in rows:
        item = writer.lowered.fetches[n]
        text = f"r{n}[k] = {writer.name(item)}"
        if isinstance(item, Tracer) and item.number in computed:
            after.setdefault(item.number, []).append(text)
        else:
            first.append(Line(text))
    return first, after


def _next_state(writer: Writer, buffers: Buffers) -> list[Line]:
    """Every variable takes its new value, unless that was computed in its array.

    All at once, since a new value may be another's old one: what does not stand in memory of its own is put
    aside before any array is written.
    """
    aside, put, numbers = list[Line](), list[Line](), list[tuple[str, str]]()
    arrays = {writer.name(before) for before, _ in writer.lowered.changes}
    for before, after in writer.lowered.changes:
        name, new = writer.name(before), writer.name(after)
        if before.is_number:
            numbers.append((name, new))
            continue
        home = buffers.into.get(after.number) if isinstance(after, Tracer) else new
        if name in (home, new):
            continue
        if home is None or home in arrays:
            writer.texts.uses_numpy = True
            aside.append(Line(f"n{name} = np.array({new})"))
            new = f"n{name}"
        put.append(Line(f"{name}[...] = {new}"))
    numbers = [pair for pair in numbers if pair[0] != pair[1]]
    if numbers:
        put.append(Line(" = ".join(map(", ".join, zip(*numbers, strict=True)))))
    return [*aside, *put]


def _kind_of(held: Any) -> Kind:
    """The shape and dtype of the array that a value, or an array itself, is held in."""
    return (held.core if isinstance(held, Tracer) else held.shape), held.dtype
