"""The trace of a run as columns of numbers, for use in Python: what `POST /runs` sends as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.budget import Limits
from engine.languages.interpreter.budget import Budget
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.runs.ending import Ending
from engine.programs.runs.optimise import check_ran
from engine.programs.training.stepping import LONG_BLOCK_S, walk_for
from engine.programs.training.training import rows_of, training_for


@dataclass(frozen=True, slots=True)
class Trace:
    """A column for each tensor that was recorded, by its name. Row k has k updates behind it.

    A column is an array with the rows along its first axis (a list where shapes differ, or a branch was not
    taken). `status` and `stopped_at` are those of `POST /runs`.

    loss:      the tensor that is made smaller.
    variables: the tensor of each variable, by the program's name for it; gradients: those before processing.
    """

    columns: Mapping[str, Any]
    loss: str
    variables: Mapping[str, str]
    gradients: Mapping[str, str]
    status: str
    stopped_at: Mapping[str, Any] | None


def trace_run(outcome: Outcome, run: RunRequest, limits: Limits) -> Trace:
    """Optimise a program that has run, and keep the numbers of every row.

    The loss, gradients, variables and slots are kept, and every other number that is computed where the
    request records all. The last row is the one that ends the run.
    Raises: GradlensError where the program has stopped with a mistake, the request does not fit it, or a
            budget does not suffice.
    """
    check_ran(outcome)
    training, ending = training_for(outcome, run), Ending()
    parts: dict[str, list[Any]] = {}
    with np.errstate(all="ignore"):
        walk = walk_for(outcome, training, run, Budget(limits))
        for block in walk.blocks(run.steps + 1, LONG_BLOCK_S, most=run.steps + 1):
            broken = ending.look(training, block)
            rows = block.rows if broken is None else broken + 1
            for tensor, column in block.columns.values.items():
                parts.setdefault(tensor.name, []).append(column[:rows])
            if broken is not None:
                ending.explain(training, walk.row(block, broken), block.first + broken)
                break
        else:
            ending.finish()
    columns = {name: _end_to_end(found) for name, found in parts.items()}
    return Trace(
        columns,
        training.loss.name,
        {name: variable.ref.name for variable, name in training.names.items()},
        {training.names[v]: rows_of(gradient).name for gradient, v in training.raw if gradient is not None},
        ending.status,
        ending.stopped_at,
    )


def _end_to_end(parts: Sequence[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    return [value for part in parts for value in part]
