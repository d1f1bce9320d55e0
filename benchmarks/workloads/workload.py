"""What a workload is: what is computed, and what is claimed of our time beside others'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BEST = "best peer"  # the quickest that is neither ours nor written by hand
OURS = "Gradlens"
IN_PYTHON, COMPILED = f"{OURS}, Python", f"{OURS}, numba"  # a loop as it is, and as machine code
BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Claim:
    """Ours takes at most `must` times what another takes, and is meant to take at most `aim` times.

    against: how the other's label begins; `BEST` for the quickest of all peers.
    ours:    which of our entries; the quickest whose label begins so.
    """

    what: Literal["cold", "warm", "memory"]
    against: str
    must: float | None
    aim: float | None = None
    ours: str = OURS


@dataclass(frozen=True, slots=True)
class Bound:
    """Ours stays under so much memory above the start, in bytes."""

    most_bytes: int
    ours: str = OURS


@dataclass(frozen=True, slots=True)
class Workload:
    """A workload by its short name; its title says what is computed and recorded."""

    name: str
    title: str
    claims: tuple[Claim, ...] = ()
    bound: Bound | None = None
