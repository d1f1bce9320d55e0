"""The wrong values that a learner would give at each step of the backward pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.graph import Tensor
from engine.ops.base.tensors import Array
from engine.programs.lesson import misconceptions
from engine.programs.lesson.mathematics.backward.sweep import Contribution, Sweep
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.misconceptions import Misconception, NaiveRecursion


class Mistakes:
    """Computes them; along each path it adds up the local derivatives, as some do for the chain rule."""

    def __init__(self, page: Page, sweep: Sweep) -> None:
        self.page = page
        self.sweep = sweep
        self.naive = NaiveRecursion(page.words)
        self._along: dict[Tensor, Array] = {}

    def of(self, one: Contribution) -> list[Misconception]:
        """Of one contribution; `to` says of which, since a step may have several."""
        if one.local is None or one.upstream is None or one.value is None:
            return []
        upstream = self.page.value(one.upstream)
        if upstream is None:
            return []
        found = misconceptions.of_product(
            upstream,
            one.local,
            one.value,
            along_path=self._path(one),
            at_output=self._at_output(one),
            own=self._own(one),
        )
        return [{**wrong, "to": one.to.name} for wrong in found]

    def of_sum(self, to: Tensor, parts: Sequence[Array | None], total: Array | None) -> list[Misconception]:
        """Of a sum of contributions."""
        return misconceptions.of_sum(parts, total, self.naive.totals.get(to))

    def _path(self, one: Contribution) -> Any:
        """The local derivatives from y to here, added up; of several paths the last."""
        output = one.operation.output
        if one.local is None:
            return None
        before = self._along.get(output)
        if before is None and output in self.sweep.starts:
            return self._along.setdefault(one.to, one.local) if one.to not in self._along else None
        if before is None or before.shape != one.local.shape:
            return None
        self._along[one.to] = before + one.local
        return self._along[one.to]

    def _at_output(self, one: Contribution) -> Any:
        """The product with the derivative taken at the output."""
        node = one.operation.core
        if node is None or len(one.operation.nodes) > 1 or len(node.inputs) != 1:
            return None
        value = self.page.value(node.outputs[0])
        source = node.inputs[0]
        if value is None or value.shape != getattr(self.page.value(source), "shape", None):
            return None
        return self.sweep.with_rule(one.operation, one.passed, {source: value})

    def _own(self, one: Contribution) -> Any:
        node = one.operation.core
        return self.page.value(one.to) if node is not None and node.op.name == "Mul" else None
