"""Replaying a turn: each call that is the next of a recorded turn only computes.

No node is gone over, no name made, no tape filled. What all of that would have come to is written down when
somebody looks, or when a call comes that the recorded turn does not have: `Replay.write_down`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.differentiation.tape import Tape
from engine.errors import GradlensError
from engine.execution.eager.turns.arguments import PLACE, SAME, fits
from engine.execution.eager.turns.compiled import compiled
from engine.execution.eager.turns.late import LateTape, LateTensor, NotedTensor, node_of, set_index, set_node
from engine.execution.eager.turns.recorded import Call, Entry, RecordedTurn, Seen, Step
from engine.execution.eager.turns.recorder import (
    CLOSING,
    ELEMENT,
    OPENING,
    READING,
    WATCHING,
    constants_first,
)
from engine.execution.interpreter.trace import Update
from engine.graph import Node, Tensor, Variable
from engine.graph.kernels import MISMATCHES, run_kernel
from engine.ops.base.definition import OpDef

REPLAYS_BEFORE_A_FUNCTION = 20  # of a call
REFUSED = (GradlensError, *MISMATCHES)


class Replay:
    """A turn that has gone like a recorded one so far.

    position: how many calls of the recorded turn it has made.
    values:   arrays by their places (numbers where a function gave them); tensors: those given out.
    opened:   its tapes, in the order in which they were opened.
    """

    is_recording = False

    __slots__ = ("_written", "graph", "opened", "position", "recorded", "tensors", "values")

    def __init__(self, graph: Any, recorded: RecordedTurn, carried: Sequence[Any]) -> None:
        self.graph = graph
        self.recorded = recorded
        self.position = 0
        self.values = recorded.template.copy()
        self.tensors: list[Any] = [None] * len(self.values)
        self.opened: list[Tape] = []
        self._written: dict[Step, tuple[Any, ...]] = {}
        for place, tensor in enumerate(carried):
            self.values[place], self.tensors[place] = tensor.array, tensor

    def goes_on_from(self, before: Replay | None) -> bool:
        """Take up what the turn before has left for this one. False: it has left something else.

        before: a replay of the same turn that went to its end, or None where the graph is written down.
        """
        for place, last in self.recorded.went_on:
            node, index, *known = self.recorded.outputs[last]
            tensor: Any = node.outputs[index] if before is None else before.tensor(last)
            if [tensor.dtype, tensor.shape] != known:
                return False
            self.values[place], self.tensors[place] = tensor.array, tensor
        return True

    # -- calls -----------------------------------------------------------------------------------

    def call(
        self,
        function: Any,
        arguments: tuple[Any, ...],
        make: Callable[[], Any],
        again: Callable[..., Any] | None = None,
    ) -> Any:
        """What `make` gives, without making it where the recorded turn has this call next."""
        call = self._next(function, arguments)
        if call is None or not self._computes(call, arguments):
            return make()
        found = self.result(call.result)
        if call.again is not None:
            call.again(found, *arguments)
        return found

    def node(self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str) -> Node:
        """A node that is made by itself: whoever asks for it looks at its outputs."""
        arguments = (self.graph.phase, *inputs, *constants_first(attributes))
        call = self._next(op, arguments)
        if call is None or call.node is None or not self._computes(call, arguments):
            self.graph.materialize()
            made: Node = self.graph.make_node(op, inputs, attributes, name)
            return made
        for step in call.steps:
            self.write_node(step)
        return call.node

    def reading(self, variable: Variable) -> Tensor:
        """A variable is read."""
        call = self._next(READING, (variable,))
        if call is None or not self.graph.meter.spends(call.work):
            self.graph.materialize()
            found: Tensor = self.graph.read_now(variable)
            return found
        for step in call.active:
            self.values[step.first] = step.sources[0].array  # type: ignore[union-attr]  # the buffer
        self.position += 1
        read: Tensor = self.tensor(call.result)
        return read

    def watch(self, tape: Tape, what: Any) -> None:
        """A tape is made to watch a tensor or a variable."""
        call = self._next(WATCHING, (tape, what))
        if call is None or not self._computes(call, ()):
            self.graph.materialize()
            tape.watch(what)

    def open(self, tape: Tape) -> None:
        """A tape is about to record."""
        call = self._next(OPENING, (tape.persistent, tape.watch_accessed_variables))
        if call is None or type(tape) is not Tape or not tape.is_empty:
            self.graph.materialize()
            return
        self._computes(call, ())
        self.take(tape)

    def take(self, tape: Tape) -> None:
        """A tape has opened; what it records is written down when somebody looks."""
        tape.__class__ = LateTape
        tape.turn, tape.which = self, len(self.opened)  # type: ignore[attr-defined]
        self.opened.append(tape)

    def close(self, tape: Tape) -> None:
        """It sees nothing more."""
        call = self._next(CLOSING, (tape,))
        if call is None or not self._computes(call, ()):
            self.graph.materialize()
            self.graph.close(tape)

    def element(self, node: Node, array: Any) -> Any:
        """A data set gives an element."""
        call = self._next(ELEMENT, (node, array))
        if call is None or not self._computes(call, (node, array)):
            self.graph.materialize()
            return self.graph.next_element(node, array)
        return self.tensor(call.result)

    def _next(self, function: Any, arguments: tuple[Any, ...]) -> Call | None:
        """The next call of the recorded turn, if it is this one."""
        calls = self.recorded.calls
        if self.position >= len(calls):
            return None
        call = calls[self.position]
        known = call.arguments
        if call.function is not function or call.path != self.graph.place or len(known) != len(arguments):
            return None
        tensors = self.tensors
        for (kind, what), argument in zip(known, arguments, strict=True):
            if kind is PLACE:  # as `fits`, which would take longer to call
                if tensors[what] is not argument:
                    return None
            elif kind is SAME:
                if argument is not what:
                    return None
            elif not fits((kind, what), argument, self):
                return None
        return call

    def _computes(self, call: Call, arguments: tuple[Any, ...]) -> bool:
        """Make a call, and take note of all that has to be right at once.

        False, with nothing done, where it is not like the recorded one after all, or beyond a budget.
        """
        graph = self.graph
        if graph.noting is not None:
            graph.noting[self.position] = arguments
        if not graph.meter.spends(call.work):
            return False
        if call.active and not self._run(call, arguments):
            graph.meter.spend(-call.work)
            return False
        self.position += 1
        if call.changes:
            graph.have_gone(call.names, call.phase)
        if call.tapes is not None:
            graph.tapes = [self.opened[place] for place in call.tapes]
        return True

    # -- computing -------------------------------------------------------------------------------

    def _run(self, call: Call, arguments: tuple[Any, ...]) -> bool:
        if call.compute is not None and call.compute.run(self.values):
            return True
        call.count += 1
        if call.count == REPLAYS_BEFORE_A_FUNCTION and len(call.active) > 1:
            given = any(step.given is not None for step in call.active)
            call.compute = None if given else compiled(call.active, self.recorded)
        written: list[tuple[Any, Any]] = []
        try:
            for step in call.active:
                if step.is_simple:
                    self._run_simple(step)
                else:
                    self._run_step(step, arguments, written)
        except REFUSED:
            for ref, before in reversed(written):
                ref.array = before
            return False
        return True

    def _run_simple(self, step: Step) -> None:
        """Run a node that only computes one output. Raises: as `_run_step`."""
        values = self.values
        taken = []
        for one in step.sources:
            value = values[one] if type(one) is int else one.array  # type: ignore[union-attr]  # eager
            taken.append(value if type(value) is np.ndarray else self._array(one))  # type: ignore[arg-type]
        ((dtype, shape),) = step.kinds
        array = run_kernel(step.node, taken, step.parameters)
        if type(array) is not np.ndarray or array.dtype is not dtype:
            array = np.asarray(array[0] if isinstance(array, (list, tuple)) else array, dtype=dtype)
        if array.shape != shape:
            raise ValueError
        values[step.first] = array

    def _run_step(self, step: Step, arguments: tuple[Any, ...], written: list[tuple[Any, Any]]) -> None:
        """Run a node on the values of this turn. Raises: as its kernel; ValueError for another shape."""
        values = self.values
        if step.given is not None:
            given, dtype = arguments[step.given], step.kinds[0][0]
            values[step.first] = given if step.passes else np.array(np.asarray(given), dtype=dtype)
            return
        taken = [self._array(one) if type(one) is int else one.array for one in step.sources]  # type: ignore[union-attr]
        node, parameters = step.node, step.parameters
        if node.op.draws:
            parameters = {**parameters, "generator": self.graph.generator(node)}
        result = run_kernel(node, taken, parameters)
        if step.writes:
            news = result if isinstance(result, tuple) else (result,)
            for (ref, before, after), new in zip(step.writes, news, strict=True):
                values[before], values[after] = ref.array, np.array(new, dtype=ref.dtype)
                written.append((ref, ref.array))
                ref.array = values[after]
            result = news[0]
        found = result if isinstance(result, (list, tuple)) else (result,)
        for place, (dtype, shape), value in zip(step.places, step.kinds, found, strict=False):
            array = np.asarray(value, dtype=dtype)
            if array.shape != shape:
                raise ValueError
            values[place] = array

    def _array(self, place: int) -> Any:
        """The value at a place as an array; None where it was large, and is there no more."""
        value = self.values[place]
        if type(value) is not np.ndarray and value is not None:
            value = self.values[place] = np.asarray(value, self.recorded.outputs[place][2])
        return value

    # -- what is given out -------------------------------------------------------------------------

    def result(self, result: Any) -> Any:
        """What a call gives, from how its result was written down."""
        if type(result) is int:
            return self.tensor(result)
        if type(result) is tuple:
            kind, parts = result
            found = [self.result(part) for part in parts]
            return kind(found) if kind in (list, tuple) else kind(*found)
        return result

    def tensor(self, place: int) -> Any:
        """The tensor of this turn at a place."""
        found = self.tensors[place]
        if found is None:
            step = self.recorded.steps[place]
            if step is not None and step.same is not None:
                found = step.same[place - step.first]
            else:
                found = LateTensor() if self.graph.noting is None else NotedTensor()
                found.graph = self.graph
                node, index, found.dtype, found.shape = self.recorded.outputs[place]
                set_node(found, node)
                set_index(found, index)
                found.place = node.index
                found.array = self._array(place)
            self.tensors[place] = found
        return found

    # -- writing down --------------------------------------------------------------------------------

    def write_nodes(self) -> None:
        """Every node that this turn has run is as that run left it."""
        for call in self.recorded.calls[: self.position]:
            for step in call.steps:
                self.write_node(step)

    def write_node(self, step: Step) -> None:
        node = step.node
        if not step.is_element:
            node.inputs = self._sources(step)
            node.attrs = step.attributes
            if step.given is not None:
                node.attrs = {**step.attributes, "value": self.values[step.first]}
        node.outputs = self._outputs(step)

    def _sources(self, step: Step) -> tuple[Any, ...]:
        return tuple([self.tensor(one) if type(one) is int else one for one in step.sources])

    def _outputs(self, step: Step) -> tuple[Any, ...]:
        found = self._written.get(step)
        if found is None:
            found = step.same or tuple([self.tensor(place) for place in step.places])
            self._written[step] = found
        return found

    def write_down(self) -> None:
        """The graph is as if the turn had not been replayed. (The caller has written down those before.)"""
        graph, recorded = self.graph, self.recorded
        self.write_nodes()
        done = recorded.calls[: self.position]
        ran = [self.tensor(place) for place in recorded.ran[: recorded.ran_until[self.position]]]
        graph.have_run(ran, recorded.closed_at[self.position], self.updates())
        for call in done:
            for repeats, used in call.uses:
                repeats.lap, repeats.used = graph.lap, used
            for reads, used, place in call.reads:
                present = None if place is None else self.tensor(place)
                reads.turn, reads.used, reads.present = graph.turn_number, used, present
        for tape in self.opened:
            if type(tape) is LateTape:
                self.fill(tape)

    def fill(self, tape: LateTape) -> None:
        """A tape records what it would have recorded."""
        which = tape.which
        tape.__class__ = Tape  # type: ignore[assignment]
        del tape.turn
        for call in self.recorded.calls[: self.position]:
            for entry in call.entries:
                if which in entry.tapes:
                    self._fill_in(tape, entry)

    def _fill_in(self, tape: Tape, entry: Entry) -> None:
        if isinstance(entry, Step):
            tape.record_run(entry.node, self._sources(entry), self._outputs(entry))
        elif isinstance(entry, Seen):
            tape.see_read(entry.variable)
            step = self.recorded.steps[entry.place]
            if step is not None:
                tape.record_run(step.node, self._sources(step), self._outputs(step))
        else:
            tape.watch(self.tensor(entry.what) if type(entry.what) is int else entry.what)

    # -- the turn as a whole -----------------------------------------------------------------------

    def ahead(self, first: int) -> list[Any]:
        """What ran after the last tape closed on nodes that were there before the first turn."""
        places = self._places_ahead(first)
        return [self.tensor(place) for place in places]

    def _places_ahead(self, first: int) -> list[int]:
        recorded, position = self.recorded, self.position
        known = recorded.ahead.get((position, first))
        if known is None:
            last = recorded.ran[recorded.closed_at[position] : recorded.ran_until[position]]
            known = [place for place in last if recorded.outputs[place][0].index < first]
            recorded.ahead[position, first] = known
        return known

    def shown(self, first: int) -> dict[Tensor, Any]:
        """The values of the turn, in the order in which they were computed, without those of the next one."""
        recorded = self.recorded
        ahead = set(self._places_ahead(first))
        places = recorded.ran[: recorded.ran_until[self.position]]
        return {self.tensor(place): self._array(place) for place in places if place not in ahead}

    def shown_by_name(self, first: int) -> dict[str, Any]:
        """The same by the names of their tensors."""
        recorded = self.recorded
        known = recorded.names.get((self.position, first))
        if known is None:
            ahead = set(self._places_ahead(first))
            places = recorded.ran[: recorded.ran_until[self.position]]
            names = ((place, recorded.outputs[place]) for place in places if place not in ahead)
            known = [(place, f"{node.name}:{index}") for place, (node, index, *_) in names]
            recorded.names[self.position, first] = known
        return {name: self._array(place) for place, name in known}

    def first_outputs(self) -> dict[Node, Any]:
        """The value of the first output of each node that has run so far."""
        return {
            step.node: self._array(step.first)
            for call in self.recorded.calls[: self.position]
            for step in call.steps
            if step.kinds
        }

    def updates(self) -> list[Update]:
        """The writes of the turn, in order."""
        return [
            Update(ref.node, step.node, self.values[before], self.values[after])
            for call in self.recorded.calls[: self.position]
            for step in call.steps
            for ref, before, after in step.writes
        ]

    def leave(self) -> None:
        """Only the record of the turn holds it now: tapes are filled, and large values go."""
        recorded, tapes, self.opened = self.recorded, self.opened, []
        if not recorded.has_large:
            return
        for tape in tapes:
            if type(tape) is LateTape and (tape.persistent or not tape.used):
                self.fill(tape)
        self._written.clear()
        for place in recorded.dispensable:
            self.values[place] = self.tensors[place] = None


def fits_on(carried: Sequence[Any], recorded: RecordedTurn) -> bool:
    """Whether a turn begins with values of the same nodes as the recorded one."""
    if len(carried) != len(recorded.carried):
        return False
    return all(
        node_of(tensor) is node and (tensor.dtype, tensor.shape) == recorded.outputs[place][2:]
        for place, (tensor, node) in enumerate(zip(carried, recorded.carried, strict=True))
    )
