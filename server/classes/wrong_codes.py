"""How often codes may be tried that are none: codes are short, and a class must not be found by guessing.

Joining with a right code is not limited: a whole school has one address.
"""

from __future__ import annotations

import math
import time

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from server.classes.refusals import too_many_codes

BY_ADDRESS = RateLimitItemPerMinute(10)
IN_ALL = RateLimitItemPerMinute(100)


class WrongCodes:
    """Counts wrong codes of each address and of all, over the last minute."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def check(self, address: str) -> None:
        """Raises: Problem where this address, or all together, have tried too many."""
        for item, names in self._counted(address):
            if not self._limiter.test(item, *names):
                until = self._limiter.get_window_stats(item, *names).reset_time
                raise too_many_codes(max(1, math.ceil(until - time.time())))

    def count(self, address: str) -> None:
        """One more from this address."""
        for item, names in self._counted(address):
            self._limiter.hit(item, *names)

    def _counted(self, address: str) -> tuple[tuple[RateLimitItem, tuple[str, ...]], ...]:
        return (BY_ADDRESS, ("address", address)), (IN_ALL, ("all",))
