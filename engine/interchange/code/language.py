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
from engine.ops import REGISTRY, OpDef
from engine.ops.base.tensors import Array

LONGEST_LINE = 60  # of an expression, before it gets a name of its own
MOST_ELEMENTS = 1000  # of an array that is written out

Rule = Callable[..., Any]  # (language, node, *pieces) -> a Piece, or one for each output


class Language(ABC):
    """The base of all languages. One object writes one computation.

    An op is written in the language's own way, else under the name that its block has for it, else with
    its operator, else by its symbolic formula.

    title:      what people call it.
    frameworks: under which an op's block may name it; the first that it knows counts.
    rules:      by op, what the language has a way of its own to write.
    calls:      by the form of a call, how it is written under a name.
    reserved:   names that it cannot give.
    differentiates: whether its reader takes the gradient of the text anew, by its own rules.
    """

    title: ClassVar[str] = ""
    frameworks: ClassVar[tuple[str, ...]] = ()
    rules: ClassVar[Mapping[str, Rule]] = {}
    calls: ClassVar[Mapping[str, Callable[[str], Rule]]] = {}
    reserved: ClassVar[frozenset[str]] = frozenset()
    spare_name: ClassVar[str] = "t"
    differentiates: ClassVar[bool] = True

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

    def function(self, name: str, *pieces: Piece) -> Piece:
        """A function of the language, of these arguments."""
        return self.call(name, *pieces)

    def arguments(self, node: Node, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """The arguments of a function that is called by name."""
        return [self.typed(piece, tensor.dtype) for piece, tensor in zip(pieces, node.inputs, strict=True)]

    def apply(self, function: str, piece: Piece) -> Piece:
        """An elementary function, as the op is called that is this function."""
        op = next(op for op in REGISTRY.values() if op.symbolic == function)
        return self.function(self.name_of(op), piece)

    # -- helpers for rules -------------------------------------------------------------------------

    def piece(self, text: str, strength: int = ATOM) -> Piece:
        return Piece(text, self, strength)

    def bare(self, value: Array) -> Piece:
        """A number, or rows of them, as digits alone."""
        if value.size > MOST_ELEMENTS:
            raise _too_many(value.size)
        text = self.literal(value)
        return Piece(text, self, SIGN if text.startswith("-") else ATOM, plain=value.ndim == 0)

    def typed(self, piece: Piece, dtype: str) -> Piece:
        """A plain number as a value of a type, where nothing else would give it one."""
        return self.constant(np.asarray(float(piece.text), dtype)) if piece.plain else piece

    def call(self, name: str, *pieces: Piece, **options: Any) -> Piece:
        """`name(a, b, option=…)`."""
        arguments = [piece.text for piece in pieces] + [f"{key}={value}" for key, value in options.items()]
        return self.piece(f"{name}({', '.join(arguments)})")

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
        self._check_rules(nodes)
        self._uses = Counter(uses(node for node in nodes if not self._is_folded(node)))
        needed = {tensor.name for tensor in targets}
        for node in nodes:
            if self._is_needed(node, needed) and not all(t.name in self.written for t in node.outputs):
                self._write_node(node, needed, wanted)
        return [self._text_of(tensor, wanted) for tensor in targets]

    def _check_rules(self, nodes: Sequence[Node]) -> None:
        """Refuse a node with a gradient rule of the program's own, which the text would lose."""
        own = next((node for node in nodes if "_gradient_op_type" in node.attrs), None)
        if own is not None and self.differentiates and self.computation.trained:
            raise self.refuse(
                own, "its gradient is a rule of the program's own", "它的梯度是程序自己定义的规则"
            )

    def _is_needed(self, node: Node, needed: set[str]) -> bool:
        return any(self._uses[t.name] or t.name in needed for t in node.outputs)

    def _text_of(self, tensor: Tensor, wanted: Mapping[str, str]) -> str:
        piece = self.written[tensor.name]
        if tensor.name in wanted and piece.text not in self.given:
            return self._named(wanted[tensor.name], piece).text
        return piece.text

    def _write_node(self, node: Node, needed: set[str], wanted: Mapping[str, str]) -> None:
        pieces = self._pieces(node)
        for tensor, piece in zip(node.outputs, pieces, strict=False):
            name = self.computation.names.get(tensor.name) or wanted.get(tensor.name)
            if not node.op.passes_on and self._deserves_name(tensor, piece, name, needed):
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
        return whole or self._rule(node.op) is None

    def _by_rule(self, node: Node) -> Sequence[Piece]:
        pieces = [self.written[tensor.name] for tensor in node.inputs]
        if node.op.passes_on:
            return pieces
        rule = self._rule(node.op)
        if rule is None:
            raise self.refuse(node)
        made = rule(self, node, *pieces)
        return made if isinstance(made, list) else [made]

    def _rule(self, op: OpDef) -> Rule | None:
        """How an op is written; None where there are no words for it."""
        if op.name in self.rules:
            return self.rules[op.name]
        name = self.name_of(op)
        if name and op.call:
            return self.calls[op.call](name) if op.call in self.calls else None
        if name:
            return named(name)
        if op.operator:
            return operator(op.operator)
        return formula(op.symbolic) if callable(op.symbolic) else None

    def name_of(self, op: OpDef) -> str:
        """What an op's block calls it here."""
        return next((op.names[one] for one in self.frameworks if one in op.names), "")

    def input_text(self, item: Input) -> str:
        """The digits of an input's value."""
        return self.bare(np.asarray(item.value)).text

    def unfed(self) -> Input | None:
        """A placeholder without a value."""
        return next((item for item in self.computation.inputs.values() if item.value is None), None)


def named(name: str) -> Rule:
    """A function by its name, or a call in which `{0}` stands for the first input."""
    called, *inside = name.removesuffix(")").split("(", 1) if "{0}" in name else (name,)

    def rule(language: Language, node: Node, *pieces: Piece) -> Piece:
        arguments = language.arguments(node, pieces)
        if inside:
            texts = [piece.text for piece in arguments]
            arguments = [language.piece(inside[0].format(*texts))]
        return language.function(called, *arguments)

    return rule


def operator(symbol: str) -> Rule:
    """An op that is an operator of the language; of two plain numbers the first gets its type."""

    def rule(language: Language, node: Node, left: Piece, right: Piece) -> Piece:
        if left.plain and right.plain:
            left = language.typed(left, node.inputs[0].dtype)
        return language.join(symbol, left, right)

    return rule


def formula(build: Callable[..., Any]) -> Rule:
    """An op by its symbolic formula."""
    return lambda language, node, *pieces: build(
        *(language.typed(piece, node.inputs[0].dtype) for piece in pieces)
    )


def _too_many(size: int) -> ProgramError:
    return ProgramError(
        f"An array of {size:,} numbers is too long to be written out.",
        message_zh=f"数组有 {size:,} 个数，太长而无法写出。",
        hint=f"Up to {MOST_ELEMENTS:,} numbers are written.",
        hint_zh=f"最多写出 {MOST_ELEMENTS:,} 个数。",
        code="not_writable",
    )


__all__ = ["Input", "Language", "Rule"]
