"""What hurts a service, in short: nothing is lost, out of order or left over, whatever the machine.

The full form, with the figures of time and memory, is `make reliability`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.limits import PATIENT
from tests.reliability.cached import cached
from tests.reliability.classes.following import following
from tests.reliability.classes.joining import joining
from tests.reliability.clocks import clock_moved
from tests.reliability.faults import disk_full, slow_readers, worker_killed
from tests.reliability.figures import Figure, LeftOut, percentile, wrong_counts
from tests.reliability.kills import kills
from tests.reliability.nonsense import nonsense
from tests.reliability.processes import Service, service
from tests.reliability.visits import visits

pytestmark = pytest.mark.slow  # services of their own


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all scenarios that leave it alive."""
    with service(tmp_path_factory.mktemp("data"), **PATIENT) as one:
        yield one


def found(scenario: Coroutine[Any, Any, list[Figure]]) -> list[Figure]:
    """The figures of a scenario that must not be, on any machine."""
    return wrong_counts(asyncio.run(scenario))


def test_six_browsers_are_given_every_file_of_the_page(running: Service) -> None:
    assert found(visits(running, browsers=6, within_s=1)) == []


def test_cached_graphs_are_answered_on_ten_connections(running: Service, tmp_path: Path) -> None:
    assert found(cached(running, tmp_path, per_s=50, connections=10, seconds=2)) == []


def test_thirty_students_hear_each_of_forty_events_once_and_in_order(running: Service) -> None:
    assert found(following(running, students=30, per_s=20, events=40)) == []


def test_so_they_do_while_six_of_them_run_programs_some_without_an_end(running: Service) -> None:
    assert found(following(running, students=20, per_s=20, events=40, submitting=6)) == []


def test_thirty_students_join_answer_and_find_all_of_it_after_a_restart(tmp_path: Path) -> None:
    assert found(joining(tmp_path, students=30)) == []


def test_no_acknowledged_write_is_lost_when_the_service_is_killed_twice(tmp_path: Path) -> None:
    assert found(kills(tmp_path, times=2)) == []


def test_who_waits_is_answered_when_every_worker_is_killed(running: Service) -> None:
    assert found(worker_killed(running, times=2)) == []


def test_a_class_goes_on_beside_listeners_that_never_read(running: Service) -> None:
    assert found(slow_readers(running, unread=5, slow=5, students=10, events=30)) == []


def test_a_full_disk_costs_no_answer_and_heals(tmp_path: Path) -> None:
    try:
        assert found(disk_full(tmp_path)) == []
    except LeftOut as error:
        pytest.skip(str(error))


def test_a_clock_that_is_set_by_hours_deletes_no_class_and_stops_nobody(tmp_path: Path) -> None:
    assert found(clock_moved(tmp_path, students=4, swept_s=0)) == []


def test_three_hundred_malformed_requests_break_nothing(running: Service) -> None:
    assert found(nonsense(running, bodies=300)) == []


def test_a_figure_is_within_its_bound_or_not() -> None:
    good, late, broken = Figure("lost", 0), Figure("p99", 300, "ms", 150, timed=True), Figure("lost", 2)
    assert [good.passes, late.passes, broken.passes] == [True, False, False]
    assert wrong_counts([good, late, broken]) == [broken]  # a slow machine is no fault


def test_a_percentile_is_the_value_that_so_many_do_not_exceed() -> None:
    assert percentile([3.0, 1.0, 2.0, 4.0], 50) == 3.0
    assert percentile([1.0] * 99 + [9.0], 99) == 9.0
    assert percentile([], 99) == 0.0
