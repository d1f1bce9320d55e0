"""Hurt the replicas of `docker-compose.scale.yml` while a class follows: faults, and an upgrade.

python -m tests.reliability.classes.containers [--students 60] [--only fault …]

The compose file has to be up (`docker compose -f docker-compose.scale.yml up --build --wait`). Each fault
comes and goes while a teacher shows two steps a second; then every student must have every event once and in
order. The upgrade is to a version whose tables have one step more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.reliability.classes.members import Listener, Room, joined, missing_and_disordered
from tests.reliability.figures import Figure, spread
from tests.reliability.http import Connection, Target

ROOT = Path(__file__).parents[3]
COMPOSE = ("docker", "compose", "-f", "docker-compose.scale.yml")
PORT = 8000
PAUSE_S = 0.5  # between two steps that are shown
HURT_S = 6.0  # how long a fault lasts
CALM_S = 6.0  # in which all heals
MIGRATION = '''"""Nothing but a table, to be tried."""

import sqlalchemy as sa
from alembic import op

revision = "v999"
down_revision = "{newest}"


def upgrade() -> None:
    op.create_table("tried", sa.Column("number", sa.Integer, primary_key=True))
'''

Fault = Callable[[], Awaitable[None]]


async def command(*words: str, folder: Path = ROOT) -> str:
    """Run a command to its end. Returns: what it has printed. Raises: RuntimeError where it fails."""
    process = await asyncio.create_subprocess_exec(
        *words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    printed, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)}: {printed.decode()[-2_000:]}")
    return printed.decode()


async def paused(service: str) -> None:
    """Freeze a service, and let it go on."""
    await command(*COMPOSE, "pause", service)
    await asyncio.sleep(HURT_S)
    await command(*COMPOSE, "unpause", service)


async def killed(service: str) -> None:
    """Kill a service, and start it again."""
    await command(*COMPOSE, "kill", "--signal", "KILL", service)
    await asyncio.sleep(HURT_S)
    await command(*COMPOSE, "up", "--detach", "--no-build", "--no-deps", "--no-recreate", "--wait", service)


async def cut(service: str) -> None:
    """Take a service off the network, and bring it back."""
    container = (await command(*COMPOSE, "ps", "--quiet", service)).strip()
    names = "{{range $name, $_ := .NetworkSettings.Networks}}{{$name}} {{end}}"
    [network] = (await command("docker", "inspect", "--format", names, container)).split()
    await command("docker", "network", "disconnect", network, container)
    await asyncio.sleep(HURT_S)
    await command("docker", "network", "connect", "--alias", service, network, container)


async def upgraded() -> None:
    """Replace one replica after the other by a version whose tables have one step more."""
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary) / ROOT.name
        left_out = shutil.ignore_patterns(".git", ".venv*", "node_modules", "tests", "__pycache__")
        shutil.copytree(ROOT, project, ignore=left_out)
        steps = sorted((project / "server/store/migrations/versions").glob("v*.py"))
        newest = steps[-1].name.partition("_")[0]
        (steps[-1].parent / "v999_tried.py").write_text(MIGRATION.format(newest=newest))
        await command(*COMPOSE, "build", "app1", "app2", folder=project)
        for service in ("app1", "app2"):
            await command(
                *COMPOSE, "up", "--detach", "--no-build", "--no-deps", "--wait", service, folder=project
            )


FAULTS: dict[str, Fault] = {
    f"{what} {service}": partial(fault, service)
    for service in ("app1", "app2", "redis", "postgres")
    for what, fault in (("pause", paused), ("kill", killed))
} | {"cut redis": partial(cut, "redis"), "cut postgres": partial(cut, "postgres"), "upgrade": upgraded}


class Follower(Listener):
    """A student whose page connects again, a second after the connection was lost, wherever it is let in."""

    async def stay(self, target: Target) -> None:
        """Follow until the end."""
        while not self._leaves:
            if not self.connected:
                with suppress(OSError):
                    await self.connect(target)
            await asyncio.sleep(1.0)


class Teacher:
    """Shows one step after the other, and tries again where that failed. written: answers by their status."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.over = False
        self.refused_s: list[float] = []  # when a step was refused
        self.times_s: list[float] = []  # how long each that was shown took

    async def teach(self) -> None:
        """Go on until it is over."""
        step = 0
        while not self.over:
            began = time.perf_counter()
            if await self._show(step):
                self.times_s.append(time.perf_counter() - began)
                step += 1
            else:
                self.refused_s.append(began)
            await asyncio.sleep(max(0.0, began + PAUSE_S - time.perf_counter()))

    async def _show(self, step: int) -> bool:
        shown = {"link": "?example=g01", "step": step, "node": None, "mode": "follow"}
        with suppress(OSError, TimeoutError, ValueError, AssertionError):
            async with asyncio.timeout(5):
                connection = await Connection.open(self.room.target)
                status, _, _ = await connection.ask(self.room.request("PUT", "/state", shown))
                connection.close()
                return status == 204
        return False

    async def last_event(self) -> int:
        """The number of the last event of the class."""
        connection = await Connection.open(self.room.target)
        status, _, body = await connection.ask(self.room.request("GET", "/poll?after=0"))
        connection.close()
        assert status == 200, body
        seq: int = json.loads(body)["seq"]
        return seq


async def hurt(students: int, name: str, fault: Fault) -> list[Figure]:
    """What a class of so many meets while one fault comes and goes."""
    room = await Room.open(Target(PORT))
    followers = [Follower(room, token) for token in await joined(room, students)]
    staying = [asyncio.ensure_future(each.stay(room.target)) for each in followers]
    teacher = Teacher(room)
    teaching = asyncio.ensure_future(teacher.teach())
    await asyncio.sleep(2.0)
    await fault()
    healed_s = time.perf_counter()
    await asyncio.sleep(CALM_S)
    teacher.over = True
    await teaching
    last = await teacher.last_event()
    await _heard(followers, last)
    for each in followers:
        each.leave()
    await asyncio.gather(*staying)
    missing, disordered = missing_and_disordered(followers, last)
    late_s = max((each - healed_s for each in teacher.refused_s), default=0.0)
    return [
        Figure(f"{name}: events that a student did not get, of {last} for each", missing),
        Figure(f"{name}: students who had events twice or out of order", disordered),
        Figure(f"{name}: steps that were refused meanwhile", len(teacher.refused_s), "", None),
        Figure(f"{name}: refused for so long after it was over", max(late_s, 0.0), "s", 5, timed=True),
        Figure(f"{name}: connections that were lost", sum(each.lost for each in followers), "", None),
        *spread(f"{name}: to show a step", teacher.times_s),
    ]


async def _heard(followers: Sequence[Follower], last: int) -> None:
    """Wait until each has heard the last event, ten seconds at most."""
    until = time.perf_counter() + 10
    while time.perf_counter() < until and any(each.heard[-1:] != [last] for each in followers):
        await asyncio.sleep(0.05)


def main() -> int:
    """Hurt what is up, print the figures, and say whether all are within their bounds."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability.classes.containers")
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    options = parser.parse_args()
    passes = True
    for name in options.only:
        figures = asyncio.run(hurt(options.students, name, FAULTS[name]))
        print(*figures, sep="\n", flush=True)
        passes = passes and all(figure.passes for figure in figures)
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main())
