"""The folder of named pipes: gone with its service, and if that was killed, at the next start."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from server.workers.pipes import PREFIX, PipeFolder, remove_left_folders

KEEPS = """
import os, sys, time
from server.workers.pipes import PipeFolder
folder = PipeFolder()
os.mkfifo(folder.path / "pipe")
print(folder.path, flush=True)
time.sleep(300)
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_the_folder_of_a_killed_service_goes_and_that_of_a_living_one_stays() -> None:
    services = [
        subprocess.Popen([sys.executable, "-c", KEEPS], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    folders = [Path((service.stdout.readline() if service.stdout else "").strip()) for service in services]
    services[0].kill()
    services[0].wait()
    assert [folder.exists() for folder in folders] == [True, True]
    remove_left_folders()
    assert [folder.exists() for folder in folders] == [False, True]
    services[1].kill()
    services[1].communicate()
    services[0].communicate()


def test_what_is_not_a_services_own_stays(tmp_path: Path) -> None:
    (tmp_path / f"{PREFIX}letters").mkdir()
    (tmp_path / f"{PREFIX}letters" / "letter").write_text("dear")
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / f"{PREFIX}link")
    (tmp_path / f"{PREFIX}file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    remove_left_folders()
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_is_removed_is_gone(tmp_path: Path) -> None:
    folder = PipeFolder()
    os.mkfifo(folder.path / "pipe")
    folder.remove()
    assert list(tmp_path.iterdir()) == []
