"""The harness that measures us beside others: a result that is wrong, or none, has no time."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import benchmarks.__main__ as bench
from benchmarks.harness.child import Child, enough, timer_of
from benchmarks.harness.entry import Peer, Task, peer_of
from benchmarks.harness.measure import Contender, difference, measure
from benchmarks.harness.process import Failed, Process
from benchmarks.workloads.catalogue import WORKLOADS
from benchmarks.workloads.exp_sin import W1
from benchmarks.workloads.workload import Claim

pytestmark = pytest.mark.slow  # measures in processes of their own

HAND = Contender("by_hand", "W1", "by hand, Python", ("cold", "warm"))
COLD_TOO = replace(W1, claims=(*W1.claims, Claim("cold", "by hand", 1.0)))
OURS = Contender("gradlens", "W1", "Gradlens, gradient only", ("cold", "warm"))


def test_a_result_within_a_billionth_is_right() -> None:
    assert difference({"y": np.array([100.0 + 1e-8])}, {"y": np.array([100.0])}) == ""


def test_a_result_that_is_off_is_reported_with_how_far() -> None:
    assert (
        difference({"y": np.array([1.0, 2.5])}, {"y": np.array([1.0, 2.0])}) == "wrong: y is off by 2.5e-01"
    )


def test_nan_and_another_shape_and_a_missing_column_are_wrong() -> None:
    wanted = {"y": np.array([1.0])}
    assert difference({"y": np.array([np.nan])}, wanted) == "wrong: y is off by nan"
    assert difference({"y": np.array(1.0)}, wanted) == "wrong: y has shape (), not (1,)"
    assert difference({}, wanted) == "wrong: it has no y"


def test_ours_and_the_hand_written_one_are_measured_in_turns() -> None:
    hand, ours = measure(COLD_TOO, [OURS, HAND], rounds=2, cold_rounds=2)
    assert (hand.contender, ours.contender) == (HAND, OURS)
    for one in (hand, ours):
        assert one.refused == ""
        assert (len(one.cold_seconds), len(one.warm_seconds)) == (2, 2)
        assert 0 < min(one.warm_seconds) <= min(one.cold_seconds)


def test_what_cannot_be_done_is_reported_and_has_no_time() -> None:
    lost = Contender("by_hand", "W1", "nobody", ("cold", "warm"))
    _, refused = measure(W1, [lost, HAND], rounds=1, cold_rounds=1)
    assert refused.refused.startswith("StopIteration")
    assert refused.cold_seconds == refused.warm_seconds == []


def test_a_wrong_result_has_no_warm_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.harness.measure.difference", lambda result, truth: "wrong: say")
    hand, ours = measure(W1, [OURS, HAND], rounds=1, cold_rounds=2)
    assert (hand.refused, len(hand.warm_seconds)) == ("", 1)
    assert (ours.refused, ours.warm_seconds) == ("wrong: say", [])


def test_a_process_that_cannot_start_says_why() -> None:
    with Process("no_such_peer") as process, pytest.raises(Failed, match="No module named"):
        process.ask("describe")


def test_cold_prepares_and_runs_once_and_warm_only_runs(tmp_path: Path) -> None:
    calls: list[str] = []
    peer = Peer("somebody")

    @peer.does("W1")
    def work() -> Task:
        calls.append("prepare")
        return Task(calls.append, ("run",), lambda value: {"y": 1.0})

    child = Child(peer)
    request = {"workload": "W1", "label": "somebody", "save": str(tmp_path / "result.npz")}
    assert child.cold(request)["seconds"] > 0
    assert calls == ["prepare", "run"]
    child.warm({**request, "save": None})
    assert "prepare" not in calls[1:]


def test_a_sample_of_something_short_runs_it_many_times() -> None:
    assert enough(timer_of(Task(lambda: None))) > 1000


def test_a_run_is_timed_with_all_its_arguments() -> None:
    given: list[tuple[int, ...]] = []
    timer_of(Task(lambda *args: given.append(args), (1, 2, 3))).timeit(2)
    assert given == [(1, 2, 3), (1, 2, 3)]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux holds a process to a core")
def test_every_peer_has_one_core() -> None:
    with Process("by_hand") as process:
        process.ask("describe")
        assert len(os.sched_getaffinity(process.process.pid)) == 1


def test_every_workload_has_a_hand_written_entry_and_ours() -> None:
    for module in ("by_hand", "gradlens"):
        done = {entry.workload for entry in peer_of(module).entries}
        assert done >= {workload.name for workload in WORKLOADS if workload.name != "W8"}


def test_of_a_part_nothing_is_written_and_only_that_part_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(bench, "PAGE", tmp_path / "benchmarks.md")
    monkeypatch.setattr(bench, "READMES", {})
    bench.main(["--modules", "by_hand", "--only", "W1", "-r", "1", "-c", "1", "--write"])
    assert "stay as they are" in capsys.readouterr().out
    assert not (tmp_path / "benchmarks.md").exists()


def test_what_a_peer_cannot_do_is_reported_of_the_workloads_that_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cannot = {"W4": "it has scalars only", "W6": "it keeps no graph"}
    described = {"name": "some", "version": "1", "asked": False, "entries": [], "cannot": cannot}
    monkeypatch.setattr(Process, "ask", lambda *_: described)
    assert bench.who_takes_part(["by_hand"], False, [W1]).missing == []
    assert bench.who_takes_part(["by_hand"], False, WORKLOADS).missing == [
        "some, W4: it has scalars only",
        "some, W6: it keeps no graph",
    ]


def test_a_library_that_is_not_there_is_reported_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Failed("ModuleNotFoundError: No module named 'torch'")

    monkeypatch.setattr(Process, "ask", fail)
    assert bench.who_takes_part(["torch"], False, WORKLOADS).missing == [f"torch: {bench.NOT_INSTALLED}"]
    assert bench.who_takes_part(["torch"], True, WORKLOADS).missing[0].endswith("No module named 'torch'")
