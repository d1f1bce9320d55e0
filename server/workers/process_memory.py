"""What a process does about its memory when there is a pause, and when a worker is to be replaced."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import sys
from contextlib import suppress
from functools import cache
from typing import Any

from server.serialization.bounded_json import AnswerTooLarge

TIDY_BYTES = 30_000_000  # a worker that has grown by more since its start gives free pages back
PAUSE_S = 4.0  # between two looks of the service at its own memory
GROWTH_BYTES = 10_000_000  # of the service, which is worth to look for what is unused
MOST_BYTES = 300_000_000  # resident at rest; a worker that holds more is replaced
KEPT_BYTES = 24_000_000  # of memory for small objects that a worker keeps between two pieces of work
SMALL_BYTES = 512  # of an object, with its head: larger ones stand in no arena
ARENA_BYTES = 1 << 20
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's mallopt


def ran_out_of_memory(result: Any) -> bool:
    """Whether a piece of work with this result or error found no memory left."""
    if isinstance(result, MemoryError):
        return not isinstance(result, AnswerTooLarge)
    return bool(getattr(result, "out_of_memory", False))


def is_worn_out() -> bool:
    """Free what work has left. Returns: whether this process even then has much memory in use.

    What a program left in cycles, as every graph is, is freed before the next one begins: so none finds the
    memory filled by one before it, and nothing of it ends later, while another one runs.
    """
    gc.collect()  # the engine itself is frozen, so that there is little to look at
    resident = resident_bytes()
    if resident > resident_at_start() + TIDY_BYTES:
        give_back_free_pages()
        resident = resident_bytes()
    return resident > MOST_BYTES


async def tidy_regularly() -> None:
    """Free what is unused whenever this process has grown: after a crowd of connections, much is."""
    before = resident_bytes()
    while True:
        await asyncio.sleep(PAUSE_S)
        if resident_bytes() > before + GROWTH_BYTES:
            gc.collect()
            await asyncio.to_thread(give_back_free_pages)
            before = resident_bytes()


@cache
def resident_at_start() -> int:
    """What was in use when this was first asked: before the first program."""
    return resident_bytes()


_pins: list[bytes] = []  # one object in each of the arenas that are kept


def keep_pages() -> None:
    """Let the memory of one piece of work be there for the next one.

    Python gives an arena back as soon as it is empty, and glibc the end of its heap; whoever asks for them
    again pays for each page, which takes a tenth of a program's time. `is_worn_out` still gives back what is
    more than usual.
    """
    objects = [bytes(SMALL_BYTES - sys.getsizeof(b"")) for _ in range(KEPT_BYTES // SMALL_BYTES)]
    _pins.extend(objects[:: ARENA_BYTES // (2 * SMALL_BYTES)])
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # musl has no mallopt
            libc = ctypes.CDLL(None)
            libc.mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
            libc.mallopt(M_MMAP_THRESHOLD, KEPT_BYTES)


def give_back_free_pages() -> None:
    """Give what the allocator holds and does not use back to the system."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # musl has no malloc_trim
            ctypes.CDLL(None).malloc_trim(0)


def resident_bytes() -> int:
    """How much memory this process has in use; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
