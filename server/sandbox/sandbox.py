"""The sandbox of a worker: it gives up files, the network and other processes, as far as the kernel can.

Workers load this, so it imports no part of the web service.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from server.sandbox.landlock import landlock_version, restrict_files
from server.sandbox.seccomp import apply_filter, has_seccomp

PACKAGES = ("site-packages", "dist-packages")
SYSTEM = (  # what libraries read when they are loaded or called for the first time
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone"),
    *("/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/i18n"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu"),
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"),
)


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a worker is left with.

    memory_bytes: of its own, which no other process shares.
    pipes:        a folder whose named pipes it may write to, each if it knows the name.
    hidden:       a folder that it may not read, wherever it lies.
    closed:       false leaves the network, files and other processes open, to look for a fault.
    """

    memory_bytes: int
    pipes: Path | None = None
    hidden: Path | None = None
    closed: bool = True


def close(sandbox: Sandbox) -> None:
    """Give up files, the network and other processes, as far as the kernel knows how to."""
    if landlock_version():
        writable = [Path("/dev/null"), *([sandbox.pipes] if sandbox.pipes else [])]
        restrict_files(readable(sandbox.hidden), writable)
    if has_seccomp():
        apply_filter()


def missing_parts() -> list[str]:
    """Which parts of the sandbox this system has not, in words."""
    landlock, seccomp = landlock_version(), has_seccomp()
    return [
        *([] if landlock else ["Landlock (a worker may read and change the service's files)"]),
        *([] if seccomp else ["seccomp (a worker may reach the network and other processes)"]),
    ]


def readable(hidden: Path | None) -> Iterator[Path]:
    """What modules are loaded from, now or later, and what libraries read; nothing of `hidden`."""
    own = Path(__file__).resolve().parent.parent.parent  # where the packages `server` and `engine` lie
    python = [
        Path(folder).resolve() for folder in (sys.prefix, sys.base_prefix, sysconfig.get_path("stdlib"))
    ]
    installed = [Path(folder).resolve() for folder in sys.path if Path(folder).name in PACKAGES]
    for folder in {own, *python, *installed, *map(Path, SYSTEM)}:
        yield from without(folder, hidden and hidden.resolve())


def without(folder: Path, hidden: Path | None) -> Iterator[Path]:
    """`folder`, or where `hidden` lies below it, all that lies beside that."""
    if hidden is None or folder not in (hidden, *hidden.parents):
        yield folder
    elif folder != hidden and folder.is_dir():
        for child in folder.iterdir():
            yield from without(child, hidden)
