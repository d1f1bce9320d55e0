"""The package: built, installed where nothing else is, and serving the page without Node."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.service import running

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as `pip install .` builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (path,) = folder.glob("gradlens-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A service that runs from the wheel, in an environment with the pinned dependencies and no checkout."""
    environment = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check"]
    pip += ["install", "--no-compile"]  # only what the service imports is worth compiling
    subprocess.run([*pip, "--require-hashes", "--requirement", str(ROOT / "requirements.lock")], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
    nowhere = tmp_path_factory.mktemp("nowhere")
    with running(
        nowhere, python=str(python), cwd=nowhere, PATH=f"{environment / 'bin'}{os.pathsep}/usr/bin:/bin"
    ) as client:
        yield client


def test_the_wheel_holds_the_page_the_examples_and_the_grammar(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "server/frontend/index.html" in names
    assert "server/frontend/vendor/codemirror.js" in names
    assert "server/examples/index.json" in names
    assert any(name.endswith(".lark") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {
        "engine",
        "server",
        "gradlens",
    }
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]


def test_the_wheel_has_the_version_that_the_command_line_prints(wheel: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "gradlens", "--version"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    name, version = printed.split()
    assert wheel.name.startswith(f"{name}-{version}-")
    metadata = next(entry for entry in zipfile.ZipFile(wheel).namelist() if entry.endswith("/METADATA"))
    assert f"\nVersion: {version}\n" in zipfile.ZipFile(wheel).read(metadata).decode()


def test_the_installed_package_serves_the_page_and_the_interface(installed: httpx.Client) -> None:
    assert installed.get("/health").json() == {"status": "ok"}
    page = installed.get(installed.base_url.join("/"))
    assert page.status_code == 200
    assert "<!doctype html>" in page.text.lower()
    assert installed.get("/examples").json()["examples"]
    answer = installed.post("/programs", json={"source": "y = exp(sin(x))", "at": {"x": 3}}).json()
    assert answer["gradients"][0]["value"]["data"] == pytest.approx(-1.1400386, rel=1e-6)
    look = {"format": "pdf", "detail": "mathematics"}
    assert installed.get(f"/programs/{answer['id']}/graph", params=look).content.startswith(b"%PDF-")
