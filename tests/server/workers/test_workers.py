"""Worker processes: each hostile function costs one worker its life and nobody else anything."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from pebble import ProcessFuture
from pebble.pool.base_pool import Task

from engine.execution.budget import Limits
from server.http.problems import Problem
from server.sandbox.landlock import landlock_version
from server.settings import Settings
from server.workers.pool import FairManager, make_pool
from server.workers.worker_process import Finished, run_bounded
from server.workers.workers import CutShort, Workers
from tests.server.hostile import compiled_before, deaf, endless, gone, greedy, loaded, quick, whoami, writes

pytestmark = pytest.mark.slow  # starts workers of its own


def with_workers(use: Callable[[Workers], Awaitable[None]], **settings: Any) -> None:
    """Call `use` with two workers, whose programs may run for a second and overrun by half of one."""

    async def start_and_stop() -> None:
        limits = Limits(wall_s=settings.pop("wall_s", 1))
        workers = Workers(
            Settings(
                **{"workers": 2, "limits": limits, "grace_s": 0.5, "worker_memory_bytes": 10**9, **settings}
            )
        )
        try:
            await use(workers)
        finally:
            await workers.stop()

    asyncio.run(start_and_stop())


@pytest.mark.parametrize(
    ("function", "wall_s", "reason"),
    [(endless, 1, "wall_time"), (deaf, 1, "wall_time"), (greedy, 60, "memory"), (gone, 60, "worker_lost")],
    ids=["endless", "deaf", "greedy", "gone"],
)
def test_hostile_work_is_cut_short_and_the_next_work_is_done(
    function: Callable[..., Any], wall_s: float, reason: str
) -> None:
    async def use(workers: Workers) -> None:
        with pytest.raises(CutShort) as cut:
            await workers.run(function)
        assert cut.value.reason == reason
        assert (await workers.run(quick, "next")).id == "next"

    with_workers(use, wall_s=wall_s)


def test_work_whose_turn_does_not_come_in_time_is_turned_away_and_its_place_is_free() -> None:
    async def use(workers: Workers) -> None:
        busy = asyncio.ensure_future(workers.run(endless))  # one client has half of the two workers
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await workers.run(quick, "late")
        assert (refused.value.status, refused.value.code) == (503, "overloaded")
        assert (workers.stopped["queue_too_long"], workers.waiting, workers.running) == (1, 0, 1)
        busy.cancel()
        await asyncio.gather(busy, return_exceptions=True)

    with_workers(use, wall_s=60, queue_s=0.2)


def test_a_neighbour_of_hostile_work_goes_on() -> None:
    async def use(workers: Workers) -> None:
        await workers.run(quick, "awake")
        hostile = asyncio.ensure_future(workers.run(endless))
        answers = [await workers.run(quick, str(number)) for number in range(20)]
        assert [answer.id for answer in answers] == [str(number) for number in range(20)]
        with pytest.raises(CutShort):
            await hostile

    with_workers(use)


def test_a_pool_that_lost_an_idle_worker_is_replaced() -> None:
    async def use(workers: Workers) -> None:
        idle = int((await workers.run(whoami)).id)
        os.kill(idle, signal.SIGKILL)
        while workers.alive:
            await asyncio.sleep(0.01)
        assert (await workers.run(quick, "anew")).id == "anew"

    with_workers(use)


def test_work_is_done_although_its_idle_worker_was_just_killed() -> None:
    async def use(workers: Workers) -> None:
        for turn in range(3):
            os.kill(int((await workers.run(whoami)).id), signal.SIGKILL)
            assert (await workers.run(quick, str(turn))).id == str(turn)

    with_workers(use, wall_s=60, workers=1)


def test_work_is_done_although_pool_after_pool_is_lost_before_a_worker_takes_it() -> None:
    lost: ProcessFuture[Finished] = ProcessFuture()
    lost.set_exception(BrokenProcessPool("All workers expired"))
    finished = Finished("done", None)
    done: ProcessFuture[Finished] = ProcessFuture()
    done.set_result(finished)
    pools = [lost, lost, lost, done]

    async def use(workers: Workers) -> None:
        assert await workers._finished(lambda: pools.pop(0)) is finished

    with_workers(use)
    assert not pools


def test_once_all_is_stopped_no_work_is_begun_or_taken_up_again() -> None:
    lost: ProcessFuture[Finished] = ProcessFuture()
    lost.set_exception(BrokenProcessPool("All workers expired"))

    async def use(workers: Workers) -> None:
        def schedule() -> ProcessFuture[Finished]:
            return pools.pop() if pools else workers._live_pool().schedule(run_bounded, args=(quick, 1))

        pools = [lost]
        await workers.run(quick, "awake")
        await workers.stop()
        late = (
            workers.run(quick, "late"),
            workers._finished(schedule),
        )
        refused = await asyncio.gather(*late, return_exceptions=True)
        assert [getattr(problem, "code", problem) for problem in refused] == ["overloaded"] * 2
        assert not workers.alive

    with_workers(use)


def test_a_worker_is_not_stopped_for_work_that_it_may_have_left_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    manager = FairManager(make_pool(Settings())._context, multiprocessing.get_context("forkserver"))
    manager.worker_manager.create_channels()
    cancelled: ProcessFuture[None] = ProcessFuture()
    manager.task_manager.register(Task(1, cancelled, None, None))  # type: ignore[arg-type]  # no payload
    manager.task_manager.task_start(1, worker_id=77)
    cancelled.cancel()
    stopped: list[int] = []
    monkeypatch.setattr(manager.worker_manager, "maybe_stop_worker", lambda worker: stopped.append(worker))
    worker, pool = manager.worker_manager.workers_channel, manager.worker_manager.pool_channel
    assert worker is not None
    assert pool is not None
    worker.send("done with it, and at the next")
    manager.update_tasks()
    assert stopped == []
    pool.recv()
    manager.update_tasks()
    assert stopped == [77]


def test_a_worker_that_ran_out_of_memory_does_not_take_the_next_work() -> None:
    async def use(workers: Workers) -> None:
        first = (await workers.run(whoami)).id
        with pytest.raises(CutShort):
            await workers.run(greedy)
        await asyncio.to_thread(ended, int(first))
        assert (await workers.run(whoami)).id != first

    with_workers(use, wall_s=60, workers=1)


def ended(process: int) -> None:
    """Wait until a process has ended."""
    while is_running(process):
        time.sleep(0.01)


def test_a_new_worker_has_taken_steps_of_an_optimizer_before_anybody_asks() -> None:
    async def use(workers: Workers) -> None:
        assert int((await workers.run(compiled_before)).id) > 0

    with_workers(use)


def test_a_new_worker_loads_the_engine_and_no_part_of_the_web_service() -> None:
    async def use(workers: Workers) -> None:
        packages = set((await workers.run(loaded)).id.split())
        assert "engine" in packages
        assert packages.isdisjoint({"fastapi", "pydantic", "sqlalchemy", "structlog", "uvicorn"})

    with_workers(use)


@pytest.mark.parametrize("work", ["endless", "deaf"])
def test_a_worker_ends_with_the_process_that_it_works_for(work: str, tmp_path: Path) -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER, work, str(tmp_path)])
    try:
        while not (found := [int(path.name) for path in tmp_path.iterdir()]):
            assert owner.poll() is None
            time.sleep(0.01)
        (worker,) = found
        assert is_running(worker)  # it does not end before
    finally:
        owner.kill()
        owner.wait()
    ended(worker)  # or this test is ended: the work takes longer than any test may


def is_running(process: int) -> bool:
    """Whether there is such a process that has not ended; nobody may have asked how it did."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


