"""Copying what a run goes through into a graph of its own: each turn's nodes one after the other.

What only directs values (Switch, Merge, Enter, Exit, NextIteration) has no copy: a value goes straight from
what made it to what takes it. Of a `cond` only the branch is there that was taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.execution import Run
from engine.execution.interpreter.buffers import MERGES, variable_behind, written_at
from engine.execution.interpreter.order import ENTERS, Loop
from engine.graph import Graph, Node, Tensor
from engine.graph.control_flow.contexts import Branch
from engine.ops.base.definition import REGISTRY
from engine.ops.base.tensors import Array
from engine.ops.common.constants import constant
from engine.programs.lesson.sentence import Sentence, both
from engine.programs.lesson.unrolled.arrays import ARRAYS, Arrays
from engine.programs.lesson.unrolled.happenings import (
    BranchTaken,
    Happening,
    LoopEnded,
    LoopRun,
    Path,
    TurnBegan,
    VariableWritten,
)

CHANGES = {"AssignAdd": "Add", "AssignSub": "Sub"}  # what a variable becomes by them
WRITTEN = "written"  # the name of what a variable is changed by
PASSING = frozenset({"Enter", "RefEnter", "Exit", "NextIteration", "LoopCond"})
MOST_NODES = 20_000  # of the unrolled graph's forward part


class CannotUnroll(Exception):
    """The run did something that has no copy, or is too long. reason: said to the learner."""

    def __init__(self, reason: Sentence | None = None) -> None:
        super().__init__()
        self.reason = reason or both(
            "This run is too long, or of a kind that cannot be followed operation by operation.",
            "这次运行太长，或者属于不能逐个运算跟踪的一类。",
        )


class Unrolling:
    """The unrolled graph while it grows.

    of_tensor: what it has for a tensor of the graph, by now; origin: of each of its nodes the one copied.
    paths:     the turns that each of its nodes stands in.
    rounds:    the tensors that a loop variable had after each of its turns, with the Merge and the turns.
    remembered: what each turn left on stacks for the way back.
    written:   what a variable became, with the variable and how often it had been written by then.
    as_numbers: writes that are copied as the numbers alone that they wrote.
    """

    def __init__(self, graph: Graph) -> None:
        self.source = graph
        self.graph = Graph(default_float=graph.default_float)
        self.graph.release = graph.release
        self.graph.gradient_rules = graph.gradient_rules
        self.of_tensor: dict[Tensor, Tensor] = {}
        self.origin: dict[Node, Node] = {}
        self.paths: dict[Node, Path] = {}
        self.happenings: list[Happening] = []
        self.rounds: list[tuple[Tensor, Node, Path]] = []
        self.given: dict[Tensor, Array] = {}
        self.remembered: dict[Path, dict[Tensor, None]] = {}
        self._kept = {n.inputs[1] for n in graph.nodes if n.op.name == "StackPushV2"}
        self._path: Path = ()
        self._running: list[LoopRun] = []
        self._chosen: dict[tuple[Tensor, Path], int] = {}  # where a condition first sent a value its way
        self._taken: set[tuple[Tensor, Path]] = set()
        self._arrays = Arrays(self.of, self._constant)
        self._sees: frozenset[Node] = frozenset()
        self._versions: dict[Node, Tensor] = {}  # of variables that were written, the latest
        self.written: list[tuple[Tensor, Node, int]] = []
        self.as_numbers: frozenset[Node] = frozenset()
        self._passing: set[Node] = set()  # what stands for the results of writes

    # -- what the recorder says ----------------------------------------------------------------------------

    def ran(self, node: Node, trace: Run, sees: frozenset[Node] = frozenset()) -> None:
        """A node has run: copy it, or let its value pass."""
        kind = node.op.name
        self._sees = sees
        if kind == "LoopCond":
            self._decided(node, trace)
        if kind == "Identity" and variable_behind(node.inputs[0]) in self._versions:
            self.of_tensor[node.outputs[0]] = self._seen(node.inputs[0])
        elif kind in PASSING or _only_passes(node):
            self._let(node.outputs[0], node.inputs[0])
        elif kind in ("Switch", "RefSwitch"):
            self._switched(node)
        elif kind in MERGES:
            self._met(node, trace)
        elif kind in ARRAYS:
            with self.graph.as_default(), self.graph.at(node.span):
                made = self._arrays.read(node, trace)
            if made is not None:
                self._note(made.node, node)
                self.of_tensor[node.outputs[0]] = made
        elif node.op.writes:
            self._wrote(node, trace)
        elif node.outputs:
            self._copy(node, trace)
        for output in node.outputs:
            if output in self._kept and output in self.of_tensor:
                self.remembered.setdefault(self._path, {})[self.of_tensor[output]] = None

    def entered(self, loop: Loop) -> None:
        """A loop is gone into."""
        goes_on = next(n for n in loop.steps if isinstance(n, Node) and n.op.name == "LoopCond")
        merges = [n for n in loop.steps if isinstance(n, Node) and _comes_round(n)]
        merges.sort(key=lambda node: node.index)
        self._running.append(LoopRun(goes_on, tuple(merges), self._path))

    def turned(self, loop: Loop, trace: Run) -> None:
        """The loop variables have their values for one more turn, or for the end."""
        run = self._running[-1]
        run.turns += 1
        first = run.turns == 1
        found = [(m, self.of(m.inputs[0 if first else 1])) for m in run.variables if self._is_told(m)]
        if not first:
            after = (*run.path, (run, run.turns - 1))
            self.rounds += [(tensor, merge, after) for merge, tensor in found]
        self.of_tensor.update({merge.outputs[0]: tensor for merge, tensor in found})
        self._path = (*run.path, (run, run.turns))

    def left(self, loop: Loop) -> None:
        """The loop has come to its end; the last round was its condition alone."""
        run = self._running.pop()
        run.turns = max(run.turns - 1, 0)
        self._path = run.path

    # -- where values go -----------------------------------------------------------------------------------

    def of(self, tensor: Tensor) -> Tensor:
        """What the unrolled graph has for a tensor. Raises: CannotUnroll where it has nothing."""
        if tensor not in self.of_tensor and tensor.node.op.name == "VariableV2":
            self._copy(tensor.node, None)
        if tensor not in self.of_tensor:
            raise CannotUnroll
        return self.of_tensor[tensor]

    def feed(self, tensor: Tensor, value: Array) -> None:
        """A tensor that is fed: a placeholder."""
        self.given[tensor] = value
        with self.graph.as_default(), self.graph.at(tensor.node.span):
            made = REGISTRY["Placeholder"].node(
                dtype=tensor.dtype, shape=np.shape(value), name=tensor.node.name
            )
        self._note(made, tensor.node)
        self.of_tensor[tensor] = made.outputs[0]

    def _let(self, after: Tensor, before: Tensor) -> None:
        """A value that only passes; what orders the uses of an array has no copy."""
        if self._is_carried(before):
            self.of_tensor[after] = self.of(before)

    def _is_carried(self, tensor: Tensor) -> bool:
        return tensor in self.of_tensor or tensor.node.op.name == "VariableV2"

    def _is_told(self, merge: Node) -> bool:
        return self._is_carried(merge.inputs[0])

    def _switched(self, node: Node) -> None:
        for output in node.outputs:
            self._let(output, node.inputs[0])
        if node.inputs[1].node.op.name != "LoopCond":
            self._chosen.setdefault((self.of(node.inputs[1]), self._path), len(self.graph.nodes))

    def _met(self, node: Node, trace: Run) -> None:
        """Two ways meet: the value is that of the one which was taken."""
        came = next(place for place, tensor in enumerate(node.inputs) if tensor not in trace.dead)
        self._let(node.outputs[0], node.inputs[came])
        if len(node.outputs) > 1:
            self.of_tensor[node.outputs[1]] = self._constant(np.int32(came))
        branch = node.inputs[came].node.context
        if isinstance(branch, Branch) and self._is_carried(branch.pred):
            key = self.of(branch.pred), self._path
            if key not in self._taken:
                at = self._chosen.get(key, len(self.graph.nodes))
                self.happenings.append(BranchTaken(at, self._path, key[0], branch.branch == 1, node))
            self._taken.add(key)

    def _decided(self, node: Node, trace: Run) -> None:
        """A loop goes on, or ends."""
        run = self._running[-1]
        seen = {tensor: trace.values[tensor] for tensor in _deciding(run) if tensor in trace.values}
        inside = {tensor: self.of_tensor[tensor] for tensor in _deciding(run) if tensor in self.of_tensor}
        at = len(self.graph.nodes)
        if bool(np.all(trace.values[node.inputs[0]])):
            self.happenings.append(TurnBegan(at, self._path, run, run.turns, seen, inside))
        else:
            self.happenings.append(LoopEnded(at, run.path, run, seen, inside))

    # -- copies --------------------------------------------------------------------------------------------

    def _copy(self, node: Node, trace: Run | None) -> None:
        """A node as it is, with what the unrolled graph has for its inputs."""
        if len(self.graph.nodes) > MOST_NODES:
            raise CannotUnroll
        if node.op.name == "Const" and node.outputs[0] in self.of_tensor:
            return
        if (node.op.draws or not node.inputs) and trace is not None and node.op.name != "Const":
            made = self._constant(trace.values[node.outputs[0]]).node
        else:
            inputs = [self._seen(tensor) for tensor in node.inputs]
            made = self.graph.create_node(node.op, inputs, node.attrs, node.name)
        made.span = node.span
        if node.phase != "gradient":
            made.phase = "forward"  # also of what stands after an update in the program
        self._note(made, node)
        self.of_tensor.update(zip(node.outputs, made.outputs, strict=False))

    # -- variables that are written ------------------------------------------------------------------------

    def _seen(self, tensor: Tensor) -> Tensor:
        """What a node takes that reads a tensor: of a variable that was written, what it is by then.

        As a session has it: what was read before stays what it was, unless the reader waited for the update.
        """
        if tensor.node.op.writes and tensor in self.of_tensor:
            return self._taken_from_write(tensor)
        variable = variable_behind(tensor) if self._versions else None
        if variable is None or variable not in self._versions:
            return self.of(tensor)
        in_a_turn = tensor.node.op.name in ENTERS
        return self._versions[variable] if variable in self._sees or in_a_turn else self.of(tensor)

    def _wrote(self, node: Node, trace: Run) -> None:
        """A write of a variable: from here on its value is another quantity."""
        variable = written_at(node, node.op.writes[0])
        with self.graph.as_default(), self.graph.at(node.span):
            made = self._new_value(node, variable, trace)
        self._note(made.node, node)
        if made.node.op.name == "Const":  # which no operation gives
            written = VariableWritten(len(self.graph.nodes), self._path, node, made)
            self.happenings.append(written)
        self._versions[variable] = made
        number = 1 + sum(other is variable for _, other, _ in self.written)
        self.written.append((made, variable, number))
        self.of_tensor[node.outputs[0]] = made

    def _new_value(self, node: Node, variable: Node, trace: Run) -> Tensor:
        """What a write makes of a variable, to which no gradient comes from the value before."""
        change = CHANGES.get(node.op.name)
        numbers = trace.values[node.outputs[0]]
        if node in self.as_numbers or (change is None and node.op.name != "Assign"):
            return self._constant(numbers)
        value = self._seen(node.inputs[1])
        if change is not None:
            before = self._versions.get(variable)
            before = self.of(variable.outputs[0]) if before is None else before
            value = REGISTRY[change].node(before, value).outputs[0]
            self._note(value.node, node)
        elif value.node.op.name == "Const":
            return self._constant(numbers)
        return REGISTRY["StopGradient"].node(value, name=WRITTEN).outputs[0]

    def _taken_from_write(self, tensor: Tensor) -> Tensor:
        """What a write gives, taken as it is: what comes back to it does not come back to the variable."""
        made = self.of_tensor[tensor]
        if made.node not in self._passing:
            with self.graph.as_default(), self.graph.at(tensor.node.span):
                made = REGISTRY["StopGradient"].node(made, name=WRITTEN).outputs[0]
            self._note(made.node, tensor.node)
            self._passing.add(made.node)
            self.of_tensor[tensor] = made
        return made

    def values_of(self, variable: Tensor) -> list[Tensor]:
        """All that a variable was, from its start on; of another tensor what it is in the unrolled graph."""
        later = [made for made, node, _ in self.written if node is variable.node]
        is_known = bool(later) or variable.node.op.name == "VariableV2" or variable in self.of_tensor
        return [self.of(variable), *later] if is_known else []

    def as_a_whole(self, variable: Node) -> Tensor:
        """What stands for a variable whatever its value: a gradient may be asked for with respect to it."""
        made = self.graph.create_node(variable.op, (), variable.attrs, variable.name)
        self._note(made, variable)
        return made.outputs[0]

    def _constant(self, value: Any) -> Tensor:
        with self.graph.as_default():
            made: Tensor = constant(value)
        return made

    def _note(self, made: Node, node: Node) -> None:
        self.origin.setdefault(made, node)
        self.paths.setdefault(made, self._path)


def _comes_round(node: Node) -> bool:
    return bool(node.op.name == "Merge" and node.inputs[-1].node.op.name == "NextIteration")


def _only_passes(node: Node) -> bool:
    """An Identity that a branch or a loop puts behind a Switch."""
    return node.op.name == "Identity" and node.inputs[0].node.op.name in ("Switch", "RefSwitch", "Merge")


def _deciding(run: LoopRun) -> list[Tensor]:
    """What a loop's condition is computed from inside of it, and its variables."""
    variables = [merge.outputs[0] for merge in run.variables]
    found = dict.fromkeys(variables)
    waiting = list(run.goes_on.inputs)
    while waiting:
        tensor = waiting.pop()
        if tensor not in found:
            found[tensor] = None
            waiting.extend(tensor.node.inputs if tensor.node.op.name not in ("Enter", "RefEnter") else ())
    return list(found)
