"""Text to answer: how long a program takes from its text to everything the page shows.

`make bench` first times the engine alone, each time anew; then a real service on every program of
`examples/`: what it says in `Server-Timing`, for a program that it has never seen and again from its cache.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from engine.programs import ProgramRequest, run_program, tell_lesson
from server.serialization.answer import pack
from tests.server.service import running

REPEATS = 50
VISITS = 5  # cold answers of each example, with a seed each
EXAMPLES = Path(__file__).parent.parent / "examples"
HUNDRED_STEPS = """\
import tensorflow as tf

x = tf.Variable(3.0, dtype=tf.float32)
y = tf.square(x)
train = tf.train.GradientDescentOptimizer(learning_rate=0.01).minimize(y)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        _, y_value, x_value = sess.run([train, y, x])
        print("step %d: x %f, y %f" % (step, x_value, y_value))
"""
PROGRAMS = {
    "y = exp(sin(x))": ProgramRequest(source="y = exp(sin(x))", at={"x": 3}),
    "y = x^2 by TensorFlow, 100 steps": ProgramRequest(source=HUNDRED_STEPS),
}


def main() -> None:
    """Measure each program and print a table."""
    print(f"{'The engine':44}{'median ms':>10}{'best ms':>10}")
    for name, request in PROGRAMS.items():
        answer = run_program(request)
        show(f"{name}: answer", run_program, request)
        show(f"{name}: lesson", tell_lesson, request)
        show(f"{name}: to bytes", pack, answer)
    print()
    measure_service()


def show(name: str, work: Callable[[Any], object], subject: object) -> None:
    """Measure `work(subject)` and print its line."""
    times_ms = [duration_ms(work, subject) for _ in range(REPEATS)]
    print(f"{name:44}{statistics.median(times_ms):10.2f}{min(times_ms):10.2f}")


def duration_ms(work: Callable[[Any], object], subject: object) -> float:
    """How long `work(subject)` takes once."""
    start = time.perf_counter()
    work(subject)
    return (time.perf_counter() - start) * 1000


def measure_service() -> None:
    """Ask a real service for every example, cold and again, and print what it says of its time."""
    cold_ms: list[float] = []
    cached_ms: list[float] = []
    print(f"{'The service':44}{'cold ms':>10}{'cached ms':>10}")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as client:
        for name, body in examples():
            cold = [answered_ms(client, {**body, "seed": seed}) for seed in range(VISITS)]
            cached = [answered_ms(client, {**body, "seed": seed}) for seed in range(VISITS)]
            print(f"{name:44}{statistics.median(cold):10.2f}{statistics.median(cached):10.2f}")
            cold_ms += cold
            cached_ms += cached
    print(f"{'median of all':44}{statistics.median(cold_ms):10.2f}{statistics.median(cached_ms):10.2f}")
    print(f"{'95 % are under':44}{percentile_95(cold_ms):10.2f}{percentile_95(cached_ms):10.2f}")


def examples() -> list[tuple[str, dict[str, Any]]]:
    """The title and the request of every example."""
    index = json.loads((EXAMPLES / "index.json").read_text(encoding="utf-8"))
    return [
        (
            f"{entry['id']} {entry['title']['en']}"[:43],
            {"source": (EXAMPLES / entry["file"]).read_text(encoding="utf-8"), "at": entry["at"]},
        )
        for entry in index
    ]


def answered_ms(client: httpx.Client, body: dict[str, Any]) -> float:
    """The service time of one answer, from its header."""
    response = client.post("/programs", json=body)
    response.raise_for_status()
    found = re.search(r"dur=([\d.]+)", response.headers["server-timing"])
    return float(found[1]) if found else float("nan")


def percentile_95(times_ms: list[float]) -> float:
    """The time that 95 % of the answers stay under."""
    return statistics.quantiles(times_ms, n=20)[-1]


if __name__ == "__main__":
    main()
