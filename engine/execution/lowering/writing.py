"""The function as a whole: a program (arguments in, fetches out) or a training loop.

What is compiled holds generated names only; the names of the graph's nodes stand in the text that is
shown, one beside each line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.execution.lowering.buffers import Buffers, Kind, assign_buffers, sources
from engine.execution.lowering.packs import Pack
from engine.execution.lowering.text import NAMES, Texts
from engine.execution.lowering.values import FLOAT64, Instruction, Lengths, Value
from engine.execution.lowering.walk import Lowered

MISHAPS = (ArithmeticError, GradlensError, IndexError, TypeError, ValueError)
INDENT = "    "


@dataclass(slots=True)
class Written:
    """A function's text, and what it is to be given.

    code:      the text that is compiled: a function `make` of all names used, which returns the function.
    shown:     the same with the names of nodes and the constants, for people.
    names:     what `make` is called with.
    packs:     for a loop, which places of the state are parts of one array; these arrays follow the state.
    arrays:    the arrays that a loop computes in, with the shapes of their parts where they have any; they
               come last, each before its parts.
    width:     for a loop, how many numbers a step tells.
    numbers:   for a loop, where in `record` numbers stand: which of those told each is, or its known value.
    rows:      for a loop, where arrays stand, with the shape and dtype of one row.
    pack_rows: for a loop, which packs are recorded as a whole; their rows follow.
    parts:     for a loop, where parts of those stand: in which pack, and which part.
    """

    code: str
    shown: str
    names: dict[str, Any]
    packs: tuple[tuple[int, ...], ...] = ()
    arrays: tuple[tuple[Lengths, np.dtype[Any], tuple[Lengths, ...] | None], ...] = ()
    width: int = 0
    numbers: Mapping[int, Any] = field(default_factory=dict)
    rows: Mapping[int, Kind] = field(default_factory=dict)
    pack_rows: tuple[int, ...] = ()
    parts: Mapping[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Line:
    """One line of a function, and what it computes."""

    text: str
    about: str = ""
    depth: int = 2


class Writer:
    """Writes the instructions that the results need, one line each."""

    def __init__(self, lowered: Lowered, letter: str) -> None:
        ends = [after for _, after in lowered.state.values()] + [pack.after for pack in lowered.packs]
        wanted = [item.number for item in [*lowered.fetches, *ends] if isinstance(item, Value)]
        self.lowered = lowered
        self.steps = needed(lowered.instructions, wanted)
        self.texts = Texts(lambda value: self.name(value))
        self._names = {value.number: f"{letter}{n}" for n, value in enumerate(lowered.arguments)}
        self._names |= {pack.whole.number: f"p{n}" for n, pack in enumerate(lowered.packs)}
        packed = [step.outputs[0].number for step in self.steps if step.kind == "pack"]
        self._names |= {number: f"g{n}" for n, number in enumerate(packed)}
        self._inline: dict[int, str] = {}
        self._uses = Counter(
            item.number for step in self.steps for item in step.arguments if isinstance(item, Value)
        )
        self._uses.update(dict.fromkeys(wanted, 2))
        self._homes = {output.number: step for step in self.steps for output in step.outputs}
        self._users = self._users_of()

    def name(self, held: Any) -> str:
        """The text that stands for a result or a known array."""
        if not isinstance(held, Value):
            number = np.ndim(held) == 0 and held.dtype == FLOAT64
            return self.texts.constant(float(held) if number else held)
        if held.number in self._inline:
            return self._inline[held.number]
        return self._names.setdefault(held.number, f"v{len(self._names)}")

    def lines(self, buffers: Buffers, after: Mapping[int, Sequence[str]]) -> list[Line]:
        """The instructions. after: what is to be done once a number is there, such as recording it."""
        lines: list[Line] = []
        for step in self.steps:
            output = step.outputs[0]
            about = step.node.name if step.node else ""
            if step.kind == "pack":
                lines += self._pack(step, buffers, about)
                continue
            text = self.texts.expression(step, buffers.into.get(output.number))
            if self._is_inlined(step):
                self._inline[output.number] = f"({text})"
                continue
            names = ", ".join(self.name(item) for item in step.outputs)
            lines.append(Line(f"{names} = {text}", about))
            for item in step.outputs:
                lines += [Line(done) for done in after.get(item.number, ())]
        return lines

    def _pack(self, step: Instruction, buffers: Buffers, about: str) -> list[Line]:
        """What is not computed right in its place is put there."""
        places = [f"{self.name(step.outputs[0])}_{n}" for n in range(len(step.arguments))]
        self.texts.uses_numpy = True
        return [
            Line(f"{place}[...] = {self.name(item)}", about)
            for item, place in zip(step.arguments, places, strict=True)
            if not (isinstance(item, Value) and buffers.into.get(item.number) == place)
        ]

    def _is_inlined(self, step: Instruction) -> bool:
        """A number that only the next part of the same node needs, once, is written right there."""
        output = step.outputs[0]
        if not output.is_number or step.kind not in ("ufunc", "where") or self._uses[output.number] != 1:
            return False
        user = self._users.get(output.number)
        if user is None or user.node is not step.node or not user.outputs[0].is_number:
            return False
        return user.kind == "ufunc" and user.function in INLINING

    def _users_of(self) -> dict[int, Instruction]:
        return {
            item.number: step for step in self.steps for item in step.arguments if isinstance(item, Value)
        }

    def finish(self, head: str, lines: Sequence[Line], **facts: Any) -> Written:
        """The whole text around these lines."""
        names = dict(self.texts.constants)
        code = "\n".join(INDENT * line.depth + line.text for line in lines)
        used = {name for name in NAMES if f"{name}(" in code or f"{name}." in code}
        given = {**names, **{name: NAMES[name] for name in sorted(used)}, "mishaps": MISHAPS, "tier0": None}
        function = head[4 : head.index("(")]
        whole = f"def make({', '.join(given)}):\n{INDENT}{head}\n{code}\n{INDENT}return {function}\n"
        return Written(whole, self._shown(head, lines), given, **facts)

    def _shown(self, head: str, lines: Sequence[Line]) -> str:
        told = [f"{name} = {_told(name, value)}" for name, value in self.texts.constants.items()]
        body = [
            INDENT * (line.depth - 1) + line.text + (f"  # {line.about}" if line.about else "")
            for line in lines
        ]
        return "\n".join([*told, *([""] if told else []), head, *body]) + "\n"


INLINING = frozenset(
    {np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.exp, np.log, np.sqrt, np.log1p}
)  # whose templates mention each argument once


def needed(steps: Sequence[Instruction], numbers: Collection[int]) -> list[Instruction]:
    """The steps that lead to these results, in order."""
    wanted = set(numbers)
    kept = []
    for step in reversed(steps):
        if any(output.number in wanted for output in step.outputs):
            wanted.update(item.number for item in step.arguments if isinstance(item, Value))
            kept.append(step)
    return kept[::-1]


def write_program(lowered: Lowered) -> Written:
    """A function from the arguments to the tuple of fetches; a mishap is left to tier 0."""
    writer = Writer(lowered, "x")
    results = [item.number for item in lowered.fetches if isinstance(item, Value)]
    fresh = sources(writer.steps, results)
    buffers = assign_buffers(writer.steps, {}, results, {}, fresh)
    body = writer.lines(buffers, {})
    arguments = ", ".join(writer.name(value) for value in lowered.arguments)
    fetches = "".join(f"{writer.name(item)}, " for item in lowered.fetches).rstrip()
    body.append(Line(f"return ({fetches})"))
    lines = [Line("try:"), *_quietly(body, 3, writer.texts.uses_numpy), Line("except mishaps:")]
    lines.append(Line(f"return tier0({arguments})", depth=3))
    for name, (held, dtype) in buffers.made.items():
        writer.texts.constants[name] = np.empty(held, dtype)
    return writer.finish(f"def program({arguments}):", lines)


def write_loop(lowered: Lowered) -> Written:
    """A function that takes steps, records rows, and gives back how many it took and the new state.

    Arguments: steps, record (takes a tuple of numbers a step), an array of rows for each recorded array,
               the state, and the arrays to compute in. The state's arrays are overwritten.
    """
    writer = Writer(lowered, "x")
    numbers, same = _told_once(lowered.fetches)
    rows = tuple(n for n in range(len(lowered.fetches)) if n not in same)
    state = [(before, after) for before, after in lowered.state.values()]
    packs = lowered.packs
    packed = {part.number: writer.name(pack.whole) for pack in packs for part in pack.parts}
    arrays = {
        before: writer.name(before)
        for before, _ in state
        if not before.is_number and before.number not in packed
    }
    arrays |= {pack.whole: writer.name(pack.whole) for pack in packs}
    wanted = {
        after.number: arrays[before]
        for before, after in state
        if isinstance(after, Value) and before in arrays
    }
    wanted |= {pack.after.number: arrays[pack.whole] for pack in packs if isinstance(pack.after, Value)}
    last = {item.number for n, item in enumerate(lowered.fetches) if n in numbers and isinstance(item, Value)}
    last |= {after.number for _, after in state if isinstance(after, Value) and after.number not in packed}
    last |= {pack.after.number for pack in packs if isinstance(pack.after, Value)}
    buffers = assign_buffers(writer.steps, arrays, last, wanted, (), packed)
    told_whole = _told_whole(lowered.fetches, rows, packs)
    rows = tuple(n for n in rows if n not in told_whole)
    top, after = _recordings(writer, rows)
    recorded = sorted({place for place, _ in told_whole.values()})
    top += [Line(f"q{place}[k] = p{place}") for place in recorded]
    body = [*top, *writer.lines(buffers, after)]
    if numbers:
        row = "".join(f"{writer.name(lowered.fetches[n])}, " for n in numbers).rstrip()
        body.append(Line(f"record(({row}))"))
    body += _next_state(writer, state, buffers)
    names = [writer.name(before) for before, _ in state]
    scratch = [name for made in buffers.made for name in _with_parts(made, buffers)]
    wholes = [arrays[pack.whole] for pack in packs]
    columns = [*(f"r{n}" for n in rows), *(f"q{place}" for place in recorded)]
    given = ["steps", "record", *columns, *names, *wholes, *scratch]
    back = "".join(f", {name}" for name in names)
    loop = [Line("for k in range(steps):"), *_at(body or [Line("pass")], 1)]
    lines = [
        Line("k = 0"),
        Line("try:"),
        *_quietly(loop, 3, writer.texts.uses_numpy),
        Line("except mishaps:"),
        Line(f"return (k{back},)", depth=3),
        Line(f"return (steps{back},)"),
    ]
    head = f"def loop({', '.join(given)}):"
    places = {before.number: place for place, (before, _) in enumerate(state)}
    return writer.finish(
        head,
        lines,
        arrays=tuple((*kind, buffers.parts.get(name)) for name, kind in buffers.made.items()),
        packs=tuple(tuple(places[part.number] for part in pack.parts) for pack in packs),
        width=len(numbers),
        numbers=same,
        rows={n: _kind(lowered.fetches[n]) for n in rows},
        pack_rows=tuple(recorded),
        parts=told_whole,
    )


def _told_whole(
    fetches: Sequence[Any], rows: Sequence[int], packs: Sequence[Pack]
) -> dict[int, tuple[int, int]]:
    """Recorded variables whose whole pack is recorded: the pack's place, and theirs in it."""
    recorded = {fetches[n].number for n in rows if isinstance(fetches[n], Value)}
    homes = {
        part.number: (place, n)
        for place, pack in enumerate(packs)
        if all(part.number in recorded for part in pack.parts)
        for n, part in enumerate(pack.parts)
    }
    numbers = {n: fetches[n].number for n in rows if isinstance(fetches[n], Value)}
    return {n: homes[number] for n, number in numbers.items() if number in homes}


