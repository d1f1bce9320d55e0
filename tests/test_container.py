"""The container: what it runs, as whom, with what it may use. Read from its files, without Docker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gradlens.cli import build_parser
from server.classes.event_stream import HEARTBEAT_S
from server.settings import Settings
from server.store.deadlines import READ_S
from server.store.writer import WRITE_S
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
    assert given["PYTHON_IMAGE"] == "${PYTHON_IMAGE:-python:3.13-slim-bookworm}"  # one default in both


def test_the_writers_of_pdf_and_png_stay_where_they_are_asked_for(
    service: Any, instructions: list[tuple[str, str]]
) -> None:
    assert service["build"]["args"]["PICTURES"] == "${PICTURES:-}"
    assert ("ARG", "PICTURES=") in instructions
    (trimmed,) = (rest for name, rest in instructions if name == "RUN" and "reportlab" in rest)
    assert re.search(r'if \[ -z "\$PICTURES" \]; then[^;]* uninstall [^;]*reportlab pillow', trimmed)


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
    script = (ROOT / "scripts" / "trim.sh").read_text()
    taken = re.findall(r"for part in (.*); do", script)[0].split()
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


# -- two replicas ------------------------------------------------------------------------------------------

OFFICIAL = {"nginx", "postgres", "redis"}


@pytest.fixture
def services() -> Any:
    """The services of the compose file for several replicas."""
    return yaml.safe_load((ROOT / "docker-compose.scale.yml").read_text())["services"]


def test_two_replicas_share_a_database_and_a_bus_and_keep_nothing_of_their_own(services: Any) -> None:
    app, other = services["app1"], services["app2"]
    assert {**app, "networks": None} == {**other, "networks": None}
    assert "volumes" not in app
    assert app["environment"]["DATABASE_URL"].startswith("postgresql://gradlens:")
    assert app["environment"]["REDIS_URL"] == "redis://redis:6379"
    assert app["depends_on"]["postgres"] == {"condition": "service_healthy"}


def test_every_service_of_the_replicas_is_limited_looked_after_and_without_rights(services: Any) -> None:
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "cpus", "pids_limit", "restart", "networks"} <= set(service), name
        assert "healthcheck" in service or "build" in service, name  # the image's own has one
        assert "user" in service or "build" in service or name == "postgres", name  # which becomes one itself
        assert service["image"].partition(":")[0] in OFFICIAL or "build" in service, name


def test_only_the_proxy_of_the_replicas_is_reached_from_outside(services: Any) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert [name for name, service in services.items() if "outside" in service["networks"]] == ["proxy"]


def test_the_limits_of_a_replica_add_up(services: Any) -> None:
    app = services["app1"]
    set_here = {name.removeprefix("GRADLENS_").lower(): value for name, value in app["environment"].items()}
    settings = Settings.model_validate(
        {name: set_here[name] for name in Settings.model_fields if name in set_here}
    )
    temporary = sum(size_of(mount.partition("size=")[2].partition(",")[0]) for mount in app["tmpfs"])
    assert memory_needed(settings) + temporary <= size_of(app["mem_limit"])
    assert app["environment"]["GRADLENS_PROFILE"] == "class"


def test_the_proxy_knows_where_the_replicas_are_while_they_are_away(services: Any) -> None:
    known = dict(line.split(":", 1) for line in services["proxy"]["extra_hosts"])
    assert known == {f"{name}.inside": address_of(services[name]) for name in ("app1", "app2")}
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    assert re.findall(r"server (\S+):8000", text) == list(known)


def address_of(service: Any) -> str:
    """The address that a service has in the inner network."""
    address: str = service["networks"]["inside"]["ipv4_address"]
    return address


def test_the_proxy_leaves_a_replica_that_is_silent_and_holds_no_event_back() -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    assert "proxy_buffering off;" in text
    assert "proxy_connect_timeout 1s;" in text
    silence_s, answer_s = (int(found) for found in re.findall(r"proxy_read_timeout (\d)s;", text))
    assert silence_s > HEARTBEAT_S * 2  # one may come late
    assert answer_s > READ_S + WRITE_S


# -- a cluster ---------------------------------------------------------------------------------------------


@pytest.fixture
def deployment() -> Any:
    """The deployment among the manifests of Kubernetes."""
    return next(yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text()))


def test_a_pod_has_no_rights_and_limits_that_add_up(deployment: Any) -> None:
    pod = deployment["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert f"--uid {pod['securityContext']['runAsUser']} " in (ROOT / "Dockerfile").read_text()
    set_here = {each["name"].removeprefix("GRADLENS_").lower(): each["value"] for each in container["env"]}
    settings = Settings.model_validate(
        {name: value for name, value in set_here.items() if name in Settings.model_fields and value}
    )
    assert memory_needed(settings) + 64 * 2**20 <= 3 * 2**30
    assert container["resources"]["limits"]["memory"] == "3Gi"


def test_a_pod_is_left_alone_while_the_database_is_away_and_begins_when_all_is_there(deployment: Any) -> None:
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    asked = {
        kind: container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")
    }
    assert asked == {
        "startup": "/api/v1/ready",
        "liveness": "/api/v1/health",
        "readiness": "/api/v1/health",
    }


def test_replicas_in_a_cluster_are_replaced_one_after_the_other(deployment: Any) -> None:
    assert deployment["spec"]["replicas"] == 2
    assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    names = {each["name"] for each in deployment["spec"]["template"]["spec"]["containers"][0]["env"]}
    known = {f"GRADLENS_{name.upper()}" for name in Settings.model_fields}
    assert names <= known
