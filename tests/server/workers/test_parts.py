"""Long work in parts: nothing is lost and nothing is there twice, whoever is killed meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.races import RaceRequest, part_of, summarise_race
from engine.programs.races.parts import cuts_for
from server.http.problems import Problem
from server.settings import Settings
from server.workers.parts import Parts
from server.workers.workers import CutShort, Workers
from tests.limits import ROOMY
from tests.server.hostile import endless, quick, whoami

pytestmark = pytest.mark.slow  # starts workers of its own

HIMMELBLAU = ProgramRequest("(x^2+y-11)^2+(x+y^2-7)^2", at={"x": -1, "y": 1})
RATES = np.geomspace(0.001, 0.1, 24)
RACE = RaceRequest(
    tuple(RunRequest(50, {"name": "Adam", "learning_rate": float(rate)}) for rate in RATES), 50
)
CUTS = [(start, start + 4) for start in range(0, 24, 4)]
OPEN: dict[str, Any] = {"sandbox": False}  # for work that leaves a file, or ends another process
AT_CLUSTER: dict[str, Any] = {"workers": 1}  # processes beside each worker of a cluster
ARGUMENTS = [(HIMMELBLAU, part_of(RACE, cut), ROOMY) for cut in CUTS]


def dies_once(marker: str, number: int) -> int:
    """Its worker is killed the first time that number 2 comes by."""
    if number == 2 and not Path(marker).exists():
        os.close(os.open(marker, os.O_CREAT | os.O_WRONLY))
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def in_parts(
    function: Any, arguments: Any, seen: list[tuple[int, int]] | None = None, **settings: Any
) -> tuple[list[Any], list[tuple[int, int]]]:
    """The results of all parts, and the progress reported meanwhile, which `seen` follows."""
    seen = [] if seen is None else seen

    async def work() -> list[Any]:
        workers = Workers(Settings.model_validate({"workers": 4, "limits": ROOMY, **settings}))
        try:
            return await Parts(workers).results(
                function, arguments, progress=lambda report: seen.append((report["done"], report["parts"]))
            )
        finally:
            await workers.stop()

    return asyncio.run(work()), seen


def test_parts_come_back_in_their_order_and_progress_is_reported() -> None:
    found, seen = in_parts(summarise_race, ARGUMENTS)
    assert seen == [(done, 6) for done in range(7)]
    alone = [summarise_race(HIMMELBLAU, RaceRequest(RACE.runs[slice(*cut)], 50), ROOMY) for cut in CUTS]
    assert found == alone  # bit for bit


def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    found, seen = in_parts(dies_once, [(str(tmp_path / "killed"), number) for number in range(5)], **OPEN)
    assert (tmp_path / "killed").exists()
    assert found == [0, 1, 4, 9, 16]
    assert seen[-1] == (5, 5)


def test_what_comes_before_and_after_the_parts_is_tried_again_too(tmp_path: Path) -> None:
    async def work() -> int:
        workers = Workers(Settings(workers=2, limits=ROOMY, **OPEN))
        try:
            return await Parts(workers).tried(dies_once, str(tmp_path / "killed"), 2)
        finally:
            await workers.stop()

    assert asyncio.run(work()) == 4
    assert (tmp_path / "killed").exists()


def test_a_part_that_takes_too_long_is_not_tried_again(tmp_path: Path) -> None:
    async def work() -> None:
        workers = Workers(Settings(workers=2, limits=Limits(wall_s=1), grace_s=0.5, **OPEN))
        try:
            with pytest.raises(CutShort):
                await Parts(workers).results(counted_and_endless, [(str(tmp_path),)])
        finally:
            await workers.stop()

    asyncio.run(work())
    assert len(list(tmp_path.iterdir())) == 1


def counted_and_endless(folder: str) -> None:
    """Leaves a file for each try, and never ends."""
    tempfile.mkstemp(dir=folder)
    endless()


def test_a_part_that_fails_ends_the_others_and_so_does_a_reader_who_goes() -> None:
    async def work() -> None:
        workers = Workers(Settings(workers=2, limits=ROOMY))
        try:
            with pytest.raises(ValueError, match="this part"):
                await Parts(workers).results(fails_or_never_ends, [(True,), (False,)])
            given_up = asyncio.ensure_future(Parts(workers).results(fails_or_never_ends, [(False,)] * 4))
            await workers.run(whoami)  # the other worker has begun by now
            given_up.cancel()
            free = [workers.run(quick, str(number)) for number in range(4)]
            await asyncio.wait_for(asyncio.gather(*free), timeout=ROOMY.wall_s / 2)
        finally:
            await workers.stop()

    asyncio.run(work())


def fails_or_never_ends(fails: bool) -> Any:
    """One of the two."""
    if fails:
        raise ValueError("this part fails")
    return endless()


@pytest.mark.parametrize(
    ("runs", "rows", "fixed_s", "run_s"),
    [(100, 101, 30e-6, 1e-8), (1000, 201, 36e-6, 4e-8), (80, 501, 10e-6, 16e-6), (7, 100_001, 20e-6, 1e-8)],
)
def test_cuts_hold_each_run_once_and_are_worth_their_way(
    runs: int, rows: int, fixed_s: float, run_s: float
) -> None:
    cuts = cuts_for(runs, rows, fixed_s, run_s, room=runs)
    assert [run for cut in cuts for run in range(*cut)] == list(range(runs))
    if len(cuts) > 1:
        assert min(rows * (fixed_s + (last - first) * run_s) for first, last in cuts) >= 0.25


def test_runs_are_computed_apart_where_there_is_no_memory_for_all_of_them() -> None:
    assert cuts_for(10, 2, 0.0, 1e-6, room=4) == [(0, 3), (3, 6), (6, 10)]  # too short to be cut for time


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere"], ids=["nobody there", "no address"])
def test_a_cluster_that_is_not_there_is_reported_in_words(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dask_parts = pytest.importorskip("server.workers.dask_parts")
    monkeypatch.setattr(dask_parts, "ANSWER_S", 0.5)
    with pytest.raises(Problem, match=f"The Dask cluster at '{address}' does not answer.") as caught:
        in_parts(summarise_race, ARGUMENTS, DASK_SCHEDULER=address)
    assert (caught.value.code, caught.value.status) == ("no_cluster", 503)
    assert "DASK_SCHEDULER" in caught.value.hint_zh


@contextmanager
def cluster_of(workers: int) -> Iterator[Any]:
    """A Dask cluster on this machine."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    settings = {"distributed.worker.daemon": False, "distributed.admin.system-monitor.gil.enabled": False}
    with dask.config.set(settings), started(distributed.LocalCluster, workers) as cluster:
        yield cluster