def _with_parts(name: str, buffers: Buffers) -> list[str]:
    return [name, *(f"{name}_{n}" for n in range(len(buffers.parts.get(name, ()))))]


def _told_once(fetches: Sequence[Any]) -> tuple[list[int], dict[int, Any]]:
    """The places of the numbers that a step tells, and what each recorded number is.

    Returns: for each recorded number, its place in a row, or the array that holds it where it is known.
    """
    told: dict[int, int] = {}
    same: dict[int, Any] = {}
    places: list[int] = []
    for n, item in enumerate(fetches):
        if not isinstance(item, Value) and np.ndim(item) == 0:
            same[n] = item
        elif isinstance(item, Value) and item.is_number:
            if item.number not in told:
                told[item.number] = len(places)
                places.append(n)
            same[n] = told[item.number]
    return places, same


def _recordings(writer: Writer, rows: Sequence[int]) -> tuple[list[Line], dict[int, list[str]]]:
    """Copies of arrays into their rows: of the state first of all, of results as soon as they are there."""
    first, after = list[Line](), dict[int, list[str]]()
    computed = {output.number for step in writer.steps for output in step.outputs}
    for n in rows:
        item = writer.lowered.fetches[n]
        text = f"r{n}[k] = {writer.name(item)}"
        if isinstance(item, Value) and item.number in computed:
            after.setdefault(item.number, []).append(text)
        else:
            first.append(Line(text))
    return first, after


