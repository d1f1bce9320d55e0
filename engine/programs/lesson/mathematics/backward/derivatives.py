"""What an op's block says of its local derivative, in the learner's names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.graph import Node
from engine.programs.lesson.mathematics.names import Names
from engine.programs.lesson.mathematics.notation import Piece, filled, tidied
from engine.programs.lesson.mathematics.operations import Operation

OWN_RULE = "_gradient_op_type"  # of a node whose gradient the program itself says
SHORT = 12  # characters of an output that is written out in its own derivative
NO_FORMULA = (r"\text", r"\mapsto", r"\partial", r"\begin", "i = j", "_{ij}")  # words, maps, single elements


def local_formula(operation: Operation, place: int, names: Names) -> Piece | None:
    """∂output/∂input of an operation's core as a formula; None where it is said in words.

    place: of the input among those of the core.
    """
    node = operation.core
    if node is None or OWN_RULE in node.attrs or not node.op.derivative:
        return None
    template = node.op.derivative[min(place, len(node.op.derivative) - 1)]
    if any(mark in template for mark in NO_FORMULA):
        return None
    named: dict[str, Piece] = dict(zip(node.op.input_names, map(names.of, node.inputs), strict=False))
    if "{" not in template:
        return Piece(template)
    if template in (f"{{{name}}}" for name in node.op.input_names):
        return named[template[1:-1]]
    piece = filled(template, {**named, "out": _result(operation, names)}, node)
    return Piece(tidied(piece.latex), piece.strength)


def by_cases(operation: Operation, place: int, names: Names) -> str | None:
    """∂output/∂input of an operation that chooses, with the condition for each case; None of any other."""
    node = operation.core
    if node is None or OWN_RULE in node.attrs or not node.op.derivative:
        return None
    found = CASES.fullmatch(node.op.derivative[min(place, len(node.op.derivative) - 1)])
    if found is None:
        return None
    named: dict[str, Piece] = dict(zip(node.op.input_names, map(names.of, node.inputs), strict=False))
    named["out"] = _result(operation, names)
    then, condition, otherwise = (_written(part, named, node) for part in found.groups())
    return rf"\begin{{cases}} {then} & {condition} \\ {otherwise} & {negated(condition)} \end{{cases}}"


def _written(part: str, named: Mapping[str, Piece], node: Node) -> str:
    if part[1:-1] in named and part.startswith("{"):
        return named[part[1:-1]].latex
    return filled(part, dict(named), node).latex if "{" in part else part


CASES = re.compile(r"\\begin\{cases\} (.*?) & (.*?) \\\\ (.*?) & \\text\{otherwise\} \\end\{cases\}")


def negated(condition: str) -> str:
    """The opposite of a condition: of one comparison the opposite comparison."""
    parts = re.split(r" (>|<|=|\\ge|\\le|\\ne) ", condition)
    if len(parts) != 3 or r"\land" in condition or r"\lor" in condition:
        return rf"\lnot ({condition})"
    return f"{parts[0]} {OPPOSITE[parts[1]]} {parts[2]}"


OPPOSITE = {">": r"\le", "<": r"\ge", "=": r"\ne", r"\ge": "<", r"\le": ">", r"\ne": "="}


def _result(operation: Operation, names: Names) -> Piece:
    """The output as it is computed where that is short, else its name."""
    formula = names.formula(operation.output)
    return formula if len(formula.text) <= SHORT else names.of(operation.output)
