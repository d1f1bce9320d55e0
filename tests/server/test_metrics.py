"""Figures for Prometheus: by the template of a route, and for those alone who may read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.metrics import Metrics, may_read
from tests.server.classes.members import student, teacher
from tests.server.http.test_problems import check_problem
from tests.server.service import running


def scope_of(address: str, **headers: str) -> dict[str, Any]:
    """A request from an address."""
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"client": (address, 1), "headers": raw}


@pytest.mark.parametrize(
    ("address", "networks", "may"),
    [
        ("127.0.0.1", "127.0.0.1,::1", True),
        ("::1", "127.0.0.1,::1", True),
        ("10.1.2.3", "127.0.0.1,::1", False),
        ("10.1.2.3", "10.1.0.0/16", True),
        ("10.2.2.3", "10.1.0.0/16", False),
        ("10.1.2.3", "*", True),
        ("127.0.0.1", "", False),
    ],
)
def test_an_address_may_read_them_or_not(address: str, networks: str, may: bool) -> None:
    assert may_read(scope_of(address), networks) is may


def test_a_proxy_on_this_machine_that_is_not_trusted_may_not_read_them_for_others() -> None:
    assert not may_read(scope_of("127.0.0.1", x_forwarded_for="10.1.2.3"), "127.0.0.1")


def test_three_requests_to_a_route_are_counted_under_its_template() -> None:
    metrics = Metrics(lambda: {"workers": 4}, lambda: {"wall_time": 2})
    for seconds in (0.002, 0.03, 0.03):
        metrics.count("/api/v1/programs/{program_id}", "GET", 200, seconds)
    labels = {"route": "/api/v1/programs/{program_id}"}
    value = metrics.registry.get_sample_value
    assert value("gradlens_requests_total", {**labels, "method": "GET", "status": "200"}) == 3
    assert value("gradlens_request_seconds_bucket", {**labels, "le": "0.0025"}) == 1
    assert value("gradlens_workers") == 4
    assert value("gradlens_stopped_total", {"reason": "wall_time"}) == 2


@pytest.mark.slow
def test_a_class_leaves_neither_its_code_nor_an_address_in_them(client: httpx.Client) -> None:
    room = teacher(client)
    student(room).poll()
    client.post("/programs", json={"source": "y = x^2 + 77", "at": {"x": 3}})
    text = client.get("/metrics").text
    found = {
        sample.name: sample for family in text_string_to_metric_families(text) for sample in family.samples
    }
    assert {"gradlens_requests_total", "gradlens_programs_waiting", "process_resident_memory_bytes"} <= set(
        found
    )
    assert 'route="/classes/{code}/join"' in text
    assert 'route="/programs"' in text
    for secret in (room.code, room.code.replace("-", ""), room.token, "127.0.0.1"):
        assert secret not in text


@pytest.mark.slow
def test_who_is_not_listed_reads_which_setting_lists_them(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_METRICS_FROM="10.0.0.0/8") as client:
        problem = check_problem(client.get("/metrics"), 403, "metrics_closed")
        assert problem["hint"] == "List it in GRADLENS_METRICS_FROM."