def _next_state(writer: Writer, state: Sequence[tuple[Value, Any]], buffers: Buffers) -> list[Line]:
    """Every variable takes its new value; all at once, since a new value may be another's old one.

    Arrays change places: the name of a variable comes to stand for the array that the new value is in, and
    that array's old name for the variable's old one. Arrays that have parts stay where they are.
    """
    lines, targets, values = list[Line](), list[str](), list[str]()
    names = {writer.name(before) for before, _ in state if not before.is_number}
    taken = {writer.name(pack.whole) for pack in writer.lowered.packs} | set(buffers.parts)
    into_packs = _copied_packs(writer, buffers, taken)
    for before, after in state:
        name = writer.name(before)
        if isinstance(after, Value) and after.number == before.number:
            continue
        if before.is_number:
            targets.append(name)
            values.append(writer.name(after))
            continue
        home = buffers.into.get(after.number) if isinstance(after, Value) else None
        if home is None or home in taken:
            home = f"f{len(lines)}"
            lines.append(Line(f"{home} = np.array({writer.name(after)})"))
            writer.texts.uses_numpy = True
        taken.add(home)
        if home != name:
            targets.append(name)
            values.append(home)
    scratch = [name for name in values if name in buffers.made]
    vacated = [name for name in targets if name in names and name not in values]
    targets += scratch
    values += _fitting(scratch, vacated, writer, state, buffers)
    if targets:
        into_packs.append(Line(f"{', '.join(targets)} = {', '.join(values)}"))
    return [*lines, *into_packs]


