"""All steps of a call as one generated function, which gives what they give, to the bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.execution.eager.turns.recorded import RecordedTurn, Source, Step
from engine.execution.eager.turns.updates import shared_update
from engine.execution.straight_run import exact_function, exact_recorder
from engine.execution.tracing.tracer import FLOAT64, Tracer
from engine.execution.tracing.walk import REFUSED, Held, Lowered, Walk
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array


class CompiledCall:
    """A function of the values that a call takes from elsewhere.

    takes: their places, or the buffers of variables; gives: the places of what it gives.
    known: the values that are the same each time, by place.
    writes: for each variable written: its buffer, and the places of its value before and after.
    """

    def __init__(
        self,
        takes: Sequence[Source],
        gives: Sequence[int],
        known: Mapping[int, Any],
        writes: Sequence[tuple[Any, int, int]],
        function: Callable[..., tuple[Any, ...] | None],
    ) -> None:
        self.places = [one for one in takes if isinstance(one, int)]
        self._buffers = [one for one in takes if not isinstance(one, int)]
        self._gives = gives
        self._known = known
        self._writes = writes
        self._function = function

    def run(self, values: list[Any]) -> bool:
        """Fill in the values of the call's places, and write its variables.

        False, with nothing done, where a domain error is for the kernels.
        """
        taken = [values[place] for place in self.places]
        taken += [buffer.array for buffer in self._buffers]  # type: ignore[attr-defined]  # eager
        found = self._function(
            *[one if type(one) is not np.ndarray or one.ndim else _number(one) for one in taken]
        )
        if found is None:
            return False
        for place, value in zip(self._gives, found, strict=True):
            values[place] = value
        if self._known:
            for place, value in self._known.items():
                values[place] = value
        for ref, before, after in self._writes:
            values[before] = ref.array
            ref.array = values[after] = np.array(values[after], dtype=ref.dtype)
        return True


def _number(value: Array) -> Any:
    """An array without axes as generated functions take it."""
    return value.item() if value.dtype == FLOAT64 else value[()]


class CallWalk(Walk):
    """A walk through the steps of a call.

    at: what is at each place, and in each buffer or other tensor from outside.
    given: what stands for each value that the function takes.
    """

    def __init__(self, recorded: RecordedTurn) -> None:
        super().__init__(exact_recorder())
        self.at: dict[Source, Held] = {}
        self.given: dict[Source, Tracer] = {}
        self._recorded = recorded
        self._step: Step

    def step(self, step: Step) -> None:
        """One node, and what it leaves in the variables that it writes."""
        self._step = step
        self._check(step.node)
        self._node(step.node, frozenset())

    def _results(self, node: Node, arguments: list[Held]) -> Sequence[Held]:
        shared = shared_update(self.recorder, node, arguments)
        return super()._results(node, arguments) if shared is None else shared

    def _input(self, node: Node, position: int, tensor: Tensor, sees: frozenset[Node]) -> Held:
        source = self._step.sources[position]
        if source not in self.at:
            self.at[source] = self._from_elsewhere(source)
        return self.at[source]

    def _from_elsewhere(self, source: Source) -> Held:
        """A value that is there before the call."""
        if isinstance(source, int):
            known = self._recorded.template[source]
            if known is not None:
                return known
            _, _, dtype, shape = self._recorded.outputs[source]
        else:
            dtype, shape = source.dtype, source.array.shape  # type: ignore[attr-defined]  # eager
        self.given[source] = self.recorder.value(shape, dtype)
        return self.given[source]

    def _keep(self, node: Node, results: Sequence[Held]) -> None:
        step = self._step
        for (ref, _, after), new in zip(step.writes, results, strict=False):
            self.at[ref] = self.at[after] = self._typed(new, ref.dtype)
        for place, (dtype, _), result in zip(step.places, step.kinds, results, strict=False):
            self.at[place] = self._typed(result, dtype.name)


def compiled(active: Sequence[Step], recorded: RecordedTurn) -> CompiledCall | None:
    """The function for some steps in a row; None where their kernels have to be called one by one."""
    walk = CallWalk(recorded)
    try:
        with np.errstate(all="ignore"):
            for step in active:
                walk.step(step)
            writes = [one for step in active for one in step.writes]
            places = [place for step in active for place in step.places]
            places += [after for _, _, after in writes]
            found = {place: walk.recorder.whole(walk.at[place]) for place in places}
            gives = [place for place, value in found.items() if isinstance(value, Tracer)]
            fetches = [found[place] for place in gives]
            takes = sorted(walk.given, key=lambda one: not isinstance(one, int))  # places first
            given = [walk.given[one] for one in takes]
            function = exact_function(Lowered(walk.recorder.instructions, given, fetches))
    except REFUSED:
        return None
    known = {place: value for place, value in found.items() if not isinstance(value, Tracer)}
    return CompiledCall(takes, gives, known, writes, function)
