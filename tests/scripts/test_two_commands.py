"""`make run` and `make test` where something is missing: a clear message, and nothing half done."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # runs the installers

ROOT = Path(__file__).parent.parent.parent
SHELL = shutil.which("sh") or "/bin/sh"


def python_that(folder: Path, name: str, *, is_new: bool, has_venv: bool) -> None:
    """Put a stand-in for Python on the path, which answers what the installer asks."""
    stand_in = folder / name
    stand_in.write_text(
        f"""#!{SHELL}
        case "$2" in
            *version_info\\ *) exit {0 if is_new else 1};;
            *ensurepip*) exit {0 if has_venv else 1};;
            *print*) echo 3.12;;
        esac
        """
    )
    stand_in.chmod(0o755)


def install(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the installer in an empty folder, with nothing but `folder` on the path."""
    environment = {**os.environ, "PATH": str(folder), "PYTHON": ""}
    command = [SHELL, str(ROOT / "scripts" / "install.sh"), "requirements.lock"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_machine_without_python_hears_what_to_install(tmp_path: Path) -> None:
    ended = install(tmp_path)
    assert ended.returncode == 1
    assert ended.stderr == (
        "Gradlens needs Python 3.11 or newer, and found none.\n"
        "On Debian or Ubuntu: sudo apt-get install python3 python3-venv\n"
    )


def test_an_old_python_is_as_good_as_none(tmp_path: Path) -> None:
    python_that(tmp_path, "python3", is_new=False, has_venv=True)
    assert "found none" in install(tmp_path).stderr


def test_a_python_without_its_venv_module_hears_the_packages_name(tmp_path: Path) -> None:
    python_that(tmp_path, "python3", is_new=True, has_venv=False)
    ended = install(tmp_path)
    assert ended.returncode == 1
    assert ended.stderr == (
        "python3 is Python 3.12 without its venv module, which Gradlens needs.\n"
        "On Debian or Ubuntu: sudo apt-get install python3.12-venv\n"
    )
    assert not (tmp_path / ".venv").exists()


def test_tests_on_a_machine_without_apt_hear_what_is_missing(tmp_path: Path) -> None:
    command = [SHELL, str(ROOT / "scripts" / "install_tools.sh")]
    environment = {"PATH": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == (
        "The tests need chromium nodejs npm, and this system has no apt-get."
        " Please install them and run again.\n"
    )