def _copied_packs(writer: Writer, buffers: Buffers, fixed: Collection[str]) -> list[Line]:
    """Packs whose new value is not in their array yet: all are taken aside before any is put there."""
    aside, put = list[Line](), list[Line]()
    for pack in writer.lowered.packs:
        name, new = writer.name(pack.whole), writer.name(pack.after)
        home = buffers.into.get(pack.after.number) if isinstance(pack.after, Value) else None
        if home == name:
            continue
        if home in fixed:
            aside.append(Line(f"n{name} = np.array({new})"))
            new = f"n{name}"
        put.append(Line(f"{name}[...] = {new}"))
    return [*aside, *put]


def _fitting(
    scratch: Sequence[str],
    vacated: Sequence[str],
    writer: Writer,
    state: Sequence[tuple[Value, Any]],
    buffers: Buffers,
) -> list[str]:
    """For each array that became a variable's, one of the same kind that a variable no longer needs."""
    kinds = {writer.name(before): (before.held, before.dtype) for before, _ in state}
    left = list(vacated)
    found = []
    for name in scratch:
        match = next((old for old in left if kinds[old] == buffers.made[name]), None)
        if match is None:
            found.append(f"np.empty_like({name})")
        else:
            left.remove(match)
            found.append(match)
    return found


def _kind(held: Any) -> Kind:
    return (held.held if isinstance(held, Value) else held.shape), held.dtype


def _quietly(lines: Sequence[Line], depth: int, uses_numpy: bool) -> list[Line]:
    """Where numpy computes, without its warnings: an infinity is a value like others."""
    if not uses_numpy:
        return _at(lines, depth - 2)
    return [Line('with np.errstate(all="ignore"):', depth=depth), *_at(lines, depth - 1)]


def _at(lines: Sequence[Line], deeper: int) -> list[Line]:
    return [Line(line.text, line.about, line.depth + deeper) for line in lines]


def _told(name: str, value: Any) -> str:
    """A constant, or an array to compute in, as the shown text gives it."""
    if isinstance(value, np.ndarray):
        if name[0] == "b":
            return f"np.empty({value.shape}, {value.dtype})"
        return f"an array of shape {value.shape}" if value.size > 4 else repr(value.tolist())
    if callable(value) and not isinstance(value, np.dtype):
        return "the op's own kernel"
    return str(value)
