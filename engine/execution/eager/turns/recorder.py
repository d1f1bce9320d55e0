"""Recording a turn: it runs as always, and what it does is written down call by call."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.differentiation.tape import Tape
from engine.execution.eager.immediate import TRACED_ELEMENTS, EagerTensor, value_of
from engine.execution.eager.repeating import Opening
from engine.execution.eager.sameness import SMALL
from engine.execution.eager.turns.arguments import NUMBERS, NotRecorded, Pattern, is_free, pattern
from engine.execution.eager.turns.recorded import Call, Entry, RecordedTurn, Seen, Source, Step, Watched
from engine.execution.eager.turns.whole import places_gone_on, whole_turn
from engine.graph import Node, Tensor, Variable
from engine.ops.base.definition import OpDef
from engine.ops.base.slices import IndexedSlices

NOT_YET = -1
CLOSING, OPENING, READING, WATCHING, ELEMENT = "closing", "opening", "reading", "watching", "element"
MOST_CALLS = 2_000  # of one turn; a longer one is an ordinary turn from there on


class TakenNames(dict[str, int]):
    """The counts of names in use, which take note of what is written."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        super().__init__(counts)
        self.written: list[str] = []

    def __setitem__(self, name: str, count: int) -> None:
        self.written.append(name)
        super().__setitem__(name, count)


class Mark(NamedTuple):
    """How far a recording is, and the state of the graph, before a call."""

    path: int
    phase: str
    tapes: tuple[int, ...]
    steps: int
    entries: int
    ran: int
    asked: int
    names: int
    spent: int
    effects: int
    looks: int
    reads: Mapping[Any, Any]


