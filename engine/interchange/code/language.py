"""A language to write in, and the writing of a computation in it, line by line."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from engine.errors import ProgramError
from engine.graph import Node, Tensor
from engine.interchange.code.computation import (
    Computation,
    Input,
    nodes_before,
    not_writable,
    static_nodes,
    uses,
)
from engine.interchange.code.pieces import ATOM, SIGN, Piece, infix
from engine.ops.base.tensors import Array

LONGEST_LINE = 60  # of an expression, before it gets a name of its own
MOST_ELEMENTS = 1000  # of an array that is written out
PASSING = frozenset({"Identity", "IdentityN", "PreventGradient", "Snapshot"})

Rule = Callable[..., Any]  # (language, node, *pieces) -> a Piece, or one for each output


class Language(ABC):
    """The base of all languages. One object writes one computation.

    title:    what people call it; rules: how it writes each op, before the shared rules.
    reserved: names that it cannot give.
    """

    title: ClassVar[str] = ""
    rules: ClassVar[Mapping[str, Rule | str]] = {}
    shared: ClassVar[Mapping[str, Rule]] = {}
    reserved: ClassVar[frozenset[str]] = frozenset()
    spare_name: ClassVar[str] = "t"

    def __init__(self, computation: Computation) -> None:
        self.computation = computation
        self.lines: list[tuple[str, str]] = []  # name and expression
        self.taken: set[str] = set()  # names, before they are typeset
        self.given: set[str] = set()  # what stands for a line or an input
        self.written: dict[str, Piece] = {}
        self.input_names: dict[str, str] = {}
        self.nodes: list[Node] = []
        self._numbers: Counter[str] = Counter()  # how often a name was wanted again

    # -- what a language may write in its own way --------------------------------------------------

    def join(self, symbol: str, left: Piece, right: Piece) -> Piece:
        """`left symbol right`."""
        return infix(symbol, left, right)

    def name(self, wanted: str) -> str:
        """A name of the language, as near to the wanted one as it allows."""
        plain = re.sub(r"\W", "_", unicodedata.normalize("NFKC", wanted)).strip("_")
        return plain if plain and not plain[0].isdigit() else f"{self.spare_name}{plain}"

    def literal(self, value: Array) -> str:
        """The digits of numbers, rows in square brackets."""
        if value.ndim:
            return f"[{', '.join(self.literal(row) for row in value)}]"
        return self.digits(value[()])

    def digits(self, value: Any) -> str:
        """One number, as short as its type allows."""
        if isinstance(value, (bool, np.bool_)):
            return str(bool(value))
        if isinstance(value, np.integer):
            return str(int(value))
        return repr(float(str(value)))

    def constant(self, value: Array) -> Piece:
        """A constant that keeps its type; a language without types writes the digits."""
        return self.bare(value)

    @abstractmethod
    def program(self) -> str:
        """The whole text."""

    # -- helpers for rules -------------------------------------------------------------------------

    def piece(self, text: str, strength: int = ATOM) -> Piece:
        return Piece(text, self.join, strength)

    def bare(self, value: Array) -> Piece:
        """A number, or rows of them, as digits alone."""
        if value.size > MOST_ELEMENTS:
            raise _too_many(value.size)
        text = self.literal(value)
        return Piece(text, self.join, SIGN if text.startswith("-") else ATOM, plain=value.ndim == 0)

    def typed(self, piece: Piece, dtype: str) -> Piece:
        """A plain number as a value of a type, where nothing else would give it one."""
        return self.constant(np.asarray(float(piece.text), dtype)) if piece.plain else piece

    def call(self, name: str, *pieces: Piece, **options: Any) -> Piece:
        """`name(a, b, option=…)`."""
        told = [piece.text for piece in pieces] + [f"{key}={value}" for key, value in options.items()]
        return self.piece(f"{name}({', '.join(told)})")

    def static(self, node: Node, place: int) -> Array:
        """The value of an input that must be known beforehand, such as an axis."""
        tensor = node.inputs[place]
        value = self.computation.values.get(tensor.name)
        if value is None or tensor.node not in self._static:
            raise not_writable(node, self.title, "its shape or place is computed", "它的形状或位置是算出来的")
        return value

    def refuse(self, node: Node, why: str = "", why_zh: str = "") -> ProgramError:
        """The problem that this op has no words here."""
        return not_writable(node, self.title, why, why_zh)

    # -- writing -----------------------------------------------------------------------------------

    def fresh(self, wanted: str) -> str:
        """A name that nothing else has."""
        base = self.name(wanted)
        name, mark = base, "_" if base[-1].isdigit() else ""
        while name in self.taken or name in self.reserved:
            self._numbers[base] += 1
            name = f"{base}{mark}{self._numbers[base]}"
        self.taken.add(name)
        return name

    def write_inputs(self) -> None:
        """Give every input its name."""
        for tensor, item in self.computation.inputs.items():
            if item.name not in self.input_names:
                self.input_names[item.name] = self.fresh(item.name)
            self.given.add(self.input_names[item.name])
            self.written[tensor] = self.piece(self.input_names[item.name])

    def write(self, targets: Sequence[Tensor], wanted: Mapping[str, str]) -> list[str]:
        """Write all lines that the targets need; the names (or literals) that stand for them.

        wanted: names for some of them, by tensor.
        """
        inputs = self.computation.inputs
        self.nodes = nodes = nodes_before(targets, inputs)
        self._static = static_nodes(nodes, inputs)
        self._uses = Counter(uses(node for node in nodes if not self._is_folded(node)))
        needed = {tensor.name for tensor in targets}
        for node in nodes:
            if self._is_needed(node, needed) and not all(t.name in self.written for t in node.outputs):
                self._write_node(node, needed, wanted)
        return [self._told(tensor, wanted) for tensor in targets]

    def _is_needed(self, node: Node, needed: set[str]) -> bool:
        return any(self._uses[t.name] or t.name in needed for t in node.outputs)

    def _told(self, tensor: Tensor, wanted: Mapping[str, str]) -> str:
        piece = self.written[tensor.name]
        if tensor.name in wanted and piece.text not in self.given:
            return self._named(wanted[tensor.name], piece).text
        return piece.text

    def _write_node(self, node: Node, needed: set[str], wanted: Mapping[str, str]) -> None:
        pieces = self._pieces(node)
        for tensor, piece in zip(node.outputs, pieces, strict=False):
            name = self.computation.names.get(tensor.name) or wanted.get(tensor.name)
            if node.op.name not in PASSING and self._deserves_name(tensor, piece, name, needed):
                piece = self._named(name or self.spare_name, piece)
            self.written[tensor.name] = piece

    def _deserves_name(self, tensor: Tensor, piece: Piece, name: str | None, needed: set[str]) -> bool:
        if tensor.node.op.name == "Const" or tensor.node in self._static:
            return len(piece.text) > LONGEST_LINE and self._uses[tensor.name] > 1
        shared = self._uses[tensor.name] > 1 or len(piece.text) > LONGEST_LINE
        return bool(name) or shared or (tensor.name in needed and self._uses[tensor.name] > 0)

    def _named(self, wanted: str, piece: Piece) -> Piece:
        name = self.fresh(wanted)
        self.given.add(name)
        self.lines.append((name, piece.text))
        return self.piece(name)

    def _pieces(self, node: Node) -> Sequence[Piece]:
        """What a node is written as; what is static and has no words is written as its value."""
        if node.op.name == "Const":
            return [self.constant(node.attrs["value"])]
        if self._is_folded(node):
            return [self.constant(self.computation.values[tensor.name]) for tensor in node.outputs]
        return self._by_rule(node)

    def _is_folded(self, node: Node) -> bool:
        """Whether a node is written as its value: shapes and axes, and what is static and has no words."""
        if node not in self._static or not all(t.name in self.computation.values for t in node.outputs):
            return False
        whole = all(tensor.dtype in ("int32", "int64", "bool") for tensor in node.outputs)
        return whole or (node.op.name not in self.shared and node.op.name not in self.rules)

    def _by_rule(self, node: Node) -> Sequence[Piece]:
        pieces = [self.written[tensor.name] for tensor in node.inputs]
        if node.op.name in PASSING:
            return pieces
        rule = self.rules.get(node.op.name) or self.shared.get(node.op.name)
        if rule is None:
            raise self.refuse(node)
        if isinstance(rule, str):
            dtype = node.inputs[0].dtype
            return [self.call(rule, *(self.typed(piece, dtype) for piece in pieces))]
        made = rule(self, node, *pieces)
        return made if isinstance(made, list) else [made]

    def input_text(self, item: Input) -> str:
        """The digits of an input's value."""
        return self.bare(np.asarray(item.value)).text

    def unfed(self) -> Input | None:
        """A placeholder without a value."""
        return next((item for item in self.computation.inputs.values() if item.value is None), None)


def _too_many(size: int) -> ProgramError:
    return ProgramError(
        f"An array of {size:,} numbers is too long to be written out.",
        message_zh=f"数组有 {size:,} 个数，太长而无法写出。",
        hint=f"Up to {MOST_ELEMENTS:,} numbers are written.",
        hint_zh=f"最多写出 {MOST_ELEMENTS:,} 个数。",
        code="not_writable",
    )


__all__ = ["Input", "Language", "Rule"]
