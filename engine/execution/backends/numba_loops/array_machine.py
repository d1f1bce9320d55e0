"""Programs and training loops with arrays as functions of machine code.

They do what `write_program` and `write_loop` write as numpy's calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.emitter import Emitter, MachineText
from engine.execution.backends.numba_loops.loops import in_nests
from engine.execution.backends.numpy_calls.looping import Recorded, recorded
from engine.execution.backends.numpy_calls.writing import Line, deeper
from engine.execution.tracing.operands import plain
from engine.execution.tracing.tracer import FLOAT64, Lengths, Tracer, needed
from engine.execution.tracing.walk import Lowered
from engine.ops.base.tensors import Array

Function = Callable[..., Any]
Made = tuple[MachineText, Callable[[Function], Function]]  # and what is called, given the compiled text


def machine_program(lowered: Lowered) -> Made:
    """The function of `write_program`. Raises: NotLowered where a part must stay with numpy."""
    emitter = Emitter(lowered, lowered.arguments)
    places, fetches = emitter.places, lowered.fetches
    places.all(needed(lowered.instructions, [item.number for item in fetches if isinstance(item, Tracer)]))
    found = {n: places.result(item) for n, item in enumerate(fetches) if isinstance(item, Tracer)}
    results = list({value.number: value for value in found.values()}.values())
    starts = [emitter.reserve(_result_name(emitter, value), prod(value.core)) for value in results]
    items = in_nests(places.steps, places.of)
    emitter.assign(items, [value.number for value in results if not value.is_number], {})
    pairs = zip(results, starts, strict=True)
    numbers = [emitter.stored(value, start) for value, start in pairs if value.is_number]
    shapes = [value.core for value in results]
    text = emitter.finish([*emitter.lines(items), *numbers], list(zip(starts, shapes, strict=True)))
    order = {value.number: place for place, value in enumerate(results)}
    wanted = [(order.get(found[n].number) if n in found else None) for n in range(len(fetches))]

    def around(machine: Function) -> Function:
        def program(*arguments: Any) -> tuple[Any, ...]:
            block = text.block
            for place, argument in zip(block.given, arguments, strict=True):
                place[...] = argument
            machine(block.memory)
            own = [_typed(array, value) for array, value in zip(block.results, results, strict=True)]
            pairs = zip(wanted, fetches, strict=True)
            return tuple(plain(known) if place is None else own[place] for place, known in pairs)

        return program

    return text, around


def machine_loop(lowered: Lowered) -> Made:
    """The function of `write_loop`. Raises: NotLowered where a part must stay with numpy."""
    changes = lowered.changes
    emitter = Emitter(lowered, [before for before, _ in changes])
    places, found = emitter.places, recorded(lowered)
    for pack in lowered.packs:
        places.give_parts(pack.parts, pack.whole)
    wanted = [*lowered.fetches, *(after for _, after in changes)]
    places.all(needed(lowered.instructions, [item.number for item in wanted if isinstance(item, Tracer)]))
    changes = [(b, places.array(a) if b.is_number else places.contiguous(a)) for b, a in changes]
    rows = {f"y{n}": lowered.fetches[n] for n in found.rows}
    rows |= {f"q{n}": lowered.packs[n].whole for n in found.pack_rows}
    for name, item in rows.items():
        places.record(item, name)
    items = in_nests(places.steps, places.of)
    arrays = [(before, after) for before, after in changes if not before.is_number]
    homes = {after.number: before.number for before, after in arrays}
    emitter.assign(items, list(homes), homes)
    lines = [
        Line("for k in range(steps):"),
        *deeper(
            [
                *emitter.lines(items),
                *_recorded_numbers(emitter, lowered, found),
                *_next_state(emitter, changes),
            ],
            1,
        ),
        *(emitter.stored(b, emitter.starts[emitter.name(b)]) for b, _ in changes if b.is_number),
    ]
    columns = {name: np.empty(item.size, item.dtype) for name, item in rows.items()}
    given = {"steps": 1, "numbers": np.empty((1, len(found.stepwise))), **columns}
    text = emitter.finish(lines, _state_places(emitter, lowered), given)
    return text, _loop_around(text, lowered, len(rows))


def _state_places(emitter: Emitter, lowered: Lowered) -> list[tuple[int, Lengths]]:
    """Where each variable stands, be it alone or in a pack."""
    starts = dict(emitter.starts)
    for pack in lowered.packs:
        first = starts[emitter.name(pack.whole)]
        for part in pack.parts:
            starts[emitter.name(part)] = first + emitter.places.of[part.number].start
    return [(starts[emitter.name(before)], before.core) for before, _ in lowered.state.values()]


def _recorded_numbers(emitter: Emitter, lowered: Lowered, found: Recorded) -> list[Line]:
    """The numbers that a step records."""
    names = [emitter.name(lowered.fetches[n]) for n in found.stepwise]
    return [Line(f"numbers[k, {column}] = {name}") for column, name in enumerate(names)]


def _next_state(emitter: Emitter, changes: Sequence[tuple[Tracer, Any]]) -> list[Line]:
    """Every variable takes its new value, unless that is in its place already; all at once."""
    aside, put = list[Line](), list[Line]()
    numbers = [(emitter.name(b), emitter.name(a)) for b, a in changes if b.is_number]
    for before, after in changes:
        if before.is_number or emitter.start(before.number) == emitter.start(after.number):
            continue
        size, source = prod(before.core), emitter.start(after.number)
        if emitter.is_given(after.number):  # where a variable stands that may take a new value itself
            spare = emitter.reserve(f"n{before.number}", size, aligned=True)
            aside.append(_copied(spare, source, size))
            source = spare
        put.append(_copied(emitter.start(before.number), source, size))
    if numbers:
        put.append(Line(" = ".join(", ".join(names) for names in zip(*numbers, strict=True))))
    return [*aside, *put]


def _copied(target: int, source: int, size: int) -> Line:
    return Line(f"m[{target}:{target + size}] = m[{source}:{source + size}]")


def _loop_around(text: MachineText, lowered: Lowered, columns: int) -> Callable[[Function], Function]:
    """A function that takes and gives what the one of `write_loop` does."""
    before = [value for value, _ in lowered.state.values()]

    def around(machine: Function) -> Function:
        def loop(steps: int, _: Any, numbers: Array, *given: Any) -> tuple[Any, ...]:
            block, state = text.block, given[columns:]  # which whole packs follow
            for place, value in zip(block.results, state, strict=False):
                place[...] = value
            machine(block.memory, steps, numbers, *(row.reshape(-1) for row in given[:columns]))
            return steps, *map(_typed, block.results, before)

        return loop

    return around


def _result_name(emitter: Emitter, value: Tracer) -> str:
    """Of a result's memory; a number has that name itself."""
    return f"r{value.number}" if value.is_number else emitter.name(value)


def _typed(found: Array, value: Tracer) -> Any:
    """A value out of a block, in memory of its own."""
    if value.is_number:
        return float(found) if value.dtype == FLOAT64 else bool(found)
    return found.copy() if value.dtype == FLOAT64 else found != 0.0
