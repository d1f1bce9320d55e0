"""The container: what it runs, as whom, with what it may use. Read from its files, without Docker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gradlens.cli import build_parser
from server.settings import Settings
from server.workers.memory_limits import memory_needed

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


def test_the_page_is_served_on_port_8000_of_this_machine_alone(
    service: Any, instructions: list[tuple[str, str]]
) -> None:
    assert service["ports"] == ["${GRADLENS_PUBLISH:-127.0.0.1}:${PORT:-8000}:8000"]
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


def test_the_limits_add_up(service: Any) -> None:
    set_here = {
        name.removeprefix("GRADLENS_").lower(): value for name, value in service["environment"].items()
    }
    settings = Settings.model_validate(
        {name: set_here[name] for name in Settings.model_fields if name in set_here}
    )
    temporary = sum(size_of(mount.partition("size=")[2]) for mount in service["tmpfs"])
    assert memory_needed(settings) + temporary <= size_of(service["mem_limit"])


def test_a_class_has_its_profile(service: Any) -> None:
    assert service["environment"]["GRADLENS_PROFILE"] == "class"


def size_of(text: str) -> int:
    """Bytes, of a number with Docker's letter."""
    power: int = " kmg".index(text[-1])
    return int(text[:-1]) * (1 << 10 * power)


def test_both_stages_are_one_slim_official_image_that_may_be_pinned(
    service: Any, instructions: list[tuple[str, str]]
) -> None:
    assert instructions[0] == ("ARG", "PYTHON_IMAGE=python:3.13-slim-bookworm")
    assert [rest.split()[0] for name, rest in instructions if name == "FROM"] == ["${PYTHON_IMAGE}"] * 2
    given = service["build"]["args"]
    assert given == {"PYTHON_IMAGE": "${PYTHON_IMAGE:-python:3.13-slim-bookworm}"}  # one default in both


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_one_line_in_each_readme_opens_it_to_the_network(name: str) -> None:
    assert "GRADLENS_PUBLISH=0.0.0.0 docker compose up" in (ROOT / name).read_text(encoding="utf-8")


def test_what_running_does_not_need_is_taken_out_before_it_is_copied(
    instructions: list[tuple[str, str]],
) -> None:
    built = [rest for name, rest in instructions if name == "RUN"]
    trimmed = next(rest for rest in built if "scripts/trim.sh /opt/gradlens" in rest)
    assert trimmed.index("install") < trimmed.index("trim.sh") < trimmed.index("compileall")
    assert any("--without-pip" in rest for rest in built)
    assert "!scripts/trim.sh\n" in (ROOT / ".dockerignore").read_text()


def test_nothing_of_ours_imports_what_is_taken_out_of_sympy() -> None:
    taken = re.findall(r'"\$site"/sympy/(\S+)', (ROOT / "scripts" / "trim.sh").read_text())
    assert "physics" in taken
    ours = [path.read_text("utf-8") for room in ("engine", "server") for path in (ROOT / room).rglob("*.py")]
    for name in taken:
        assert [text for text in ours if f"sympy.{name.replace('/', '.')}" in text] == []


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
