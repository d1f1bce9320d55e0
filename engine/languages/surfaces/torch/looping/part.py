"""A part of a training loop's body: statements in a row that make the same calls of a turn each time.

It is tried out twice, statement by statement: the first time shows what it leaves behind, the second time
that it leaves the same. From then on it runs as one function, while all that it reads is what it was.
"""

from __future__ import annotations

from typing import Any

from engine.execution.eager.turns.replay import Replay
from engine.languages.surfaces.tf2.looping.watching import CONSTANT, looked_up
from engine.languages.surfaces.torch.looping.chain import Chain
from engine.languages.surfaces.torch.looping.examples import leave_received
from engine.languages.surfaces.torch.looping.leaves import is_fresh
from engine.languages.surfaces.torch.looping.trial import TriedPart, has_same_calls, modes
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import Storage
from engine.languages.surfaces.torch.tensor import Tensor


class Part(TriedPart):
    """The same, once it is ready to run as one function."""

    def run(self, chain: Chain | None) -> Chain | None:
        """Do what the statements do. None, with nothing done, where they have to be run one by one.

        chain: of the turn that the parts before have begun.
        """
        if not self._begins_alike(chain) or not self._finds_the_same(chain):
            return None
        budget, (steps, operations, listed) = self._interpreter.budget, self._counts
        if not budget.takes(steps, operations, listed):
            return None
        arrays = {number: looked_up(*key)[0].storage.array for number, key in self._fresh.items()}
        if self.begins_at is not None:
            self._graph.begin_turn(self.begins_at)
            chain = None
        turn: Any = self._graph.turn
        if not self.begins(turn) or not self._stretch.run(turn, arrays):
            budget.takes(-steps, -operations, -listed)
            return None
        chain = Chain(turn) if chain is None else chain
        self.leave(turn, chain)
        return chain

    # -- in a row of turns -------------------------------------------------------------------------

    @property
    def until(self) -> int:
        """How many calls its turn has made after it."""
        return self._stretch.until

    def begins(self, turn: Any) -> bool:
        """Whether a turn is like its own, and stands where the part begins."""
        return type(turn) is Replay and turn.recorded is self._recorded and turn.position == self._begin_at

    @property
    def takes_new_tensors(self) -> bool:
        """Whether each turn gives it tensors that the part did not make."""
        return bool(self._fresh)

    def computes(self, values: list[Any]) -> bool:
        """Only fill in the values of a turn of which all is as it was. False, with nothing done, where the
        statements have to be run one by one."""
        budget, (steps, operations, listed) = self._interpreter.budget, self._counts
        if not budget.takes(steps, operations, listed):
            return False
        if self._stretch.computes(values, {}):
            return True
        budget.takes(-steps, -operations, -listed)
        return False

    def note(self, turn: Replay) -> None:
        """A turn whose values are filled in has made the part's calls."""
        self._stretch.note(turn)

    def count(self, turns: int) -> None:
        """Count what so many turns have changed that leave nothing else."""
        state().sequence += turns * self._sequence
        self._graph.passes += turns * self._passes
        for left in self._left:
            left.count(turns)

    def leave(self, turn: Replay, chain: Chain) -> None:
        """Leave everything as the statements would."""
        now, graph, interpreter = state(), self._graph, self._interpreter
        names = self._scope.names
        chain.begins[self.index] = now.sequence
        for version in self._versions:
            chain.versions[self.index, id(version)] = version.number
        chain.examples, chain.places = self._examples, self._places
        chain.heads.update(self._heads)
        now.sequence += self._sequence
        for number, key in self._fresh.items():
            tensor = looked_up(*key)[0]
            tensor.storage.hold(turn.tensor(self._stretch.changing[number].first))
            chain.takes(self._fresh_like[key], tensor)
        for name, (value, place) in self._bound.items():
            names[name] = value if place is None else chain.bound(value, place)
        for left in self._left:
            left.leave(turn)
        for node, received in self._received.items():
            if received is not None:
                leave_received(node, received, turn)
        for facts, name, slot, like in self._numbers:
            facts[name] = _number_of(slot, like)
        graph.passes += self._passes
        graph.passed = self._passed[1]
        interpreter._statement = self._statement
        interpreter.naming, interpreter.assigned_name = self._naming, self._assigned

    def _begins_alike(self, chain: Chain | None) -> bool:
        """Whether the turn that is under way, and what holds for all, is as it was."""
        graph, interpreter = self._graph, self._interpreter
        if graph.noting is not None or interpreter.scope is not self._scope or interpreter.names_in_modules:
            return False
        if self._scope.redirected or graph.place != self._path or graph.phase != self._phase:
            return False
        if graph.passed != self._passed[0] or modes() != self._modes:
            return False
        workspace = interpreter.workspace
        if not has_same_calls(workspace, self._calls, self._updates):
            return False
        if self.begins_at is not None:
            return bool(graph.turn_begins_at(self.begins_at))
        turn = graph.turn
        return (
            chain is not None and turn is chain.turn and not chain.is_made and turn.position == self._begin_at
        )

    def _finds_the_same(self, chain: Chain | None) -> bool:
        """Whether every name means what it meant, and what it means holds what it held."""
        for start, name, value in self._same:
            found = looked_up(start, name)[0]
            if found is not value and (type(value) not in CONSTANT or not _alike(found, value)):
                return False
        for key, like in self._fresh_like.items():
            found = looked_up(*key)[0]
            if not is_fresh(found) or not _fresh_alike(found, like):
                return False
        for key, like in self._own.items():
            if chain is None or not chain.stands_for(looked_up(*key)[0], like, self._own_places[key]):
                return False
        turn = None if chain is None else chain.turn
        return self._held.is_same() and all(one.begins_alike(turn) for one in self._left)

    def is_of_other_objects(self) -> bool:
        """Whether names mean other objects than those that the part knows, as in a loop that begins anew."""
        return any(
            looked_up(start, name)[0] is not value and type(value) not in CONSTANT
            for start, name, value in self._same
        )


def _number_of(slot: Any, like: Tensor) -> Tensor:
    """A number of an optimizer's state as the program sees it."""
    storage = Storage(array=slot.ref.array.astype(like.storage.array.dtype))  # type: ignore[union-attr]
    storage.place = like.storage.place
    return Tensor(storage)


def _alike(a: Any, b: Any) -> bool:
    return type(a) is type(b) and repr(a) == repr(b)


def _fresh_alike(tensor: Tensor, like: Tensor) -> bool:
    """Whether two tensors that no function has used yet are made alike."""
    array, known = tensor.storage.array, like.storage.array
    return (
        tensor.storage.place == like.storage.place
        and tensor.version.number == 0
        and (array.dtype, array.shape) == (known.dtype, known.shape)  # type: ignore[union-attr]
    )
