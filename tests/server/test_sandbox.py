"""The sandbox: what a process that has given it up can no longer do, and what works as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from server.landlock import landlock_version
from server.sandbox import Sandbox, missing_parts, readable, without
from server.seccomp import ALLOW, DENIED, DENY, MISSING, filter_for, has_seccomp
from server.settings import Settings
from server.store import Store
from tests.server.test_workers import with_workers

needs_landlock = pytest.mark.skipif(not landlock_version(), reason="this kernel has no Landlock")
needs_seccomp = pytest.mark.skipif(not has_seccomp(), reason="this kernel filters no system calls")

TRIES = """
import json, os, resource, signal, socket, subprocess, sys, threading
from pathlib import Path
from server.sandbox import Sandbox, close
folder, other = Path(sys.argv[1]), int(sys.argv[2])
close(Sandbox(10**9, folder / "pipes", folder / "data"))

def kernel(number, *arguments):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "")

tries = {
    "socket": lambda: socket.socket(),
    "unix socket": lambda: socket.socket(socket.AF_UNIX),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "start a program": lambda: subprocess.run(["/bin/true"]),
    "fork": lambda: os._exit(0) if os.fork() == 0 else None,
    "unshare": lambda: os.unshare(0x10000000) if hasattr(os, "unshare") else kernel(272, 0x10000000),
    "signal another": lambda: os.kill(other, 0),
    "signal the group": lambda: os.kill(0, 0),
    "limit another": lambda: resource.prlimit(other, resource.RLIMIT_CORE, (0, 0)),
    "change rights": lambda: os.chmod(folder / "data" / "store", 0o777),
    "change owners": lambda: os.chown(folder / "data" / "store", -1, -1),
    "read passwords": lambda: open("/etc/passwd").read(),
    "read the store": lambda: open(folder / "data" / "store").read(),
    "list the store": lambda: os.listdir(folder / "data"),
    "read another's memory": lambda: open(f"/proc/{other}/maps").read(),
    "write": lambda: open(folder / "new", "w"),
    "write over": lambda: open(folder / "data" / "store", "r+"),
    "make a folder": lambda: os.mkdir(folder / "made"),
    "remove": lambda: os.unlink(folder / "data" / "store"),
    "list the pipes": lambda: os.listdir(folder / "pipes"),
    "make a pipe": lambda: os.mkfifo(folder / "pipes" / "another"),
    "open a pipe": lambda: os.open(folder / "pipes" / "pipe", os.O_WRONLY | os.O_NONBLOCK),
    "signal itself": lambda: os.kill(os.getpid(), 0),
    "limit itself": lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    "start a thread": lambda: threading.Thread(target=int).start(),
    "import": lambda: __import__("sympy"),
    "time zones": lambda: __import__("zoneinfo").ZoneInfo("UTC"),
    "random": lambda: os.urandom(8) + open("/dev/urandom", "rb").read(8),
    "throw away": lambda: open("/dev/null", "w").write("x"),
    "read itself": lambda: open("/proc/self/status").read(),
}
told = {}
for name, attempt in tries.items():
    try:
        attempt()
        told[name] = "works"
    except OSError as error:
        told[name] = os.strerror(error.errno) if error.errno else repr(error)
print(json.dumps(told))
"""
SECCOMP_DENIES = (
    *("socket", "unix socket", "exec", "start a program", "fork", "unshare"),
    *("signal another", "signal the group", "limit another", "change rights", "change owners"),
)
LANDLOCK_DENIES = (
    *("read passwords", "read the store", "list the store", "read another's memory", "write", "write over"),
    *("make a folder", "remove", "list the pipes", "make a pipe"),
)
WORKS = (
    *("open a pipe", "signal itself", "limit itself", "start a thread", "import"),
    *("time zones", "random", "throw away", "read itself"),
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each attempt comes to in a process that has given up what a worker gives up."""
    folder = tmp_path_factory.mktemp("service")
    for name in ("data", "pipes"):
        (folder / name).mkdir()
    (folder / "data" / "store").write_text("answers")
    os.mkfifo(folder / "pipes" / "pipe")
    reader = os.open(folder / "pipes" / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    command = [sys.executable, "-W", "ignore", "-c", TRIES, str(folder), str(os.getpid())]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    os.close(reader)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, str] = json.loads(ran.stdout)
    return found


@needs_seccomp
@pytest.mark.parametrize("attempt", SECCOMP_DENIES)
def test_the_network_other_programs_and_processes_are_out_of_reach(
    told: dict[str, str], attempt: str
) -> None:
    assert told[attempt] == "Operation not permitted"


@needs_landlock
@pytest.mark.parametrize("attempt", LANDLOCK_DENIES)
def test_files_that_no_program_needs_are_out_of_reach(told: dict[str, str], attempt: str) -> None:
    assert told[attempt] == "Permission denied"


@pytest.mark.parametrize("attempt", WORKS)
def test_what_a_worker_needs_works_as_before(told: dict[str, str], attempt: str) -> None:
    assert told[attempt] == "works"
