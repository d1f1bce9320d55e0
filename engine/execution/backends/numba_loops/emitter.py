"""The text of a function for machine code: its steps on one block of memory, written as calls of helpers.

Everything stands in the block: arguments, results, constants, and what is computed between. So the text
holds no number of a program's, and the block alone is handed from call to call.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.loops import (
    Called,
    Item,
    Loops,
    Nest,
    expression,
    loaded,
    put,
    read_by,
    steps_of,
)
from engine.execution.backends.numba_loops.places import Place, Places
from engine.execution.backends.numpy_calls.writing import Line, text_of
from engine.execution.tracing.memory import Use, plan_memory
from engine.execution.tracing.tracer import BOOL, FLOAT64, Lengths, NotLowered, Tracer
from engine.execution.tracing.walk import Lowered
from engine.ops.base.tensors import Array

LINE = 8  # numbers of 8 bytes in a line of the processor's cache
Part = tuple[int, Lengths]  # of a block: where it begins, and its shape


class Block(threading.local):
    """The memory that a function computes in. Each thread has its own, so that threads may call at once.

    given, results: parts of it, where values are put before a call and found after it.
    """

    def __init__(
        self, size: int, known: Sequence[tuple[int, Array]], given: Sequence[Part], results: Sequence[Part]
    ) -> None:
        memory = np.empty(size + LINE)
        first = -memory.__array_interface__["data"][0] // memory.itemsize % LINE
        self.memory = memory[first : first + size]
        for start, array in known:
            self.memory[start : start + array.size] = array.ravel()
        self.given = [self._part(*part) for part in given]
        self.results = [self._part(*part) for part in results]

    def _part(self, start: int, shape: Lengths) -> Array:
        return self.memory[start : start + prod(shape)].reshape(shape)


@dataclass(frozen=True, slots=True)
class MachineText:
    """What is compiled: a function `machine` of a block of memory and, for a loop, of columns.

    code:     of `machine`; helpers: of those that it calls, by their names.
    block:    what it computes in.
    examples: what it can be called with.
    shown:    the text for people.
    """

    code: str
    helpers: Mapping[str, str]
    block: Block
    examples: tuple[Any, ...]
    shown: str


class Emitter:
    """Writes the lines of `machine`.

    places: the steps, and where their arrays stand.
    starts: where in the block each piece of memory begins, by its name.
    given:  the shapes of the values that are put into the block before each call, by their names.
    """

    def __init__(self, lowered: Lowered, given: Sequence[Tracer]) -> None:
        if not lowered.arguments:
            raise NotLowered("nothing that differs from call to call")
        self.places = Places(lowered.arguments[0].recorder)
        self.starts: dict[str, int] = {}
        self._size = 0
        self._head = [Line("block = address(m)")]
        self._known: list[tuple[int, Array]] = []
        self._constants: dict[str, str] = {}
        self._helpers: dict[str, str] = {}
        self._memory: dict[int, str] = {}
        self._stored: set[int] = set()
        self._loops = Loops(self.places.of, self.address, self.name)
        for value in given:
            self.places.give(value)
            self.reserve(self.name(value), prod(value.core))
            if value.is_number:
                self._load(self.name(value), value.dtype)
        self.given = {self.name(value): value.core for value in given}

    # -- names and memory ------------------------------------------------------------------------------

    def name(self, item: Any) -> str:
        """A value, or a number that is known."""
        if isinstance(item, Tracer):
            return f"v{item.number}"
        key = repr(item if isinstance(item, bool) else float(item))
        if key not in self._constants:
            name = self._constants[key] = f"c{len(self._constants)}"
            self._known.append((self.reserve(name), np.array([item], float)))
            self._load(name, BOOL if isinstance(item, bool) else FLOAT64)
        return self._constants[key]

    def address(self, number: int) -> str:
        """Where an array begins."""
        return f"block + {8 * self.start(number)}"

    def start(self, number: int) -> int:
        """Where in the block an array begins."""
        place = self.places.of[number]
        return self.starts[self._memory[place.root]] + place.start

    def is_given(self, number: int) -> bool:
        """Whether an array stands where something was put before the call."""
        return self._memory[self.places.of[number].root] in self.given

    def stored(self, value: Tracer, start: int) -> Line:
        """Puts a number into the block."""
        return Line(f"m[{start}] = {put(self.name(value), value)}")

    def reserve(self, name: str, size: int = 1, *, aligned: bool = False) -> int:
        """Set a piece of the block aside. Returns: where it begins."""
        start = self.starts[name] = -(-self._size // LINE) * LINE if aligned else self._size
        self._size = start + size
        return start

    def assign(self, items: Sequence[Item], results: Collection[int], wanted: Mapping[int, int]) -> None:
        """Give every array memory. results: what is in memory of its own to the end.

        wanted: results that would best go into the memory of another value, once nothing needs that.
        """
        of, sizes = self.places.of, self.places.sizes
        known = {value.number: self.name(value) for value, _ in self.places.known}
        for value, array in self.places.known:
            self._known.append((self.reserve(known[value.number], array.size, aligned=True), array))
        fixed = {n: f"v{n}" for n in sizes if f"v{n}" in self.starts}
        kept = {of[number].root for number in [*results, *known]}
        self._stored = _stored(items, of, kept)
        seen, uses = set(fixed), []
        for item in items:
            made = {of[n].root: None for n in self._outputs(item)}
            new = [n for n in made if n not in seen]
            seen.update(new)
            reads = {of[v.number].root for v in read_by(item) if v.number in of}
            uses.append(Use(reads | made.keys(), [(n, sizes[n]) for n in new], _overwritten(item, of)))
        given = {number: (name, sizes[number]) for number, name in fixed.items()}
        homes = {number: fixed[home] for number, home in wanted.items()}
        memory = plan_memory(uses, given, kept, homes)
        for name, size in memory.made.items():
            self.reserve(name, size, aligned=True)
        self._memory = memory.of

    def _outputs(self, item: Item) -> list[int]:
        """The arrays that an item puts into memory."""
        numbers = [step.outputs[0].number for step in steps_of(item)]
        return [n for n in numbers if n in (self._stored if isinstance(item, Nest) else self.places.of)]

    # -- lines -----------------------------------------------------------------------------------------

    def lines(self, items: Sequence[Item]) -> list[Line]:
        """What the items do."""
        nodes = [dict.fromkeys(step.node.name for step in steps_of(item) if step.node) for item in items]
        return [Line(self._text(item), ", ".join(about)) for item, about in zip(items, nodes, strict=True)]

    def _text(self, item: Item) -> str:
        if isinstance(item, Nest):
            return self._call(self._loops.nest(item, self._stored))
        if item.kind == "matmul":
            return self._call(self._loops.product(item))
        if item.kind == "record":
            source = item.arguments[0]
            size, start = prod(source.core), self.start(source.number)
            row = f"{item.function}[k * {size} : (k + 1) * {size}]"
            return f"{row} = {loaded(f'm[{start}:{start + size}]', source)}"
        output = item.outputs[0]
        result = f"{self.name(output)} = " if output.is_number else ""
        if item.kind == "reduce":
            return result + self._call(self._loops.reduction(item))
        if item.kind == "pick":
            start = self.starts[self._memory[item.function.root]] + item.function.start
            return result + loaded(f"m[{start}]", output)
        return result + expression(item, list(map(self.name, item.arguments)))

    def _call(self, called: Called) -> str:
        """A call of a helper, which is new unless one of the same text is there."""
        name = self._helpers.setdefault(called.text, f"{called.name}{len(self._helpers)}")
        return f"{name}({', '.join(called.arguments)})"

    def _load(self, name: str, dtype: np.dtype[Any]) -> None:
        """Take a number out of the block."""
        self._head.append(Line(f"{name} = m[{self.starts[name]}]{' != 0.0' if dtype == BOOL else ''}"))

    def finish(
        self, lines: Sequence[Line], results: Sequence[Part], given: Mapping[str, Any] = MappingProxyType({})
    ) -> MachineText:
        """All texts. given: the names of what is handed in beside the block, with examples."""
        head, lines = f"def machine({', '.join(['m', *given])}):", [*self._head, *lines]
        helpers = {name: text for text, name in self._helpers.items()}
        shown = [f"def {name}{text[text.index('(') :]}" for name, text in helpers.items()]
        shown.append("\n".join([head, *(line.shown for line in lines)]))
        block = Block(
            self._size, self._known, [(self.starts[n], core) for n, core in self.given.items()], results
        )
        examples = (block.memory.copy(), *given.values())
        return MachineText(text_of(head, lines), helpers, block, examples, "\n\n".join(shown) + "\n")


def _stored(items: Sequence[Item], of: Mapping[int, Place], kept: Collection[int]) -> set[int]:
    """What a nest computes and others need, or what has its place in other memory."""
    needed = {of[v.number].source for item in items for v in read_by(item) if v.number in of}
    made = [step.outputs[0].number for item in items if isinstance(item, Nest) for step in item.steps]
    return {n for n in made if n in needed or n in kept or of[n].root != n}


def _overwritten(item: Item, of: Mapping[int, Place]) -> list[int]:
    """Memory that a nest may write over: it reads each element there just before it writes one."""
    if not isinstance(item, Nest):
        return []
    read = [of[value.number] for value in read_by(item) if value.number in of]
    lost = {own.root for own in read if not own.is_whole or own.view.size != prod(item.shape)}
    return [root for root in dict.fromkeys(own.root for own in read) if root not in lost]
