"""Eager execution: a graph whose nodes run as they are made, so that a TensorFlow 2 program is drawn too.

A node that is made again at the same place of the program, by the same calls, from the same nodes, after a
tape was opened anew, is not made but run once more: a training loop draws its first turn, and every turn is
shown as one run. Loops without a tape of their own unroll. After some turns one is recorded, and those that
go like it only compute (`turns/`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from engine.differentiation.tape import Tape
from engine.execution.budget import Limits, Meter
from engine.execution.eager.immediate import value_of
from engine.execution.eager.recording import Recording
from engine.execution.eager.repeated_calls import RepeatedCallsGraph
from engine.execution.eager.repeating import Opening
from engine.execution.eager.repeating_graph import now
from engine.execution.eager.turns.choosing import Turns
from engine.execution.eager.turns.late import LateRun, make_ordinary
from engine.execution.eager.turns.recorded import RecordedTurn
from engine.execution.eager.turns.replay import Replay
from engine.execution.interpreter.trace import Run, Update
from engine.graph import Adjoint, Tensor
from engine.graph.variables.variable import GLOBAL_VARIABLES

DEFAULT_LIMITS = Limits()

Observer = Callable[[Run], None]


class EagerGraph(RepeatedCallsGraph):
    """A graph that runs, and knows what of a program it has run before.

    observe: called with the trace of every turn: what ran from one opening of a tape to the next.
    replays: whether turns that go like those before them only compute.
    noting:  what calls of a replay are given, by position, while somebody asks for it.
    looks:   how often somebody has looked at what a value is, as far as that is noted.
    expects_many_turns: whether a loop runs whose turns are worth recording from the first that can be.
    """

    def __init__(
        self,
        *,
        meter: Meter | None = None,
        limits: Limits = DEFAULT_LIMITS,
        seed: int = 0,
        observe: Observer | None = None,
        replays: bool = True,
    ) -> None:
        super().__init__(meter, limits, seed)
        self._replays = replays
        self.observe = observe
        self._openings: dict[int, Opening] = {}
        self._closed = 0
        self.noting: dict[int, Any] | None = None
        self.looks = 0
        self.expects_many_turns = False
        self._turns = Turns(self)

    # -- tapes and turns -------------------------------------------------------------------------

    def recording(self, tape: Tape, place: int = 0) -> Recording:
        """Let a tape see what runs inside; `place` says where in the program it was made."""
        return Recording(self, tape, place)

    def start(self, tape: Tape, place: int) -> None:
        """The tape sees what comes now. Where no other does, it is a new turn."""
        if not self.tapes:
            self._next_turn(place)
        if self.turn is not None:
            self.turn.open(tape)
        self.tapes.append(tape)

    def stop(self, tape: Tape) -> None:
        """The tape sees nothing more."""
        if self.turn is None:
            self.close(tape)
        else:
            self.turn.close(tape)

    def close(self, tape: Tape) -> None:
        """The same in a turn that is no replay."""
        self.tapes = [other for other in self.tapes if other is not tape]
        if not self.tapes:
            self._closed = len(self._ran)

    def _next_turn(self, place: int) -> None:
        """A tape opens while no other is open: what the program does from here it may have done before.

        Where the last turn made no node, the names are as they were at its start, so that a thousand
        turns do not count a thousand names.
        """
        opening = self._openings.get(place)
        self._ran = self._end_turn(opening)
        self._run, self._closed = Run(), len(self._ran)
        if opening is not None and len(self.nodes) == opening.nodes:
            self.names.counts = dict(opening.names)
        else:
            first = len(self.nodes) if opening is None else opening.first
            self._openings[place] = Opening(len(self.nodes), first, dict(self.names.counts))
        self._turn += 1
        self._lap = next(self._laps)
        self._phase = "forward"
        if self._replays:
            self.turn = self._turns.begin(place, self._openings[place], self._ran)

    def _end_turn(self, opening: Opening | None) -> list[Tensor]:
        """Hand on the turn that ends. Returns: what ran before the tape that now opens, for its turn."""
        if not self._turn:
            return self._ran
        turn, self.turn = self.turn, None
        if isinstance(turn, Replay):
            return self._end_replay(turn, 0 if opening is None else opening.first)
        if turn is not None:
            self._turns.recorded(turn)
        last = self._ran[self._closed :]
        ahead = [tensor for tensor in last if opening is not None and tensor.node.index < opening.first]
        kept = set(self._ran).difference(ahead)
        self._run.values = {tensor: value_of(tensor) for tensor in self._ran if tensor in kept}
        if self.observe is not None:
            self.observe(self._run)
        return ahead

    def _end_replay(self, turn: Replay, first: int) -> list[Tensor]:
        if self.observe is not None:
            self.observe(LateRun(turn, first))
        self._turns.replayed(turn)
        return turn.ahead(first)

    # -- turns that are recorded or replayed -------------------------------------------------------

    def materialize(self) -> None:
        """Where a turn is replayed: make the graph as if it were not, as it goes on from here."""
        turn = self.turn
        if isinstance(turn, Replay):
            self.turn = None
            self._turns.left(turn)
            turn.write_down()

    def look(self) -> None:
        """Somebody looks at what a value is: what follows may depend on it."""
        self.looks += 1

    def goes_on(self, place: int, recorded: RecordedTurn) -> bool:
        """Whether a tape that opens at this place now begins a replay of this turn."""
        opening = self._openings.get(place)
        if self.tapes or self.tracing is not None or opening is None or len(self._nodes) != opening.nodes:
            return False
        return self._turns.replays(place, opening, recorded)

    def have_gone(self, names: Mapping[str, int], phase: str) -> None:
        """A replayed call took these names, and left this phase."""
        if names:
            self._names.counts.update(names)
        self._phase = phase

    def have_run(self, ran: list[Tensor], closed: int, updates: Sequence[Update]) -> None:
        """A replayed turn ran these tensors, so many of them before its last tape closed."""
        self._ran, self._closed = ran, closed
        self._run.updates.extend(updates)

    @contextmanager
    def also_recording(self, tape: Tape) -> Iterator[None]:
        """A tape sees what runs inside, though its block may be over."""
        self.materialize()
        with super().also_recording(tape):
            yield

    @contextmanager
    def not_recording(self, *tapes: Tape) -> Iterator[None]:
        """These tapes (all, where none is named) do not see what runs inside."""
        self.materialize()
        with super().not_recording(*tapes):
            yield

    def finish(self) -> None:
        """The program is over: hand on its last turn, and let every node and sweep name the last tensors.

        Nodes that are made from here on run, too, but no variable that has a value changes any more.
        """
        self.materialize()
        self._end_turn(None)
        self._over = True
        self._turns = Turns(self)
        self._made, self._openings, self._executed = {}, {}, []  # nothing is gone over any more
        self.data, self._slices = set(), {}
        self.lazy.forget()
        for node in self.nodes:
            node.inputs = tuple(map(now, node.inputs))
            make_ordinary(node.outputs)
        for variable in self.collection(GLOBAL_VARIABLES):
            variable.first_read = now(variable.first_read)
        self.adjoints = [
            Adjoint(one.node, tuple(map(now, one.upstream)), tuple(map(now, one.passed)))
            for one in self.adjoints
        ]

    @property
    def has_recorded(self) -> bool:
        """Whether a tape was ever open."""
        return self._turn > 0

    @property
    def turn_number(self) -> int:
        """How many turns there were, with the one that runs."""
        return self._turn
