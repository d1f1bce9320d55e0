"""The best runs of a sweep and the chart of their losses, on rows that one can read."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from gradlens.terminal.console import console_for
from gradlens.terminal.sweep_report import best_rows, chart, print_report, runs_progress


def row(
    rate: float, loss: float, status: str = "ok", optimizer: str = "Adam", start: float = 1.0
) -> dict[str, Any]:
    return {
        "optimizer": optimizer,
        "learning_rate": rate,
        "start_x": start,
        "status": status,
        "loss": loss,
        "lowest_loss": loss,
        "lowest_at": 3,
    }


def test_the_best_runs_have_the_lowest_loss_and_none_that_diverged() -> None:
    rows = [row(0.1, 4.0), row(0.2, 1.0), row(0.3, 0.5, "diverged"), row(0.4, float("nan"), "non_finite")]
    assert [found["learning_rate"] for found in best_rows(rows)] == [0.2, 0.1]


def test_bars_grow_with_the_logarithm_of_the_loss_and_a_cross_marks_what_diverged() -> None:
    rows = [row(0.1, 1e-4), row(0.2, 1e-2), row(0.3, 1.0), row(0.4, 1e9, "diverged")]
    assert list(chart(rows)) == [
        "Last loss by learning rate, 0.1 to 0.4: ▁ 0.0001 to █ 1 (log scale), × diverged",
        "Adam  ▁▅█×",
    ]


def test_a_bar_is_of_the_best_start() -> None:
    rows = [row(0.1, 8.0, start=1), row(0.1, 1.0, start=2), row(0.2, 8.0, start=1)]
    assert list(chart(rows))[1] == "Adam  ▁█"


def test_losses_below_zero_stand_on_an_even_scale() -> None:
    assert "(even scale)" in next(iter(chart([row(0.1, -1.0), row(0.2, 1.0)])))


def test_many_rates_share_columns() -> None:
    rows = [row(rate, float(rate)) for rate in range(1, 601)]
    assert len(list(chart(rows))[1]) == len("Adam  ") + 60


def test_where_every_run_diverged_there_is_no_chart_and_the_table_says_so() -> None:
    file = io.StringIO()
    print_report(console_for(file), [row(0.1, 1e30, "diverged"), row(0.2, 1e30, "diverged")])
    assert file.getvalue().split("\n")[0].strip() == "No run ended well."


def test_progress_counts_runs_on_a_terminal_and_is_silent_in_a_file() -> None:
    for is_terminal, shown in [(True, "50/100"), (False, "")]:
        file = io.StringIO()
        console = Console(file=file, force_terminal=is_terminal, width=80)
        with runs_progress(console, 100) as report:
            report({"done": 1, "parts": 2})
        assert shown in file.getvalue()
        assert bool(file.getvalue()) == is_terminal
