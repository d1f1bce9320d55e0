"""The backward pass, told: the seed, then each node of the gradient graph as it is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Adjoint, Node, Tensor
from engine.graph.reachability import ancestors, closure
from engine.languages.workspace import GradientCall
from engine.ops.base.shapes import broadcast, same
from engine.ops.base.tensors import Array
from engine.programs.diagnosis.unconnected import why_no_gradient
from engine.programs.lesson import misconceptions
from engine.programs.lesson.formulas import in_brackets, name_latex, plain_text, value_latex, value_text
from engine.programs.lesson.tensorflow import sentences
from engine.programs.lesson.words import Step, Words
from engine.programs.program.items import value_json
from engine.programs.program.static_values import FreshRun
from engine.programs.training.training import rows_of

TURNS = frozenset({"NextIteration", "RefNextIteration", "Exit"})  # their value depends on all turns of a loop
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
        self.needed = ancestors(g for g in call.gradients if g is not None) - words.forward
        self.passed = self._passed()
        self.naive = misconceptions.NaiveRecursion(words)
        self.along_path: dict[Tensor, Array] = {}  # local derivatives added up on the way to a gradient

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
        yield from self._steps_to_none()

    def _steps_to_none(self) -> Iterator[Step]:
        """What was asked for and has no gradient, with the reason."""
        known = self.call.reasons or (None,) * len(self.call.xs)
        for x, gradient, reason in zip(self.call.xs, self.call.gradients, known, strict=True):
            if gradient is None:
                node = x.node
                labels = self.words.label(self.call.ys[0]), self.words.label(node.outputs[0])
                told = reason or why_no_gradient(self.call.ys, x, *labels)
                yield self.words.step(
                    "gradient",
                    node,
                    sentences.none_sentence(*labels, *told),
                    inputs=[],
                    output={"tensor": node.outputs[0].name, "value": None},
                    misconceptions=misconceptions.of_none(node.outputs[0].dtype),
                )

    def _seeds(self) -> list[Node]:
        found = [node for node in self.needed if node.op.name == "Fill" and node.of is None]
        return sorted(found, key=lambda node: node.index)

    def _seed_step(self, seed: Node) -> Step:
        y = next(
            (
                a.node.outputs[0]
                for a in self.words.adjoints
                if any(t is not None and t.node is seed for t in a.upstream)
            ),
            self.words.ys[0],
        )
        name = name_latex(self.words.label(y))
        rule = rf"\frac{{\partial {name}}}{{\partial {name}}} = 1"
        return self.words.step("gradient", seed, sentences.seed_sentence(self.words.label(y)), rule=rule)

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
                    node = self.words.resolved(rows_of(gradient)).node
                    if node.of is adjoint.node:
                        found.setdefault(node, (adjoint, index))
        return found

    def _passing_step(self, position: str, node: Node) -> Step:
        adjoint, index = self.passed[node]
        upstream, result = adjoint.received, node.outputs[0]
        op = self._op_label(adjoint, index)
        local = self._local(adjoint, result)
        adjoints = adjoint.node.op.adjoints
        rule = adjoints[min(index, len(adjoints) - 1)] if adjoints else None
        more: dict[str, Any] = {"rule": rule, "upstream": self.words.told(upstream), "of": adjoint.node.name}
        if local is None:
            shown = plain_text(rule) if rule else self.words.plain(node)
            sentence = sentences.passed_sentence(position, op, shown, self.words.text(result))
            return self.words.step("gradient", node, sentence, **more)
        source = adjoint.node.inputs[index]
        more["misconceptions"] = self._misconceptions(adjoint, index, local, result)
        more["local"] = [{"input": source.name, "value": value_json(local)}]
        more["rule_numbers"] = self._product(upstream, local, result)
        parts = self.words.text(upstream), value_text(local), self.words.text(result)
        return self.words.step("gradient", node, sentences.backward_sentence(position, op, *parts), **more)

    def _misconceptions(self, adjoint: Adjoint, index: int, local: Array, result: Tensor) -> list[Any]:
        values, source = self.words.values, adjoint.node.inputs[index]
        upstream = self.words.resolved(adjoint.received)
        before = 0.0 if upstream.node.op.name == "Fill" else self.along_path.get(upstream)
        if before is not None:
            self.along_path[result] = before + local
        y = adjoint.node.outputs[0]
        unary = len(adjoint.node.inputs) == 1 and source in values and y in values
        moved = self._with_rule(adjoint, result, {source: values[y]}) if unary else None
        return misconceptions.of_product(
            values[adjoint.received],
            local,
            values[result],
            along_path=self.along_path.get(result),
            at_output=moved,
            own=values.get(source) if adjoint.node.op.name == "Mul" else None,
        )

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
        upstream = self.words.values.get(adjoint.received)
        passed = self.words.values.get(result)
        if upstream is None or passed is None or upstream.shape != passed.shape:
            return None
        if not _is_elementwise(adjoint.node) and passed.ndim:
            return None
        return self._with_rule(adjoint, result, {adjoint.received: np.ones_like(upstream)})

    def _with_rule(self, adjoint: Adjoint, result: Tensor, other: dict[Tensor, Any]) -> Array | None:
        """What the rule passes on where some of the values around its node are others."""
        around = (*adjoint.node.inputs, *adjoint.node.outputs, adjoint.received)
        known = {tensor: self.words.values[tensor] for tensor in around if tensor in self.words.values}
        feeds = {**self.fresh.feeds, **known, **other}
        if any(node.op.name in TURNS for node in _run_for(result, feeds)):
            return None
        try:
            return np.asarray(self.fresh.session.run(result, feeds))
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
        receiver = self._receiver(total)
        name = self.words.label(receiver) if receiver is not None else total.node.name
        sentence = sentences.fan_out_sentence(position, name, texts, self.words.text(total))
        naive = self.naive.totals.get(self.words.resolved(receiver)) if receiver is not None else None
        values = [self.words.values.get(part) for part in parts]
        return self.words.step(
            "gradient",
            node,
            sentence,
            **self.words.formulas(node),
            contributions=contributions,
            misconceptions=misconceptions.of_sum(values, self.words.values.get(total), naive),
        )

    def _receiver(self, total: Tensor) -> Tensor | None:
        """The forward tensor whose contributions were added up."""
        for adjoint in self.words.adjoints:
            if total in adjoint.upstream:
                return adjoint.node.outputs[adjoint.upstream.index(total)]
        xs = zip(self.call.xs, self.call.gradients, strict=True)
        found: Tensor | None = next((x.as_tensor() for x, gradient in xs if gradient is total), None)
        return found

    def _part_step(self, position: str, node: Node, carries: bool) -> Step:
        tell = sentences.part_sentence if carries or node.of is None else sentences.local_sentence
        op = node.of.name if node.of else node.name
        sentence = tell(position, op, self.words.plain(node), self.words.text(node.outputs[0]))
        return self.words.step("gradient", node, sentence, **self.words.formulas(node))


def _is_elementwise(node: Node) -> bool:
    return node.op.shape_rule in (same, broadcast) and node.op.name not in ROW_BY_ROW


def _run_for(result: Tensor, feeds: Mapping[Any, Any]) -> set[Node]:
    """The nodes that run for a result where some tensors are fed: what it is computed by, or waits for."""
    return closure(
        [result.node],
        lambda node: [*(t.node for t in node.inputs if t not in feeds), *node.control_inputs],
    )
