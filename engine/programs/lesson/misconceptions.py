"""Wrong values that a learner would give who holds a known misconception, beside the right one of a step.

The ids: M1 the later path overwrites the earlier; M2 the upstream gradient passed on unchanged; M3 the
local derivative alone; M4 local derivatives added along the path; M5 paths multiplied; M6 the derivative
taken at the output; M7 the partials of a product swapped; M8 a step uphill; M9 the difference step δ as
learning rate; M10 the gradient of a pass before is still there (of one at the same point, since this is
the first step); M11 each component clipped in place of the norm; M12 the gradients of several towers
summed in place of their mean; M13 None counted as 0; M14 gradients sent on before all of them have arrived.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.graph import Adjoint, Node, Tensor
from engine.ops.base.tensors import TEXT, Array
from engine.programs.lesson.words import Words
from engine.programs.program.items import value_json
from engine.programs.training.training import rows_of

DIFFERENCE_STEP = 1e-3  # δ, what a numerical derivative moves x by
MOST_VISITS = 5000  # of the naive recursion, which visits a node once for each path to it

Misconception = dict[str, Any]


def told(wrong: Mapping[str, Any], right: Any, also_where_equal: Sequence[str] = ()) -> list[Misconception]:
    """`{"id", "value"}` for each wrong value that differs from the right one.

    Those of `also_where_equal` are told in any case; `coincides` says that they give the right value here.
    """
    found = []
    for name, value in wrong.items():
        if value is None or right is None:
            continue
        equal = _equal(value, right)
        if not equal or name in also_where_equal:
            coincides = {"coincides": True} if equal else {}
            found.append({"id": name, "value": value_json(np.asarray(value)), **coincides})
    return found


def _equal(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, rtol=1e-6, atol=1e-12, equal_nan=True))


def of_product(
    upstream: Array, local: Array, result: Array, *, along_path: Array | None, at_output: Any, own: Any
) -> list[Misconception]:
    """Upstream gradient times local derivative, and what else learners do with the two.

    along_path: the local derivatives of the path so far, added up; at_output: the product with the
    derivative taken at the output; own: the factor of a product that the gradient is asked for.
    """
    wrong = {
        "M2": upstream,
        "M3": local,
        "M4": None if along_path is None or np.shape(along_path) != np.shape(result) else along_path,
        "M6": at_output,
        "M7": None if own is None or np.shape(own) != np.shape(upstream) else upstream * own,
    }
    return told(wrong, result)


def of_sum(parts: Sequence[Any], total: Any, naive: float | None) -> list[Misconception]:
    """Contributions that are added up, and what comes of overwriting or multiplying them."""
    if any(part is None for part in parts):
        return []
    same_shape = len({np.shape(part) for part in parts}) == 1
    product = np.prod(np.stack(parts), axis=0) if same_shape else None
    wrong = {"M1": parts[-1], "M5": product, "M14": naive}
    return told(wrong, total, also_where_equal=("M1", "M5"))


def of_clip(values: Any, bound: float, clipped: Any) -> list[Misconception]:
    """Clipping by norm, and clipping each component in its place."""
    return told({"M11": None if values is None or bound <= 0 else np.clip(values, -bound, bound)}, clipped)


def of_descent(old: Any, rate: Any, gradient: Any, new: Any) -> list[Misconception]:
    """A step of gradient descent: uphill, with δ as its length, or along a gradient never cleared."""
    if old is None or rate is None or gradient is None:
        return []
    uncleared = gradient + gradient
    wrong = {
        "M8": old + rate * gradient,
        "M9": old - DIFFERENCE_STEP * gradient,
        "M10": old - rate * uncleared,
    }
    return told(wrong, new)


def of_mean(total: Any, mean: Any) -> list[Misconception]:
    """The mean of several gradients, and their sum; None where a node takes no mean."""
    return told({"M12": total}, mean)


def of_none(dtype: str) -> list[Misconception]:
    """A gradient that is None, counted as 0 of its x's type; a text has none."""
    return [] if dtype == TEXT else [{"id": "M13", "value": value_json(np.asarray(0.0, dtype))}]


# -- naive recursion ---------------------------------------------------------------------------------


class NaiveRecursion:
    """Backpropagation in the wrong order: a node sends on all it has each time that something arrives.

    totals: what each tensor of a scalar graph ends up with; empty where the graph is not scalar or too large.
    visits: how often it went to a node; None where it was too often.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.slopes: dict[Node, list[tuple[Tensor, float]]] = {}
        self.totals: dict[Tensor, float] = {}
        self.visits: int | None = None
        self._visits = 0
        for adjoint in words.adjoints:
            slopes = self._slopes_of(adjoint)
            if slopes is None:
                return
            self.slopes[adjoint.node] = slopes
        for y in words.ys:
            start = words.resolved(y)
            self.totals[start] = 1.0
            self._send_on(start)
        if self._visits > MOST_VISITS:
            self.totals = {}
        else:
            self.visits = self._visits

    def _slopes_of(self, adjoint: Adjoint) -> list[tuple[Tensor, float]] | None:
        """The local derivative by each input, as the sweep found it; None where one is no plain number."""
        upstream = self.words.values.get(adjoint.received)
        if upstream is None or upstream.ndim or upstream == 0:
            return None
        slopes = []
        for source, passed in zip(adjoint.node.inputs, adjoint.passed, strict=False):
            value = None if passed is None else self.words.values.get(rows_of(passed))
            if passed is not None:
                if value is None or value.ndim:
                    return None
                slopes.append((self.words.resolved(source), float(value) / float(upstream)))
        return slopes

    def _send_on(self, start: Tensor) -> None:
        waiting = [start]  # latest last, as the calls of a recursion would stand
        while waiting and self._visits <= MOST_VISITS:
            tensor = waiting.pop()
            slopes = self.slopes.get(tensor.node, [])
            self._visits += 1
            for source, slope in slopes:
                self.totals[source] = self.totals.get(source, 0.0) + slope * self.totals[tensor]
            waiting.extend(source for source, _ in reversed(slopes))
