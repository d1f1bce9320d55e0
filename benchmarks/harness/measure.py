"""Measuring a workload: every entry in a process of its own, in turns, and only if its result is right.

First each process does its work once, cold, and its result is compared with the one written by hand.
Then those that are right take turns: a warm sample of each, as many rounds as asked for; at last, where a
claim is about it, further cold samples in turns, each in a fresh process.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness.process import Failed, Process
from benchmarks.workloads.workload import BY_HAND, Workload

TOLERANCE = 1e-9  # of each number, relative where it is larger than 1

Arrays = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True, slots=True)
class Contender:
    """One entry of one peer, as its process describes it."""

    module: str
    workload: str
    label: str
    what: tuple[str, ...]

    def request(self, save: Path | None = None) -> dict[str, Any]:
        """What its process is asked with."""
        return {"workload": self.workload, "label": self.label, "save": str(save) if save else None}


@dataclass(slots=True)
class Measured:
    """The samples of one contender; or why it has none."""

    contender: Contender
    cold_seconds: list[float] = field(default_factory=list)
    warm_seconds: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)
    refused: str = ""

    @property
    def label(self) -> str:
        """The peer and its way."""
        return self.contender.label

    def median(self, what: str) -> float | None:
        """The median of the cold or warm seconds or of the memory in bytes; None where there is none."""
        known: dict[str, Sequence[float]] = {
            "cold": self.cold_seconds,
            "warm": self.warm_seconds,
            "memory": self.peak_bytes,
        }
        samples = known[what]
        return statistics.median(samples) if samples else None


def measure(
    workload: Workload, contenders: Iterable[Contender], rounds: int, cold_rounds: int
) -> list[Measured]:
    """The samples of every contender that does this workload, the one written by hand first."""
    found = [Measured(one) for one in contenders if one.workload == workload.name]
    found.sort(key=lambda one: not one.label.startswith(BY_HAND))
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        running = [(one, stack.enter_context(Process(one.contender.module))) for one in found]
        truth: Arrays | None = None
        for one, process in running:
            result = _first_time(one, process, Path(folder))
            if truth is None:
                truth = result
            elif result is not None:
                one.refused = difference(result, truth)
        _warm_rounds([pair for pair in running if not pair[0].refused], rounds)
    right = [one for one in found if not one.refused and "cold" in one.contender.what]
    counts = workload.bound or any(claim.what != "warm" for claim in workload.claims)
    for _ in range(cold_rounds - 1 if counts else 0):
        for one in right:
            _cold_again(one)
    return found


def _first_time(one: Measured, process: Process, folder: Path) -> Arrays | None:
    """The result of the first time; None, and why, where there is none."""
    path = folder / "result.npz"
    what = one.contender.what[0]
    try:
        answer = process.ask(what, **one.contender.request(path))
    except Failed as error:
        one.refused = str(error)
        return None
    if what == "cold":
        _note_cold(one, answer)
    with np.load(path) as kept:
        return dict(kept)


def _warm_rounds(running: Sequence[tuple[Measured, Process]], rounds: int) -> None:
    warm = [(one, process) for one, process in running if "warm" in one.contender.what]
    for _ in range(rounds):
        for one, process in warm:
            one.warm_seconds.append(process.ask("warm", **one.contender.request())["seconds"])


def _cold_again(one: Measured) -> None:
    with Process(one.contender.module) as process:
        _note_cold(one, process.ask("cold", **one.contender.request()))


def _note_cold(one: Measured, answer: Mapping[str, Any]) -> None:
    one.cold_seconds.append(answer["seconds"])
    if answer["bytes"]:
        one.peak_bytes.append(answer["bytes"])


def difference(result: Arrays, truth: Arrays) -> str:
    """What is wrong with a result; empty where every number is within `TOLERANCE`."""
    for name, wanted in truth.items():
        if name not in result:
            return f"wrong: it has no {name}"
        given = result[name]
        if given.shape != wanted.shape:
            return f"wrong: {name} has shape {given.shape}, not {wanted.shape}"
        off = np.abs(given - wanted) / np.maximum(1.0, np.abs(wanted))
        if not np.all(off <= TOLERANCE):  # nan is not within anything
            return f"wrong: {name} is off by {np.max(off):.1e}"
    return ""
