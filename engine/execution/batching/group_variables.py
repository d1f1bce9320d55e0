"""The variables of one group of a race, as its trace is given them and as a step leaves them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.batching.nodes import Recorded, Variables
from engine.execution.batching.numpy_calls import Unbatchable
from engine.execution.batching.stacks import Stacks
from engine.execution.batching.trace import Trace
from engine.execution.interpreter.buffers import written_by
from engine.execution.interpreter.order import nodes_of
from engine.execution.interpreter.plan import Plan
from engine.execution.tracing.tracer import Tracer
from engine.execution.tracing.walk import Held
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array


def differing(plan: Plan, differ: Iterable[Tensor | Node]) -> set[Tensor | Node]:
    """What differs among runs, or comes to differ in some step, where these tensors and variables do."""
    found, before = set(differ), -1
    while len(found) > before:
        before = len(found)
        for node in (node for step in plan.steps for node in nodes_of(step)):
            if any(tensor in found or tensor.node in found for tensor in node.inputs):
                found.update(node.outputs)
                found |= written_by(node)
    return found


class GroupVariables(Variables):
    """The variables of one group: its part of what all groups have, and what its train op has alone."""

    def __init__(
        self,
        trace: Trace,
        shared: Mapping[Node, Any],
        state: Stacks,
        own: Mapping[Node, Array],
    ) -> None:
        super().__init__(shared)
        self.own: list[tuple[tuple[Node, ...], Array]] = []  # the arrays of what the train op has alone
        self._trace, self._state, self._start = trace, state, own
        self.leaves: dict[tuple[Node, ...], Tracer] = {}

    def one(self, variable: Node) -> Held:
        if variable not in self._state and variable not in self._start:
            return super().one(variable)
        return self.together((variable,))

    def together(self, variables: Sequence[Node]) -> Tracer | None:
        key = tuple(variables)
        if key not in self.leaves:
            array = self._memory(key)
            if array is None:
                return None
            self.leaves[key] = self._trace.changing(array)
        return self.leaves[key]

    def _memory(self, key: tuple[Node, ...]) -> Array | None:
        if all(node in self._state for node in key):
            return self._state.together(key)
        for nodes, array in self.own:
            if len(key) == 1 and key[0] in nodes:
                place = nodes.index(key[0])
                return array[place : place + 1]
        if not all(node in self._start for node in key) or any(
            n in nodes for n in key for nodes, _ in self.own
        ):
            return None
        values = [np.asarray(self._start[node]) for node in key]
        array = (
            np.stack(np.broadcast_arrays(*values)) if len({v.shape for v in values}) > 1 else np.stack(values)
        )
        self.own.append((key, array))
        return array

    def _shape(self, node: Node) -> tuple[int, ...]:
        """A run's shape of a variable."""
        return np.shape(self.one(node))

    def moves(self, found: Recorded) -> dict[Tracer, Held]:
        """What each leaf holds after a step."""
        result: dict[Tracer, Held] = {}
        for nodes, new in found.written.items():
            if any(node not in self._state and node not in self._start for node in nodes):
                raise Unbatchable(f"a write to {nodes[0].name}")
            if np.shape(new) != self._shape(nodes[0]):
                raise Unbatchable(f"another shape of {nodes[0].name}")
            whole = self.together(nodes)
            if whole is not None:
                result[whole] = new
                continue
            for place, node in enumerate(nodes):
                result[self.one(node)] = self._trace.row(new, place) if isinstance(new, Tracer) else new
        return result
