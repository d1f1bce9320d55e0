"""Reads of a variable that nothing orders with an update of it in the same run.

TensorFlow 1 runs whatever is ready, several nodes at a time. A node that reads a variable's buffer and one
that writes it in the same run come in one order for certain only if a path of the graph, data or control,
leads from one to the other; else the number is of before the update or of after it, and may differ from run
to run.
The buffer is what counts: `w/read`, a Reshape of it or what an update returns are the same memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.execution.interpreter.buffers import (
    BETWEEN_TURNS,
    PASSED_ON,
    SHARING,
    buffer_in,
    buffers_behind,
    variable_behind,
    way_back,
    written_at,
)
from engine.execution.interpreter.order import ENTERS, Loop, loops_around, nodes_of, sources
from engine.execution.interpreter.plan import Plan
from engine.execution.interpreter.trace import Run
from engine.graph import Node, Tensor

HANDED_ON = PASSED_ON | SHARING | BETWEEN_TURNS

# What looks at no number of it, or at that of the branch taken.
WITHOUT_NUMBERS = frozenset(
    {"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike", "IsVariableInitialized", "Merge", "RefMerge"}
)


@dataclass(frozen=True, slots=True)
class Access:
    """A node that reads a variable's buffer, or writes it, through one of its inputs."""

    node: Node
    tensor: Tensor
    variable: Node
    writes: bool


@dataclass(frozen=True, slots=True)
class Unordered:
    """Two accesses of a variable in one run of which either may come first: an update, and a read or update.

    across_turns: whether they are ordered in each turn of a loop, but not from one turn to the next.
    """

    write: Access
    other: Access
    across_turns: bool = False

    def met(self, run: Run) -> bool:
        """Whether both came in this run; in the branch that was not taken, nothing runs."""
        return all(
            output in run.values and buffer_in(access.tensor, run) is access.variable
            for access in (self.write, self.other)
            for output in access.node.outputs[:1]
        )


def unordered(plan: Plan) -> list[Unordered]:
    """The pairs that a plan leaves to chance, in order of creation."""
    nodes = [node for step in plan.steps for node in nodes_of(step)]
    written = {written_at(node, index) for node in nodes for index in node.op.writes}
    accesses = [access for access in dict.fromkeys(_accesses(nodes)) if access.variable in written]
    if len(accesses) < 2:
        return []
    order = _Order(nodes, accesses, has_loops=any(isinstance(step, Loop) for step in plan.steps))
    return [
        Unordered(write, other, order.across_turns(write.node, other.node))
        for variable, those in _by_variable(accesses).items()
        for write in those
        for other in those
        if write.writes and _is_a_pair(write, other) and not order.holds(write.node, other.node)
    ]


def _is_a_pair(write: Access, other: Access) -> bool:
    """Each pair once; additions come out the same in either order."""
    if write.node is other.node:
        return False
    both_add = write.node.op.name == other.node.op.name in ("AssignAdd", "AssignSub")
    return not other.writes or (write.node.index < other.node.index and not both_add)


def _by_variable(accesses: Sequence[Access]) -> Mapping[Node, list[Access]]:
    found: dict[Node, list[Access]] = {}
    for access in accesses:
        found.setdefault(access.variable, []).append(access)
    return found


def _accesses(nodes: Sequence[Node]) -> Iterator[Access]:
    """Every read and write of a buffer; what only hands it on is neither."""
    for node in nodes:
        if node.op.name in HANDED_ON | WITHOUT_NUMBERS:
            continue
        for index, tensor in enumerate(node.inputs):
            for variable in sorted(buffers_behind(tensor), key=lambda each: each.index):
                if not _is_initialized_value(tensor, variable):
                    yield Access(node, tensor, variable, index in node.op.writes)


def _is_initialized_value(tensor: Tensor, variable: Node) -> bool:
    """Whether it is read only where it has a value, else what it begins with: the same in either order."""
    asked = [node.inputs[1].node for node in way_back(tensor) if node.op.name in ("Switch", "RefSwitch")]
    asked = [node.inputs[0].node if node.op.name == "Identity" else node for node in asked]
    return any(
        node.op.name == "IsVariableInitialized" and variable_behind(node.inputs[0]) is variable
        for node in asked
    )


class _Order:
    """Which accesses a path leads to. Sets of them are numbers, with a bit for each node that makes one.

    turn:  for each node the accesses before it in its own turn of a loop;
    last:  those of the turn before that lead to it in this one;
    ever:  those of any turn.
    """

    def __init__(self, nodes: Sequence[Node], accesses: Sequence[Access], *, has_loops: bool) -> None:
        makers = dict.fromkeys(access.node for access in accesses)
        self._bit = {node: 1 << place for place, node in enumerate(makers)}
        self._turn = self._ever = self._reached(nodes, self._bit, {})
        self._last: Mapping[Node, int] = {}
        self._loops = loops_around(nodes) if has_loops else {}
        if has_loops:
            self._last = self._reached(nodes, {}, self._turn)
            while (more := self._reached(nodes, self._bit, self._ever)) != self._ever:
                self._ever = more
        enters = [node for node in nodes if node.op.name in ENTERS]
        self._one_by_one = {
            node.attrs["frame_name"] for node in enters if node.attrs["parallel_iterations"] == 1
        }

    def holds(self, one: Node, other: Node) -> bool:
        """Whether the two come in the same order in every run, and in every turn of a loop around both."""
        if not self._share_turns(one, other):
            return self._lead(self._ever, one, other) or self._lead(self._ever, other, one)
        if not self._in_a_turn(one, other):
            return False
        first, second = (one, other) if self._lead(self._turn, one, other) else (other, one)
        return self._loops[one][-1] in self._one_by_one or self._lead(self._last, second, first)

    def across_turns(self, one: Node, other: Node) -> bool:
        """Whether they are ordered in each turn of the loop around both."""
        return self._share_turns(one, other) and self._in_a_turn(one, other)

    def _share_turns(self, one: Node, other: Node) -> bool:
        around = self._loops.get(one, ())
        return bool(around) and around == self._loops.get(other, ())

    def _in_a_turn(self, one: Node, other: Node) -> bool:
        return self._lead(self._turn, one, other) or self._lead(self._turn, other, one)

    def _lead(self, before: Mapping[Node, int], one: Node, other: Node) -> bool:
        """Whether a path leads from the first to the second."""
        return bool(before[other] & self._bit[one])

    def _reached(
        self, nodes: Sequence[Node], bits: Mapping[Node, int], turned: Mapping[Node, int]
    ) -> dict[Node, int]:
        """For each node what comes to it: the bits on all paths, and what `turned` has at a way back."""
        found: dict[Node, int] = {}
        for node in nodes:
            reached = 0
            for source in sources(node):
                reached |= found.get(source, 0) | bits.get(source, 0)
            if turned and node.op.name == "Merge" and node.inputs[-1].node.op.name == "NextIteration":
                reached |= turned.get(node.inputs[-1].node, 0)
            found[node] = reached
        return found
