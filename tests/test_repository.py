"""The repository itself: nothing of one machine in it, pinned dependencies, both languages of the README."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from engine.version import ENGINE_VERSION

ROOT = Path(__file__).parent.parent
BINARY = {".png", ".ttf", ".woff2", ".ico", ".pb", ".npz", ".gz"}
OF_ONE_MACHINE = re.compile(
    r"/(?:work|root|home/\w+)/|--(?:extra-)?index-url|--find-links|pypi\.org/simple|registry\.npmjs\.org"
)
HASHED = re.compile(r"^\S+==\S+( ;.*)? \\$")


def tracked_files() -> list[Path]:
    """The files under version control, or all of them where there is none."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    files = [ROOT / name for name in listed if name]
    return [path for path in files if path.is_file() and path.suffix not in BINARY and path != Path(__file__)]


def test_no_file_speaks_of_one_machine_or_of_a_package_index() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked_files()
        if "vendor" not in path.parts
        for match in OF_ONE_MACHINE.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_dependency_is_pinned_with_its_hashes(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    for line, following in pairwise(lines):
        if line[:1].isalnum():
            assert HASHED.match(line), line
            assert following.strip().startswith("--hash=sha256:")


def test_the_lock_of_the_tests_pins_the_same_versions_as_that_of_the_program() -> None:
    def pinned(name: str) -> set[str]:
        return {line.split()[0] for line in (ROOT / name).read_text().splitlines() if "==" in line}

    assert pinned("requirements.lock") <= pinned("requirements-dev.lock")


def test_both_readmes_give_the_same_commands() -> None:
    def commands(name: str) -> list[str]:
        return re.findall(
            r"^```sh\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )

    assert commands("README.md") == commands("README.zh-CN.md") != []


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "README.zh-CN.md",
        "CONTRIBUTING.md",
        *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md"))),
    ],
)
def test_every_link_to_a_file_leads_somewhere(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_changelog_begins_with_this_release_in_ten_points() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = [title for title in re.findall(r"^## (.+)$", text, re.MULTILINE) if title != "Unreleased"]
    assert releases[0] == ENGINE_VERSION
    summary = text.partition(f"## {ENGINE_VERSION}\n")[2].partition("\n### ")[0]
    assert len(re.findall(r"^- ", summary, re.MULTILINE)) == 10


def test_every_decision_is_listed_once() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((20[^)]+)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(page.name for page in folder.glob("20*.md"))


def test_the_folders_that_the_architecture_names_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = re.findall(r"^\| `([\w/]+/)` \|", text, re.MULTILINE)
    assert len(folders) == 15
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_the_files_that_the_architecture_names_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    files = re.findall(r"`([\w.-]+/[\w/.-]+\.\w+)`", text)
    assert len(files) > 15
    assert [file for file in files if not (ROOT / file).is_file()] == []
