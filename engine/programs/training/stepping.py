"""The rows of a run, computed block by block by the loop of its train op, any of them again in full.

Row k is the state before update k, with what is computed from it. A loop that is one generated function
takes many rows at once; one that stays with the session takes them one by one, and so does a large one the
first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution import Columns, Run, Session, TrainingLoop, lower_training
from engine.execution.cost import charge_ahead
from engine.graph import Node, Tensor
from engine.languages.interpreter.budget import Budget
from engine.ops.base.shapes import element_count
from engine.ops.base.tensors import Array, array_dtype
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import RunRequest
from engine.programs.training.checkpoints import Checkpoint
from engine.programs.training.scheduler import MOST_ROWS
from engine.programs.training.training import Training, start_at

FIRST_ROWS = 4
LARGE = 300  # nodes of a step; to write the function of more takes longer than to take the first step without
BLOCK_S = 0.02  # how long a block should take, where somebody waits for its rows
LONG_BLOCK_S = 0.2  # and where only the clock is looked at between two
FIRST_OPERATIONS = 2_000_000  # element operations of the first block there, before anything was timed
BLOCK_NUMBERS = 1_000_000  # and how many numbers it may hold

State = Mapping[Node, Array]


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows, and the state that the first of them begins with.

    draws: how often each random node has drawn before it.
    trace: of its only row, where the interpreter computed it.
    """

    columns: Columns
    state: Mapping[Node, Any]
    draws: Mapping[Node, int]
    trace: Run | None = None

    @property
    def first(self) -> int:
        return self.columns.first

    @property
    def rows(self) -> int:
        return self.columns.steps

    @property
    def begin(self) -> Checkpoint:
        """Where the same rows can be computed from again."""
        return Checkpoint(self.first, self.state, self.draws)


