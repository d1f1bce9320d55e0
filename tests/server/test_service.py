"""The service itself: alive, ready, documented."""

from __future__ import annotations

import httpx

from engine.version import ENGINE_VERSION


def test_the_service_is_alive_and_ready(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").json() == {"status": "ready", "store": True, "workers": True}


def test_the_versions_are_told(client: httpx.Client) -> None:
    told = client.get("/version").json()
    assert told == {"version": ENGINE_VERSION, "engine": ENGINE_VERSION, "tensorflow": "1.15.5"}


def test_every_route_is_documented_with_its_problems(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert set(paths) == {
        f"/api/v1{path}"
        for path in (
            "/programs", "/programs/{program_id}", "/programs/{program_id}/graph", "/programs/{program_id}/lesson",
            "/runs", "/examples", "/examples/{example_id}", "/ops", "/ops/{name}", "/health", "/ready", "/version",
        )
    }  # fmt: skip
    assert set(paths["/api/v1/programs"]["post"]["responses"]) == {"200", "413", "422", "503"}


def test_the_documentation_names_every_field_of_a_program(client: httpx.Client) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert set(schemas["Program"]["properties"]) == {
        "source", "dialect", "at", "feeds", "data", "seed", "gradients", "wrt",
    }  # fmt: skip
