"""What the comparison of pages is given: links, graphs of a size, and medians."""

import base64
import json
import sys
import zlib
from pathlib import Path

import httpx
import pytest

from benchmarks.browsers import link
from benchmarks.graphs import flat, network
from benchmarks.view import Seen, _medians, opened, page_text
from benchmarks.viewers import others


def test_a_link_holds_the_program() -> None:
    packed = link("y = sin(x)").removeprefix("#v1=")
    text = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -zlib.MAX_WBITS)
    assert json.loads(text)["source"] == "y = sin(x)"


def test_a_network_has_the_size_that_is_asked_for_and_every_input_is_a_node() -> None:
    nodes = json.loads(network(1_000))["nodes"]
    names = {node["id"] for node in nodes}
    assert abs(len(nodes) - 1_000) < 20
    assert len(names) == len(nodes)
    assert {name for node in nodes for name in node["inputs"]} <= names


def test_flat_ops_have_no_scopes() -> None:
    nodes = json.loads(flat(100))["nodes"]
    assert len(nodes) == 100
    assert not any("/" in node["id"] for node in nodes)


def test_the_median_of_each_is_reported() -> None:
    assert _medians([Seen(100, 9, 40), Seen(300, 1, 60), Seen(120, 2, 50)]) == ("120", "70", "2")
    assert _medians([]) == ("not measured", "", "")


def test_of_openings_the_median_and_the_worst_are_reported() -> None:
    assert opened([30, 90, 40]) == ("3", "40", "90")
    assert opened([]) == ("0", "", "")


def test_the_page_holds_all_tables() -> None:
    text = page_text(
        [("", "drawn ms"), ("exp(sin x)", "120")],
        [("line", "started browser ms"), ("40 ms", "500")],
        [("", "median"), ("Race, ms", "178")],
        [("ours", "drawn ms"), ("10,000 nodes", "900")],
    )
    assert "| Race, ms | 178 |\n" in text
    assert "| 40 ms | 500 |\n" in text
    assert "| exp(sin x) | 120 |\n" in text
    assert text.endswith("| 10,000 nodes | 900 |\n")


def test_who_is_not_installed_has_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    graph = httpx.MockTransport(lambda asked: httpx.Response(200, content=asked.url.query))
    with (
        httpx.Client(transport=graph, base_url="http://server/api/v1") as client,
        others(client, "p_1", tmp_path) as addresses,
    ):
        assert addresses == {"TensorBoard": "", "Netron": ""}
    assert (tmp_path / "p_1.pb").read_bytes() == b"format=pb"
    assert (tmp_path / "tensorboard-p_1" / "events.out.tfevents.0.gradlens").read_bytes() == b"format=events"
