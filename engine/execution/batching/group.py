"""One group of a race: what its runs share, and one step of all of them, recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.batching.execution_plan import ExecutionPlan
from engine.execution.batching.group_variables import GroupVariables, differing
from engine.execution.batching.nodes import plan_for, record
from engine.execution.batching.run_loop import Part
from engine.execution.batching.stacks import Stacks
from engine.execution.batching.trace import Trace
from engine.execution.interpreter.plan import Plan
from engine.execution.tracing.tracer import Tracer
from engine.execution.tracing.walk import Held
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that are updated by one train op.

    runs:     how many; groups stand one after the other along the batch axis.
    settings: hyper-parameter tensors with a value for each run, (runs, *S).
    state:    the slots and other variables of this train op alone at the start, (runs, *S), or (1, *S)
              where all runs begin alike.
    fetches:  what to record beside the shared fetches, such as processed gradients.
    """

    train_op: Node
    runs: int
    settings: Mapping[Tensor, Array] = field(default_factory=dict)
    state: Mapping[Node, Array] = field(default_factory=dict)
    fetches: Sequence[Tensor] = ()


@dataclass(frozen=True, slots=True)
class Common:
    """What is the same for all runs of a race. limit: how many numbers a step may keep at once."""

    shared: Mapping[Node, Any]
    feeds: Mapping[Tensor, Any]
    seed: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class GroupStep:
    """One step of a group, planned.

    own:     the arrays (variables, runs or 1, *S) of what the train op has alone.
    fetched: what the group's fetches are after the step, (1, runs or 1, *S).
    """

    execution: ExecutionPlan
    part: Part
    own: Sequence[tuple[tuple[Node, ...], Array]]
    fetched: Mapping[Tensor, Array]


def record_group(
    group: Group, state: Stacks, given: Sequence[tuple[Array, Sequence[Tensor]]], common: Common
) -> GroupStep:
    """Record the update of one group.

    state:  the variables that all groups have, of these runs.
    given:  where the loss and the gradients stand, several in one array (tensors, runs or 1, *S).
    Raises: Unbatchable.
    """
    trace = Trace(axes=2)
    leaves = {trace.changing(array): tensors for array, tensors in given}
    values: dict[Tensor, Held] = dict(common.feeds)
    values |= {t: trace.row(leaf, place) for leaf, ts in leaves.items() for place, t in enumerate(ts)}
    values |= {t: trace.fixed(np.asarray(value)[None]) for t, value in group.settings.items()}
    wanted: list[Tensor | Node] = [*group.fetches, group.train_op]
    plan = plan_for(wanted, values)
    differ = [*state.keys, *(tensor for tensors in leaves.values() for tensor in tensors), *group.settings]
    variables = GroupVariables(trace, common.shared, state, _spread(group, plan, differ))
    found = record(trace, plan, wanted, values, variables, common.seed)
    own = {tensor: found.values[tensor] for tensor in group.fetches if tensor not in values}
    execution = trace.plan(
        [value for value in own.values() if isinstance(value, Tracer)],
        moves=variables.moves(found),
        limit=common.limit,
    )
    part = Part(
        execution,
        [*leaves.items(), *((leaf, nodes) for nodes, leaf in variables.leaves.items())],
        [*found.written.items(), *(([tensor], value) for tensor, value in own.items())],
    )
    fetched = {t: execution[v] if isinstance(v, Tracer) else v[None, None] for t, v in own.items()}
    return GroupStep(execution, part, variables.own, fetched)


def _spread(group: Group, plan: Plan, differ: Sequence[Tensor | Node]) -> dict[Node, Array]:
    """The group's own variables at their start, those that come to differ with a value for each run."""
    found = differing(plan, differ)
    return {
        node: np.repeat(start, group.runs, axis=0) if node in found and len(start) == 1 else start
        for node, start in group.state.items()
    }
