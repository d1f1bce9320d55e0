"""When the rows of a run are sent: the first at once, then as often as an eye can follow."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_ROWS = 2_000
EVERY_S = 0.05


@dataclass(slots=True)
class Scheduler:
    """Counts rows and looks at the clock.

    listening: called for every block of rows; raises where the listener has gone.
    """

    listening: Callable[[], None] = lambda: None
    _rows: int = 0
    _most: int = 1
    _since: float = field(default_factory=time.monotonic)

    def due(self, rows: int = 1) -> bool:
        """Whether, with so many more rows, those so far are to be sent."""
        self.listening()
        self._rows += rows
        if self._rows < self._most and time.monotonic() - self._since < EVERY_S:
            return False
        self._rows, self._most, self._since = 0, MOST_ROWS, time.monotonic()
        return True
