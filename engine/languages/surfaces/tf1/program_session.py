"""A session of a program, and the runs that are kept to be shown, most of them without large arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.errors import Span
from engine.execution import Run, Session
from engine.graph import Tensor
from engine.interchange.values import Outline, outline
from engine.ops.base.tensors import Array

FIRST_RUNS, LAST_RUNS, BETWEEN_RUNS = 20, 20, 60
LARGE = 1_000  # elements; a larger array is shown by its figures, not number by number
MAX_LARGE_BYTES = 24_000_000  # of large arrays in the kept runs, before the earlier ones give theirs up


@dataclass(slots=True)
class KeptRun:
    """One run of a session and the place of the call.

    large_bytes: of its large arrays; 0 once they are let go.
    """

    index: int
    place: Span | None
    run: Run
    large_bytes: int = 0

    def let_go(self, outlined: Callable[[Any], Any]) -> None:
        """Keep only outlines of the large arrays that were asked for, fed or written, and no others."""
        run = self.run
        run.updates = [
            replace(one, before=outlined(one.before), after=outlined(one.after)) for one in run.updates
        ]
        run.fetches = tuple([(item, outlined(value)) for item, value in run.fetches])
        run.feeds = tuple([(tensor, outlined(value)) for tensor, value in run.feeds])
        run.values = {tensor: array for tensor, array in run.values.items() if array.size <= LARGE}
        self.large_bytes = 0


@dataclass(slots=True, eq=False)
class ProgramSession:
    """A session of the program: its values, and the runs that are kept to be shown.

    last_feeds:  what each tensor was fed with last.
    large_bytes: of the large arrays in the kept runs.
    """

    session: Session
    closed: bool = False
    runs: int = 0
    large_bytes: int = 0
    first: list[KeptRun] = field(default_factory=list)
    later: list[KeptRun] = field(default_factory=list)
    last_feeds: dict[Tensor, Array] = field(default_factory=dict)
    place: Span | None = None

    def keep(self, run: Run) -> None:
        """Count a run; the first ones are kept for good, of the later ones an even sample."""
        kept = KeptRun(self.runs, self.place, run, large_bytes(run))
        self.runs += 1
        self.last_feeds.update(run.feeds)
        (self.first if self.runs <= FIRST_RUNS else self.later).append(kept)
        self.large_bytes += kept.large_bytes
        if len(self.later) >= 4 * (BETWEEN_RUNS + LAST_RUNS):
            older = self.later[: -2 * LAST_RUNS]
            self.later = older[::2] + self.later[-2 * LAST_RUNS :]
            self._count_large_bytes()
        if self.large_bytes > MAX_LARGE_BYTES:
            self._let_go_of_large_arrays()

    def _let_go_of_large_arrays(self) -> None:
        """Leave them to the latest run, and to the first one where they are not too many."""
        earlier = [*self.first, *self.later][:-1]
        if earlier and 2 * earlier[0].large_bytes <= MAX_LARGE_BYTES:
            del earlier[0]
        outlines: dict[int, tuple[Array, Outline]] = {}

        def outlined(value: Any) -> Any:
            if not isinstance(value, np.ndarray) or value.size <= LARGE:
                return value
            if id(value) not in outlines:  # what a run leaves is what the next one begins with
                outlines[id(value)] = value, outline(value)
            return outlines[id(value)][1]

        for kept in earlier:
            if kept.large_bytes:
                kept.let_go(outlined)
        self._count_large_bytes()

    def _count_large_bytes(self) -> None:
        self.large_bytes = sum([kept.large_bytes for kept in (*self.first, *self.later)])

    @property
    def kept(self) -> list[KeptRun]:
        """The first runs, an even sample of those between, and the last ones."""
        between, last = self.later[:-LAST_RUNS], self.later[-LAST_RUNS:]
        if len(between) > BETWEEN_RUNS:
            chosen = np.linspace(0, len(between) - 1, BETWEEN_RUNS).astype(int)
            between = [between[index] for index in chosen]
        return [*self.first, *between, *last]


def large_bytes(run: Run) -> int:
    """The bytes of the large arrays that a run computed, wrote to variables, was fed or was asked for."""
    if not run.may_have_more_than(LARGE):
        return 0
    arrays = {id(one): one for one in _arrays(run) if isinstance(one, np.ndarray) and one.size > LARGE}
    return sum([array.nbytes for array in arrays.values()])


def _arrays(run: Run) -> Iterator[Any]:
    yield from run.values.values()
    yield from (value for _, value in (*run.feeds, *run.fetches))
    for update in run.updates:
        yield from (update.before, update.after)