OWNER = """
import asyncio, sys
from engine.execution.budget import Limits
from server.settings import Settings
from server.workers.workers import Workers
from tests.server import hostile
workers = Workers(Settings(workers=1, limits=Limits(wall_s=300), sandbox=False))  # it leaves a file
asyncio.run(workers.run(hostile.announcing, sys.argv[2], getattr(hostile, sys.argv[1])))
"""


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_process_whose_owner_has_ended_before_it_looks_ends_too(platform: str) -> None:
    theirs, ours = os.pipe()
    os.close(ours)
    ends = f"from server.workers.worker_process import end_with; end_with({theirs}); time.sleep(60)"
    command = [sys.executable, "-c", f"import sys, time; sys.platform = {platform!r}; {ends}"]
    assert subprocess.run(command, pass_fds=[theirs], timeout=50, check=False).returncode == 1
    os.close(theirs)


def test_where_no_signal_announces_its_end_a_thread_waits_for_the_owner() -> None:
    theirs, ours = os.pipe()
    waits = "import sys, time; sys.platform = 'darwin'; from server.workers.worker_process import end_with; "
    command = [
        sys.executable,
        "-c",
        waits + f"end_with({theirs}); [print('waits', flush=True) for _ in sys.stdin]",
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, pass_fds=[theirs], text=True, bufsize=1, stdin=pipe, stdout=pipe
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(100):  # it goes on while the owner does
            process.stdin.write("still there?\n")
            assert process.stdout.readline() == "waits\n"
        os.close(ours)
        assert process.wait(timeout=50) == 1
    os.close(theirs)


def test_beyond_the_line_of_those_who_wait_the_service_is_overloaded() -> None:
    async def use(workers: Workers) -> None:
        waiting = [asyncio.ensure_future(workers.run(endless)) for _ in range(2)]
        await asyncio.sleep(0)  # let both take their places
        with pytest.raises(Problem) as problem:
            await workers.run(quick, "too many")
        assert (problem.value.status, problem.value.code) == (503, "overloaded")
        assert problem.value.headers == {"retry-after": "2"}
        assert all(
            isinstance(cut, CutShort) for cut in await asyncio.gather(*waiting, return_exceptions=True)
        )

    with_workers(use, pending=2)


@pytest.mark.parametrize(("sandbox", "message"), [(True, "Permission denied"), (False, "File too large")])
def test_a_worker_writes_no_file(tmp_path: Path, sandbox: bool, message: str) -> None:
    async def use(workers: Workers) -> None:
        with pytest.raises(OSError, match=message if landlock_version() else "File too large"):
            await workers.run(writes, str(tmp_path / "file"))

    with_workers(use, sandbox=sandbox)


def test_the_fork_server_starts_before_the_service_is_loaded() -> None:
    code = (
        "import sys\nfrom server.workers.fork_server import start_fork_server\nstart_fork_server()\n"
        "print([name for name in ('fastapi', 'numpy', 'engine') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
