"""The container: what it runs, as whom, with what it may use. Read from its files, without Docker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gradlens.cli import build_parser

ROOT = Path(__file__).parent.parent


@pytest.fixture
def service() -> Any:
    """The one service of the compose file."""
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return compose["services"]["gradlens"]


@pytest.fixture
def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def test_the_page_is_served_on_port_8000(service: Any, instructions: list[tuple[str, str]]) -> None:
    assert service["ports"] == ["${PORT:-8000}:8000"]
    command = json.loads(next(rest for name, rest in instructions if name == "CMD"))
    assert command[0] == "gradlens"
    options = build_parser().parse_args(command[1:])
    assert (options.host, options.port) == ("0.0.0.0", 8000)


def test_only_the_volume_can_be_written(service: Any, instructions: list[tuple[str, str]]) -> None:
    assert service["read_only"] is True
    assert service["volumes"] == ["data:/data"]
    assert any(name == "ENV" and "GRADLENS_DATA_DIR=/data" in rest for name, rest in instructions)


def test_it_runs_without_rights_and_within_limits(service: Any, instructions: list[tuple[str, str]]) -> None:
    assert ("USER", "gradlens") in instructions
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "cpus", "pids_limit"} <= set(service)


def test_both_stages_are_one_slim_official_image(instructions: list[tuple[str, str]]) -> None:
    images = [rest.split()[0] for name, rest in instructions if name == "FROM"]
    assert images == ["python:3.13-slim-bookworm"] * 2


def test_whatever_is_copied_reaches_the_build() -> None:
    ignored = (ROOT / ".dockerignore").read_text()
    for name in (
        "engine",
        "server",
        "gradlens",
        "frontend",
        "examples",
        "requirements.lock",
        "pyproject.toml",
    ):
        assert f"!{name}\n" in ignored
        assert (ROOT / name).exists()
