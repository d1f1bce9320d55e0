"""What a learner is asked about what an operation sends back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.programs.lesson import misconceptions
from engine.programs.lesson.mathematics import questions
from engine.programs.lesson.mathematics.backward.chain_rule import ChainRule, wrong_products
from engine.programs.lesson.mathematics.backward.sweep import Contribution, Sweep
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.mathematics.questions import Question
from engine.programs.lesson.mathematics.sentences import questions as ask
from engine.programs.lesson.mathematics.sentences.wording import is_large
from engine.programs.lesson.misconceptions import Misconception


def asked_of(
    page: Page,
    sweep: Sweep,
    rules: ChainRule,
    contributions: Sequence[Contribution],
    wrong: Sequence[Misconception],
) -> Iterator[Question | None]:
    """What may be asked, the best first: a number, a factor, a product, a number for all, one number."""
    operation, of = contributions[0].operation, page.names.of
    formula = page.names.formula(operation.output).text
    for one in contributions:
        if one.local is not None and not one.local.ndim:
            prompt = ask.ask_sent(formula, of(one.to).text)
            yield questions.of_number(prompt, one.value, wrong, to=one.to.name)
    for one in contributions:
        prompt = ask.ask_factor(formula, of(one.to).text)
        yield questions.of_factor(prompt, rules.of(one).factor, _factors(page, one), one.to.name)
        yield _product(page, rules, one)
    yield from (_of_each(page, one, formula) for one in contributions)
    if any(is_large(page.value(tensor)) for tensor in operation.inputs):
        return
    for one in contributions:
        if sweep.arrivals[one.to] == 1:
            left = rules.text(page.names.gradient(one.to))
            yield questions.of_number(ask.ask_gradient(left), one.value, wrong, to=one.to.name)
            yield questions.of_entry(left, one.value, wrong, to=one.to.name)


def _factors(page: Page, one: Contribution) -> Iterator[tuple[str, str | None]]:
    """Wrong factors."""
    node = one.operation.core
    yield "M2", "1"
    if node is not None and node.op.name == "Mul":
        yield "M7", page.names.of(one.to).latex


def _product(page: Page, rules: ChainRule, one: Contribution) -> Question | None:
    """Which product of matrices comes back."""
    found = wrong_products(one, page.names)
    if found is None:
        return None
    return questions.of_product(ask.ask_product(rules.text(page.names.gradient(one.to))), *found, one.to.name)


def _of_each(page: Page, one: Contribution, formula: str) -> Question | None:
    """One number that comes back to each element, as of a sum and a mean."""
    upstream = None if one.upstream is None else page.value(one.upstream)
    value = one.value
    if value is None or value.size < 2 or upstream is None or upstream.size != 1:
        return None
    if not np.all(value == value.flat[0]):
        return None
    number = np.asarray(value.flat[0])
    wrong = misconceptions.told({"M2": upstream.reshape(())}, number)
    return questions.of_number(ask.ask_each(formula, page.names.of(one.to).text), number, wrong)
