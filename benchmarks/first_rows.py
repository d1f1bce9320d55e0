"""Request to first rows: how soon a streamed run of 10,000 steps begins to arrive.

python -m benchmarks.first_rows

A real service on this machine is asked for runs that it has never seen: as the page does, by the id of a
program that it has answered before, with its own optimizer or another, and with the text of a new one. The
clock runs from the request to the header and the rows that come with it; then the reader leaves.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

from benchmarks.answers import examples
from tests.server.service import running

STEPS = 10_000
REPEATS = 20
FORMULAS = ("y = exp(sin(x))", "y = x^2")
CHOSEN = ("g03", "g12", "g25", "g35", "g36")  # numbers, vectors, towers, matrices, twenty layers
OPTIMIZER = {"name": "Adam", "learning_rate": 0.002}


def main() -> None:
    """Measure each program and print a table."""
    print(f"{'First rows of 10,000 steps':48}{'median ms':>10}{'worst ms':>10}")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as client:
        for name, program in programs():
            known = [answered_program(client, program, seed) for seed in range(REPEATS)]
            new = [{**program, "seed": REPEATS + seed} for seed in range(REPEATS)]
            ways: dict[str, tuple[Sequence[Any], dict[str, Any]]] = {
                "answered before": (known, OPTIMIZER),
                "new": (new, OPTIMIZER),
            }
            if program["source"] not in FORMULAS:
                ways["its own optimizer"] = known, {}
            for what, (asked, optimizer) in ways.items():
                times_ms = [first_rows_ms(client, one, optimizer) for one in asked]
                print(f"{f'{name}, {what}':48}{statistics.median(times_ms):10.1f}{max(times_ms):10.1f}")


def programs() -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the request of each program."""
    for text in FORMULAS:
        yield text, {"source": text}
    for title, request in examples():
        if title.startswith(CHOSEN):
            yield title[:29], request


def answered_program(client: httpx.Client, program: dict[str, Any], seed: int) -> str:
    """The id of a program that has been answered; programs with different seeds are different ones."""
    response = client.post("/programs", json={**program, "seed": seed})
    response.raise_for_status()
    name: str = response.json()["id"]
    return name


def first_rows_ms(client: httpx.Client, program: str | dict[str, Any], optimizer: dict[str, Any]) -> float:
    """From the request to the first rows. optimizer: empty for the program's own."""
    run = {"program": program, "steps": STEPS, "optimizer": optimizer}
    lines = {"Accept": "application/x-ndjson"}
    start = time.perf_counter()
    with client.stream("POST", "/runs", json=run, headers=lines) as response:
        for number, _ in enumerate(response.iter_lines()):
            if number == 1:
                break
        duration_ms = (time.perf_counter() - start) * 1000
        assert response.status_code == 200, response.text
    return duration_ms


if __name__ == "__main__":
    main()
