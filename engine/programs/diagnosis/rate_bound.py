"""Where the bound 2/L holds: for plain gradient descent on a target that is quadratic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution import Session
from engine.execution.interpreter.buffers import written_by
from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import make_plan
from engine.graph import Tensor, Variable
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array
from engine.programs.diagnosis.curvature import MAX_NUMBERS
from engine.programs.diagnosis.degree import degree_of
from engine.programs.diagnosis.divergence import setting
from engine.programs.training.training import Training

PLAIN_DESCENT = frozenset({"GradientDescent", "SGD"})  # whose steps the bound is about

Feeds = Mapping[Tensor, Any]


@dataclass(frozen=True, slots=True)
class SlopeAt:
    """The gradient of a target as a function of one flat array, which holds all that is trained.

    session: at the start; it is left as it was.
    """

    pairs: tuple[tuple[Tensor, Variable], ...]
    session: Session
    feeds: Feeds

    @property
    def start(self) -> Array:
        """The variables' values in the session, flat."""
        return _flat(self.session.variables[variable.node] for _, variable in self.pairs)

    def __call__(self, point: Array) -> Array:
        kept = self.session.variables
        held = [kept[variable.node] for _, variable in self.pairs]
        parts = np.split(point, np.cumsum([array.size for array in held])[:-1])
        moved = zip(self.pairs, parts, held, strict=True)
        self.session.variables = {
            **kept,
            **{v.node: part.reshape(old.shape).astype(old.dtype) for (_, v), part, old in moved},
        }
        found = self.session.run([gradient for gradient, _ in self.pairs], self.feeds)
        self.session.variables = kept
        return _flat(found)


def plain_rate(training: Training) -> float | None:
    """The learning rate of plain gradient descent; None for any other optimizer or processing."""
    pairs = zip(training.raw, training.processed, strict=True)
    plain = training.optimizer.rule.name in PLAIN_DESCENT and not setting(training, "momentum")
    if not plain or any(raw is not ready for (raw, _), (ready, _) in pairs):
        return None
    return setting(training, "learning_rate")


def quadratic_slope(training: Training, session: Session, feeds: Feeds) -> SlopeAt | None:
    """The gradient of a quadratic target; None for any other target, or for one of many numbers."""
    pairs = [(gradient, variable) for gradient, variable in training.raw if gradient is not None]
    if any(isinstance(gradient, IndexedSlices) or None in variable.shape for gradient, variable in pairs):
        return None
    numbers = sum(session.variables[variable.node].size for _, variable in pairs)
    if numbers > MAX_NUMBERS or not _is_quadratic(training, feeds):
        return None
    return SlopeAt(tuple(pairs), session, feeds)


def _is_quadratic(training: Training, feeds: Feeds) -> bool:
    """Whether the target is a polynomial of the second degree, the same at each step."""
    trained = {variable.node for variable in training.names}
    steps = [node for step in make_plan([training.train_op]).steps for node in nodes_of(step)]
    moving = {variable for node in steps for variable in written_by(node)} - trained
    return degree_of(training.loss, trained, moving, feeds) <= 2


def _flat(arrays: Any) -> Array:
    return np.concatenate([np.ravel(array).astype(np.float64) for array in arrays])