def started(local_cluster: Any, workers: int) -> Any:
    """A cluster; on a busy machine its thread may not be there after ten seconds, and it is tried again."""
    for tries_left in (2, 1, 0):
        try:
            return local_cluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
        except AssertionError:
            if tries_left == 0:
                raise
    return None


def test_a_reader_who_goes_ends_the_waiting_for_a_cluster(tmp_path: Path) -> None:
    with cluster_of(1) as cluster:

        async def give_up() -> None:
            settings = {"limits": ROOMY, "DASK_SCHEDULER": cluster.scheduler_address, **AT_CLUSTER, **OPEN}
            workers = Workers(Settings.model_validate(settings))
            parts = [(str(tmp_path), number) for number in range(1, 4)]
            waiting = asyncio.ensure_future(Parts(workers).results(waits_for_the_loss, parts))
            while not list(tmp_path.iterdir()):  # until a part has begun
                await asyncio.sleep(0.01)
            waiting.cancel()
            await asyncio.wait([waiting])
            await asyncio.get_running_loop().shutdown_default_executor()

        asyncio.run(give_up())  # although the parts go on until the cluster is lost
        (tmp_path / "lost").touch()


def test_what_a_cluster_has_not_done_when_its_scheduler_is_lost_is_done_here(tmp_path: Path) -> None:
    with cluster_of(2) as cluster:
        seen: list[tuple[int, int]] = []
        losing = threading.Thread(target=loses, args=(cluster, tmp_path, seen))
        losing.start()
        asked = [(str(tmp_path), number) for number in range(4)]
        address = cluster.scheduler_address
        squares, _ = in_parts(waits_for_the_loss, asked, seen, DASK_SCHEDULER=address, **AT_CLUSTER, **OPEN)
        losing.join()
    assert squares == [0, 1, 4, 9]
    assert seen == [(done, 4) for done in range(5)]
    assert len(list(tmp_path.glob("0-*"))) == 1  # what the cluster has done is not done again


