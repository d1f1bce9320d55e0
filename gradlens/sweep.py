"""`gradlens sweep FILE`: a program optimised over optimizers, rates and starts, as a table."""

from __future__ import annotations

import asyncio
import csv
import itertools
import math
import os
import signal
import sys
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.races import RaceRequest, Summary, cuts_of, part_of, summarise_race
from gradlens.run import read_program
from gradlens.terminal.console import INSTALL, console_for, has_rich
from server.logs import set_up_service_logs
from server.settings import Settings
from server.workers.parts import Parts, Progress
from server.workers.workers import CutShort, Workers

MAX_RUNS = 1_000_000
PATIENCE = Limits(wall_s=60.0, element_operations=10_000_000_000)  # on one's own machine

Row = dict[str, Any]
T = TypeVar("T")


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
        return failed(f"These are {wanted.count:,} runs; a sweep has at most {MAX_RUNS:,}.")
    race = RaceRequest(wanted.runs, wanted.steps)
    set_up_service_logs()
    try:
        writer = writer_for(output)
        found = ends_of(ProgramRequest(source, dialect), race)
        rows = [row_of(run, end) for run, end in zip(race.runs, found, strict=True)]
        writer(Path(output), rows)
    except OSError as error:
        return failed(f"Cannot write {output}: {error.strerror or error}.")
    except GradlensError as error:
        return failed(f"{file}: {error.message}" + (f"\n  {error.hint}" if error.hint else ""))
    except CutShort as cut:
        return failed(f"A part of the sweep was stopped ({cut.reason}); take fewer steps.")
    show_best(rows)
    print(f"{len(found):,} {'run' if len(found) == 1 else 'runs'}: {output}", file=sys.stderr)
    return 0


def failed(message: str) -> int:
    """The exit code of a sweep that failed, its reason on standard error."""
    print(message, file=sys.stderr)
    return 1


def ends_of(request: ProgramRequest, race: RaceRequest) -> list[Summary]:
    """The ends of all runs. Raises: KeyboardInterrupt where Ctrl-C or SIGTERM ended it and its workers."""
    try:
        return asyncio.run(ended_on_request(summaries(request, race, Settings(limits=PATIENCE))))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def ended_on_request(work: Awaitable[T]) -> T:
    """What some work gives; SIGTERM cancels it, as `asyncio.run` lets Ctrl-C do, so that it can tidy up."""
    task = asyncio.current_task()
    if task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work


async def summaries(request: ProgramRequest, race: RaceRequest, settings: Settings) -> list[Summary]:
    """The ends of all runs, computed in parts by worker processes, or at the cluster of DASK_SCHEDULER."""
    workers = Workers(settings)
    parts = Parts(workers)
    try:
        cuts = await parts.tried(cuts_of, request, race, settings.limits)
        arguments = [(request, part_of(race, cut), settings.limits) for cut in cuts]
        with progress_of(len(race.runs)) as progress:
            found = await parts.results(summarise_race, arguments, progress=progress)
    finally:
        await workers.stop()
    return [summary for part in found for summary in part]


@contextmanager
def progress_of(runs: int) -> Iterator[Progress]:
    """What shows on standard error how many runs are done, where somebody is watching."""
    if not (sys.stderr.isatty() and has_rich()):
        yield lambda report: None
        return
    from gradlens.terminal.sweep_report import runs_progress

    with runs_progress(console_for(sys.stderr), runs) as report:
        yield report


def show_best(rows: Sequence[Row]) -> None:
    """The best runs and the chart of their losses; without rich, what to install."""
    if not has_rich():
        print(f"A table of the best runs takes rich: {INSTALL}", file=sys.stderr)
        return
    from gradlens.terminal.sweep_report import print_report

    print_report(console_for(sys.stdout), rows)


def row_of(run: RunRequest, end: Summary) -> Row:
    """One line of the table: what was tried, how it ended, where it stood.

    A variable that is called like another column, such as `loss`, stands in the column `end_loss`.
    """
    settings = run.optimizer or {}
    row: Row = {
        "optimizer": settings.get("name"),
        "learning_rate": settings.get("learning_rate"),
        **{f"start_{name}": value for name, value in run.start.items()},
        "status": end.status,
        "stopped_at": end.stopped_at,
        "loss": end.loss,
        "lowest_loss": end.lowest_loss,
        "lowest_at": end.lowest_at,
    }
    ends = {f"end_{name}" if name in row else name: value for name, value in numbers_of(end.variables)}
    return row | ends


def numbers_of(variables: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The numbers of each variable, by name and index."""
    for name, value in variables.items():
        for place in np.ndindex(value.shape):
            yield f"{name}{list(place)}" if place else name, float(value[place])


def writer_for(output: str) -> Any:
    """What writes a table to this file, by its ending. Raises: OSError where the file cannot be written."""
    folder = Path(output).parent
    if not folder.is_dir():
        raise OSError(f"there is no folder {folder}")
    if Path(output).is_dir() or not os.access(output if Path(output).exists() else folder, os.W_OK):
        raise OSError("it is a folder, or may not be written")
    ending = Path(output).suffix.lower()
    if ending == ".csv":
        return write_csv
    if ending == ".parquet":
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
    """The same columns, with their types, which a column keeps where it is blank in every row."""
    import pyarrow
    import pyarrow.parquet

    texts, counts = ("optimizer", "status"), ("stopped_at", "lowest_at")
    kinds = {name: pyarrow.string() for name in texts} | {name: pyarrow.int64() for name in counts}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.float64())) for name in rows[0]])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema), path)


# -- what is written on the command line -----------------------------------------------------------------


def numbers(text: str) -> list[float]:
    """`0.1,0.2`, or `0:1:5` for five from 0 to 1, or `0.001:1:30log` for thirty in equal ratios.

    Raises: ValueError for anything else, which says what.
    """
    if ":" not in text:
        return [finite(part) for part in text.split(",")]
    first, last, count = (*text.split(":", 2), "", "")[:3]
    low, high, points = finite(first), finite(last), count.removesuffix("log")
    if not points.isdecimal() or not 1 <= int(points) <= MAX_RUNS:
        raise ValueError(f"{text!r} does not say how many there are, 1 to {MAX_RUNS:,}")
    if not count.endswith("log"):
        return [float(value) for value in np.linspace(low, high, int(points))]
    if low * high <= 0:
        raise ValueError(f"in {text!r} equal ratios neither begin nor end at 0, nor pass it")
    return [float(value) for value in np.geomspace(low, high, int(points))]


def finite(text: str) -> float:
    """A number. Raises: ValueError for nan and the infinities, too."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is no number")
    return value


def starts_of(texts: Sequence[str]) -> dict[str, list[float]]:
    """`x=-1:1:5` for each variable: the values that it starts from. Raises: ValueError for anything else."""
    starts: dict[str, list[float]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not name.strip() or not equals:
            raise ValueError(f"{text!r} does not say which variable starts where, as x=0.1,0.2 does")
        if name.strip() in starts:
            raise ValueError(f"{name.strip()!r} starts twice; write all its values after one --start")
        starts[name.strip()] = numbers(values)
    return starts
