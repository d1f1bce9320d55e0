"""What all parts of a lesson at level Mathematics share: operations, names, and how a step is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Node, Tensor
from engine.ops.base.kinks import Kink
from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import value_latex
from engine.programs.lesson.mathematics.names import Names
from engine.programs.lesson.mathematics.notation import Piece, as_text
from engine.programs.lesson.mathematics.operations import GIVEN, Operation, depends_on_given, operations_of
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.words import Step, Words
from engine.programs.program.items import value_json


@dataclass(frozen=True, slots=True)
class Page:
    """The operations of one graph in order, and what the quantities between them are called."""

    words: Words
    operations: Sequence[Operation]
    given: Sequence[Node]
    names: Names

    @classmethod
    def of(
        cls,
        words: Words,
        source: str,
        others: Iterable[tuple[Tensor, Piece]] = (),
        beside: Iterable[Node] = (),
        firm: Iterable[tuple[Tensor, Piece]] = (),
    ) -> Page:
        """The operations that the target needs, named as in the program's text, and by others beside it.

        beside: nodes that are told, though the target does not need them.
        firm:   what is called by these, whatever else the text calls it.
        """
        tellable = words.tellable({*words.forward, *beside})
        operations = operations_of(words, [node for node in tellable if _is_told(node)])
        given = [node for node in tellable if node.op.name in GIVEN]
        return cls(words, operations, given, Names(words, operations, source, others, firm))

    def value(self, tensor: Tensor) -> Array | None:
        """A quantity's value, where it is known."""
        return self.words.values.get(tensor)

    def step(self, phase: str, node: str, sentence: Sentence, **more: Any) -> Step:
        """A step with all fields of the API."""
        step: Step = {
            "phase": phase,
            "node": node,
            "nodes": [],
            "of": None,
            "sentence": sentence,
            "rule": None,
            "rule_numbers": None,
            "result": None,
            "inputs": [],
            "output": None,
            "upstream": None,
            "local": [],
            "contributions": [],
            "misconceptions": [],
            "question": None,
        }
        return with_texts({**step, **more})


def with_texts(step: Step) -> Step:
    """A step with its formulas as lines of text besides, for a drawing that does not typeset."""
    return {
        **step,
        "rule_text": _line(step["rule"]),
        "contributions": [
            {f"{name}_text": _line(one.get(field)) for name, field in TEXTS.items()} | one
            for one in step["contributions"]
        ],
    }


TEXTS = {"expression": "expression", "upstream": "upstream_expression", "factor": "factor"}


def _line(latex: str | None) -> str | None:
    """A formula as one line of text; None where it has several."""
    return None if latex is None or "{aligned}" in latex else as_text(latex)


def _is_told(node: Node) -> bool:
    """Whether a node computes something of its own; of an earlier gradient, not what is a number anyway."""
    if node.op.name in GIVEN:
        return False
    return node.phase != "gradient" or depends_on_given(node)


def touched_kink(page: Page, node: Node | None) -> Kink | None:
    """The corner of a node's op, where its inputs touch it."""
    if node is None or node.op.kink is None:
        return None
    found = [
        np.asarray(t.node.attrs["value"]) if t.node.op.name == "Const" else page.value(t) for t in node.inputs
    ]
    known = [value for value in found if value is not None]
    kink: Kink = node.op.kink
    return kink if len(known) == len(found) and kink.at(known) else None


def told(tensor: str, value: Array | None) -> dict[str, Any]:
    """`{"tensor", "value"}`."""
    return {"tensor": tensor, "value": value_json(value)}


def equation(left: str, value: Array | None) -> str | None:
    """`left = value` where the value can be written out."""
    written = value_latex(value)
    return None if written is None else f"{left} = {written}"


def beneath(lines: Sequence[str | None]) -> str | None:
    """Several formulas one beneath the other; None where one of them is missing."""
    known = [line for line in lines if line is not None]
    if len(known) < len(lines) or not known:
        return None
    if len(known) == 1:
        return known[0]
    return r"\begin{aligned} " + r" \\ ".join(f"& {line}" for line in known) + r" \end{aligned}"
