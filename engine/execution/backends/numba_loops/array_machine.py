"""Programs and training loops with arrays as text for machine code: what is recorded, in nests of loops.

The steps are those that `writing.py` and `looping.py` write as numpy's calls. Here neighbours that work
element by element share a loop, and what only they need is never put into memory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.machine_text import MachineText, MachineWriter, example
from engine.execution.backends.numba_loops.nests import Nest, in_nests
from engine.execution.backends.numpy_calls.looping import kind_of, told_once, told_whole
from engine.execution.backends.numpy_calls.writing import (
    Line,
    Written,
    deeper,
    needed,
    text_of,
    tuple_of,
)
from engine.execution.tracing.tracer import FLOAT64, Value
from engine.execution.tracing.walk import Lowered


def write_machine_program(lowered: Lowered) -> MachineText:
    """The function of `write_program`. Raises: NotLowered where a part must stay with numpy.

    Around it: `otherwise` takes arguments that are not in rows.
    """
    writer = MachineWriter(lowered)
    laid, fetches = writer.laid, lowered.fetches
    laid.give_all(lowered.arguments)
    laid.all(needed(lowered.instructions, [item.number for item in fetches if isinstance(item, Value)]))
    results = {n: laid.result(item) for n, item in enumerate(fetches) if isinstance(item, Value)}
    items = in_nests(laid.steps, laid.layouts)
    given = writer.given(lowered.arguments)
    fixed = {value.number: writer.names[value.number] for value in lowered.arguments if not value.is_number}
    made = writer.assign(items, fixed, [value.number for value in results.values()], {})
    arrays = {writer.memory.of[v.number]: v for v in results.values() if not v.is_number}
    for name, kind in made.items():
        if name in arrays:
            writer.head.append(Line(f"{name} = address(y{name})"))
        else:
            writer.scratch(name, kind)
    body = [writer.line(item) for item in items]
    numbers = [writer.named(value) for value in results.values() if value.is_number]
    body.append(Line(f"return {tuple_of(numbers)}"))
    texts = [
        (writer.named(results[n]) if results[n].is_number else f"y{writer.memory.of[results[n].number]}")
        if n in results
        else f"f{n}"
        for n in range(len(fetches))
    ]
    names = [writer.names[value.number] for value in lowered.arguments]
    call = ", ".join([*names, *(f"y{name}" for name in arrays), "*scratch.arrays", *writer.constants()])
    lines = [
        *(Line(f"y{name} = empty({value.core!r}, {value.dtype.name})") for name, value in arrays.items()),
        Line("try:"),
        Line(f"{''.join(f'{name}, ' for name in numbers) or '_ '}= machine({call})", depth=2),
        Line("except TypeError:"),
        Line(f"return otherwise({', '.join(names)})", depth=2),
        Line(f"return {tuple_of(texts)}"),
    ]
    known = {f"f{n}": _held(item) for n, item in enumerate(fetches) if n not in results}
    around = _python(f"def program({', '.join(names)}):", lines, known)
    examples = [example(value) for value in [*lowered.arguments, *arrays.values()]]
    return writer.finish([*given, *(f"y{name}" for name in arrays)], examples, body, around)


def write_machine_array_loop(lowered: Lowered) -> MachineText:
    """The function of `write_loop`. Raises: NotLowered where a part must stay with numpy."""
    return _Loop(lowered).text()


class _Loop:
    """Steps, what they record, and the state, which is overwritten.

    before:  every variable's value before a step. given: those that are handed in: variables that are in no
             pack, and packs.
    changes: of those, their values before and after a step.
    told:    where the recorded numbers are computed; rows: recorded arrays, by the name of their rows.
    """

    def __init__(self, lowered: Lowered) -> None:
        self.lowered = lowered
        self.writer = MachineWriter(lowered)
        packs = lowered.packs
        self.writer.names |= {pack.whole.number: f"p{n}" for n, pack in enumerate(packs)}
        packed = {part.number for pack in packs for part in pack.parts}
        self.before = [before for before, _ in lowered.state.values()]
        self.changes = [pair for pair in lowered.state.values() if pair[0].number not in packed]
        self.changes += [(pack.whole, pack.after) for pack in packs]
        self.given = [before for before, _ in self.changes]
        self.told, self.same = told_once(lowered.fetches)
        arrays = [n for n in range(len(lowered.fetches)) if n not in self.same]
        self.parts = told_whole(lowered.fetches, arrays, packs)
        self.alone = [n for n in arrays if n not in self.parts]
        self.packs_told = sorted({place for place, _ in self.parts.values()})

    def text(self) -> MachineText:
        writer, laid = self.writer, self.writer.laid
        laid.give_all(self.given)
        for pack in self.lowered.packs:
            laid.give_parts(pack.parts, pack.whole)
        ends = [after for _, after in self.changes]
        wanted = [item.number for item in [*self.lowered.fetches, *ends] if isinstance(item, Value)]
        laid.all(needed(self.lowered.instructions, wanted))
        rows = {f"r{n}": laid.array(self.lowered.fetches[n]) for n in self.alone}
        rows |= {f"q{place}": self.lowered.packs[place].whole for place in self.packs_told}
        copies = {name: laid.copy_at_once(value) for name, value in rows.items()}
        given = ["steps", "numbers", *(f"y{name}" for name in rows), *writer.given(self.given)]
        body = self._body(copies)
        writer.head += [Line(f"{name} = address(y{name})") for name in rows]
        lines = [
            Line("for k in range(steps):"),
            *deeper(body, 1),
            Line(f"return {tuple_of(self._numbers())}"),
        ]
        examples = [
            *(1, np.empty((1, len(self.told)))),
            *(
                np.empty((1, value.size) if name[0] == "q" else (1, *value.core), value.dtype)
                for name, value in rows.items()
            ),
            *map(example, self.given),
        ]
        return writer.finish(given, examples, lines, self._around(list(rows)))

    def _numbers(self) -> list[str]:
        return [self.writer.names[value.number] for value in self.given if value.is_number]

    def _body(self, rows: dict[str, Value]) -> list[Line]:
        """One step. rows: what is recorded, as values to be put there."""
        writer, laid = self.writer, self.writer.laid
        items = in_nests(laid.steps, laid.layouts)
        homes = {v.number: writer.names[v.number] for v in self.given if not v.is_number}
        fixed = homes | {value.number: f"{name}k" for name, value in rows.items()}
        wanted = {after.number: before.number for before, after in self.changes if isinstance(after, Value)}
        last = [laid.array(after).number for before, after in self.changes if not before.is_number]
        for name, kind in writer.assign(items, fixed, last, wanted).items():
            writer.scratch(name, kind)
        return [
            *(Line(f"{name}k = {name} + k * {v.size * v.dtype.itemsize}") for name, v in rows.items()),
            *(writer.line(item) for item in items),
            *(
                Line(f"numbers[k, {column}] = {writer.named(self.lowered.fetches[n])}")
                for column, n in enumerate(self.told)
            ),
            *self._next_state(set(homes.values())),
        ]

    def _next_state(self, homes: Collection[str]) -> list[Line]:
        """Every variable takes its new value, unless that is in its place already; all at once."""
        writer, laid = self.writer, self.writer.laid
        aside, put = list[Line](), list[Line]()
        targets, values = list[str](), list[str]()
        for before, after in self.changes:
            name, new = writer.names[before.number], laid.array(after)
            if isinstance(new, Value) and new.number == before.number:
                continue
            if before.is_number:
                targets.append(name)
                values.append(writer.named(new))
                continue
            layout = laid.layouts[new.number]
            if writer.memory.of[layout.root] == name and layout.in_rows:
                continue
            if writer.memory.of[layout.root] in homes:  # which may take a new value itself
                writer.scratch(f"n{name}", (layout.size, new.dtype))
                line, new = self._copied(new, f"n{name}")
                aside.append(line)
            put.append(self._copied(new, name)[0])
        numbers = [Line(f"{', '.join(targets)} = {', '.join(values)}")] if targets else []
        return [*aside, *put, *numbers]

    def _copied(self, value: Value, name: str) -> tuple[Line, Value]:
        """A value put into memory of that name."""
        memory, laid = self.writer.memory, self.writer.laid
        output = laid.copy(value)
        memory.of[output.number] = name
        memory.stored.add(output.number)
        return self.writer.line(Nest(output.core, [laid.steps.pop()])), output

    def _around(self, rows: Sequence[str]) -> Written:
        """A function that takes and gives what the one of `write_loop` does."""
        names, lowered = self.writer.names, self.lowered
        state = [names[value.number] for value in self.before]
        wholes = [names[pack.whole.number] for pack in lowered.packs]
        given = [*rows, *(names[value.number] for value in self.given)]
        call = ["steps", "numbers", *given, "*scratch.arrays", *self.writer.constants()]
        numbers = "".join(f"{name}, " for name in self._numbers())
        places = {before.number: place for place, before in enumerate(self.before)}
        return _python(
            f"def loop({', '.join(['steps', 'record', 'numbers', *rows, *state, *wholes])}):",
            [
                Line(f"{numbers or '_ '}= machine({', '.join(call)})"),
                Line(f"return {tuple_of(['steps', *state])}"),
            ],
            {},
            packs=tuple(tuple(places[part.number] for part in pack.parts) for pack in lowered.packs),
            width=len(self.told),
            numbers=self.same,
            rows={n: kind_of(lowered.fetches[n]) for n in self.alone},
            pack_rows=tuple(self.packs_told),
            parts=self.parts,
        )


def _python(head: str, lines: Sequence[Line], known: dict[str, Any], **facts: Any) -> Written:
    """A function around machine code. Its names are not complete before that is compiled."""
    types = {"empty": np.empty, "float64": np.float64, "bool": np.bool_}
    return Written(text_of(head, lines), {**types, "TypeError": TypeError, **known}, head, lines, {}, **facts)


def _held(known: Any) -> Any:
    """A fetch that is known: a float64 number as a Python float, everything else as the array."""
    return float(known) if known.ndim == 0 and known.dtype == FLOAT64 else known
