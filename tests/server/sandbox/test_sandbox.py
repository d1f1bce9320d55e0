"""The sandbox: what a process that has given it up can no longer do, and what works as before."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from engine.programs import ProgramRequest
from server.sandbox import sandbox as module
from server.sandbox.landlock import landlock_version
from server.sandbox.sandbox import missing_parts, readable, without
from server.sandbox.seccomp import ALLOW, DENY, MISSING, Instruction, filter_for, has_seccomp
from server.workers.tasks import answer_comparison
from server.workers.workers import Workers
from tests.limits import ROOMY
from tests.server.hostile import opens, status
from tests.server.workers.test_workers import with_workers

pytestmark = pytest.mark.slow  # starts processes of its own

needs_landlock = pytest.mark.skipif(not landlock_version(), reason="this kernel has no Landlock")
needs_seccomp = pytest.mark.skipif(not has_seccomp(), reason="this kernel filters no system calls")

TRIES = """
import json, os, resource, signal, socket, subprocess, sys, threading
from pathlib import Path
from server.sandbox.sandbox import Sandbox, close
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
outcomes = {}
for name, attempt in tries.items():
    try:
        attempt()
        outcomes[name] = "works"
    except OSError as error:
        outcomes[name] = os.strerror(error.errno) if error.errno else repr(error)
print(json.dumps(outcomes))
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
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
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
    outcomes: dict[str, str], attempt: str
) -> None:
    assert outcomes[attempt] == "Operation not permitted"


@needs_landlock
@pytest.mark.parametrize("attempt", LANDLOCK_DENIES)
def test_files_that_no_program_needs_are_out_of_reach(outcomes: dict[str, str], attempt: str) -> None:
    assert outcomes[attempt] == "Permission denied"


@pytest.mark.parametrize("attempt", WORKS)
def test_what_a_worker_needs_works_as_before(outcomes: dict[str, str], attempt: str) -> None:
    assert outcomes[attempt] == "works"


@needs_seccomp
def test_a_worker_has_given_it_all_up_before_it_takes_work() -> None:
    async def use(workers: Workers) -> None:
        outcomes = await workers.run(status)
        assert (outcomes["NoNewPrivs"], outcomes["Seccomp"]) == ("1", "2")  # 2: by a filter
        if landlock_version():
            with pytest.raises(PermissionError):
                await workers.run(opens, "/etc/passwd")

    with_workers(use)


def test_what_a_worker_loads_later_is_found_in_the_sandbox() -> None:
    async def use(workers: Workers) -> None:
        answer = await workers.run(
            answer_comparison, "p_1", ProgramRequest("y = exp(sin(x))"), None, None, ROOMY
        )
        assert json.loads(gzip.decompress(answer.packed))["symbolic"]["value"]  # by SymPy

    with_workers(use, wall_s=60)


def test_where_the_kernel_lacks_a_part_it_is_reported_and_programs_run_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "landlock_version", lambda: 0)
    monkeypatch.setattr(module, "has_seccomp", lambda: False)
    assert [part.partition(" ")[0] for part in missing_parts()] == ["Landlock", "seccomp"]
    module.close(module.Sandbox(10**9))  # which would hold for this process

    async def use(workers: Workers) -> None:
        await workers.start()

    with capture_logs() as logged:
        with_workers(use, wall_s=60)
    assert [(line["log_level"], line["event"], line["missing"]) for line in logged] == [
        ("warning", "workers run without a part of their sandbox", missing_parts())
    ]


def test_the_services_own_folder_is_left_out_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("code/engine", "code/data/store", "code/data/other"):
        (tmp_path / name).mkdir(parents=True)
    code = tmp_path / "code"
    assert list(without(code, None)) == [code]
    assert list(without(code, tmp_path / "elsewhere")) == [code]
    assert list(without(code, code / "data")) == [code / "engine"]
    assert sorted(without(code, code / "data" / "store")) == [code / "data" / "other", code / "engine"]
    assert list(without(code, code)) == []
    assert list(without(code, tmp_path)) == [code]  # whoever keeps answers above the code keeps it readable
    own = Path(module.__file__).parent.parent.parent
    assert own in set(readable(None))


def decide(steps: list[Instruction], architecture: int, call: int, *arguments: int) -> int:
    """What the filter returns for a call, as the kernel runs it."""
    seen = {0: call, 4: architecture, **{16 + 8 * place: value for place, value in enumerate(arguments)}}
    place, loaded = 0, 0
    while True:
        step = steps[place]
        place += 1
        if step.code == 0x06:
            return step.k
        if step.code == 0x20:
            loaded = seen.get(step.k, 0)
        else:
            holds = {0x15: loaded == step.k, 0x35: loaded >= step.k, 0x45: bool(loaded & step.k)}[step.code]
            place += step.if_true if holds else step.if_false


X86, ARM = ("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)
CLONE_THREAD, CLONE_NEWUSER = 0x10000, 0x10000000


@pytest.mark.parametrize(
    ("machine", "call", "arguments", "decision"),
    [
        (X86, 0, (), ALLOW),  # read
        (X86, 41, (), DENY),  # socket
        (X86, 59, (), DENY),  # execve
        (X86, 59 | 0x40000000, (), DENY),  # by the other table
        (X86, 0 | 0x40000000, (), DENY),
        (X86, 435, (), MISSING),  # clone3
        (X86, 56, (CLONE_THREAD,), ALLOW),
        (X86, 56, (17,), DENY),  # a process
        (X86, 56, (CLONE_THREAD | CLONE_NEWUSER,), DENY),
        (X86, 62, (77, 9), ALLOW),  # kill itself
        (X86, 62, (78, 9), DENY),
        (X86, 62, (0, 9), DENY),  # the whole group
        (X86, 62, (2**32 - 1, 9), DENY),  # all
        (X86, 234, (77, 77, 6), ALLOW),  # as abort() does
        (X86, 302, (0, 4), ALLOW),  # prlimit
        (X86, 302, (77, 4), ALLOW),
        (X86, 302, (78, 4), DENY),
        (X86, 16, (0, 0x5412), DENY),  # types on the terminal
        (X86, 16, (0, 0x541C), DENY),
        (X86, 16, (0, 0x5401), ALLOW),  # asks whether it is one
        (ARM, 63, (), ALLOW),  # read
        (ARM, 198, (), DENY),  # socket
        (ARM, 221, (), DENY),  # execve
        (ARM, 435, (), MISSING),
        (ARM, 220, (CLONE_THREAD,), ALLOW),
        (ARM, 220, (17,), DENY),
        (ARM, 129, (77, 9), ALLOW),
        (ARM, 129, (78, 9), DENY),
        (ARM, 261, (0, 4), ALLOW),
        (ARM, 261, (78, 4), DENY),
        (ARM, 29, (0, 0x5412), DENY),
    ],
)
def test_the_filter_decides_by_number_and_argument(
    machine: tuple[str, int], call: int, arguments: tuple[int, ...], decision: int
) -> None:
    name, architecture = machine
    assert decide(filter_for(name, process=77), architecture, call, *arguments) == decision


def test_calls_of_another_architecture_are_denied() -> None:
    assert decide(filter_for("x86_64", process=77), 0x40000003, 3) == DENY  # 32 bits: read
