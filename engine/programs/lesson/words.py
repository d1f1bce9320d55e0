"""What the steps of a lesson are made of: names, values and formulas of one graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.graph import Adjoint, Graph, Node, Tensor, Variable
from engine.graph.essentials import essentials
from engine.graph.reachability import ancestors
from engine.programs.lesson.formulas import (
    formula,
    in_brackets,
    name_latex,
    plain_text,
    value_latex,
    value_text,
)
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.unrolled.happenings import Path
from engine.programs.program.items import Values, value_json
from engine.programs.program.outcome import Outcome

UNTOLD = frozenset({"Const", "NoOp", "Assign", "Fill", "ZerosLike"})

Step = dict[str, Any]


class Words:
    """How the nodes of a program's graph are called, shown and put into steps.

    paths:    the turns of loops that its nodes stand in, where the graph is one run's.
    kept:     the nodes that are more than plumbing, with the tensors that really feed them.
    forward:  the nodes that the differentiated tensors are computed from.
    adjoints: the visits of the backward sweep to them.
    """

    def __init__(
        self,
        outcome: Outcome,
        ys: Sequence[Tensor],
        values: Values,
        paths: Mapping[Node, Path] = MappingProxyType({}),
    ) -> None:
        self.outcome = outcome
        self.paths = paths
        self.graph: Graph = outcome.graph
        self.ys = ys
        self.values = values
        self.kept = {essential.node: essential.inputs for essential in essentials(self.graph)}
        self.forward = ancestors(ys)
        self.adjoints: list[Adjoint] = [a for a in self.graph.adjoints if a.node in self.forward]
        self.received = self._received()

    def label(self, tensor: Tensor) -> str:
        """What the learner calls a tensor: the first name that the program gave it, else its node's."""
        tensor = self.resolved(tensor)
        for name, bound in self.outcome.names.items():
            if bound is tensor or (isinstance(bound, Variable) and bound.ref is tensor):
                return name
        return tensor.node.name

    def symbol(self, tensor: Tensor) -> str:
        """The same for a formula; a constant stands for itself, a bar is the gradient of what it covers."""
        tensor = self.resolved(tensor)
        if self._is_number(tensor):
            return self.numbers(tensor) or self._given_number(tensor.node) or name_latex(tensor.node.name)
        if tensor in self.received:
            return rf"\bar{{{name_latex(self.label(self.received[tensor]))}}}"
        if tensor.node.phase == "gradient":
            return name_latex(tensor.node.name.rpartition("/")[2])
        return name_latex(self.label(tensor))

    def _is_number(self, tensor: Tensor) -> bool:
        kind = tensor.node.op.name
        return kind == "Fill" or (kind == "Const" and np.ndim(tensor.node.attrs["value"]) == 0)

    def _given_number(self, node: Node) -> str | None:
        """The number of a constant that was not run, or that a tensor of any shape is full of."""
        if node.op.name == "Fill":
            return self.symbol(node.inputs[1])
        written = value_latex(np.asarray(node.attrs["value"]))
        return None if written is None else in_brackets(written)

    def numbers(self, tensor: Tensor) -> str | None:
        """The value for a formula, negative ones in brackets."""
        written = value_latex(self.values.get(tensor))
        return None if written is None else in_brackets(written)

    def text(self, tensor: Tensor) -> str:
        """The value for a sentence."""
        return value_text(self.values.get(tensor))

    def resolved(self, tensor: Tensor) -> Tensor:
        """The tensor behind reads, gates and other nodes that only pass it on."""
        while tensor.node not in self.kept and tensor.node.op.name != "Fill" and tensor.node.inputs:
            tensor = tensor.node.inputs[0]
        return tensor

    def function_of(self, node: Node) -> str:
        """The node of PyTorch's autograd that stands behind a node's result; "" where there is none."""
        return self._functions.get(node.name, "")

    @cached_property
    def _functions(self) -> dict[str, str]:
        workspace = self.outcome.workspace
        recorded = (one for nodes in (*workspace.autograd.values(), *workspace.passes) for one in nodes)
        return {one["of"]: one["name"] for one in recorded if one.get("of")}

    def told(self, tensor: Tensor) -> dict[str, Any]:
        """`{"tensor", "value"}`."""
        return {"tensor": tensor.name, "value": value_json(self.values.get(tensor))}

    def step(self, phase: str, node: Node, sentence: Sentence, **more: Any) -> Step:
        """A step about a node, with all fields of the API."""
        step: Step = {
            "phase": phase,
            "node": node.name,
            "of": node.of.name if node.of else None,
            "sentence": sentence,
            "rule": None,
            "rule_numbers": None,
            "inputs": [self.told(tensor) for tensor in self.kept.get(node, ())],
            "output": self.told(node.outputs[0]),
            "upstream": None,
            "local": [],
            "contributions": [],
            "misconceptions": [],
        }
        return {**step, **more}

    def formulas(self, node: Node) -> dict[str, str | None]:
        """A node's formula with names, and with numbers where they are few."""
        arguments = [self.numbers(tensor) for tensor in node.inputs]
        result = value_latex(self.values.get(node.outputs[0]))
        named = formula(node, [self.symbol(tensor) for tensor in node.inputs])
        if result is None or any(argument is None for argument in arguments):
            return {"rule": named, "rule_numbers": None}
        numbered = formula(node, [argument or "" for argument in arguments])
        return {"rule": named, "rule_numbers": f"{numbered} = {result}"}

    def plain(self, node: Node) -> str:
        """A node's formula as text: names for what the program computes, numbers for gradients."""
        return plain_text(formula(node, [self._word(tensor) for tensor in node.inputs]))

    def _word(self, tensor: Tensor) -> str:
        gradient = self.resolved(tensor).node.phase == "gradient" and tensor.node not in self.forward
        return self.numbers(tensor) or self.symbol(tensor) if gradient else self.symbol(tensor)

    def tellable(self, needed: Iterable[Node]) -> list[Node]:
        """Those of the nodes that have a step of their own, in order of creation."""
        chosen = {
            node for node in needed if node in self.kept and node.op.name not in UNTOLD and node.outputs
        }
        return [node for node in self.graph.nodes if node in chosen]

    def _received(self) -> dict[Tensor, Tensor]:
        """For each gradient that a node received: the forward tensor that it is the gradient of."""
        pairs = [pair for a in self.adjoints for pair in zip(a.upstream, a.node.outputs, strict=False)]
        return {self.resolved(upstream): output for upstream, output in pairs if upstream is not None}
