"""Functions that a worker process does not survive, or should not."""

from __future__ import annotations

import logging
import os
import sys
import time
import warnings
from collections.abc import Callable

from engine.execution.backends.templates import _compiled
from server.serialization.answer import Answer
from server.workers.streams import Outlet


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
    """Work that returns which process did it."""
    return Answer(str(os.getpid()), b"")


def announcing(folder: str, work: Callable[[], Answer]) -> Answer:
    """Work that first shows which process does it, by a file's name."""
    os.close(os.open(f"{folder}/{os.getpid()}", os.O_CREAT | os.O_WRONLY))
    return work()


def compiled_before() -> Answer:
    """Work that returns how many loops its process has compiled before."""
    return Answer(str(_compiled.cache_info().currsize), b"")


def loaded() -> Answer:
    """Work that returns which packages its process has loaded."""
    return Answer(" ".join(sorted({name.partition(".")[0] for name in sys.modules})), b"")


def writes(path: str) -> Answer:
    """Work that writes a file."""
    with open(path, "w") as file:
        file.write("x" * 100_000)
    return Answer(path, b"")


def counts(outlet: Outlet, messages: int, size: int) -> None:
    """Work that sends its messages' numbers, each in so many bytes."""
    for number in range(messages):
        outlet.send(str(number).encode().ljust(size))


def dies(outlet: Outlet) -> None:
    """Work that ends its process after one message."""
    outlet.send(b"first")
    os._exit(3)


def looking(outlet: Outlet) -> None:
    """Work that sends which process does it, and then only looks whether somebody listens."""
    outlet.send(str(os.getpid()).encode())
    while True:
        outlet.check()
        time.sleep(0.001)


def silent(outlet: Outlet) -> None:
    """Work that sends one message and then never another."""
    outlet.send(b"first")
    endless()


def confesses(secret: str) -> None:
    """Work that logs an error whose message, arguments and locals quote a program, and warns of it."""
    try:
        raise ValueError(f"{secret} = 3")
    except ValueError:
        logging.getLogger("engine").exception("A mistake of the engine in %s().", secret)
    logging.getLogger("engine").error("again\n%s" % secret)  # noqa: UP031  # as asyncio does
    warnings.warn(secret, stacklevel=1)


def status() -> dict[str, str]:
    """Work that returns what the kernel says of its process."""
    with open("/proc/self/status") as lines:
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def opens(path: str) -> None:
    """Work that reads a file."""
    with open(path) as file:
        file.read()