@dataclass(slots=True)
class Walk:
    """A training, the session that holds its start, and the loop that takes its steps.

    scalars: the numbers that are computed at each step, but for the updates.
    cost:    element operations of one step.
    loss_numbers: how many numbers the target is.
    """

    training: Training
    session: Session
    meter: Budget
    feeds: Mapping[Tensor, Any]
    traces: list[Run]
    loop: TrainingLoop
    scalars: tuple[Tensor, ...] = ()
    cost: int = 0
    loss_numbers: int = 1

    @property
    def numbers(self) -> int:
        """How many numbers a row holds besides the loss: state, and each gradient before and after."""
        state = self.session.variables
        trained = sum(state[variable.node].size for variable in self.training.names)
        return sum(array.size for array in state.values()) + 2 * trained

    def blocks(
        self, rows: int, block_s: float = BLOCK_S, since: Checkpoint | None = None, most: int = MOST_ROWS
    ) -> Iterator[Block]:
        """All rows from the session's state on, or from a checkpoint, so many at most in a block.

        Raises: LimitError before a budget is overdrawn.
        """
        begin = since or Checkpoint(0, dict(self.session.variables), {})
        state, self.loop.draws = begin.state, begin.draws
        row = self.numbers + self.loss_numbers + len(self.scalars)
        most = max(1, min(most, BLOCK_NUMBERS // max(1, row)))
        first, size = begin.step, FIRST_ROWS
        if block_s > BLOCK_S:
            size = max(size, FIRST_OPERATIONS // max(1, self.cost))
        while first < rows:
            whole = not self._is_interpreted_first(first) and self.loop.is_lowered(state)
            count = self._afforded(min(size, most, rows - first)) if whole else 1
            draws, started = self.loop.draws, time.monotonic()
            if whole:
                columns = self.loop.run(state, count, first, careful=True)
            else:
                columns = self.loop.interpret(state, 1, first)
            yield Block(columns, state, draws, None if whole else self.loop.trace)
            state, first = columns.state, first + columns.steps
            taken = max(time.monotonic() - started, 1e-6)
            if whole:
                size = int(min(4 * count, max(1, count * block_s / taken)))

    def _is_interpreted_first(self, row: int) -> bool:
        """Whether somebody should see this row before the function of the loop is written: it takes long.

        The same row in every run, however it is asked for: its last digits may be others.
        """
        return row == 0 and len(self.loop.plan.steps) > LARGE

    def _afforded(self, count: int) -> int:
        """As many rows as the budget has left, charged before they are computed."""
        left = self.meter.limits.element_operations - self.meter.operations
        count = max(1, min(count, left // max(1, self.cost)))
        self.meter.spend(count * self.cost)
        self.meter.check_clock()
        return count

    def row(self, block: Block, place: int) -> dict[Tensor, Array]:
        """One row in full: every value that is computed from the state before its update, and that state.

        What the loop has recorded is as it is in the columns, to the last digit.
        """
        if block.trace is not None:
            state, trace = block.state, block.trace  # what is drawn at random is not drawn again
        else:
            state = self.loop.run(block.state, place).state if place else block.state
            trace = self.traced(state)
        recorded = {
            t: np.asarray(column[place]) for t, column in block.columns.values.items() if t in trace.values
        }
        held = {node.outputs[0]: array for node, array in _arrays(state).items()}
        return {**trace.values, **recorded, **held}

    def traced(self, state: Mapping[Node, Any]) -> Run:
        """The trace of one step from a state; the session is left as it was."""
        kept = self.session.variables
        self.session.variables = dict(_arrays(state))
        self.session.run([*self.training.fetches, self.training.train_op], self.feeds)
        self.session.variables = kept
        trace = self.traces.pop()
        self.traces.clear()
        return trace


def walk_for(outcome: Outcome, training: Training, run: RunRequest, meter: Budget) -> Walk:
    """A run at its start.

    What a step costs and which numbers there are follows from the graph, else from a step of the session.
    """
    traces: list[Run] = []
    seed, feeds = outcome.workspace.seed, {**outcome.usual_feeds, **training.feeds}
    session = outcome.initialised_session(meter, feeds, traces.append)
    start_at(training, session, run)
    traces.clear()
    record = dict.fromkeys([*training.fetches, *(node.outputs[0] for node in session.variables)])
    loop = lower_training(training.train_op, list(record), feeds, seed=seed, meter=meter)
    walk = Walk(training, session, meter, feeds, traces, loop)
    spent = meter.operations
    walk.scalars = tuple(filter(_is_listed, _computed(walk)))
    walk.cost = meter.operations - spent
    walk.loss_numbers = _loss_numbers(walk)
    if run.record == "all":
        record |= dict.fromkeys(walk.scalars)
        walk.loop = lower_training(training.train_op, list(record), feeds, seed=seed, meter=meter)
    return walk


def _computed(walk: Walk) -> Iterable[Tensor]:
    """Every tensor of one step that is a single number. The step is charged to the meter."""
    found = charge_ahead(walk.loop.plan, walk.meter)
    if found is not None:
        known = [tensor for tensor, value in walk.feeds.items() if np.ndim(value) == 0]
        return dict.fromkeys([*known, *(tensor for tensor in found if tensor.shape == ())])
    values = walk.traced(walk.session.variables).values
    return [tensor for tensor, value in values.items() if np.ndim(value) == 0]


def _loss_numbers(walk: Walk) -> int:
    loss = walk.training.loss
    known = element_count(loss.shape)
    return int(np.size(walk.traced(walk.session.variables).values[loss])) if known is None else known


def _is_listed(tensor: Tensor) -> bool:
    """Whether a column of `nodes` is about this number: it is computed, but not by an update."""
    return tensor.node.op.name not in ("Const", "VariableV2") and tensor.node.phase != "update"


def _arrays(state: Mapping[Node, Any]) -> State:
    return {
        node: np.asarray(value, dtype=array_dtype(node.outputs[0].dtype)) for node, value in state.items()
    }
