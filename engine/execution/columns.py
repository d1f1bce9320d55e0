"""What steps leave behind: a column for each tensor that is recorded, and what the variables hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.graph import Node, Tensor


@dataclass(slots=True)  # to make a frozen one takes a tenth of a short run
class Columns:
    """A column for each recorded tensor, one entry a step, and what the variables hold afterwards.

    A column is an array with the steps along its first axis, in a race with the runs of the batch along the
    second. Where the shapes differ from step to step, or a branch was not taken (None), it is a list.

    places: of the tensors among the columns; those are none where no step was taken.
    after:  what each of the variables holds, in order.
    stacks: arrays that several columns are parts of, (steps, columns, runs of the batch or 1, *S).
    """

    first: int
    steps: int
    places: Mapping[Any, int]
    columns: Sequence[Any]
    variables: tuple[Node, ...] = ()
    after: Sequence[Any] = ()
    stacks: Sequence[Any] = ()

    def __getitem__(self, key: Tensor | Node) -> Any:
        return self.columns[self.places[key]]

    @property
    def values(self) -> dict[Any, Any]:
        """The columns by their tensors."""
        return {key: self.columns[place] for key, place in self.places.items()} if self.columns else {}

    @property
    def state(self) -> dict[Node, Any]:
        """What the variables hold after the last step."""
        return dict(zip(self.variables, self.after, strict=True))

    def part(self, rows: slice) -> dict[Any, Any]:
        """Some of the rows, by their tensors."""
        return {key: self.columns[place][rows] for key, place in self.places.items()}
