"""What time it is: the time of day when the service was started, and what has passed since.

The clock of a machine may be set, by hours where a laptop wakes up in another place; nothing that the service
keeps becomes too old by that, or comes from the future.
"""

from __future__ import annotations

import time


def passed() -> float:
    """Seconds since some moment; sleep of the machine counts where the system measures it."""
    boottime = getattr(time, "CLOCK_BOOTTIME", None)  # Linux
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


STARTED = time.time() - passed()


def now() -> float:
    """Seconds since 1970, as far as was known when the service was started."""
    return STARTED + passed()


def moved_s() -> float:
    """By how much the machine's clock was set since then, in seconds."""
    return time.time() - now()
