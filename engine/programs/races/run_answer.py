"""One run of a race as `POST /runs` answers it: its columns, how it ended and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import LimitError
from engine.execution import Run, Session
from engine.graph import Node, Tensor
from engine.interchange.values import column_json
from engine.ops.base.tensors import Array
from engine.programs.races.groups import RunGroup
from engine.programs.runs.ending import Ending, converged_at
from engine.programs.training.training import Training, rows_of

if TYPE_CHECKING:
    from engine.programs.races.batch import RaceBatch


@dataclass(frozen=True, slots=True)
class RunEnd:
    """How a run ended (fields as in the answer of `POST /runs`), and how many rows it has."""

    status: str
    stopped_at: dict[str, Any] | None
    rows: int
    diagnostics: list[dict[str, Any]]

    @classmethod
    def plain(cls, status: str, row: int | None, rows: int, cut: LimitError | None) -> RunEnd:
        """The end of a run that no number stopped."""
        if status == "converged" and row is not None:
            return cls(status, converged_at(row), rows, [])
        if status == "limit" and cut is not None:
            ending = Ending()
            ending.cut(cut, rows)
            return cls(status, ending.stopped_at, rows, [])
        return cls(status, None, rows, [])


def end_at_row(
    training: Training, session: Session, feeds: Mapping[Tensor, Array], row: int, bound: float
) -> RunEnd:
    """What stopped a run at a row: that one row is run again by itself, and looked at as in a run of its own.

    session: with the variables of that row, and with the seed of the race.
    """
    traces: list[Run] = []
    again = Session(session.graph, observe=traces.append)
    again.variables, again.streams = dict(session.variables), session.streams
    again.streams.drawn = Counter({node: row for node in session.graph.nodes if node.op.draws})
    held = {node.outputs[0]: value for node, value in again.variables.items()}
    again.run(training.fetches, feeds)
    ending = Ending(bound=bound)
    ending.explain(replace(training, feeds=feeds), {**traces[-1].values, **held}, row)
    diagnostics = [ending.diagnostic.as_json()] if ending.diagnostic else []
    return RunEnd(ending.status, ending.stopped_at, row + 1, diagnostics)


def _rows_json(rows: Array) -> list[Any]:
    """A column as JSON; finite float64, the usual case, all at once."""
    if rows.dtype == np.float64 and np.isfinite(rows).all():
        return list(rows.tolist())
    return column_json(list(rows))


def columns_json(
    group: RunGroup,
    index: int,
    at: int,
    batch: RaceBatch,
    columns: Mapping[Any, Array],
    rows: int,
) -> dict[str, Any]:
    """The columns of a run as `POST /runs` names them; of a loss alone, only that."""
    training = group.training

    def column(key: Tensor | Node) -> list[Any]:
        if isinstance(key, Node) and key not in batch.common and key not in group.own:  # nothing writes it
            return column_json([batch.initial[key]] * rows)
        return _rows_json(columns[key][:rows, at if key in batch.common else index])

    losses: dict[str, Any] = {"steps": list(range(rows)), "loss": column(training.loss)}
    if len(columns) == 1:
        return losses
    names = training.names
    return {
        **losses,
        "variables": {name: column(variable.node) for variable, name in names.items()},
        "gradients": {
            name: column(slope) if (slope := batch.gradients.get(variable.node)) else [None] * rows
            for variable, name in names.items()
        },
        "processed": {
            names[variable]: [None] * rows if slope is None else column(rows_of(slope))
            for slope, variable in training.processed
        },
        "slots": {
            name: {slot: column(state.node) for slot, state in shown.items()}
            for variable, name in names.items()
            if (shown := training.optimizer.shown_slots(variable))
        },
        "shared": {name: column(variable.node) for name, variable in training.shared.items()},
    }
