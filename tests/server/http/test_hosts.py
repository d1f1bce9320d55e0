"""The names that the service answers to."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
import pytest

from server.http.hosts import known_hosts, without_port
from tests.server.http.test_problems import check_problem
from tests.server.service import running

pytestmark = pytest.mark.slow  # starts services of its own


@pytest.mark.parametrize(
    ("names", "listens_on", "host", "known"),
    [
        ("", "127.0.0.1", "127.0.0.1:8000", True),
        ("", "127.0.0.1", "localhost:8000", True),
        ("", "127.0.0.1", "LOCALHOST.", True),
        ("", "127.0.0.1", "[::1]:8000", True),
        ("", "127.0.0.1", "10.0.0.5", False),
        ("", "127.0.0.1", "evil.example", False),
        ("", "10.0.0.5", "10.0.0.5:8000", True),
        ("", "0.0.0.0", "10.0.0.5:8000", True),
        ("", "0.0.0.0", "[fe80::1]:8000", True),
        ("", "0.0.0.0", socket.gethostname(), True),
        ("", "0.0.0.0", "evil.example", False),
        ("", "::", "192.168.1.2", True),
        ("lens.school.example", "0.0.0.0", "lens.school.example", True),
        ("lens.school.example", "0.0.0.0", "127.0.0.1", True),
        ("lens.school.example", "0.0.0.0", "other.school.example", False),
        ("*.school.example, lens", "0.0.0.0", "a.b.school.example:80", True),
        ("*.school.example, lens", "0.0.0.0", "lens", True),
        ("*.school.example", "0.0.0.0", "school.example", False),
        ("*.school.example", "0.0.0.0", "evilschool.example", False),
        ("*", "127.0.0.1", "anything.example", True),
    ],
)
def test_a_name_is_known_or_not(names: str, listens_on: str, host: str, known: bool) -> None:
    assert known_hosts(names, listens_on)(without_port(host)) is known


@pytest.mark.parametrize("path", ["health", "programs/p", "../../", "../../docs"])
def test_a_page_of_another_name_reaches_nothing(client: httpx.Client, path: str) -> None:
    response = client.get(path, headers={"Host": "evil.example"})
    problem = check_problem(response, 421, "unknown_host")
    assert "GRADLENS_HOSTS" in problem["hint"]
    assert response.headers["x-content-type-options"] == "nosniff"


def test_an_operator_names_the_hosts(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_HOSTS="lens.school.example") as client:
        assert client.get("/health", headers={"Host": "lens.school.example:80"}).status_code == 200
        assert client.get("/health").status_code == 200
        check_problem(client.get("/health", headers={"Host": "10.0.0.5"}), 421, "unknown_host")
