"""An eager graph whose turns are divided by passes backward.

PyTorch opens no tape. A turn of a training loop begins where, after a pass backward, the program comes by a
place again at which it has computed something before that pass in this turn. What stands before a loop, a
first step written out, may have passes of its own. Where many nodes were made since one, a change in
place counts as a pass: a loop without one would unroll until there are too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.immediate import EagerTensor, Watched, value_of
from engine.execution.eager.known_variables import KnownVariables
from engine.execution.eager.repeated_nodes import RepeatedNodes
from engine.execution.eager.repeating import Reads
from engine.execution.eager.repeating_graph import TURNS_OF_NEW, now
from engine.execution.eager.turns.choosing import Turns
from engine.execution.eager.turns.replay import Replay
from engine.graph import Node, Tensor, Variable
from engine.ops.base.definition import OpDef

CROWDED = 0.25  # of the nodes and elements that there may yet be


class PassingGraph(EagerGraph):
    """A graph that takes a loop with a pass backward for a turn."""

    turns_of_variables = 0  # what a program keeps of them is made anew where it is written (`renewed`)

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.lazy = PassedNodes(self, self._nodes, self._most_nodes)
        self.variables = KnownVariables(self)
        self._places: set[int] = set()  # of this turn, before its latest pass
        self._since: set[int] = set()  # and after it
        self._nodes_before: dict[int, int] = {}  # how many there were when the program first came by a place
        self._has_passed = False
        self._begun_at = 0  # the place where the present turn has begun,
        self._first_alike = 0  # and the first of the turns in a row that have begun there
        self._carried: dict[Tensor, Tensor] = {}
        self._from_before: dict[int, tuple[set[Node], set[int]]] = {}
        self._nodes_at_pass = self._alive_at_pass = 0
        self._passes_by_updates = False
        self.passes = 0

    def begin(self) -> None:
        """The program begins, and with it its first turn."""
        self._next_turn(0)

    def after_gradient(self) -> None:
        """A pass backward is over: where the program comes by again, another turn begins."""
        self._has_passed = True
        self._places |= self._since
        self._since = set()
        self.passes += 1
        self._nodes_at_pass, self._alive_at_pass = len(self._nodes), self._alive
        self._passes_by_updates = False

    def after_update(self) -> None:
        """A tensor was changed in place. Where many nodes came since a pass, this ends a turn as one does.

        So goes a loop whose gradients are worked out by hand, and one that notes down what a model gives.
        """
        if self._is_crowded():
            self._has_passed = self._passes_by_updates = True
            self._places |= self._since
            self._since = set()

    def _is_crowded(self) -> bool:
        """Whether nodes and elements made since the latest pass take much of the room that it left."""
        nodes, alive = self._nodes_at_pass, self._alive_at_pass
        return len(self._nodes) - nodes > CROWDED * (
            self._most_nodes - nodes
        ) or self._alive - alive > CROWDED * (self._alive_limit - alive)

    def come_by(self) -> None:
        """Something is computed at the present place of the program."""
        if self._phase not in ("forward", "after"):
            return
        if not self._has_passed or self._path not in self._places:
            self._since.add(self._path)
            self._nodes_before.setdefault(self._path, len(self._nodes))
        else:
            self.begin_turn(self._path)

    def begun_here(self, tensor: Tensor, turn: int) -> Tensor:
        """A tensor made in this turn; where that is an earlier one of the loop that runs, its numbers as a
        constant of the present turn. So for tensors from before the loop, where other ones stand here in turn
        after turn: they are its data.
        """
        self.come_by()
        first = 0 if self._passes_by_updates else self._first_alike
        if turn >= self._turn or (turn < first and not self._is_data(tensor)):
            return tensor
        if tensor not in self._carried and self._phase in ("forward", "after"):
            self._carried[tensor] = self.data_constant(value_of(tensor))
        return self._carried.get(tensor, tensor)

    def _is_data(self, tensor: Tensor) -> bool:
        """Whether a tensor from before the loop is a new one where turns have brought new ones before."""
        known, turns = self._from_before.setdefault(self._path, (set(), set()))
        if tensor.node in known:
            return False
        if len(turns) > TURNS_OF_NEW:
            return True
        known.add(tensor.node)
        turns.add(self._turn)
        return False

    def turn_begins_at(self, place: int) -> bool:
        """Whether a turn begins where something is computed at this place now."""
        return self._has_passed and place in self._places

    def begin_turn(self, place: int) -> None:
        """A turn begins at this place."""
        self.passed = False, frozenset(), frozenset({place})
        self._closed = len(self._ran)
        self._next_turn(place)

    @property
    def passed(self) -> tuple[bool, frozenset[int], frozenset[int]]:
        """Whether this turn has had a pass, the places before its latest one, and those since."""
        return self._has_passed, frozenset(self._places), frozenset(self._since)

    @passed.setter
    def passed(self, passed: tuple[bool, frozenset[int], frozenset[int]]) -> None:
        self._has_passed, self._places, self._since = passed[0], set(passed[1]), set(passed[2])

    @property
    def standing(self) -> tuple[Any, str, dict[str, int]]:
        """How far the turn is: its passes and places, the phase, and the names in use."""
        return self.passed, self._phase, dict(self._names.counts)

    @standing.setter
    def standing(self, standing: tuple[Any, str, dict[str, int]]) -> None:
        self.passed, self._phase, self._names.counts = standing

    def create_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node and run it, or run one of an earlier turn again."""
        self.come_by()
        return super().create_node(op, inputs, attributes, name)

    def reading(self, variable: Variable) -> Tensor:
        """The read of a variable's present value."""
        self.come_by()
        return super().reading(variable)

    def _read_anew(self, variable: Variable, reads: Reads) -> Tensor:
        """The same; a read whose value nothing has taken before it was overwritten is done again."""
        if reads.used and not self._is_taken(reads.nodes[reads.used - 1]):
            reads.used -= 1
        return super()._read_anew(variable, reads)

    def _is_taken(self, read: Node) -> bool:
        """Whether a node has run on what this one has read last."""
        for node in reversed(self._executed):
            if node is read:
                return False
            if any(tensor.node is read for tensor in node.inputs):
                return True
        return True

    def call(self, function: Any, arguments: tuple[Any, ...], make: Any, again: Any = None) -> Any:
        """What `make` gives: in a turn that is recorded or replayed, as one call of it.

        It may depend on the arguments alone, and on what the values are that it looks at.
        again: what else happens each time, given the result and the arguments.
        """
        self.come_by()
        return make() if self.turn is None else self.turn.call(function, arguments, make, again)

    def runs_freely(self) -> bool:
        """Whether something may be computed at the present place without a call: no turn takes note of it."""
        self.come_by()
        return self.turn is None

    def first_outputs(self, nodes: Iterable[Node]) -> dict[Node, Any]:
        """The present value of the first output of nodes, for who shows it: nothing depends on that."""
        ran = self.turn.first_outputs() if isinstance(self.turn, Replay) else {}
        if self.turn is None or not all(node in ran for node in nodes):
            self._turns.write_down()
        return {node: ran[node] if node in ran else value_of(node.outputs[0]) for node in nodes}

    def look(self) -> None:
        """Somebody looks at what a value is: what follows may depend on it."""
        super().look()
        if self.turn is not None and self.turn.is_recording:
            self.turn.looks += 1

    def forget_turns(self) -> None:
        """What has been recorded may go another way from here on."""
        self.materialize()
        if self.turn is not None:
            self.turn.stop()
        self._turns.write_down()
        self._turns = Turns(self)

    def _next_turn(self, place: int) -> None:
        ran = self._ran
        super()._next_turn(place)
        self._carried = {}
        if place != self._begun_at:
            self._begun_at, self._first_alike = place, self._turn
        self.output_kind = EagerTensor
        if self.turn is not None and self.turn.is_recording:
            is_second = self._first_alike == self._turn
            self.turn.earlier = frozenset(
                watched(one) for one in ran if not (is_second and self._is_from_before(one.node, place))
            )
            self.output_kind = WatchedTensor

    def _is_from_before(self, node: Node, place: int) -> bool:
        """Whether a node of a loop's first turn stands before the loop, or holds numbers from there."""
        return node.index < self._nodes_before.get(place, 0) or node in self.data

    def _end_replay(self, turn: Replay, first: int) -> list[Tensor]:
        return super()._end_replay(turn, 0)  # nothing runs ahead of the turn that it belongs to


class PassedNodes(RepeatedNodes):
    """The same for operators, which are calls of a turn."""

    def output(self, op: OpDef, base: str, x: Any, y: Any = None) -> Tensor | None:
        """The output of a node whose turn is recorded or replayed; None in any other turn."""
        self._graph.come_by()  # type: ignore[attr-defined]  # its graph is a PassingGraph
        return super().output(op, base, x, y)


class WatchedTensor(Watched, EagerTensor):
    """A tensor of a turn that is recorded, which notes who looks at its value."""

    __slots__ = ()


def watched(tensor: Any) -> Tensor:
    """The tensor, which notes from now on who looks at its value."""
    now(tensor)
    if type(tensor) is EagerTensor:
        tensor.__class__ = WatchedTensor
    found: Tensor = tensor
    return found
