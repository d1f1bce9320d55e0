"""A session that says which nodes it runs, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from engine.execution import Run, Session
from engine.execution.budget import Meter
from engine.execution.interpreter.branches import turns
from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import Plan
from engine.execution.interpreter.prepared import Prepared
from engine.graph import Graph, Node
from engine.ops.base.tensors import Array


class Follower(Protocol):
    """Who is told."""

    def ran(self, node: Node, trace: Run, sees: frozenset[Node]) -> None:
        """A node has run. sees: the variables whose updates it has waited for."""

    def entered(self, loop: Loop) -> None:
        """A loop is gone into."""

    def turned(self, loop: Loop, trace: Run) -> None:
        """What a turn begins with is there; its condition is not known yet."""

    def left(self, loop: Loop) -> None:
        """A loop has come to its end."""


class Recorder(Session):
    """Runs a graph node by node, and tells a follower."""

    def __init__(self, graph: Graph, follower: Follower, *, meter: Meter | None, seed: int) -> None:
        super().__init__(graph, meter=meter, seed=seed)
        self.follower = follower

    def _run_steps(
        self, steps: Iterable[Node | Loop], plan: Plan, before: Mapping[Node, Array], trace: Run
    ) -> None:
        for step in steps:
            if isinstance(step, Loop):
                self._go_round(step, plan, before, trace)
            else:
                super()._run_steps((step,), plan, before, trace)

    def _go_round(self, loop: Loop, plan: Plan, before: Mapping[Node, Array], trace: Run) -> None:
        """The values that enter, then each turn."""
        self.follower.entered(loop)
        rounds = turns(loop, trace)
        entering: Sequence[Any] = next(rounds)
        self._run_steps(entering, plan, before, trace)
        for turn in rounds:
            self.meter.check_clock()
            self.follower.turned(loop, trace)
            self._run_steps(turn, plan, before, trace)
        self.follower.left(loop)

    def _step(self, ready: Prepared, before: Mapping[Node, Array], trace: Run) -> None:
        super()._step(ready, before, trace)
        self.follower.ran(ready.node, trace, ready.sees)
