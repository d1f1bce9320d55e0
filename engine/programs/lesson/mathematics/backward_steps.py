"""The backward pass, told: the start, a step for each operation on a path, and the sums where paths meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.graph import Tensor
from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import in_brackets, value_latex
from engine.programs.lesson.mathematics.chain_rule import ChainRule
from engine.programs.lesson.mathematics.mistakes import Mistakes
from engine.programs.lesson.mathematics.page import Page, beneath, equation, told
from engine.programs.lesson.mathematics.sentences import steps as sentences
from engine.programs.lesson.mathematics.sentences.returning import Returning, Sent
from engine.programs.lesson.mathematics.sentences.small_changes import backward_sentence
from engine.programs.lesson.mathematics.sentences.wording import in_words
from engine.programs.lesson.mathematics.sweep import Contribution, Sweep
from engine.programs.lesson.words import Step
from engine.programs.program.items import value_json
from engine.programs.training.training import rows_of


def backward_steps(page: Page, sweep: Sweep) -> Iterator[Step]:
    """The seeds, then each operation with the sums that it completes."""
    return BackwardSteps(page, sweep).steps()


class BackwardSteps:
    """The steps of one sweep; each contribution to a quantity that receives several has a number."""

    def __init__(self, page: Page, sweep: Sweep) -> None:
        self.page = page
        self.sweep = sweep
        self.mistakes = Mistakes(page, sweep)
        self.rules = ChainRule(page.names, sweep.arrivals)
        self.arrived: dict[Tensor, list[tuple[Array | None, str]]] = {}

    def steps(self) -> Iterator[Step]:
        """All steps in order."""
        for y, seed in self.sweep.seeds():
            yield self._seed_step(y, seed)
            yield from self._arrival(y, self.page.value(seed), seed.node.name, is_seed=True)
        for contributions in self.sweep.contributions.values():
            yield self._operation_step(contributions)
            for one in contributions:
                yield from self._arrival(one.to, one.value, one.operation.output.name)

    def _seed_step(self, y: Tensor, seed: Tensor) -> Step:
        value = self.page.value(seed)
        is_one = seed.node.op.name == "Fill" and (value is None or bool(np.all(value == 1)))
        name = self.page.names.of(y)
        rule = self.rules.of_itself(y)
        return self.page.step(
            "seed",
            seed.node.name,
            sentences.seed_sentence(name.text, value, is_one),
            nodes=[seed.node.name] if seed.node.phase == "gradient" else [],
            of=y.node.name,
            rule=rule,
            result=equation(rule, value),
            output=told(seed.name, value),
        )

    # -- operations ----------------------------------------------------------------------------------------

    def _operation_step(self, contributions: Sequence[Contribution]) -> Step:
        operation, first = contributions[0].operation, contributions[0]
        rules = [self.rules.of(one) for one in contributions]
        upstream = None if first.upstream is None else self.page.value(first.upstream)
        nodes = self.sweep.gradient_nodes(operation)
        return self.page.step(
            "backward",
            self._node(first, nodes),
            backward_sentence(self._returning(contributions)),
            nodes=nodes,
            of=operation.last.name,
            rule=beneath([rule.formula for rule in rules]),
            rule_numbers=beneath([_numbers(upstream, one) for one in contributions]),
            result=beneath(
                [equation(rule.left, one.value) for rule, one in zip(rules, contributions, strict=True)]
            ),
            inputs=[told(tensor.name, self.page.value(tensor)) for tensor in operation.inputs],
            output=told(_carrier(first), first.value),
            upstream=None if first.upstream is None else told(first.upstream.name, upstream),
            local=[
                {"input": one.to.name, "value": value_json(one.local)}
                for one in contributions
                if one.local is not None
            ],
            contributions=[
                self._contribution(one, rule.factor) for one, rule in zip(contributions, rules, strict=True)
            ],
            misconceptions=[wrong for one in contributions for wrong in self.mistakes.of(one)],
        )

    def _node(self, first: Contribution, nodes: Sequence[str]) -> str:
        carrier: str = rows_of(first.passed[-1]).node.name
        return carrier if carrier in nodes else nodes[-1] if nodes else first.operation.last.name

    def _contribution(self, one: Contribution, factor: str | None) -> dict[str, Any]:
        upstream = None if one.upstream is None else self.page.value(one.upstream)
        return {
            "from": one.operation.output.name,
            "to": one.to.name,
            "expression": self.page.names.gradient(one.to),
            "factor": factor,
            "upstream": value_json(upstream),
            "local": value_json(one.local),
            "value": value_json(one.value),
        }

    def _returning(self, contributions: Sequence[Contribution]) -> Returning:
        operation, names = contributions[0].operation, self.page.names
        node = operation.core
        words = ""
        if node is not None and node.op.derivative:
            words = node.op.derivative[min(contributions[0].place, len(node.op.derivative) - 1)]
        inputs = operation.inputs if node is None else [self.page.words.resolved(t) for t in node.inputs]
        upstream = contributions[0].upstream
        return Returning(
            formula=names.formula(operation.output).text,
            op="" if node is None or self.rules.is_own(operation) else node.op.name,
            words="" if self.rules.is_own(operation) else words,
            upstream=None if upstream is None else self.page.value(upstream),
            sent=[self._sent(one) for one in contributions],
            inputs=[names.of(tensor).text for tensor in inputs],
            values=[self.page.value(tensor) for tensor in inputs],
            output=self.page.value(operation.output),
        )

    def _sent(self, one: Contribution) -> Sent:
        factor = self.rules.factor_text(one)
        return Sent(self.page.names.of(one.to).text, one.place, factor, one.local, one.value)

    # -- sums ----------------------------------------------------------------------------------------------

    def _arrival(
        self, to: Tensor, value: Array | None, source: str, *, is_seed: bool = False
    ) -> Iterator[Step]:
        """Note what has arrived; the sum, once everything has."""
        expected = self.sweep.arrivals[to] + (to in self.sweep.starts)
        parts = self.arrived.setdefault(to, [])
        parts.append((value, source))
        if len(parts) == expected > 1:
            yield self._sum_step(to, parts)

    def _sum_step(self, to: Tensor, parts: Sequence[tuple[Array | None, str]]) -> Step:
        total = self.sweep.total(to)
        value, values = self.sweep.value_of(total), [value for value, _ in parts]
        left, name = self.page.names.gradient(to), self.page.names.of(to)
        texts = [in_words(part) for part in values]
        numbers = [value_latex(part) for part in values]
        node = rows_of(total).node
        nodes = [node.name] if node.phase == "gradient" else []
        return self.page.step(
            "sum",
            node.name,
            sentences.sum_sentence(self.rules.text(left), name.text, texts, in_words(value)),
            nodes=nodes,
            of=to.node.name,
            rule=f"{left} = "
            + " + ".join(self.rules.part(to, number) for number in range(1, len(parts) + 1)),
            rule_numbers=None
            if None in numbers
            else " + ".join(in_brackets(number or "") for number in numbers),
            result=equation(left, value),
            inputs=[],
            output=told(rows_of(total).name, value),
            contributions=[
                {
                    "from": source,
                    "to": to.name,
                    "expression": left,
                    "factor": None,
                    "upstream": None,
                    "local": None,
                    "value": value_json(part),
                }
                for part, source in parts
            ],
            misconceptions=self.mistakes.of_sum(to, values, value),
        )


def _carrier(one: Contribution) -> str:
    name: str = rows_of(one.passed[-1]).name
    return name


def _numbers(upstream: Array | None, one: Contribution) -> str | None:
    """`1.152 \\times (-0.99)`."""
    factors = value_latex(upstream), value_latex(one.local)
    if None in factors or one.local is None or one.local.ndim:
        return None
    return rf"{factors[0]} \times {in_brackets(factors[1] or '')}"
