"""Loops with too many turns to be copied: each is one operation, and what it sends back is the program's own.

What was decided in the first turns and in the last one is noted all the same.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.differentiation.reverse.custom import custom_gradient
from engine.execution import Run
from engine.execution.interpreter.order import ENTERS, Loop
from engine.graph import Node, Tensor
from engine.languages.workspace import GradientCall
from engine.ops.base.tensors import FLOATS, Array
from engine.programs.lesson.unrolled.arrays import ARRAYS
from engine.programs.lesson.unrolled.happenings import LoopRun, TurnBegan
from engine.programs.lesson.unrolled.unrolling import CannotUnroll, Unrolling
from engine.programs.lesson.values import dense_value
from engine.programs.program.static_values import FreshRun

FIRST = 3  # turns that are noted, besides the last


class WholeLoops(Unrolling):
    """A graph that is copied but for its loops. back: what comes back to what enters a loop, by the Enter.

    whole: the loop that a node of the copy stands for.
    """

    def __init__(self, graph: Any, back: Mapping[Node, Array]) -> None:
        super().__init__(graph)
        self.graph.gradient_rules = ChainMap({}, graph.gradient_rules)
        self.whole: dict[Node, LoopRun] = {}
        self._back = back
        self._depth = 0
        self._entered: list[Node] = []
        self._left: list[Node] = []
        self._last_turn: TurnBegan | None = None

    def ran(self, node: Node, trace: Run, sees: frozenset[Node] = frozenset()) -> None:
        """A node has run: outside of loops it is copied."""
        kind = node.op.name
        if kind in ARRAYS or (node.op.writes and self._depth):
            raise CannotUnroll
        if not self._depth:
            super().ran(node, trace, sees)
        elif self._depth == 1 and kind in ENTERS:
            self._let(node.outputs[0], node.inputs[0])
            self._entered.append(node)
        elif self._depth == 1 and kind == "LoopCond":
            self._decided(node, trace)
        elif self._depth == 1 and kind == "Exit":
            self._left.append(node)

    def entered(self, loop: Loop) -> None:
        """A loop is gone into; one inside of it is part of it."""
        self._depth += 1
        if self._depth == 1:
            super().entered(loop)
            self._entered, self._left, self._last_turn = [], [], None

    def turned(self, loop: Loop, trace: Run) -> None:
        """One more turn, or the end."""
        if self._depth == 1:
            run = self._running[-1]
            run.turns += 1
            self._path = (*run.path, (run, run.turns))
            self._trace = trace

    def left(self, loop: Loop) -> None:
        """The loop has come to its end: it becomes one operation."""
        self._depth -= 1
        if self._depth == 0:
            run = self._running[-1]
            super().left(loop)
            if self._left:
                self._make(run)

    def _decided(self, node: Node, trace: Run) -> None:
        """A loop goes on, or ends; of many turns only the latest is kept."""
        super()._decided(node, trace)
        latest = self.happenings[-1]
        if isinstance(latest, TurnBegan) and latest.number > FIRST:
            if self._last_turn is not None:
                self.happenings.remove(self._last_turn)
            self._last_turn = latest

    def _make(self, run: LoopRun) -> None:
        """The node that stands for a loop: it gives what left it, and sends back what the program's did."""
        enters = [node for node in self._entered if self._is_carried(node.inputs[0])]
        passing = [node for node in enters if node.inputs[0].dtype in FLOATS]
        sent = [self._back.get(node) for node in passing]
        given = [np.asarray(self._trace.values[node.outputs[0]]) for node in self._left]

        def build(*taken: Tensor) -> tuple[list[Tensor], Any]:
            def gradient(*_: Tensor) -> list[Tensor | None]:
                return [None if value is None else self._constant(value) for value in sent]

            return [self._constant(value) for value in given], gradient

        with self.graph.as_default(), self.graph.at(run.goes_on.span):
            made = custom_gradient(self.graph, build, [self._seen(node.inputs[0]) for node in passing])
        self._note(made[0].node, self._left[0])
        self.whole[made[0].node] = run
        after = (*run.path, (run, run.turns))
        for node, tensor in zip(self._left, made, strict=True):
            self.of_tensor[node.outputs[0]] = tensor
            merge = node.inputs[0].node.inputs[0].node  # behind the Switch that lets it out
            self.rounds.append((tensor, merge, after))


def sent_back(call: GradientCall | None, fresh: FreshRun, needed: set[Node]) -> dict[Node, Array]:
    """By Enter, what comes back to what enters there, of one call's sweep. needed: by its gradients."""
    found: dict[Node, Array] = {}
    for adjoint in call.ys[0].graph.adjoints if call is not None else ():
        if adjoint.node.op.name in ENTERS and adjoint.passed and adjoint.passed[0] is not None:
            value = dense_value(fresh.values, adjoint.passed[0])
            if value is not None and _node_of(adjoint.passed[0]) in needed:
                found[adjoint.node] = value
    return found


def _node_of(gradient: Any) -> Node:
    tensor: Tensor = getattr(gradient, "values", gradient)
    return tensor.node
