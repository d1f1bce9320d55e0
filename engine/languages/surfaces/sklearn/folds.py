"""`KFold` and `TimeSeriesSplit`: rows to train with and rows to test with, several times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES, Lazy
from engine.languages.surfaces.sklearn.module import SKLEARN, shuffled
from engine.ops.base.shapes import whole_number

Places = tuple[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class KFold:
    """Each row is tested with once. state: what the rows are put in another order by, first."""

    count: int
    shuffles: bool
    state: Any

    def places(self, interpreter: Interpreter, rows: int) -> Iterator[Places]:
        """The rows to train with and to test with."""
        order = shuffled(interpreter, rows, self.state) if self.shuffles else np.arange(rows)
        sizes = np.full(self.count, rows // self.count)
        sizes[: rows % self.count] += 1
        start = 0
        for size in sizes.tolist():
            tested = np.zeros(rows, bool)
            tested[order[start : start + size]] = True
            yield np.flatnonzero(~tested), np.flatnonzero(tested)
            start += size


@dataclass(frozen=True, slots=True, eq=False)
class TimeSeriesSplit:
    """What is tested with comes after all that is trained with."""

    count: int

    def places(self, interpreter: Interpreter, rows: int) -> Iterator[Places]:
        """The rows to train with and to test with."""
        size = rows // (self.count + 1)
        every = np.arange(rows)
        for start in range(size + rows % (self.count + 1), rows, size):
            yield every[:start], every[start : start + size]


@SKLEARN.function("model_selection.KFold")
def k_fold(n_splits: Any = 5, shuffle: Any = False, random_state: Any = None) -> KFold:
    """So many parts, each of which is tested with once."""
    return KFold(_count(n_splits), bool(shuffle), random_state)


@SKLEARN.function("model_selection.TimeSeriesSplit")
def time_series_split(n_splits: Any = 5) -> TimeSeriesSplit:
    """Parts in order of time."""
    return TimeSeriesSplit(_count(n_splits))


def _count(n_splits: Any) -> int:
    count = whole_number(n_splits, "n_splits")
    if count < 2:
        raise ProgramError(
            "There are at least two splits.",
            message_zh="至少要分成两份。",
            code="wrong_arguments",
        )
    return count


def _split(interpreter: Interpreter, folds: Any, X: Any, y: Any = None, groups: Any = None) -> Lazy:
    rows = len(X)
    parts = folds.count + isinstance(folds, TimeSeriesSplit)
    if rows < parts:
        raise ProgramError(
            f"{rows} rows cannot be split into {parts} parts.",
            message_zh=f"{rows} 行不能分成 {parts} 份。",
            code="wrong_arguments",
        )
    interpreter.budget.check_elements((folds.count, rows))
    return Lazy(folds.places(interpreter, rows))


for kind in (KFold, TimeSeriesSplit):
    MEMBERS = members_of(kind, kind.__name__)
    MEMBERS.method("split")(_split)
    MEMBERS.method("get_n_splits")(lambda folds, X=None, y=None, groups=None: folds.count)
    TYPE_NAMES[kind] = lambda folds: type(folds).__name__
