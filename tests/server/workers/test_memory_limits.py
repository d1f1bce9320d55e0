"""Limits that add up: the workers together never get more than there is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gradlens import serve
from server.settings import Settings
from server.workers.memory_limits import (
    LEAST_BYTES,
    available_memory,
    fitted,
    memory_needed,
    what_was_lowered,
)

GB = 10**9
WANTED = Settings(workers=4, worker_memory_bytes=GB)  # 4.3 GB with the service


def test_limits_that_fit_stay_as_they_are() -> None:
    assert fitted(WANTED, 5 * GB) == WANTED
    assert what_was_lowered(WANTED, WANTED, 5 * GB) == ""


def test_limits_that_do_not_fit_are_lowered_to_a_share() -> None:
    settings = fitted(WANTED, int(2.3 * GB))
    assert settings.worker_memory_bytes == GB // 2  # (2.3 - 0.3) / 4
    assert memory_needed(settings) <= int(2.3 * GB)
    line = what_was_lowered(WANTED, settings, int(2.3 * GB))
    assert line == "4 workers share 2,300 MB of memory: 500 MB for each."


def test_no_worker_gets_less_than_it_starts_with() -> None:
    settings = fitted(WANTED, GB // 2)
    assert settings.worker_memory_bytes == LEAST_BYTES
    assert what_was_lowered(WANTED, settings, GB // 2).endswith("That is still too much: set fewer.")


def test_whoever_starts_the_service_reads_what_was_lowered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "available_memory", lambda: int(2.3 * GB))
    assert serve.within_memory(WANTED).worker_memory_bytes == GB // 2
    assert capsys.readouterr().err == "4 workers share 2,300 MB of memory: 500 MB for each.\n"
    monkeypatch.setattr(serve, "available_memory", lambda: 5 * GB)
    assert serve.within_memory(WANTED) == WANTED
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        ({"": "max", "school": "max", "school/gradlens": "2000000"}, 2_000_000),
        ({"": "max", "school": "1000000", "school/gradlens": "2000000"}, 1_000_000),
        ({"": "3000000"}, 3_000_000),  # as a container sees its own
        ({"memory/older": "4000000", "memory": "9223372036854771712"}, 4_000_000),  # in the first version
        ({}, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")),
    ],
)
def test_the_smallest_limit_counts(tmp_path: Path, limits: dict[str, str], found: int) -> None:
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "self" / "cgroup").write_text(
        "4:memory:/older\n1:name=systemd:/\n0::/school/gradlens\n"
    )
    for group, limit in limits.items():
        folder = tmp_path / "sys" / "fs" / "cgroup" / group
        folder.mkdir(parents=True, exist_ok=True)
        name = "memory.limit_in_bytes" if group.startswith("memory") else "memory.max"
        (folder / name).write_text(f"{limit}\n")
    assert available_memory(tmp_path) == found
