"""Text to answer, in one process: how long a program takes from its text to everything the page shows.

`make bench` prints the median and the best of many runs, each of a fresh request.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from engine.programs import ProgramRequest, run_program, tell_lesson
from server.tasks import pack

REPEATS = 50
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
    print(f"{'':44}{'median ms':>10}{'best ms':>10}")
    for name, request in PROGRAMS.items():
        answer = run_program(request)
        show(f"{name}: answer", run_program, request)
        show(f"{name}: lesson", tell_lesson, request)
        show(f"{name}: to bytes", pack, answer)


def show(name: str, work: Callable[[Any], object], subject: object) -> None:
    """Measure `work(subject)` and print its line."""
    times_ms = [duration_ms(work, subject) for _ in range(REPEATS)]
    print(f"{name:44}{statistics.median(times_ms):10.2f}{min(times_ms):10.2f}")


def duration_ms(work: Callable[[Any], object], subject: object) -> float:
    """How long `work(subject)` takes once."""
    start = time.perf_counter()
    work(subject)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
