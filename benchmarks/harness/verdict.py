"""Verdicts: what is claimed of a workload beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.harness.measure import Measured
from benchmarks.workloads.workload import BEST, BY_HAND, OURS, Claim, Workload


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim with both measured values (seconds or bytes); None where something was not measured."""

    workload: str
    what: str
    ours: str
    other: str
    ours_value: float | None
    other_value: float | None
    must: float | None
    aim: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours over the other's."""
        if self.ours_value is None or not self.other_value:
            return None
        return self.ours_value / self.other_value

    @property
    def mark(self) -> str:
        """✓ where the claim holds, ✗ where not, – where it was not measured."""
        bound = self.must if self.must is not None else self.aim
        if self.ratio is None or bound is None:
            return "–"
        return "✓" if self.ratio <= bound else "✗"


def verdicts(workload: Workload, measured: Sequence[Measured]) -> Iterator[Verdict]:
    """One for each claim of the workload."""
    for claim in workload.claims:
        ours = _quickest(measured, claim, claim.ours)
        other = _other(measured, claim)
        yield Verdict(
            workload.name,
            claim.what,
            ours.label if ours else claim.ours,
            other.label if other else claim.against,
            ours.median(claim.what) if ours else None,
            other.median(claim.what) if other else None,
            claim.must,
            claim.aim,
        )
    if workload.bound:
        used = [m for m in measured if m.label.startswith(workload.bound.ours) and m.peak_bytes]
        most = max((one.median("memory") or 0.0 for one in used), default=None)
        limit = workload.bound.most_bytes
        yield Verdict(workload.name, "memory", OURS, f"{limit / 1e6:.0f} MB", most, limit, 1.0)


def _other(measured: Sequence[Measured], claim: Claim) -> Measured | None:
    if claim.against != BEST:
        return _quickest(measured, claim, claim.against)
    peers = [m for m in measured if not m.label.startswith((OURS, BY_HAND))]
    return _quickest(peers, claim, "")


def _quickest(measured: Sequence[Measured], claim: Claim, begins: str) -> Measured | None:
    timed = [m for m in measured if m.label.startswith(begins) and not m.refused]
    known = [(value, k) for k, m in enumerate(timed) if (value := m.median(claim.what)) is not None]
    return timed[min(known)[1]] if known else None
