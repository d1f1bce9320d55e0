"""States of a run saved on its way, so that a late step is computed from the nearest one, not from the start.

A state is what the variables hold before an update, and how often each random node has drawn. What is
computed from it is the very run: the same numbers, bit for bit.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Graph, Node
from engine.ops.base.tensors import TEXT, Array

MOST = 64  # of a run
MAX_NUMBERS = 100_000  # in all of a run's together: they lie in the store beside people's programs
STEPS, STATE, DRAWS = "steps", "state/", "draws/"  # how arrays are called in the bytes


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state before one step of a run.

    draws: how often each random node has drawn before it.
    """

    step: int
    state: Mapping[Node, Any]
    draws: Mapping[Node, int]


class Checkpoints:
    """Some states of a run, about evenly spread over its rows."""

    def __init__(self) -> None:
        self._saved: list[Checkpoint] = []

    @property
    def steps(self) -> list[int]:
        """The steps whose states are saved."""
        return [one.step for one in self._saved]

    def see(self, here: Checkpoint, rows: int) -> None:
        """Save a state of a run of so many rows, where the one before is far enough."""
        numbers = sum(np.size(value) for value in here.state.values())
        most = min(MOST, MAX_NUMBERS // max(1, numbers))
        far = self._saved[-1].step + rows // most if most and self._saved else 1
        if most and here.step >= far:
            self._saved.append(here)

    def as_bytes(self) -> bytes:
        """All of them, compressed; nothing where a variable changes its shape or holds texts."""
        shapes = {tuple(map(np.shape, one.state.values())) for one in self._saved}
        if len(shapes) != 1 or any(node.outputs[0].dtype == TEXT for node in self._saved[0].state):
            return b""
        arrays: dict[str, Array] = {STEPS: np.array(self.steps)}
        for node in self._saved[0].state:
            rows = [np.asarray(one.state[node], dtype=node.outputs[0].dtype) for one in self._saved]
            arrays[STATE + node.name] = np.stack(rows)
        for node in self._saved[-1].draws:
            arrays[DRAWS + node.name] = np.array([one.draws.get(node, 0) for one in self._saved])
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # every name here is an array's
        return file.getvalue()


def nearest(saved: bytes, step: int, graph: Graph) -> Checkpoint | None:
    """Of the checkpoints that were saved, the last one up to a step; None where there is none."""
    if not saved:
        return None
    with np.load(io.BytesIO(saved), allow_pickle=False) as arrays:
        place = int(np.searchsorted(arrays[STEPS], step, side="right")) - 1
        if place < 0:
            return None

        def arrays_of(kind: str) -> dict[Node, Any]:
            names = [name for name in arrays.files if name.startswith(kind)]
            return {graph.node(name.removeprefix(kind)): arrays[name][place] for name in names}

        draws = {node: int(count) for node, count in arrays_of(DRAWS).items()}
        return Checkpoint(int(arrays[STEPS][place]), arrays_of(STATE), draws)
