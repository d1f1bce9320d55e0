"""Ready or not: looked at by writing, seldom and briefly, and reported part by part."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from server import readiness as module
from server.app import create_app
from server.readiness import Readiness
from server.settings import Settings


class Disk:
    """A store that counts how often it is written to, and may fail or hang."""

    def __init__(self, error: Exception | None = None, *, hangs: bool = False) -> None:
        self.writes = 0
        self.hangs = hangs
        self.error = error

    async def check_writing(self) -> None:
        """One write."""
        self.writes += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.error:
            raise self.error


class Pool:
    """Workers that are up."""

    alive = True


def readiness(disk: Any) -> Readiness:
    """What is ready of a service with this disk."""
    workers: Any = Pool()
    return Readiness(disk, workers)


def test_many_who_ask_write_once(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk()

    async def ask() -> None:
        asked = readiness(disk)
        for _ in range(50):
            assert await asked.parts() == {"store": True, "workers": True}
        assert disk.writes == 1
        monkeypatch.setattr(module, "CHECK_S", 0.0)
        await asked.parts()
        assert disk.writes == 2

    asyncio.run(ask())


def test_a_disk_that_hangs_is_not_ready_and_is_not_asked_again_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CHECK_S", 0.05)
    disk = Disk(hangs=True)

    async def ask() -> None:
        asked = readiness(disk)
        for _ in range(3):
            assert await asked.parts() == {"store": False, "workers": True}
        assert disk.writes == 1

    asyncio.run(ask())


def test_a_service_that_is_not_ready_says_which_part(tmp_path: Path) -> None:
    app = create_app(Settings(data_dir=tmp_path))
    app.state.readiness.store = Disk(error=OperationalError("", None, Exception("disk is full")))

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/api/v1/ready")

    response = asyncio.run(ask())
    document = response.json()
    assert (response.status_code, document["code"], document["where"]) == (503, "not_ready", "store, workers")
    assert document["detail"] == "The service is starting or recovering; not ready: store, workers."
    assert document["message_zh"] == "服务正在启动或恢复；尚未就绪：存储、工作进程。"
