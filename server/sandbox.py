"""What a worker process does to itself before and around its work: it gives up what a program must not have.

Workers are forked from a process that has this module loaded, so it imports no part of the web service.
"""

from __future__ import annotations

import gc
import logging
import os
import resource
import signal
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from multiprocessing import parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from server.landlock import landlock_version, restrict_files
from server.logs import set_up_logs
from server.seccomp import apply_filter, has_seccomp
from server.tasks import warm_up

NICENESS = 5  # people's programs yield to the event loop
OBJECTS_PER_COLLECTION = 100_000
LIBRARIES_BYTES = 500_000_000  # of address space beside a worker's own memory: numba's alone take 250 MB
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


def settle_in(sandbox: Sandbox) -> None:
    """Give up, in a new worker, what a program must not have; then take the first steps."""
    set_up_logs(logging.WARNING)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends at once, even inside a long call into C
    if (parent := parent_process()) is not None:
        end_with(parent.sentinel)
    if sys.platform != "darwin":  # macOS has the constants and refuses the limits
        lower(resource.RLIMIT_DATA, sandbox.memory_bytes)
        lower(resource.RLIMIT_AS, sandbox.memory_bytes + LIBRARIES_BYTES)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_CORE, 0)
    os.nice(NICENESS)
    if sandbox.closed:
        close(sandbox)
    warm_up()
    gc.freeze()  # the engine itself is never garbage
    gc.set_threshold(OBJECTS_PER_COLLECTION)  # building a graph makes many objects and no garbage


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
    own = Path(__file__).resolve().parent.parent  # where the packages `server` and `engine` lie
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


def end_with(sentinel: int) -> None:
    """End this process as soon as the one that asked for it has ended, whatever it was killed by.

    sentinel: a pipe whose other end that process holds open, and never writes to. Linux tells of its end by
              a signal, which ends a long call into C, too; elsewhere a thread waits for it.
    """
    if sys.platform == "linux":
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl(sentinel, F_SETOWN, os.getpid())
        fcntl(sentinel, F_SETFL, fcntl(sentinel, F_GETFL) | os.O_ASYNC)
        follow(sentinel, timeout=0)  # it may have ended before
    else:
        threading.Thread(target=follow, args=(sentinel, None), daemon=True).start()


def follow(sentinel: int, timeout: float | None) -> None:
    """End this process if that other end is closed in this time."""
    if wait([sentinel], timeout):
        os._exit(1)


def lower(limit: int, value: int) -> None:
    """Set a kernel limit for good, or keep it where it is lower already."""
    _, hard = resource.getrlimit(limit)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


def run_bounded(function: Callable[..., Any], cpu_s: int, *arguments: Any) -> Any:
    """Run `function` with at most `cpu_s` more seconds of processor time, then the kernel ends the worker."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + cpu_s + 1, hard))
    return function(*arguments)