class TurnRecorder:
    """A turn that is recorded.

    places: of each tensor of the turn; opened: its tapes; calls: those that are complete.
    looks:  how often somebody has looked at what a value is.
    earlier: tensors of the turn before, where this one may go on with them.
    """

    is_recording = True

    def __init__(self, graph: Any, opening: Opening, carried: Sequence[Tensor]) -> None:
        self.graph = graph
        self.opening = opening
        self.places: dict[Any, int] = {}
        self.opened: list[Tape] = []
        self.calls: list[Call] = []
        self.stopped = False
        self.looks = 0
        self.earlier: Container[Any] = ()
        self._taken_up: list[int] = []  # the places of those
        self._inside = 0
        self._carried = list(carried)
        self._tensors: list[EagerTensor | None] = []  # None: a variable's value before or after it is written
        self._steps: list[Step] = []
        self._entries: list[Entry] = []
        self._ran: list[int] = []
        self._closed = NOT_YET
        self._asked: list[Any] = []
        self._size = len(graph.nodes)
        self._names = graph.names.counts = TakenNames(graph.names.counts)
        for tensor in self._carried:
            self._place(tensor)

    # -- calls -----------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """How many calls are complete."""
        return len(self.calls)

    def call(
        self,
        function: Any,
        arguments: tuple[Any, ...],
        make: Callable[[], Any],
        again: Callable[..., Any] | None = None,
    ) -> Any:
        """What `make` gives, written down as one call; or as the calls inside of it where that cannot be."""
        if self.stopped:
            return make()
        before, outer, self.calls = self._mark(), self.calls, []
        inner, closed, self._closed = self.calls, self._closed, NOT_YET
        self._inside += 1
        try:
            result = make()
        except BaseException:
            self.stopped = True
            raise
        finally:
            self.calls = outer
            self._inside -= 1
        self._keep_call(before, (function, arguments, result, again), inner)
        self._closed = closed if self._closed == NOT_YET else self._closed
        return result

    def _keep_call(
        self, before: Mark, what: tuple[Any, tuple[Any, ...], Any, Any], inner: list[Call]
    ) -> None:
        """Write down a call that is over, or the calls inside of it."""
        self.stopped |= _effects(self.graph) > before.effects
        if self.stopped:
            return
        try:
            if self.looks > before.looks:  # what it did may depend on values
                raise NotRecorded
            self.calls.append(self._written_down(before, *what))
        except NotRecorded:
            self.calls += inner
            self._check_complete(before, inner)
        self.stopped |= len(self.calls) > MOST_CALLS

    def _mark(self) -> Mark:
        graph = self.graph
        return Mark(
            graph.place,
            graph.phase,
            self._open_tapes(),
            len(self._steps),
            len(self._entries),
            len(self._ran),
            len(self._asked),
            len(self._names.written),
            _spent(graph),
            _effects(graph),
            self.looks,
            {ref: (one.turn, one.used, one.present) for ref, one in graph.reads.items()},
        )

    def _written_down(
        self, before: Mark, function: Any, arguments: tuple[Any, ...], result: Any, again: Any
    ) -> Call:
        """A call that is over. Raises: NotRecorded where another one could not be compared with it."""
        graph, steps = self.graph, self._steps[before.steps :]
        if len(steps) > 1 and any(step.node.op.draws for step in steps):
            raise NotRecorded
        known, given = self._patterns(arguments, steps)
        tapes = self._open_tapes()
        call = Call(
            function,
            before.path,
            known,
            steps,
            self._entries[before.entries :],
            self._result(result),
            result if isinstance(result, Node) else None,
            _spent(graph) - before.spent,
            {name: self._names[name] for name in self._names.written[before.names :]},
            graph.phase,
            len(self._names.written) > before.names or graph.phase != before.phase,
            None if tapes == before.tapes else tapes,
            self._ran[before.ran :],
            None if self._closed == NOT_YET else self._closed - before.ran,
            self._uses(steps, self._asked[before.asked :]),
            self._reads_after(before.reads),
            again,
        )
        for step in steps:
            step.given = given.get(step)
            if step.given is not None:
                step.passes = value_of(self._tensors[step.first]) is arguments[step.given]
        return call

    def _check_complete(self, before: Mark, inner: Sequence[Call]) -> None:
        """Stop where the calls inside of a call are not all that it did."""
        count = sum(len(call.steps) for call in inner)
        if count != len(self._steps) - before.steps or len(self._asked) > before.asked:
            self.stopped = True

    def node(self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str) -> Node:
        """A node that is made, or gone over, by itself."""
        made: Node = self.call(
            op,
            (self.graph.phase, *inputs, *constants_first(attributes)),
            lambda: self.graph.make_node(op, inputs, attributes, name),
        )
        return made

    def reading(self, variable: Variable) -> Tensor:
        """A variable is read."""

        def read() -> Tensor:
            tapes = self._open_tapes()
            tensor: Tensor = self.graph.read_now(variable)
            self._entries.append(Seen(variable, self._place_of(tensor), tapes))
            return tensor

        found: Tensor = self.call(READING, (variable,), read)
        return found

    def watch(self, tape: Tape, what: Any) -> None:
        """A tape is made to watch a tensor or a variable."""

        def watch() -> None:
            tape.watch(what)
            place = self.places.get(what) if isinstance(what, Tensor) else None
            self._entries.append(Watched(what if place is None else place, (self.place_of_tape(tape),)))

        self.call(WATCHING, (tape, what), watch)

    # -- tapes -----------------------------------------------------------------------------------

    def open(self, tape: Tape) -> None:
        """A tape is about to record."""
        self.stopped = self.stopped or type(tape) is not Tape or not tape.is_empty
        opened = [*self.opened, tape]

        def begin() -> None:
            self.opened = opened

        self.call(OPENING, (tape.persistent, tape.watch_accessed_variables), begin)

    def close(self, tape: Tape) -> None:
        """It sees nothing more."""

        def close() -> None:
            self.graph.close(tape)
            if not self.graph.tapes:
                self._closed = len(self._ran)

        self.call(CLOSING, (tape,), close)

    def place_of_tape(self, tape: Tape) -> int:
        """Which of the turn's tapes it is. Raises: NotRecorded where it is none."""
        for place, one in enumerate(self.opened):
            if one is tape:
                return place
        raise NotRecorded

    def _open_tapes(self) -> tuple[int, ...]:
        try:
            return tuple([self.place_of_tape(tape) for tape in self.graph.tapes])
        except NotRecorded:
            self.stopped = True
            return ()

    # -- steps -----------------------------------------------------------------------------------

    def ran(self, node: Node, inputs: Sequence[Any], same: bool = False) -> None:
        """A node has run on these tensors. same: whether its outputs are the same tensors each time."""
        if self.stopped:
            return
        op = node.op
        if op.text_rule is not None or op.name == "Merge" or self._is_among(node):
            self.stopped = True
            return
        sources = tuple([self.source(tensor) for tensor in inputs])
        first = len(self._tensors)
        for output in node.outputs:
            place = self._place(output)
            if same or value_of(output).size <= TRACED_ELEMENTS:
                self._ran.append(place)
        kinds = tuple([(one.dtype, one.shape) for one in map(value_of, node.outputs)])
        parameters = op.parameters(node.attrs)
        tapes = self._open_tapes()
        written = [(inputs[index], self._room(), self._room()) for index in op.writes]
        outputs = node.outputs if same else None
        step = Step(node, sources, first, kinds, parameters, tapes, same=outputs, writes=tuple(written))
        self._steps.append(step)
        self._entries.append(step)

    def element(self, node: Node, array: Any) -> Tensor:
        """A data set gives an element; its node passes it on."""

        def pass_on() -> EagerTensor:
            tensor: EagerTensor = self.graph.next_element(node, array)
            place = self._place(tensor)
            self._ran.append(place)
            kinds = ((array.dtype, array.shape),)
            self._steps.append(Step(node, (), place, kinds, {}, (), is_element=True))
            return tensor

        found: Tensor = self.call(ELEMENT, (node, array), pass_on)
        return found

    def stop(self) -> None:
        """What comes now is not done in the same way another time."""
        self.stopped = True

    def asks(self, asked: Any) -> None:
        """What one call of this turn has made before is asked for again."""
        self._asked.append(asked)

    def _is_among(self, node: Node) -> bool:
        return bool(node.outputs) and node.outputs[0] in self.places

    def _room(self) -> int:
        self._tensors.append(None)
        return len(self._tensors) - 1

    def _place(self, tensor: Any) -> int:
        place = self.places[tensor] = len(self._tensors)
        self._tensors.append(tensor)
        return place

    def source(self, tensor: Any) -> Source:
        """The place of a tensor; the tensor itself, where it is from outside of the turn."""
        place = self.places.get(tensor)
        if place is None and tensor in self.earlier:
            place = self._place(tensor)
            self._taken_up.append(place)
        return tensor if place is None else place

    def _place_of(self, tensor: Tensor) -> int:
        place = self.places.get(tensor)
        if place is None:
            self.stopped = True
            return 0
        return place

    # -- what a call was given, and what it left ---------------------------------------------------

    def _patterns(
        self, arguments: tuple[Any, ...], steps: Sequence[Step]
    ) -> tuple[tuple[Pattern, ...], dict[Step, int]]:
        """How to compare the arguments, and which of them, of any value, a constant is made of."""
        given = {step: 1 for step in steps if step.is_element}
        if given and len(steps) > 1:
            raise NotRecorded
        constants = [step for step in steps if step.node.op.name == "Const" and step.same is None]
        for place, value in enumerate(arguments):
            if _may_be_free(value) and not given:
                found = [step for step in constants if self._is_made_of(step, value)]
                alike = [one for one in arguments if _may_be_free(one) and np.array_equal(one, value)]
                if len(found) == 1 and len(alike) == 1:
                    given[found[0]] = place
        free = set(given.values())
        known = [pattern(value, self, free=place in free) for place, value in enumerate(arguments)]
        return tuple(known), given

    def _is_made_of(self, step: Step, value: Any) -> bool:
        """Whether a constant holds this number or array, and no axis or shape."""
        held = value_of(self._tensors[step.first])
        if np.shape(value) != held.shape or (type(value) in NUMBERS and held.dtype.kind != "f"):
            return False
        may_be_structure = held.dtype.kind in "iu" or step.node.phase == "gradient"
        if held.size <= SMALL and may_be_structure and step.node not in self.graph.data:
            return False
        return bool(np.asarray(value).astype(held.dtype).tobytes() == held.tobytes())

    def _result(self, result: Any) -> Any:
        """What a call gave: places for tensors of the turn, other tensors themselves, in their structure."""
        if result is None or isinstance(result, Node):
            return None
        if isinstance(result, Tensor):
            return self.source(result)
        if isinstance(result, IndexedSlices):
            parts = (result.values, result.indices, result.dense_shape)
            return IndexedSlices, tuple([self._result(part) for part in parts])
        if type(result) in (list, tuple):
            return type(result), tuple([self._result(item) for item in result])
        raise NotRecorded

    def _uses(self, steps: Sequence[Step], asked: Sequence[Any]) -> list[Any]:
        """The nodes under one key that the call went over, and how many of them the turn has used by now."""
        known = self.graph.repeats_of
        found = dict.fromkeys(known[step.node] for step in steps if step.node in known)
        return [(one, one.used) for one in (*found, *asked) if one.lap == self.graph.lap]

    def _reads_after(self, before: Mapping[Any, Any]) -> list[Any]:
        changed = []
        for ref, one in self.graph.reads.items():
            if before.get(ref) != (one.turn, one.used, one.present):
                present = None if one.present is None else self._place_of(one.present)
                changed.append((one, one.used, present))
        return changed

    # -- the turn as a whole -----------------------------------------------------------------------

    def finished(self) -> RecordedTurn | None:
        """The recorded turn; None where it made a node, or nothing is worth recording."""
        graph = self.graph
        graph.names.counts = dict(self._names)
        if self._inside or len(graph.nodes) != self._size or not any(call.steps for call in self.calls):
            return None
        went_on = places_gone_on(self.calls, self._tensors, self._taken_up)
        if went_on is None:
            return None
        return whole_turn(self.opening, self._carried, self.calls, self._tensors, went_on)


def constants_first(attributes: Mapping[str, Any]) -> tuple[Any, ...]:
    """The attributes of a node as arguments of its call: the value of a constant by itself."""
    rest = tuple([item for item in attributes.items() if item[0] != "value"])
    return (attributes["value"], rest) if "value" in attributes else (rest,)


def _may_be_free(value: Any) -> bool:
    """Whether a constant may be made of it whose value is no part of the structure, as that of a tensor."""
    return is_free(value) or type(value) is np.ndarray


def _effects(graph: Any) -> int:
    """What a call adds to a graph beside nodes: visits of a sweep, members of collections."""
    return len(graph.adjoints) + sum(map(len, graph.collections.values()))


def _spent(graph: Any) -> int:
    return int(getattr(graph.meter, "operations", 0))
