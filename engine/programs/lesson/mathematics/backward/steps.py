"""The backward pass, told: the start, a step for each operation on a path, and the sums where paths meet."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from engine.graph import Tensor
from engine.ops.base.derivatives import AVERAGED
from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import in_brackets, value_latex
from engine.programs.lesson.mathematics import questions
from engine.programs.lesson.mathematics.backward.arrows import arrow_text
from engine.programs.lesson.mathematics.backward.asking import asked_of
from engine.programs.lesson.mathematics.backward.chain_rule import ChainRule, turned_name, turned_sides
from engine.programs.lesson.mathematics.backward.derivatives import SHORT
from engine.programs.lesson.mathematics.backward.mistakes import Mistakes
from engine.programs.lesson.mathematics.backward.sweep import Contribution, Sweep
from engine.programs.lesson.mathematics.blocks import Outline
from engine.programs.lesson.mathematics.notation import Piece
from engine.programs.lesson.mathematics.operations import Operation, is_mean, whole_call
from engine.programs.lesson.mathematics.page import (
    Page,
    beneath,
    equation,
    told,
    touched_kink,
    with_texts,
)
from engine.programs.lesson.mathematics.sentences import questions as ask
from engine.programs.lesson.mathematics.sentences import steps as sentences
from engine.programs.lesson.mathematics.sentences.returning import Returning, Sent
from engine.programs.lesson.mathematics.sentences.small_changes import backward_sentence
from engine.programs.lesson.misconceptions import Misconception
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.words import Step
from engine.programs.program.items import value_json
from engine.programs.training.training import rows_of


def backward_steps(page: Page, sweep: Sweep, outline: Outline | None = None) -> Iterator[Step]:
    """The seeds, then each operation with the sums that it completes; of loops turn by turn."""
    return BackwardSteps(page, sweep, outline).steps()


@dataclass(frozen=True, slots=True)
class Part:
    """What a quantity has received: from which node; count: how many contributions it is the sum of."""

    value: Array | None
    source: str
    count: int = 1


class BackwardSteps:
    """The steps of one sweep; each contribution to a quantity that receives several has a number."""

    def __init__(self, page: Page, sweep: Sweep, outline: Outline | None) -> None:
        self.page = page
        self.sweep = sweep
        self.outline = outline
        self.mistakes = Mistakes(page, sweep)
        self.rules = ChainRule(page.names, sweep.arrivals)
        self.arrived: dict[Tensor, list[Part]] = {}
        self._last: Operation | None = None
        self._told: set[Operation] = set()
        self._receiving: dict[Operation, None] = {}
        self._made_by = {operation.output: operation for operation in sweep.contributions}

    def steps(self) -> Iterator[Step]:
        """All steps in order."""
        for y, seed in self.sweep.seeds():
            yield self._seed_step(y, seed)
            yield from self._arrival(y, Part(self.page.value(seed), seed.node.name))
        for left_out, found in groupby(self.sweep.contributions.values(), self._left_out):
            if left_out is not None:
                yield from self._rest(left_out, [one for contributions in found for one in contributions])
                continue
            for contributions in found:
                yield from self._heading(contributions[0].operation)
                yield self._operation_step(contributions)
                self._told.add(contributions[0].operation)
                for one in contributions:
                    yield from self._arrival(one.to, Part(one.value, one.operation.output.name))
        for x, gradient in self.sweep.pairs():
            if x in self.sweep.parts:
                yield self._values_step(x, gradient)

    # -- what is left out ----------------------------------------------------------------------------------

    def _left_out(self, contributions: Sequence[Contribution]) -> Hashable | None:
        return None if self.outline is None else self.outline.block(contributions[0].operation)

    def _heading(self, operation: Operation) -> Iterator[Step]:
        """Where the way back enters a turn."""
        if self.outline is not None:
            step = self.outline.entering(self.page, self._last, operation)
            yield from () if step is None else (step,)
        self._last = operation

    def _rest(self, block: Hashable, found: Sequence[Contribution]) -> Iterator[Step]:
        """Operations that are not told: what they send to what stands outside of them, added up."""
        if self.outline is None:
            return
        inside = {one.operation.output for one in found}
        parts: dict[Tensor, Part] = {}
        for one in found:
            if one.to not in inside:
                before = parts.get(one.to, Part(None, one.operation.output.name, 0))
                value = one.value if before.value is None else before.value + one.value
                parts[one.to] = Part(value, before.source, before.count + 1)
        sent = [(to, part.value) for to, part in parts.items() if part.value is not None]
        step = self.outline.rest_back(self.page, block, sent)
        yield with_texts({**step, "contributions": [self._sent_on(to, part) for to, part in parts.items()]})
        self._last = found[-1].operation
        for to, part in parts.items():
            self.rules.next_part(to)
            yield from self._arrival(to, part)

    def _sent_on(self, to: Tensor, part: Part) -> dict[str, Any]:
        """A contribution that is told by its value alone."""
        return {
            "from": part.source,
            "to": to.name,
            "expression": self.page.names.gradient(to),
            "factor": None,
            "upstream": None,
            "local": None,
            "value": value_json(part.value),
        }

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
            question=questions.of_number(ask.ask_start(name.text), value),
        )

    # -- operations ----------------------------------------------------------------------------------------

    def _operation_step(self, contributions: Sequence[Contribution]) -> Step:
        operation, first = contributions[0].operation, contributions[0]
        rules = [self.rules.of(one) for one in contributions]
        upstream = None if first.upstream is None else self.page.value(first.upstream)
        nodes = self.sweep.gradient_nodes(operation)
        wrong = [wrong for one in contributions for wrong in self.mistakes.of(one)]
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
            misconceptions=wrong,
            question=self._question(contributions, wrong),
        )

    def _question(
        self, contributions: Sequence[Contribution], wrong: Sequence[Misconception]
    ) -> questions.Question | None:
        """Which operation goes on, where one has to wait; else what is sent; of arrays by which factor."""
        operation = contributions[0].operation
        asked = questions.of_next(ask.ask_next(), self._ready(operation), self._waiting())
        if asked is not None:
            return asked
        found = asked_of(self.page, self.sweep, self.rules, contributions, wrong)
        return next((question for question in found if question is not None), None)

    def _ready(self, operation: Operation) -> list[str]:
        """The operations that have all of what comes back to them and have not sent it on, this one first."""
        ready = [one for one in self._pending() if self._arrived(one) == self._expected(one)]
        return [operation.last.name, *(one.last.name for one in ready if one is not operation)]

    def _waiting(self) -> list[tuple[str, Sentence]]:
        """The operations that have some of it, with how much they wait for."""
        found = []
        for one in self._pending():
            arrived, expected = self._arrived(one), self._expected(one)
            if 0 < arrived < expected:
                name = self.page.names.of(one.output).text
                found.append((one.last.name, ask.must_wait(name, arrived, expected)))
        return found

    def _pending(self) -> list[Operation]:
        """The operations that have received something and not sent it on."""
        return [one for one in self._receiving if one not in self._told]

    def _arrived(self, operation: Operation) -> int:
        return sum(part.count for part in self.arrived.get(operation.output, ()))

    def _expected(self, operation: Operation) -> int:
        return self.sweep.arrivals[operation.output] + (operation.output in self.sweep.starts)

    def _node(self, first: Contribution, nodes: Sequence[str]) -> str:
        carrier: str = rows_of(first.passed[-1]).node.name
        return carrier if carrier in nodes else nodes[-1] if nodes else first.operation.last.name

    def _contribution(self, one: Contribution, factor: str | None) -> dict[str, Any]:
        upstream = None if one.upstream is None else self.page.value(one.upstream)
        said = {} if factor is not None else {"factor_text": arrow_text(one, self.page, self.rules)}
        return {
            **said,
            "from": one.operation.output.name,
            "to": one.to.name,
            "expression": self.page.names.gradient(one.to),
            "upstream_expression": self.page.names.gradient(one.operation.output),
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
        elif is_mean(operation):
            words = AVERAGED[0]
        inputs = operation.inputs if node is None else [self.page.words.resolved(t) for t in node.inputs]
        flips = [False] * len(inputs) if node is None else turned_sides(node)
        upstream = contributions[0].upstream
        formula, name = names.whole(operation.output).text, names.of(operation.output).text
        return Returning(
            formula=formula,
            name=name if len(formula) > SHORT else formula,
            op="" if node is None or self.rules.is_own(operation) else node.op.name,
            words="" if self.rules.is_own(operation) else words,
            upstream=None if upstream is None else self.page.value(upstream),
            sent=[self._sent(one) for one in contributions],
            inputs=[
                turned_name(names.of(t), turned=flip).text for t, flip in zip(inputs, flips, strict=True)
            ],
            values=[
                value.T if flip and value is not None else value
                for value, flip in zip(map(self.page.value, inputs), flips, strict=True)
            ],
            output=self.page.value(operation.output),
            kink=self._kink(operation),
            is_own=self.rules.is_own(operation),
            function=self._function_of(operation),
        )

    def _function_of(self, operation: Operation) -> str:
        words = self.page.words
        return whole_call(words, operation.nodes, operation.core) or words.function_of(operation.last)

    def _kink(self, operation: Operation) -> tuple[str, str]:
        """What the op's block says of a corner that a single number touches."""
        kink = touched_kink(self.page, operation.core)
        if kink is None or self.rules.is_own(operation):
            return "", ""
        value = self.page.value(operation.output)
        return (kink.note, kink.note_zh) if value is not None and value.size == 1 else ("", "")

    def _sent(self, one: Contribution) -> Sent:
        factor = self.rules.factor_text(one)
        return Sent(self.page.names.of(one.to).text, one.place, factor, one.local, one.value)

    # -- sums ----------------------------------------------------------------------------------------------

    def _arrival(self, to: Tensor, part: Part) -> Iterator[Step]:
        """Note what has arrived; the sum, once everything has."""
        expected = self.sweep.arrivals[to] + (to in self.sweep.starts)
        parts = self.arrived.setdefault(to, [])
        parts.append(part)
        if to in self._made_by:
            self._receiving[self._made_by[to]] = None
        if sum(one.count for one in parts) == expected and len(parts) > 1:
            yield self._sum_step(to, parts)

    def _sum_step(self, to: Tensor, parts: Sequence[Part]) -> Step:
        total = self.sweep.total(to)
        value, values = self.sweep.value_of(total), [part.value for part in parts]
        left, name = self.page.names.gradient(to), self.page.names.of(to)
        count = sum(part.count for part in parts)
        numbers = [value_latex(part) for part in values]
        node = rows_of(total).node
        wrong = self.mistakes.of_sum(to, values, value) if count == len(parts) else []
        return self.page.step(
            "sum",
            node.name,
            sentences.sum_sentence(self.rules.text(left), name.text, values, value, count),
            nodes=[node.name] if node.phase == "gradient" else [],
            of=to.node.name,
            rule=f"{left} = "
            + " + ".join(self.rules.part(to, number) for number in range(1, len(parts) + 1)),
            rule_numbers=None
            if None in numbers
            else " + ".join(in_brackets(number or "") for number in numbers),
            result=equation(left, value),
            inputs=[],
            output=told(rows_of(total).name, value),
            contributions=[self._sent_on(to, part) for part in parts],
            misconceptions=wrong,
            question=questions.of_number(ask.ask_sum(name.text, count), value, wrong)
            or questions.of_entry(self.rules.text(left), value, wrong),
        )

    def _values_step(self, x: Tensor, gradient: Tensor) -> Step:
        """The gradient of a variable that is written: of all values that it had."""
        known = [(one, slope) for one, slope in self.sweep.parts[x].items() if slope is not None]
        values, total = [self.sweep.value_of(slope) for _, slope in known], self.page.value(gradient)
        names, left = self.page.names, self.page.names.gradient(x)
        used = [names.of(one).text for one, _ in known]
        numbers = [value_latex(value) for value in values]
        return self.page.step(
            "sum",
            gradient.node.name,
            sentences.values_sentence(names.of(x).text, Piece(names.target).text, used, values, total),
            nodes=[],
            of=x.node.name,
            rule=f"{left} = " + " + ".join(names.gradient(one) for one, _ in known),
            rule_numbers=None
            if None in numbers
            else " + ".join(in_brackets(number or "") for number in numbers),
            result=equation(left, total),
            output=told(gradient.name, total),
            contributions=[
                {
                    **self._sent_on(x, Part(value, one.name)),
                    "upstream_expression": names.gradient(one),
                    "upstream": value_json(value),
                }
                for (one, _), value in zip(known, values, strict=True)
            ],
            question=questions.of_number(ask.ask_gradient(self.rules.text(left)), total),
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
