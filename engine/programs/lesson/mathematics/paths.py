"""All paths from a variable to the target, the product along each, and their running sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.graph import Tensor
from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.backward.chain_rule import ChainRule
from engine.programs.lesson.mathematics.backward.sweep import Contribution, Sweep
from engine.programs.lesson.mathematics.notation import as_text
from engine.programs.lesson.mathematics.page import Page
from engine.programs.lesson.misconceptions import NaiveRecursion
from engine.programs.program.items import value_json

MOST_PATHS = 50  # that are written out


class Paths:
    """The paths of one sweep to one of its xs; only where every quantity on them is a single number.

    count: how many there are.
    """

    def __init__(self, page: Page, sweep: Sweep, x: Tensor) -> None:
        self.page = page
        self.sweep = sweep
        self.x = x
        self._ends = {*sweep.values_of(x)}
        self._rules = ChainRule(page.names, Counter())
        self._sent = {operation.output: found for operation, found in sweep.contributions.items()}
        self._leading = self._leading_to_x()
        self.count = self._counted()

    @property
    def is_of_numbers(self) -> bool:
        """Whether every local derivative on the way is a number."""
        return all(
            one.local is not None and not one.local.ndim
            for found in self._sent.values()
            for one in found
            if one.to in self._leading
        )

    def told(self) -> dict[str, Any]:
        """`paths`, `count`, what they add up to, and what naive recursion makes of it."""
        total, paths = 0.0, []
        for number, (start, path) in enumerate(self._walked()):
            if number == MOST_PATHS:
                break
            told = self._path(start, path)
            total += told["product"]
            paths.append({**told, "sum": total})
        naive = NaiveRecursion(self.page.words)
        return {
            "count": self.count,
            "paths": paths,
            "gradient": value_json(self._gradient()),
            "naive": naive.totals.get(self.x),
            "visits": {"naive": naive.visits, "reverse": len(self._sent)},
        }

    def _gradient(self) -> Array | None:
        found = next((slope for x, slope in self.sweep.pairs() if x is self.x), None)
        return None if found is None else self.page.value(found)

    def _path(self, start: Tensor, path: Sequence[Contribution]) -> dict[str, Any]:
        """One path from the variable, or from a value of it, forward."""
        steps = [*reversed(path)]
        y = steps[-1].operation.output if steps else start
        seed = self.page.value(self.sweep.starts[y])
        locals_ = [float(one.local) for one in steps if one.local is not None]
        factors = [self._rules.of(one).factor for one in steps]
        quantities = [start, *(one.operation.output for one in steps)]
        return {
            "quantities": [
                {"tensor": tensor.name, "expression": name.latex, "expression_text": name.text}
                for tensor, name in ((one, self.page.names.of(one)) for one in quantities)
            ],
            "factors": [
                {"formula": formula, "formula_text": formula and as_text(formula), "value": value}
                for formula, value in zip(factors, locals_, strict=True)
            ],
            "product": float(np.prod(locals_)) * (1.0 if seed is None else float(seed)),
        }

    # -- walking -------------------------------------------------------------------------------------------

    def _walked(self) -> Iterator[tuple[Tensor, list[Contribution]]]:
        """Where each path from y back to x comes to, and the path; without recursion: graphs may be deep."""
        for y in self.sweep.starts:
            waiting: list[tuple[Tensor, list[Contribution]]] = [(y, [])]
            while waiting:
                tensor, path = waiting.pop()
                if tensor in self._ends:
                    yield tensor, path
                    continue
                onward = [one for one in self._sent.get(tensor, ()) if one.to in self._leading]
                waiting += [(one.to, [*path, one]) for one in reversed(onward)]

    def _leading_to_x(self) -> set[Tensor]:
        """The quantities from which the way back comes to x."""
        found = set(self._ends)
        for output in reversed(self._sent):
            if any(one.to in found for one in self._sent[output]):
                found.add(output)
        return found

    def _counted(self) -> int:
        ways: Counter[Tensor] = Counter(dict.fromkeys(self.sweep.starts, 1))
        for output, found in self._sent.items():
            for one in found:
                ways[one.to] += ways[output]
        return sum(ways[end] for end in self._ends)
