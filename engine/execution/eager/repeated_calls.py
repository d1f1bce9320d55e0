"""A graph that runs, and repeats calls of ours by the nodes that they ran before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.execution.budget import Limits, Meter
from engine.execution.eager.immediate import EagerTensor
from engine.execution.eager.repeating import Recipe, Repeats
from engine.execution.eager.repeating_graph import RepeatingGraph, now
from engine.execution.eager.sameness import always_same
from engine.graph import Node, Tensor


class RepeatedCallsGraph(RepeatingGraph):
    """A graph that knows what calls have run before at a place, such as an optimizer's update."""

    def __init__(self, meter: Meter | None, limits: Limits, seed: int) -> None:
        super().__init__(meter, limits, seed)
        self._recipes: dict[Any, Recipe] = {}
        self._asked: dict[Any, Repeats] = {}

    def repeated(self, key: Any, make: Callable[[], list[Any]]) -> list[Any]:
        """What `make` gives; where it was asked for before, with the same key, in an earlier turn: its nodes,
        run again in the order in which it made them."""
        self.materialize()
        asked = self._asked.setdefault((self._path, key), Repeats())
        if asked.lap != self._lap:
            asked.lap, asked.used = self._lap, 0
        asked.used += 1
        if self.turn is not None:
            self.turn.asks(asked)
        full = (self._path, key, asked.used)
        known = self._recipes.get(full)
        if known is not None:
            self._follow(known)
            return [now(result) for result in known.results]
        if self.turn is not None:
            self.turn.stop()
        outer, self._executed = self._executed, []
        before = self._meter_reading
        reads = {ref: (one.turn, one.used, one.present) for ref, one in self._reads.items()}
        results = make()
        made, self._executed = self._executed, [*outer, *self._executed]
        if all(result is None or isinstance(result, (Tensor, Node)) for result in results):
            same = always_same(made)
            self._recipes[full] = Recipe(
                [(node, node.outputs if node in same else None) for node in made],
                results,
                self._meter_reading - before,
                Counter(self._repeats_of[node] for node in made if node in self._repeats_of),
                [
                    (one, one.used, one.present)
                    for ref, one in self._reads.items()
                    if reads.get(ref) != (one.turn, one.used, one.present)
                ],
                self._phase,
            )
        return results

    def _follow(self, recipe: Recipe) -> None:
        """Run the nodes of a call again; what it costs is known from the first time."""
        self._spend(recipe.work)
        self.meter.check_clock()
        for node, outputs in recipe.steps:
            if outputs is not None:
                node.outputs = outputs
                self._ran.extend(outputs)
                if self.turn is not None:
                    self.turn.ran(node, node.inputs, same=True)
                continue
            sources = tuple([t.node.outputs[t.index] for t in node.inputs])
            node.inputs = sources
            node.outputs = tuple([EagerTensor(node, t.index, t.dtype, t.shape) for t in node.outputs])
            self._compute(node, [tensor.array for tensor in sources])  # type: ignore[attr-defined]  # eager
        for repeats, used in recipe.uses.items():
            repeats.used = used if repeats.lap != self._lap else repeats.used + used
            repeats.lap = self._lap
        for reads, used, present in recipe.reads:
            reads.turn, reads.used, reads.present = self._turn, used, now(present)
        self._phase = recipe.phase
