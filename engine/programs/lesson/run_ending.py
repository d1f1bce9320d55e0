"""How the program's own optimizer goes on from its first update: it converges, oscillates, or diverges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import GradlensError
from engine.ops.base.tensors import Array
from engine.programs.lesson.words import Words
from engine.programs.program.static_values import FreshRun

STEPS = 40
SHRUNK, GROWN = 0.5, 2.0  # the last movement as a part of the first
MOST = 0.5  # of the movements that turn back


@dataclass(frozen=True, slots=True)
class RunEnding:
    """The optimizer's name, and what is right to say; the first is the answer."""

    optimizer: str
    endings: tuple[str, ...]


def run_ending(words: Words, fresh: FreshRun) -> RunEnding | None:
    """What comes of more updates; the session is as many further on. None where it cannot be told."""
    calls = [c for c in words.outcome.workspace.updates if c.train_op.graph is words.graph]
    if not calls or any(node.op.draws for node in words.graph.nodes):
        return None
    places = [_place(fresh)]
    try:
        for _ in range(STEPS):
            fresh.session.run(calls[-1].train_op, fresh.feeds)
            places.append(_place(fresh))
            if not np.all(np.isfinite(places[-1])):
                return RunEnding(calls[-1].optimizer.name, ("diverge",))
    except GradlensError:
        return None
    endings = _endings(np.diff(places, axis=0))
    return RunEnding(calls[-1].optimizer.name, endings) if endings else None


def _place(fresh: FreshRun) -> Array:
    """All floating variables in one row."""
    values = [np.ravel(v) for v in fresh.session.variables.values() if v.dtype.kind == "f"]
    return np.concatenate(values).astype("float64") if values else np.zeros(0)


def _endings(moves: Array) -> tuple[str, ...]:
    """By the movements, one in each row."""
    lengths = np.linalg.norm(moves, axis=1)
    if not lengths.size or lengths[0] == 0:
        return ()
    turns = float(np.mean(np.sum(moves[1:] * moves[:-1], axis=1) < 0))
    if lengths[-1] > GROWN * lengths[0]:
        return ("diverge",)
    if lengths[-1] < SHRUNK * lengths[0]:
        return ("converge", "oscillate") if turns > MOST else ("converge",)
    return ("oscillate",) if turns > MOST else ()
