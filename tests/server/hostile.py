"""Functions that a worker process does not survive, or should not."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from engine.execution.plan import _compiled
from server.tasks import Answer


def quick(name: str) -> Answer:
    """Work that ends at once."""
    return Answer(name, b"")


def endless() -> Answer:
    """Work that never ends."""
    while True:
        time.sleep(0.01)


def deaf() -> Answer:
    """Work inside one long call into C, which hears no signal handler written in Python."""
    return Answer(str(pow(7, 10**9) % 2), b"")


def greedy() -> Answer:
    """Work that wants ten gigabytes."""
    return Answer(str(len(bytearray(10**10))), b"")


def gone() -> Answer:
    """Work that ends the process."""
    os._exit(3)


def whoami() -> Answer:
    """Work that tells which process did it."""
    return Answer(str(os.getpid()), b"")


def told(folder: str, work: Callable[[], Answer]) -> Answer:
    """Work that tells first which process does it, by a file's name."""
    os.close(os.open(f"{folder}/{os.getpid()}", os.O_CREAT | os.O_WRONLY))
    return work()


def practised() -> Answer:
    """Work that tells how many loops its process has compiled before."""
    return Answer(str(_compiled.cache_info().currsize), b"")


def loaded() -> Answer:
    """Work that tells which packages its process has loaded."""
    return Answer(" ".join(sorted({name.partition(".")[0] for name in sys.modules})), b"")


def writes(path: str) -> Answer:
    """Work that writes a file."""
    with open(path, "w") as file:
        file.write("x" * 100_000)
    return Answer(path, b"")


def counts(send: Callable[[bytes], None], messages: int, size: int) -> None:
    """Work that sends its messages' numbers, each in so many bytes."""
    for number in range(messages):
        send(str(number).encode().ljust(size))


def dies(send: Callable[[bytes], None]) -> None:
    """Work that ends its process after one message."""
    send(b"first")
    os._exit(3)


def silent(send: Callable[[bytes], None]) -> None:
    """Work that sends one message and then never another."""
    send(b"first")
    endless()
