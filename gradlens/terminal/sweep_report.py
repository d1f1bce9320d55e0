"""What a sweep shows: how many runs are done and the time left, its best runs, a chart of losses by rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

BARS = "▁▂▃▄▅▆▇█"
LOST = "×"  # every run at this rate diverged, or ended in no number
MOST_COLUMNS = 60  # of the chart; more rates share a column
BEST = 5
COLUMNS = ("optimizer", "learning_rate", "status", "loss", "lowest_loss", "lowest_at")
ENDED_BADLY = {"diverged", "non_finite"}

Row = Mapping[str, Any]
Report = Callable[[Mapping[str, Any]], None]  # {"done", "parts"}


@contextmanager
def runs_progress(console: Console, runs: int) -> Iterator[Report]:
    """A bar with the runs that are done and the time left; nothing where no terminal is.

    The parts of a sweep hold equally many runs, so that those of some of them are known.
    """
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("runs,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=runs)
        yield lambda report: progress.update(task, completed=runs * report["done"] // report["parts"])


def print_report(console: Console, rows: Sequence[Row]) -> None:
    """The best runs as a table, and the chart where there are several rates."""
    console.print(best_table(rows))
    lines = list(chart(rows))
    if len({row["learning_rate"] for row in rows}) > 1 and lines:
        console.print()
        for line in lines:
            console.print(Text(line), no_wrap=True, overflow="crop")


def best_rows(rows: Sequence[Row]) -> list[Row]:
    """The few runs with the lowest last loss, the lowest first; one that ended badly is none of them."""
    usable = [row for row in rows if row["status"] not in ENDED_BADLY and math.isfinite(row["loss"])]
    return sorted(usable, key=lambda row: (row["loss"], row["lowest_at"]))[:BEST]


def best_table(rows: Sequence[Row]) -> Table:
    """The best runs, with the start of each."""
    best = best_rows(rows)
    starts = [name for name in rows[0] if name.startswith("start_")]
    names = [COLUMNS[0], COLUMNS[1], *starts, *COLUMNS[2:]]
    title = (
        f"The best {len(best)} of {len(rows):,} runs, by their last loss" if best else "No run ended well."
    )
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in names:
        table.add_column(
            name.replace("_", " "), justify="left" if name in ("optimizer", "status") else "right"
        )
    for row in best:
        table.add_row(*(cell(row[name]) for name in names))
    return table


def cell(value: Any) -> str:
    """A number with six digits, anything else as it is."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def chart(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each optimizer: a bar for each learning rate, as high as the best last loss there.

    Losses stand on a logarithmic scale where all of them are above zero.
    """
    rates = sorted({row["learning_rate"] for row in rows})
    columns = {rate: place * min(len(rates), MOST_COLUMNS) // len(rates) for place, rate in enumerate(rates)}
    lowest: dict[str, dict[int, float]] = {}
    for row in rows:
        losses = lowest.setdefault(row["optimizer"], {})
        well = row["status"] not in ENDED_BADLY and math.isfinite(row["loss"])
        place = columns[row["learning_rate"]]
        losses[place] = min(losses.get(place, math.inf), row["loss"] if well else math.inf)
    known = [loss for losses in lowest.values() for loss in losses.values() if math.isfinite(loss)]
    if not known:
        return
    scale = Scale(min(known), max(known))
    width = max(map(len, lowest))
    yield f"Last loss by learning rate, {rates[0]:.4g} to {rates[-1]:.4g}: {scale.meaning}, {LOST} diverged"
    for name, losses in lowest.items():
        yield f"{name:<{width}}  {''.join(scale.bar(losses[place]) for place in sorted(losses))}"


class Scale:
    """Bars for losses from the lowest to the highest."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high
        self.is_log = low > 0

    @property
    def meaning(self) -> str:
        """What the lowest and the highest bar stand for."""
        kind = "log scale" if self.is_log else "even scale"
        return f"{BARS[0]} {self.low:.4g} to {BARS[-1]} {self.high:.4g} ({kind})"

    def bar(self, loss: float) -> str:
        """The bar of one loss; of an infinite one, that it is lost."""
        if not math.isfinite(loss):
            return LOST
        low, high, here = (self._placed(value) for value in (self.low, self.high, loss))
        share = (here - low) / (high - low) if high > low else 0.0
        return BARS[min(len(BARS) - 1, int(share * len(BARS)))]

    def _placed(self, loss: float) -> float:
        return math.log(loss) if self.is_log else loss
