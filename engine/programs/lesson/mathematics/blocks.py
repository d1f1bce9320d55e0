"""A lesson that would be too long: what is done again and again is told three times, the rest summed up.

Of an operation that the same stretch of the text makes many times, the first two and the last are told. Where
that is still too much, each name scope that the program opened is one block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.operations import Operation
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.sentences import blocks as sentences
from engine.programs.lesson.mathematics.sentences.wording import in_words, is_large
from engine.programs.lesson.words import Step

TOLD = 3  # times: the first two and the last
MOST_NAMED = 4  # quantities that a block takes or gives


class Outline(Protocol):
    """Which operations are told, and the steps that stand for the others."""

    def is_told(self, operation: Operation) -> bool:
        """Whether an operation has a step."""

    def block(self, operation: Operation) -> Hashable | None:
        """What an operation without a step is left out with; None where it has one."""

    def entering(self, page: Page, before: Operation | None, operation: Operation) -> Step | None:
        """A heading on the way back between two operations, where there is one."""

    def rest_back(self, page: Page, block: Hashable, parts: Sequence[tuple[Tensor, Array]]) -> Step:
        """The way back through a block. parts: what it sends to what stands outside."""


@dataclass(frozen=True, slots=True)
class Block:
    """Operations that are left out together: those of a scope, or of lines that run again and again."""

    scope: str
    operations: tuple[Operation, ...]

    @property
    def lines(self) -> list[int]:
        """Where they stand in the text."""
        return sorted({n.span.line for o in self.operations for n in o.nodes if n.span is not None})

    @property
    def times(self) -> int:
        """How often the busiest line of them ran."""
        return max(Counter(_place(operation) for operation in self.operations).values())


class Blocks:
    """The blocks of a graph without loops: of lines that run many times, or with `by_scope` of scopes."""

    def __init__(self, operations: Sequence[Operation], *, by_scope: bool) -> None:
        keys = _scopes(operations) if by_scope else _repeated(operations)
        self._blocks: dict[Operation, Block] = {}
        for key, group in groupby(operations, keys.get):
            if key is not None:
                block = Block(key, tuple(group))
                self._blocks.update(dict.fromkeys(block.operations, block))

    def is_told(self, operation: Operation) -> bool:
        """Whether an operation has a step."""
        return operation not in self._blocks

    def block(self, operation: Operation) -> Block | None:
        """What an operation is left out with."""
        return self._blocks.get(operation)

    def entering(self, page: Page, before: Operation | None, operation: Operation) -> Step | None:
        """Blocks have no heading of their own."""
        return None

    def forward(self, page: Page, block: Block) -> Step:
        """The way forward through a block."""
        given = [f"{name} = {in_words(value)}" for name, value in self._given(page, block)]
        sentence = (
            sentences.scope_sentence(block.scope, len(block.operations), given)
            if block.scope
            else sentences.lines_sentence(block.lines, block.times, given)
        )
        return _step(page, "forward", block, sentence)

    def _given(self, page: Page, block: Block) -> Iterator[tuple[str, Array]]:
        """What the other operations take from it, where it is short enough to be told."""
        inside = set(block.operations)
        taken = {t for o in page.operations if o not in inside for t in o.inputs}
        given = [o.output for o in block.operations if o.output in taken]
        for tensor in given[-MOST_NAMED:]:
            value = page.value(tensor)
            if value is not None and not is_large(value):
                yield page.names.of(tensor).text, value

    def rest_back(self, page: Page, block: Hashable, parts: Sequence[tuple[Tensor, Array]]) -> Step:
        """The way back through a block."""
        assert isinstance(block, Block)
        told = [
            (page.names.of(tensor).text, in_words(value)) for tensor, value in parts if not is_large(value)
        ]
        sentence = (
            sentences.scope_back_sentence(block.scope, told)
            if block.scope
            else sentences.lines_back_sentence(block.lines, block.times, told)
        )
        return _step(page, "backward", block, sentence)


def _step(page: Page, phase: str, block: Block, sentence: dict[str, str]) -> Step:
    nodes = [node.name for operation in block.operations for node in operation.nodes]
    return page.step(phase, block.operations[-1].last.name, sentence, about="rest", nodes=nodes)


def _place(operation: Operation) -> object:
    """Where an operation stands in the text, and what it is."""
    return (operation.last.span, operation.last.op.name) if operation.last.span is not None else operation


def _repeated(operations: Sequence[Operation]) -> dict[Operation, str]:
    """Those of which the text makes many, but for the first two and the last."""
    counts, seen = Counter(map(_place, operations)), Counter[object]()
    found = {}
    for operation in operations:
        place = _place(operation)
        seen[place] += 1
        if counts[place] > TOLD and 2 < seen[place] < counts[place]:
            found[operation] = ""
    return found


def _scopes(operations: Sequence[Operation]) -> dict[Operation, str]:
    """Those in a name scope, by its outermost part."""
    scopes = {operation: _scope(operation.last) for operation in operations}
    return {operation: scope for operation, scope in scopes.items() if scope}


def _scope(node: Node) -> str:
    return node.name.partition("/")[0] if "/" in node.name and node.phase != "gradient" else ""
