"""Whom a request is from: the connection's other end, or whom a proxy names that the operator trusts."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from server.http.clients import Client, client_of
from server.settings import Settings
from tests.server.service import running


def wrong_codes_until_refused(client: httpx.Client, forwarded_for: str) -> int:
    """How many wrong codes may be tried by whom this header names."""
    for count in range(30):
        answer = client.get(
            f"/classes/2222222{'23456789ABCDEFGHJKMNPQRSTUVWXYZ'[count]}/poll",
            headers={"x-forwarded-for": forwarded_for, "authorization": "Bearer gs_x"},
        )
        if answer.status_code == 429:
            return count
    return 30


@pytest.mark.slow
def test_a_header_that_anybody_can_send_makes_nobody_else_of_them(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        assert wrong_codes_until_refused(client, "10.0.0.1") == 10
        assert wrong_codes_until_refused(client, "10.0.0.2") == 0


@pytest.mark.slow
def test_a_trusted_proxy_says_whom_it_asks_for(tmp_path: Path) -> None:
    with running(tmp_path, GRADLENS_TRUSTED_PROXIES="127.0.0.0/8") as client:
        assert wrong_codes_until_refused(client, "10.0.0.1") == 10
        assert wrong_codes_until_refused(client, "10.0.0.2") == 10
        assert wrong_codes_until_refused(client, "8.8.8.8, 10.0.0.2") == 0  # the last one that is not trusted


@pytest.mark.parametrize("name", ["trusted_proxies", "metrics_from"])
def test_a_misspelt_network_is_noticed_at_the_start(name: str) -> None:
    assert getattr(Settings.model_validate({name: "10.0.0.0/8, ::1"}), name) == "10.0.0.0/8, ::1"
    with pytest.raises(ValueError, match=r"10\.0\.0\.999"):
        Settings.model_validate({name: "10.0.0.999"})


@pytest.mark.parametrize(
    ("address", "known_as"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("unix", "unix"),
    ],
)
def test_whoever_has_a_whole_network_of_addresses_is_one_client(address: str, known_as: str) -> None:
    assert client_of({"client": (address, 1), "headers": []}) == Client(known_as)
