"""A bound for the memory of a program that runs in the command's own process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from server.workers.memory_limits import available_memory

MOST_BYTES = 6_000_000_000


@contextmanager
def bounded_memory() -> Iterator[None]:
    """A program has half of the machine's memory, 6 GB at most; what asks for more raises MemoryError.

    Where a system knows no such limit (Windows), there is none.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = min(MOST_BYTES, available_memory() // 2)
    allowed = [most, *(limit for limit in (before, hard) if limit != resource.RLIM_INFINITY)]
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (min(allowed), hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (before, hard))
