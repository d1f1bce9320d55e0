"""What an op's block says of its local derivative, in the learner's names."""

from __future__ import annotations

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
    named = dict(zip(node.op.input_names, map(names.of, node.inputs), strict=False))
    if "{" not in template:
        return Piece(template)
    piece = filled(template, {**named, "out": _result(operation, names)}, node)
    return Piece(tidied(piece.latex), piece.strength)


def _result(operation: Operation, names: Names) -> Piece:
    """The output as it is computed where that is short, else its name."""
    formula = names.formula(operation.output)
    return formula if len(formula.text) <= SHORT else names.of(operation.output)
