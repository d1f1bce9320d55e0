"""How much memory there is for workers: what the machine has, or the container that the service runs in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from server.settings import Settings

SERVICE_BYTES = 300_000_000  # the service itself, with what its workers share
LEAST_BYTES = 256_000_000  # a worker takes 110 MB before its first program, and 190 MB with numba


def memory_needed(settings: Settings) -> int:
    """What the service takes when every worker has all that it may have."""
    return settings.workers * settings.worker_memory_bytes + SERVICE_BYTES


def fitted(settings: Settings, available_bytes: int) -> Settings:
    """The settings, with less memory for each worker where all of them together need more than there is."""
    if memory_needed(settings) <= available_bytes:
        return settings
    share = max(LEAST_BYTES, (available_bytes - SERVICE_BYTES) // settings.workers)
    return settings.model_copy(update={"worker_memory_bytes": min(share, settings.worker_memory_bytes)})


def what_was_lowered(wanted: Settings, settings: Settings, available_bytes: int) -> str:
    """One line for whoever starts the service; empty where nothing was lowered and all fits."""
    if memory_needed(wanted) <= available_bytes:
        return ""
    mb, of_mb = settings.worker_memory_bytes // 10**6, available_bytes // 10**6
    too_many = "" if memory_needed(settings) <= available_bytes else " That is still too much: set fewer."
    return f"{settings.workers} workers share {of_mb:,} MB of memory: {mb:,} MB for each.{too_many}"


def available_memory(root: Path = Path("/")) -> int:
    """The machine's memory, or what the control groups of this process leave it of that."""
    machine_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine_bytes, *group_limits(root)])


def group_limits(root: Path) -> Iterator[int]:
    """The limit of each control group that this process is in; a container sees its own at the top.

    Source: Linux, Documentation/admin-guide/cgroup-v2.rst, "memory.max", where "max" is no limit; and
            cgroup-v1/memory.rst, "memory.limit_in_bytes", where a number beyond all memory is none.
    """
    groups = own_groups(root)
    mounted = root / "sys/fs/cgroup"
    for hierarchy, file, marked in (
        (mounted, "memory.max", ""),
        (mounted / "memory", "memory.limit_in_bytes", "memory"),
    ):
        for group in (hierarchy / groups.get(marked, "") / "inmost").parents:
            if group.is_relative_to(hierarchy):
                with suppress(OSError, ValueError):
                    yield int((group / file).read_text())


def own_groups(root: Path) -> dict[str, str]:
    """The path of each control group of this process, by what it is for; "" is for all in one."""
    lines: list[str] = []
    with suppress(OSError):
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    return {what: path.lstrip("/") for _, what, path in (line.split(":", 2) for line in lines)}
