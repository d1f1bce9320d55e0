"""Which turns are recorded, and which replay a recorded one.

Where a tape opens again and again at one place, and turns make no new nodes, one of them is recorded; those
that come after it replay it as far as they go like it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.execution.eager.repeating import Opening
from engine.execution.eager.turns.recorded import RecordedTurn
from engine.execution.eager.turns.recorder import TurnRecorder
from engine.execution.eager.turns.replay import Replay, fits_on

TURNS_BEFORE_A_RECORDING = 1  # that made no node
TURNS_BEFORE_ANOTHER = 2  # the same, where a loop that has been recorded begins anew
MOST_MISSES = 2  # turns after one of a kind, in a row, that went another way than was expected
MOST_RECORDINGS = 8  # at one place
OTHER = -1  # a turn that is like none that is recorded


@dataclass(slots=True)
class Expected:
    """The kind of turn that comes after one of a certain kind, and how many in a row were none of it."""

    kind: int
    misses: int = 0


@dataclass(slots=True)
class Known:
    """What is known of the turns that begin at one place.

    steady:   how many of them have made no node, one after the other.
    recorded: one turn of each kind: sentences of four words and of five, a last batch that is smaller.
    before:   the kind of the last turn but one; last: that of the last turn.
    after:    what comes after a turn of each kind.
    has_replayed: whether a turn has gone like a recorded one to its end.
    """

    opening: Opening
    steady: int = 0
    recorded: list[RecordedTurn] = field(default_factory=list)
    recordings: int = 0
    before: int = OTHER
    last: int = OTHER
    after: dict[int, Expected] = field(default_factory=dict)
    has_replayed: bool = False

    def expects(self) -> RecordedTurn | None:
        """The recorded turn that the next one is to be like; None: another one."""
        known = self.after.get(self.last)
        kind = len(self.recorded) - 1 if known is None else known.kind
        return None if kind == OTHER else self.recorded[kind]

    def take(self, turn: RecordedTurn) -> None:
        """The turn that ends was recorded; those before it that none has gone like were not typical."""
        if not self.has_replayed:
            self.recorded, self.after = [], {}
        self.recorded.append(turn)
        self.was(len(self.recorded) - 1)

    def begin(self) -> None:
        """A turn begins, of no known kind so far."""
        self.steady += 1
        self.before, self.last = self.last, OTHER

    def was(self, kind: int) -> None:
        """The turn that ends is of this kind."""
        self.last = kind
        self.after[self.before] = Expected(kind)

    def was_another(self) -> None:
        """The turn goes another way than was expected: next time another kind is, or a new one."""
        known = self.after.setdefault(self.before, Expected(len(self.recorded) - 1))
        known.misses += 1
        if known.misses >= max(MOST_MISSES, len(self.recorded)) and self.recordings < MOST_RECORDINGS:
            known.kind, self.steady = OTHER, TURNS_BEFORE_ANOTHER
        else:
            known.kind = (known.kind + 1) % len(self.recorded)


class Turns:
    """The turns of a graph.

    late: the last replay of each recorded turn whose nodes are not written down, oldest first.
    """

    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._known: dict[int, Known] = {}
        self._late: dict[int, Replay] = {}
        self._now: Known | None = None
        self._last: Replay | None = None  # the turn that has just ended, where it was replayed to its end

    def begin(self, place: int, opening: Opening, carried: Sequence[Any]) -> TurnRecorder | Replay | None:
        """How the turn that begins now is run: recorded, replayed, or (None) as always."""
        last, self._last = self._last, None
        known = self._known.get(place)
        if known is None or known.opening is not opening:
            recordings = 0 if known is None else known.recordings
            known = self._known[place] = Known(opening, recordings=recordings)
        self._now = known
        expected = known.expects()
        known.begin()
        if expected is not None and fits_on(carried, expected):
            replay = Replay(self._graph, expected, carried)
            if last is not None and last.recorded is not expected:
                last = None
            if last is None and expected.went_on:
                self.write_down()
            if replay.goes_on_from(last):
                return replay
        self.write_down()
        if known.recordings:
            turns = TURNS_BEFORE_ANOTHER
        else:
            turns = 0 if self._graph.expects_many_turns else TURNS_BEFORE_A_RECORDING
        due = expected is None and known.steady > turns
        if not due or known.recordings >= MOST_RECORDINGS:
            return None
        known.recordings += 1
        return TurnRecorder(self._graph, opening, carried)

    def replays(self, place: int, opening: Opening, recorded: RecordedTurn) -> bool:
        """Whether the turns that begin at a place replay this one."""
        known = self._known.get(place)
        if known is None or known.opening is not opening or known.recorded != [recorded]:
            return False
        return known.after.get(0, Expected(0)).kind == 0

    def recorded(self, turn: TurnRecorder) -> None:
        """A turn that was recorded is over."""
        known, finished = self._now, turn.finished()
        if known is not None:
            known.steady = 0
            if finished is not None:
                known.take(finished)

    def replayed(self, turn: Replay) -> None:
        """A turn that was replayed is over; only the last one of its kind has to be written down."""
        if self._now is not None:
            self._now.has_replayed = True
            self._now.was(self._now.recorded.index(turn.recorded))
        before = self._late.get(id(turn.recorded))
        if before is not None and before.position > turn.position:
            self.write_down()
        elif before is not None:
            del self._late[id(turn.recorded)]
            before.leave()
        self._late[id(turn.recorded)] = turn
        self._last = turn if turn.position == len(turn.recorded.calls) else None

    def left(self, turn: Replay) -> None:
        """A turn goes on in another way than the recorded one; those before it are written down first."""
        self._last = None
        self.write_down()
        if self._now is not None:
            self._now.was_another()

    def write_down(self) -> None:
        """The nodes of replayed turns that are over are as the last of them left them."""
        for turn in self._late.values():
            turn.write_nodes()
            turn.leave()
        self._late.clear()
