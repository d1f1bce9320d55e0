"""What a run will compute and what it will cost, as far as the graph alone says."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine.execution.budget import Meter
from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import Plan
from engine.graph import Node, Tensor
from engine.ops.base.definition import OpDef
from engine.ops.base.shapes import element_count
from engine.ops.base.tensors import Shape

SMALL = 4096  # elements; a tensor of no more needs no asking
DECIDED_BY_VALUES = frozenset({"Switch", "Merge", "RefSwitch", "RefMerge"})


class Cost(NamedTuple):
    """One run of a node.

    operations: element operations; None where only the arguments say.
    counts:     the elements of each output; None where a length is unknown.
    large:      the shapes of the outputs that must be asked for.
    """

    operations: int | None
    counts: list[int | None]
    large: list[Shape]

    def charge(self, meter: Meter) -> None:
        """Charge the meter for what is about to be made, before it is."""
        for shape in self.large:
            meter.check_elements(shape)  # type: ignore[arg-type]  # its elements were counted
        meter.spend(self.operations or 0)


def cost_of(node: Node) -> Cost:
    """What follows from the static shapes around a node."""
    decisive = tuple([(name, _hashable(node.attrs[name])) for name in node.op.decides_effort])
    shapes = tuple([t.shape for t in node.inputs]), tuple([t.shape for t in node.outputs])
    return _cost(node.op, *shapes, decisive)


def _hashable(attribute: Any) -> Any:
    return tuple(attribute) if isinstance(attribute, list) else attribute


@lru_cache(maxsize=10_000)  # a network has few kinds of nodes, and the next program has the same ones
def _cost(
    op: OpDef, inputs: tuple[Shape, ...], outputs: tuple[Shape, ...], decisive: tuple[tuple[str, Any], ...]
) -> Cost:
    counts = [element_count(shape) for shape in outputs]
    read = [element_count(shape) for shape in inputs]
    large = [shape for shape, count in zip(outputs, counts, strict=True) if (count or 0) > SMALL]
    if None in counts or None in read:
        return Cost(None, counts, large)
    if op.effort is not None:
        stand_ins = [np.broadcast_to(np.False_, shape) for shape in inputs]  # type: ignore[arg-type]
        return Cost(op.work(counts, stand_ins, dict(decisive)), counts, large)
    return Cost(max(sum(counts), sum(read)), counts, large)  # type: ignore[arg-type]  # none is None


def charge_ahead(plan: Plan, meter: Meter) -> list[Tensor] | None:
    """Charge one run of a plan to the meter, and give every tensor that it will compute, in order.

    Returns: None, with nothing charged, where that depends on values: on a branch that is taken or not, a
             loop, an unknown length.
    Raises:  LimitError where the run would overdraw a budget.
    """
    tensors, costs = list[Tensor](), list[Cost]()
    for step in plan.steps:
        if isinstance(step, Loop) or step.op.name in DECIDED_BY_VALUES:
            return None
        if step.op.name == "VariableV2":
            continue
        costs.append(cost_of(step))
        if costs[-1].operations is None:
            return None
        tensors += step.outputs
    for cost in costs:
        cost.charge(meter)
    return tensors
