"""The columns of a run: row 0 is the start, row k the state after k updates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution import Run
from engine.graph import Node
from engine.interchange.values import nested_json
from engine.ops.tensors import Array
from engine.programs.training import Training, rows_of

MAX_RECORDED = 1_000_000  # numbers in `nodes`; above, only loss, variables and gradients are kept


@dataclass(slots=True)
class Columns:
    """The rows so far, a list for each column."""

    loss: list[Any] = field(default_factory=list)
    variables: dict[str, list[Any]] = field(default_factory=dict)
    gradients: dict[str, list[Any]] = field(default_factory=dict)
    processed: dict[str, list[Any]] = field(default_factory=dict)
    slots: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    shared: dict[str, list[Any]] = field(default_factory=dict)
    nodes: dict[str, list[Any]] = field(default_factory=dict)

    def add_row(self, training: Training, before: Mapping[Node, Array], trace: Run) -> None:
        """Loss, variables, gradients and the optimizer's state at one step."""
        self.loss.append(nested_json(trace.values[training.loss]))
        for (raw, variable), (ready, _) in zip(training.raw, training.processed, strict=True):
            name = training.names[variable]
            _append(self.variables, name, before[variable.node])
            _append(self.gradients, name, _value(raw, trace))
            _append(self.processed, name, _value(ready, trace))
            for slot, state in training.optimizer.slots.get(variable, {}).items():
                _append(self.slots.setdefault(name, {}), slot, before[state.node])
        for name, variable in training.shared.items():
            _append(self.shared, name, before[variable.node])

    def add_nodes(self, before: Mapping[Node, Array], trace: Run, rows: int) -> None:
        """Every scalar of one step: what is computed, but for the writes, and what variables hold."""
        computed = {
            tensor.name: value
            for tensor, value in trace.values.items()
            if tensor.node.op.name != "Const" and tensor.node.phase != "update"
        }
        kept = {node.outputs[0].name: value for node, value in before.items()}
        scalars = {name: value for name, value in (computed | kept).items() if np.ndim(value) == 0}
        if len(scalars) * rows <= MAX_RECORDED:
            for name, value in scalars.items():
                _append(self.nodes, name, value)

    def as_json(self) -> dict[str, Any]:
        """The columns by name, with the number of each row."""
        return {
            "steps": list(range(len(self.loss))),
            "loss": self.loss,
            "variables": self.variables,
            "gradients": self.gradients,
            "processed": self.processed,
            "slots": self.slots,
            "shared": self.shared,
            "nodes": self.nodes,
        }


def _append(column: dict[str, list[Any]], name: str, value: Array | None) -> None:
    column.setdefault(name, []).append(None if value is None else nested_json(np.asarray(value)))


def _value(gradient: Any, trace: Run) -> Array | None:
    return None if gradient is None else trace.values[rows_of(gradient)]
