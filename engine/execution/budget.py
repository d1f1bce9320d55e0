"""The limits on a program: what running it may use up. Every figure is the operator's to set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limits:
    """The budgets of one request."""

    source_bytes: int = 256_000
    nesting: int = 200
    steps: int = 1_000_000
    wall_s: float = 5.0  # of running time
    view_s: float = 1.0  # of it, for a view that the program itself did not ask for
    tensor_elements: int = 4_000_000  # images and weights of a small network
    alive_elements: int = 60_000_000  # of arrays and tensors: 240 MB in single precision
    alive_items: int = 10_000_000  # of lists, each of which takes several times as much
    batch_elements: int = 10_000_000  # of runs side by side, in double precision
    element_operations: int = 40_000_000_000  # in products of matrices, most of the time
    call_operations: int = 2_000_000_000  # of them in one call, which no clock can stop
    nodes: int = 20_000
    printed_bytes: int = 64_000
    integer_bits: int = 4096
    sequence_length: int = 1_000_000
    format_width: int = 1000
    answer_bytes: int = 64_000_000
    import_bytes: int = 32_000_000  # of a graph's file, packed or unpacked
    import_nodes: int = 50_000


PROFILES: Mapping[str, Limits] = MappingProxyType(
    {
        "own": Limits(
            steps=20_000_000,
            wall_s=30.0,
            tensor_elements=32_000_000,  # the weights and images of a small network
            alive_elements=300_000_000,  # 2.4 GB in double precision
            alive_items=300_000_000,
            batch_elements=300_000_000,
            element_operations=400_000_000_000,  # in products of matrices, so many take less than the time
            nodes=100_000,
            call_operations=400_000_000_000,
            printed_bytes=1_000_000,
        ),
        "class": Limits(),
    }
)  # on one's own machine, where nobody else waits; and where many share one


class Meter(Protocol):
    """Counts the work of a run and stops it (LimitError) before a budget is overdrawn."""

    def check_elements(self, shape: Sequence[int]) -> None:
        """A tensor of this shape is about to be made."""

    def spend(self, operations: int) -> None:
        """So many element operations are about to be done."""

    def spends(self, operations: int) -> bool:
        """Count element operations before they are done; whether so many are within the budget."""

    def check_clock(self) -> None:
        """Time has passed."""


class Unmetered:
    """No limits, for the engine's own callers."""

    def check_elements(self, shape: Sequence[int]) -> None:
        """Nothing is counted."""

    def spend(self, operations: int) -> None:
        """Nothing is counted."""

    def spends(self, operations: int) -> bool:
        """Nothing is counted."""
        return True

    def check_clock(self) -> None:
        """Nothing is counted."""