def loses(cluster: Any, folder: Path, seen: list[tuple[int, int]]) -> None:
    """Close a cluster as soon as part 0 has come back from it and another has begun."""
    while (1, 4) not in seen or not list(folder.glob("1-*")):
        time.sleep(0.01)
    cluster.close()
    (folder / "lost").touch()


def test_what_a_cluster_without_workers_has_not_done_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.workers.dask_parts.ALONE_S", 2)
    with cluster_of(1) as cluster:
        seen: list[tuple[int, int]] = []
        losing = threading.Thread(target=loses_its_workers, args=(cluster, tmp_path, seen))
        losing.start()
        asked = [(str(tmp_path), number) for number in range(4)]
        address = cluster.scheduler_address
        squares, _ = in_parts(waits_for_the_loss, asked, seen, DASK_SCHEDULER=address, **AT_CLUSTER, **OPEN)
        losing.join()
        assert not cluster.scheduler.workers  # the scheduler is still there, and alone
    assert squares == [0, 1, 4, 9]
    assert seen == [(done, 4) for done in range(5)]
    assert len(list(tmp_path.glob("0-*"))) == 1  # what the cluster has done is not done again


def loses_its_workers(cluster: Any, folder: Path, seen: list[tuple[int, int]]) -> None:
    """Leave a cluster its scheduler alone, as soon as part 0 has come back and another has begun."""
    while (1, 4) not in seen or not list(folder.glob("[1-3]-*")):
        time.sleep(0.01)
    cluster.scale(0)
    while cluster.scheduler.workers:
        time.sleep(0.01)
    (folder / "lost").touch()


def test_a_cluster_is_waited_for_while_it_gets_new_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.workers.dask_parts.ALONE_S", 60)
    with cluster_of(0) as cluster:
        hiring = threading.Thread(target=hires, args=(cluster,))
        hiring.start()
        found, _ = in_parts(
            at_a_cluster,
            [(os.getpid(),)] * 2,
            DASK_SCHEDULER=cluster.scheduler_address,
            **AT_CLUSTER,
            **OPEN,
        )
        hiring.join()
    assert found == [True, True]


def hires(cluster: Any) -> None:
    """Give a cluster a worker as soon as it has something to do."""
    while not cluster.scheduler.tasks:
        time.sleep(0.01)
    cluster.scale(1)


def at_a_cluster(service: int) -> bool:
    """Whether another process than the service has started this one."""
    return process_above(os.getppid()) != service  # the one above is a fork server


def process_above(number: int) -> int:
    """Which process started this one."""
    return int(Path(f"/proc/{number}/stat").read_text().rsplit(")")[1].split()[1])


def waits_for_the_loss(folder: str, number: int) -> int:
    """Part 0 is done at once, the others when the cluster is no more."""
    tempfile.mkstemp(dir=folder, prefix=f"{number}-")
    while number and not Path(folder, "lost").exists():
        time.sleep(0.01)
    return number * number


def test_a_dask_cluster_gives_the_same_and_survives_a_lost_worker(tmp_path: Path) -> None:
    with cluster_of(2) as cluster:
        address = cluster.scheduler_address
        found, seen = in_parts(summarise_race, ARGUMENTS, DASK_SCHEDULER=address, **AT_CLUSTER)
        assert seen[-1] == (6, 6)
        here, _ = in_parts(summarise_race, ARGUMENTS)
        assert found == here  # bit for bit
        squares, _ = in_parts(
            dies_with_its_machine,
            [(str(tmp_path / "lost"), n) for n in range(6)],
            DASK_SCHEDULER=address,
            **AT_CLUSTER,
            **OPEN,
        )
        assert (tmp_path / "lost").exists()
        assert squares == [0, 1, 4, 9, 16, 25]


def dies_with_its_machine(marker: str, number: int) -> int:
    """The Dask worker around it is killed, with all that it runs, the first time that number 2 comes by."""
    if number == 2 and not Path(marker).exists():
        os.close(os.open(marker, os.O_CREAT | os.O_WRONLY))
        server = os.getppid()  # the fork server of the Dask worker …
        os.kill(process_above(server), signal.SIGKILL)
        signal.pause()  # … whose end is this one's
    return number * number
