"""The backward pass, told: the seed, then each node of the gradient graph as it is computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Adjoint, Node, Tensor
from engine.ops.shapes import broadcast, same
from engine.ops.tensors import Array
from engine.programs.items import value_json
from engine.programs.lesson import telling
from engine.programs.lesson.formulas import in_brackets, name_latex, plain_text, value_latex, value_text
from engine.programs.lesson.words import Step, Words, ancestors, numbers_of
from engine.programs.static_values import FreshRun
from engine.programs.workspace import GradientCall

ROW_BY_ROW = frozenset({"Softmax", "LogSoftmax"})  # shaped like elementwise ops, but their elements mix


class BackwardPass:
    """The gradient graph of one call, told.

    needed: the nodes that the asked gradients are computed from; a rule may have built more.
    passed: for each node that ends a rule, the visit that built it and the input that it is for.
    """

    def __init__(self, words: Words, call: GradientCall, fresh: FreshRun) -> None:
        self.words = words
        self.call = call
        self.fresh = fresh
        self.needed = ancestors(g.node for g in call.gradients if g is not None) - words.forward
        self.passed = self._passed()

    def steps(self) -> Iterator[Step]:
        """The seed, then every node of the gradient graph that the asked gradients need."""
        carrying = self._carrying()
        for seed in self._seeds():
            yield self._seed_step(seed)
        nodes = self.words.tellable(self.needed)
        for number, node in enumerate(nodes, start=1):
            position = f"{number}/{len(nodes)}"
            if node in self.passed:
                yield self._passing_step(position, node)
            elif node.op.name == "AddN" and node.of is None:
                yield self._fan_out_step(position, node)
            else:
                yield self._part_step(position, node, node in carrying)

    def _seeds(self) -> list[Node]:
        found = [node for node in self.needed if node.op.name == "Fill" and node.of is None]
        return sorted(found, key=lambda node: node.index)

    def _seed_step(self, seed: Node) -> Step:
        y = next(
            (a.node.outputs[0] for a in self.words.adjoints if seed in {t.node for t in a.upstream}),
            self.words.ys[0],
        )
        name = name_latex(self.words.label(y))
        rule = rf"\frac{{\partial {name}}}{{\partial {name}}} = 1"
        return self.words.step("gradient", seed, telling.seed_sentence(self.words.label(y)), rule=rule)

    def _carrying(self) -> set[Node]:
        """The nodes of the gradient graph whose value holds the upstream gradient."""
        carrying: set[Node] = set(self._seeds())
        for node in self.words.graph.nodes:
            if node.phase == "gradient" and any(tensor.node in carrying for tensor in node.inputs):
                carrying.add(node)
        return carrying

    def _passed(self) -> dict[Node, tuple[Adjoint, int]]:
        """For each node of the gradient graph that ends a rule: the visit, and the input it is for."""
        found: dict[Node, tuple[Adjoint, int]] = {}
        for adjoint in self.words.adjoints:
            for index, gradient in enumerate(adjoint.passed):
                if gradient is not None:
                    node = self.words.resolved(numbers_of(gradient)).node
                    if node.of is adjoint.node:
                        found.setdefault(node, (adjoint, index))
        return found

    def _passing_step(self, position: str, node: Node) -> Step:
        adjoint, index = self.passed[node]
        upstream, result = adjoint.upstream[0], node.outputs[0]
        op = self._op_label(adjoint, index)
        local = self._local(adjoint, result)
        adjoints = adjoint.node.op.adjoints
        rule = adjoints[min(index, len(adjoints) - 1)] if adjoints else None
        more: dict[str, Any] = {"rule": rule, "upstream": self.words.told(upstream), "of": adjoint.node.name}
        if local is None:
            shown = plain_text(rule) if rule else self.words.plain(node)
            sentence = telling.passed_sentence(position, op, shown, self.words.text(result))
            return self.words.step("gradient", node, sentence, **more)
        source = adjoint.node.inputs[index]
        more["local"] = [{"input": source.name, "value": value_json(local)}]
        more["rule_numbers"] = self._product(upstream, local, result)
        parts = self.words.text(upstream), value_text(local), self.words.text(result)
        return self.words.step("gradient", node, telling.backward_sentence(position, op, *parts), **more)

    def _op_label(self, adjoint: Adjoint, index: int) -> str:
        """The forward node, with the input in brackets where the rule passes something to several."""
        ends = [node for node in self.needed if self.passed.get(node, (None,))[0] is adjoint]
        if len(ends) < 2:
            return adjoint.node.name
        return f"{adjoint.node.name} ({self.words.label(adjoint.node.inputs[index])})"

    def _product(self, upstream: Tensor, local: Array, result: Tensor) -> str | None:
        factors = self.words.numbers(upstream), value_latex(local), value_latex(self.words.values.get(result))
        if None in factors or local.ndim:
            return None
        return rf"{factors[0]} \times {in_brackets(factors[1] or '')} = {factors[2]}"

    def _local(self, adjoint: Adjoint, result: Tensor) -> Array | None:
        """The local derivative, element by element: what the rule gives for an upstream gradient of 1."""
        upstream = self.words.values.get(adjoint.upstream[0])
        passed = self.words.values.get(result)
        if upstream is None or passed is None or upstream.shape != passed.shape:
            return None
        if not _is_elementwise(adjoint.node) and passed.ndim:
            return None
        around = (*adjoint.node.inputs, *adjoint.node.outputs)
        feeds = {tensor: self.words.values[tensor] for tensor in around if tensor in self.words.values}
        feeds[adjoint.upstream[0]] = np.ones_like(upstream)
        try:
            return np.asarray(self.fresh.session.run(result, {**self.fresh.feeds, **feeds}))
        except GradlensError:
            return None  # a rule that needs more than its own node has no local derivative to show

    def _fan_out_step(self, position: str, node: Node) -> Step:
        total = node.outputs[0]
        parts = [self.words.resolved(part) for part in node.inputs]
        contributions = [
            {"from": (part.node.of or part.node).name, "value": value_json(self.words.values.get(part))}
            for part in parts
        ]
        texts = [self.words.text(part) for part in parts]
        sentence = telling.fan_out_sentence(position, self._receiver(total), texts, self.words.text(total))
        return self.words.step(
            "gradient", node, sentence, **self.words.formulas(node), contributions=contributions
        )

    def _receiver(self, total: Tensor) -> str:
        """The forward tensor whose contributions were added up."""
        for adjoint in self.words.adjoints:
            if total in adjoint.upstream:
                return self.words.label(adjoint.node.outputs[adjoint.upstream.index(total)])
        xs = zip(self.call.xs, self.call.gradients, strict=True)
        return next(
            (self.words.label(x.as_tensor()) for x, gradient in xs if gradient is total), total.node.name
        )

    def _part_step(self, position: str, node: Node, carries: bool) -> Step:
        tell = telling.part_sentence if carries or node.of is None else telling.local_sentence
        op = node.of.name if node.of else node.name
        sentence = tell(position, op, self.words.plain(node), self.words.text(node.outputs[0]))
        return self.words.step("gradient", node, sentence, **self.words.formulas(node))


def _is_elementwise(node: Node) -> bool:
    return node.op.shape_rule in (same, broadcast) and node.op.name not in ROW_BY_ROW
