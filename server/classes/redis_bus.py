"""The bus between replicas: one channel of Redis, to which all publish and which all hear.

Each replica also publishes a beat every second. Who hears nothing for a while, not even its own beat, knows
that Redis is away or frozen, and connects anew until it is back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.classes.bus import Hear, packed, unpacked
from server.classes.classroom import Event

CHANNEL = "gradlens:classes"
ANSWER_S = 1.0  # for Redis to answer in
BEAT_S = 1.0
SILENCE_S = 2.5  # without a beat; then Redis is away
AGAIN_S = 0.5  # after which to connect anew
MOST_WAITING = 1_000  # messages; the oldest make room, and are found in the store
BEAT = b""

AWAY = (RedisError, OSError, TimeoutError)

log = structlog.get_logger("gradlens")


class RedisBus:
    """Carries events by Redis's publish and subscribe, which keeps nothing of them."""

    is_alone = False

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(
            url, socket_connect_timeout=ANSWER_S, socket_timeout=ANSWER_S, retry=Retry(NoBackoff(), 0)
        )
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._tasks: list[asyncio.Future[None]] = []
        self._heard_at = -SILENCE_S
        self._is_away = False
        self._has_stopped = False

    @property
    def is_joined(self) -> bool:
        """Whether a beat has come back lately."""
        return time.monotonic() - self._heard_at < SILENCE_S

    async def start(self, hear: Hear) -> None:
        """Begin to publish and to hear, as soon as Redis is there."""
        self._tasks = [
            asyncio.ensure_future(each) for each in (self._keep_publishing(), self._keep_hearing(hear))
        ]

    async def stop(self) -> None:
        """Leave the channel."""
        self._has_stopped = True  # the client of Redis may swallow that a task is cancelled
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    def publish(self, code: str, events: Sequence[Event]) -> None:
        """Put events in line."""
        if self._waiting.full():
            self._waiting.get_nowait()
        self._waiting.put_nowait(packed(code, events))

    async def _keep_publishing(self) -> None:
        while not self._has_stopped:
            message = BEAT
            try:
                async with asyncio.timeout(BEAT_S):
                    message = await self._waiting.get()
            except TimeoutError:
                pass  # nothing to say but that one is there
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self._client.publish(CHANNEL, message)
            except AWAY:
                self._drop_waiting()
                await asyncio.sleep(AGAIN_S)

    async def _keep_hearing(self, hear: Hear) -> None:
        while not self._has_stopped:
            try:
                await self._hear_until_silence(hear)
            except AWAY as error:
                if not self._is_away:
                    log.warning(
                        "Redis is away; classes are followed in the store", error=type(error).__name__
                    )
                self._is_away = True
            await asyncio.sleep(AGAIN_S)

    async def _hear_until_silence(self, hear: Hear) -> None:
        """Hear what is published. Raises: TimeoutError after a silence; RedisError or OSError."""
        async with self._client.pubsub(ignore_subscribe_messages=True) as channel:
            async with asyncio.timeout(SILENCE_S):
                await channel.subscribe(CHANNEL)
            while not self._has_stopped:
                async with asyncio.timeout(SILENCE_S):
                    while (message := await channel.get_message(timeout=SILENCE_S)) is None:
                        pass
                self._heard(message["data"], hear)

    def _heard(self, message: bytes, hear: Hear) -> None:
        if self._is_away:
            log.warning("Redis is back")
        self._is_away = False
        self._heard_at = time.monotonic()
        if message == BEAT:
            return
        try:
            code, events = unpacked(message)
        except ValueError:
            log.warning("a message on the bus is no event")
            return
        hear(code, events)

    def _drop_waiting(self) -> None:
        """Let go of what could not be sent: by then it has been found in the store."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
