"""The service itself: alive, ready, documented."""

from __future__ import annotations

import re

import httpx

from engine.version import ANSWERS_VERSION, ENGINE_VERSION
from tests.server.service import ROOT


def test_the_service_is_alive_and_ready(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").json() == {"status": "ready", "store": True, "workers": True, "bus": True}


def test_the_versions_are_given(client: httpx.Client) -> None:
    versions = client.get("/version").json()
    assert versions == {"version": ENGINE_VERSION, "engine": ANSWERS_VERSION, "tensorflow": "1.15.5"}


def test_every_route_is_documented_with_its_problems(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    nouns = {path.removeprefix("/api/v1/").split("/")[0] for path in paths}
    assert {"programs", "runs", "examples", "ops", "health", "ready", "version"} <= nouns
    assert all(path.startswith("/api/v1/") for path in paths)
    assert set(paths["/api/v1/programs"]["post"]["responses"]) == {"200", "413", "422", "503"}
    operations = [operation for methods in paths.values() for operation in methods.values()]
    assert all(operation["description"] for operation in operations)


def test_the_documentation_names_every_field_of_a_program(client: httpx.Client) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert set(schemas["Program"]["properties"]) == {
        "source", "dialect", "at", "feeds", "data", "inputs", "seed", "gradients", "wrt",
    }  # fmt: skip


def test_the_handbook_lists_every_operation(client: httpx.Client) -> None:
    handbook = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    operations = [
        f"{method.upper()} {re.sub(r'{[a-z]+_id}', '{id}', path.removeprefix('/api/v1'))}"
        for path, methods in client.get("/openapi.json").json()["paths"].items()
        for method in methods
    ]
    assert [operation for operation in operations if f"`{operation}" not in handbook] == []
