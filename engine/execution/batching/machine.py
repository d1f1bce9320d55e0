"""Races as machine code, where numba is installed and every operation is exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from engine.execution.backends.numba_loops.machine_code import MachineCode, available
from engine.execution.backends.templates import function_of
from engine.execution.batching.run_loop import USED, NotExact, Part, RunLoop, write_run_loop
from engine.execution.batching.stacks import Key, Recording
from engine.ops.base.tensors import Array

COMPILE_S = 0.4  # one group
WORTH = 2.0  # so many times as long must numpy need for what is ahead: the compiler takes turns with it


@dataclass(frozen=True, slots=True)
class GroupParts:
    """What a group computes and where its variables stand, for `write_run_loop`; and which runs it has."""

    parts: Sequence[Part]
    memory: Sequence[tuple[Sequence[Key], Array]]
    start: int
    runs: int


class QuickRace:
    """A race on its way to machine code, group by group.

    recordings: what a row of its columns holds.
    """

    def __init__(self, groups: Sequence[GroupParts], recordings: Sequence[Recording]) -> None:
        self._groups, self._recordings = groups, recordings
        self._loops: list[tuple[RunLoop, MachineCode]] = []

    def expect(self, numpy_s: float) -> None:
        """Begin to compile, if what is ahead takes numpy long enough."""
        if numpy_s > WORTH * COMPILE_S * len(self._groups):
            self._begin()

    def wait(self) -> bool:
        """Compile, and come back when that is done; whether it could be."""
        self._begin()
        for _, code in self._loops:
            code.wait()
        return self.ready

    @property
    def ready(self) -> bool:
        """Whether all groups are compiled."""
        return bool(self._loops) and all(code.ready for _, code in self._loops)

    def run(self, rows: int, columns: Sequence[Array]) -> None:
        """Take as many steps as there are rows, once all is ready, and fill the columns of all recordings."""
        for group, (loop, code) in zip(self._groups, self._loops, strict=True):
            if code.ready is not None:
                own = [columns[place] for place in loop.columns]
                code.ready(rows, group.start, group.runs, loop.constants, *loop.arrays, *own)

    def _begin(self) -> None:
        if not self._loops and available():
            self._loops = [(loop, _code_of(loop)) for loop in self._written()]
        for _, code in self._loops:
            code.begin()

    def _written(self) -> list[RunLoop]:
        """The groups' texts; none where some operation is not exact."""
        try:
            return [write_run_loop(g.parts, g.memory, self._recordings, g.runs) for g in self._groups]
        except NotExact:
            return []


def _code_of(loop: RunLoop) -> MachineCode:
    return _compiled(loop.text, len(loop.arrays), len(loop.columns))


@lru_cache(maxsize=64)
def _compiled(text: str, arrays: int, columns: int) -> MachineCode:
    """The code of a text; groups that differ in nothing but numbers share it."""
    samples = [np.empty(0), *[np.empty((0, 0))] * arrays, *[np.empty((0, 0, 0))] * columns]
    return MachineCode(function_of(text, USED), 0, 0, 0, *samples)
