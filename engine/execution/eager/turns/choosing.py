"""Which turns are recorded, and which replay a recorded one.

Where a tape opens again and again at one place, and turns make no new nodes, one of them is recorded; those
that come after it replay it as far as they go like it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.execution.eager.repeating import Opening
from engine.execution.eager.turns.recorded import RecordedTurn
from engine.execution.eager.turns.recorder import TurnRecorder
from engine.execution.eager.turns.replay import Replay, fits_on

TURNS_BEFORE_A_RECORDING = 2  # that made no node
TURNS_BEFORE_ANOTHER = 3  # the same, where a loop that has been recorded begins anew
MOST_MISSES = 4  # turns in a row that went another way; then another one is recorded
MOST_RECORDINGS = 6  # at one place


@dataclass(slots=True)
class Known:
    """What is known of the turns that begin at one place.

    steady: how many of them have made no node, one after the other. misses: how many went another way.
    """

    opening: Opening
    steady: int = 0
    recorded: RecordedTurn | None = None
    recordings: int = 0
    misses: int = 0


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
        known.steady += 1
        if known.recorded is not None and fits_on(carried, known.recorded):
            replay = Replay(self._graph, known.recorded, carried)
            if last is not None and last.recorded is not known.recorded:
                last = None
            if last is None and known.recorded.went_on:
                self.write_down()
            if replay.goes_on_from(last):
                return replay
        self.write_down()
        turns = TURNS_BEFORE_ANOTHER if known.recordings else TURNS_BEFORE_A_RECORDING
        due = known.recorded is None and known.steady > turns
        if not due or known.recordings >= MOST_RECORDINGS:
            return None
        known.recordings += 1
        return TurnRecorder(self._graph, opening, carried)

    def replays(self, place: int, opening: Opening, recorded: RecordedTurn) -> bool:
        """Whether the turns that begin at a place replay this one."""
        known = self._known.get(place)
        return known is not None and known.opening is opening and known.recorded is recorded

    def recorded(self, turn: TurnRecorder) -> None:
        """A turn that was recorded is over."""
        if self._now is not None:
            self._now.recorded, self._now.misses, self._now.steady = turn.finished(), 0, 0

    def replayed(self, turn: Replay) -> None:
        """A turn that was replayed is over; only the last one of its kind has to be written down."""
        if self._now is not None:
            self._now.misses = 0
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
        known = self._now
        if known is not None:
            known.misses += 1
            if known.misses > MOST_MISSES and known.recordings < MOST_RECORDINGS:
                known.recorded, known.steady = None, TURNS_BEFORE_ANOTHER - TURNS_BEFORE_A_RECORDING

    def write_down(self) -> None:
        """The nodes of replayed turns that are over are as the last of them left them."""
        for turn in self._late.values():
            turn.write_nodes()
            turn.leave()
        self._late.clear()
