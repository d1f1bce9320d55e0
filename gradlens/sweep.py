"""`gradlens sweep FILE`: a program optimised over optimizers, rates and starts, told in a table."""

from __future__ import annotations

import asyncio
import csv
import itertools
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.races import RaceRequest, Summary, cuts_of
from gradlens.run import read_program
from server.parts import Parts
from server.settings import Settings
from server.tasks import summarise_part
from server.workers import CutShort, Workers

MAX_RUNS = 1_000_000
SHOWN_NUMBERS = 16  # of a variable; of a larger one the table has none
BAR = 30  # characters
PATIENCE = Limits(wall_s=60.0, element_operations=10_000_000_000)  # on one's own machine

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What to try: every optimizer at every rate from every start."""

    optimizers: Sequence[str]
    rates: Sequence[float]
    starts: Mapping[str, Sequence[float]]
    steps: int

    @property
    def count(self) -> int:
        """How many runs these are."""
        return math.prod(map(len, (self.optimizers, self.rates, *self.starts.values())))

    @property
    def runs(self) -> tuple[RunRequest, ...]:
        """One run for each combination; the last start varies fastest."""
        starts = [
            dict(zip(self.starts, values, strict=True)) for values in itertools.product(*self.starts.values())
        ]
        return tuple(
            RunRequest(self.steps, {"name": name, "learning_rate": rate}, start=start)
            for name, rate, start in itertools.product(self.optimizers, self.rates, starts)
        )


def sweep(file: str, dialect: str, wanted: Sweep, output: str) -> int:
    """Carry out a sweep and write its table to `output`; returns the exit code.

    Whether the table can be written is asked first: a long sweep should not end at a missing folder.
    """
    source = read_program(file)
    if source is None:
        return 1
    if wanted.count > MAX_RUNS:
        print(f"These are {wanted.count:,} runs; a sweep has at most {MAX_RUNS:,}.", file=sys.stderr)
        return 1
    try:
        writer = writer_for(output)
        race = RaceRequest(wanted.runs, wanted.steps)
        found = asyncio.run(summaries(ProgramRequest(source, dialect), race, Settings(limits=PATIENCE)))
        writer(Path(output), [row_of(run, end) for run, end in zip(race.runs, found, strict=True)])
    except OSError as error:
        print(f"Cannot write {output}: {error.strerror or error}.", file=sys.stderr)
        return 1
    except GradlensError as error:
        print(f"{file}: {error.message}\n  {error.hint}", file=sys.stderr)
        return 1
    except CutShort as cut:
        print(f"A part of the sweep was stopped ({cut.reason}); take fewer steps.", file=sys.stderr)
        return 1
    print(f"{len(found):,} runs: {output}", file=sys.stderr)
    return 0


async def summaries(request: ProgramRequest, race: RaceRequest, settings: Settings) -> list[Summary]:
    """The ends of all runs, computed in parts by worker processes, or at the cluster of DASK_SCHEDULER."""
    workers = Workers(settings)
    parts = Parts(workers)
    try:
        cuts = await parts.tried(cuts_of, request, race, settings.limits)
        arguments = [(request, race, cut, settings.limits) for cut in cuts]
        found = await parts.results(summarise_part, arguments, told=show_progress)
    finally:
        await workers.stop()
    return [summary for part in found for summary in part]


def show_progress(done: int, parts: int) -> None:
    """A bar on standard error, where somebody is watching."""
    if sys.stderr.isatty():
        filled = BAR * done // parts
        end = "\n" if done == parts else ""
        print(
            f"\r[{'#' * filled}{' ' * (BAR - filled)}] {done}/{parts} parts",
            end=end,
            file=sys.stderr,
            flush=True,
        )


def row_of(run: RunRequest, end: Summary) -> Row:
    """One line of the table: what was tried, how it ended, where it stood."""
    settings = run.optimizer or {}
    return {
        "optimizer": settings.get("name"),
        "learning_rate": settings.get("learning_rate"),
        **{f"start_{name}": value for name, value in run.start.items()},
        "status": "diverged" if end.status == "lost" else end.status,
        "stopped_at": end.stopped_at,
        "loss": end.loss,
        "lowest_loss": end.lowest_loss,
        "lowest_at": end.lowest_at,
        **dict(numbers_of(end.variables)),
    }


def numbers_of(variables: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The numbers of each variable that has few, by name and index."""
    for name, value in variables.items():
        if value.size <= SHOWN_NUMBERS:
            for place in np.ndindex(value.shape):
                yield f"{name}{list(place)}" if place else name, float(value[place])


def writer_for(output: str) -> Any:
    """What writes a table to this file, by its ending. Raises: OSError where the file cannot be written."""
    folder = Path(output).parent
    if not folder.is_dir():
        raise OSError(f"there is no folder {folder}")
    if Path(output).is_dir() or not os.access(output if Path(output).exists() else folder, os.W_OK):
        raise OSError("it is a folder, or may not be written")
    if output.endswith(".csv"):
        return write_csv
    if output.endswith(".parquet"):
        if find_spec("pyarrow") is None:
            raise OSError("Parquet needs pyarrow: pip install 'gradlens[parquet]'")
        return write_parquet
    raise OSError("the table's name ends in .csv or .parquet")


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """A line of names, then a line for each run."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def write_parquet(path: Path, rows: Sequence[Row]) -> None:
    """The same columns, with their types."""
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)


# -- what is written on the command line -----------------------------------------------------------------


def numbers(text: str) -> list[float]:
    """`0.1,0.2`, or `0:1:5` for five from 0 to 1, or `0.001:1:30log` for thirty in equal ratios.

    Raises: ValueError for anything else.
    """
    if ":" not in text:
        return [finite(part) for part in text.split(",")]
    first, last, count = text.split(":")
    low, high, points = finite(first), finite(last), int(count.removesuffix("log"))
    if not 1 <= points <= MAX_RUNS:
        raise ValueError(text)
    spaced = np.geomspace(low, high, points) if count.endswith("log") else np.linspace(low, high, points)
    return [float(value) for value in spaced]


def finite(text: str) -> float:
    """A number. Raises: ValueError for nan and the infinities, too."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def start_of(text: str) -> tuple[str, list[float]]:
    """`x=-1:1:5`: the values that a variable starts from. Raises: ValueError for anything else."""
    name, _, values = text.partition("=")
    return name.strip(), numbers(values)
