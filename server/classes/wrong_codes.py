"""How often codes may be tried that are none: codes are short, and a class must not be found by guessing.

Joining with a right code is not limited: a whole school has one address. Replicas count together: each says
on the bus what was tried there.
"""

from __future__ import annotations

import hashlib
import math
import secrets
import time
from collections.abc import Callable, Sequence

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from server import clock
from server.classes.classroom import Event
from server.classes.refusals import too_many_codes

BY_ADDRESS = RateLimitItemPerMinute(10)
IN_ALL = RateLimitItemPerMinute(100)
KIND = "wrong_code"
CLOCK_S = 5.0  # by which a clock is set, and does not only drift


class WrongCodes:
    """Counts wrong codes of each address and of all, over the last minute.

    publish: sends to the other replicas that somebody has tried one.
    """

    def __init__(self, publish: Callable[[Sequence[Event]], None]) -> None:
        self._publish = publish
        self._begin()
        self._own = secrets.token_hex(8)  # replicas hear their own messages, too

    def check(self, address: str) -> None:
        """Raises: Problem where this address, or all together, have tried too many."""
        if abs(clock.moved_s() - self._moved_s) > CLOCK_S:
            self._begin()
        for item, names in _counted(_shortened(address)):
            if not self._limiter.test(item, *names):
                until = self._limiter.get_window_stats(item, *names).reset_time
                raise too_many_codes(max(1, math.ceil(until - time.time())))

    def count(self, address: str) -> None:
        """One more from this address, here."""
        name = _shortened(address)
        self._count(name)
        self._publish([(0, KIND, {"address": name, "replica": self._own})])

    def hear(self, events: Sequence[Event]) -> None:
        """Count what was tried at other replicas."""
        for _, kind, data in events:
            name, replica = data.get("address"), data.get("replica")
            if kind == KIND and isinstance(name, str) and replica != self._own:
                self._count(name)

    def _begin(self) -> None:
        """Count from nothing: the library's minutes are those of the machine's clock, which may be set."""
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._moved_s = clock.moved_s()

    def _count(self, name: str) -> None:
        for item, names in _counted(name):
            self._limiter.hit(item, *names)


def _shortened(address: str) -> str:
    """What stands for an address, so that none is sent about."""
    return hashlib.blake2b(address.encode(), digest_size=8).hexdigest()


def _counted(name: str) -> tuple[tuple[RateLimitItem, tuple[str, ...]], ...]:
    return (BY_ADDRESS, ("address", name)), (IN_ALL, ("all",))
