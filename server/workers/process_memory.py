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
