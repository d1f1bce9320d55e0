"""What the learner calls the quantities: `sin x`, `∂y/∂(sin x)`, as in the lesson at level Mathematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.interchange.code import Input
from engine.programs.side_by_side.mathematics import factor_of, node_of
from engine.programs.side_by_side.pairing import FACTOR, VALUE, Quantity
from engine.programs.side_by_side.sightings import Sighting

LONGEST = 40  # characters of a formula that stands for a quantity


class Labels:
    """The names of quantities, from the steps of a lesson and the inputs of a program."""

    def __init__(self, steps: Sequence[Mapping[str, Any]], inputs: Mapping[str, Input]) -> None:
        self.values: dict[str, str] = {}
        self.gradients: dict[str, str] = {}
        self.parts = [one for step in steps for one in step["contributions"]]
        for step in steps:
            self._take(step)
        for tensor, item in inputs.items():
            self.values.setdefault(node_of(tensor), item.name)

    def _take(self, step: Mapping[str, Any]) -> None:
        rule = str(step.get("rule_text") or "")
        if step["phase"] == "forward" and step["output"]:
            self.values.setdefault(node_of(step["output"]["tensor"]), rule.rpartition(" = ")[2])
        if step["phase"] == "seed" and step["of"]:
            self.gradients.setdefault(step["of"], rule)
        for one in step["contributions"]:
            self.gradients.setdefault(node_of(one["to"]), str(one.get("expression_text") or ""))

    def formula_of(self, one: Quantity) -> str:
        """A short formula; "" where the lesson has none."""
        if one.kind == FACTOR:
            sightings = [Sighting("", one.print, of) for of in one.of[0]]
            parts = [factor_of(sighting, self.parts) for sighting in sightings]
            texts = [str(part.get("factor_text") or "") for part in parts if part is not None]
        else:
            known = self.values if one.kind == VALUE else self.gradients
            texts = [known.get(name, "") for name in (*one.of[0], *_variables(one.of[0]))]
        return next((text for text in texts if 0 < len(text) <= LONGEST), "")

    def of_quantity(self, one: Quantity) -> str:
        """A formula; else the name of a node of the program's graph, or of a side."""
        return self.formula_of(one) or next((f"`{nodes[0]}`" for nodes in one.nodes if nodes), "")


def _variables(names: Sequence[str]) -> list[str]:
    """The variables behind `x/read`."""
    return [name.removesuffix("/read") for name in names]
