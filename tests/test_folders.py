"""Where things stand: tests in folders named after what they test, and few files in each folder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import AS_MANY_TESTS, BROWSER
from tests.test_repository import ROOT, tracked_files

MOST_FILES = 16  # Python files of one folder, its `__init__.py` and `conftest.py` aside
UNCOUNTED = {"__init__.py", "conftest.py"}
PROGRAMS = ("examples", "tests/data/")  # people's programs, no code of ours
OF_NO_ONE_FOLDER = {  # tests of what several folders do together
    "tests/engine/programs/isolation",
    "tests/engine/programs/whole_programs",
}


def folders() -> Counter[str]:
    """Every folder that holds Python files under version control, with how many."""
    found = (path.relative_to(ROOT) for path in tracked_files() if path.suffix == ".py")
    return Counter(str(path.parent) for path in found if path.name not in UNCOUNTED)


def has_the_name_of_a_source_folder(folder: str) -> bool:
    """Whether a folder of tests is called as the folder that it tests."""
    return (ROOT / Path(folder).relative_to("tests")).is_dir()


def test_no_folder_is_crowded() -> None:
    crowded = {folder for folder, files in folders().items() if files > MOST_FILES}
    assert {folder for folder in crowded if not folder.startswith(PROGRAMS)} == set()


@pytest.mark.parametrize("room", ["tests/engine", "tests/server"])
def test_the_tests_of_a_folder_stand_in_one_of_its_name(room: str) -> None:
    here = {folder for folder in folders() if folder == room or folder.startswith(f"{room}/")}
    assert here
    assert {folder for folder in here if not has_the_name_of_a_source_folder(folder)} <= OF_NO_ONE_FOLDER


def test_a_folder_of_another_name_would_be_noticed() -> None:
    assert has_the_name_of_a_source_folder("tests/engine/programs/races")
    assert not has_the_name_of_a_source_folder("tests/engine/programs/contests")


@pytest.mark.parametrize("name", AS_MANY_TESTS)
def test_a_file_whose_tests_are_long_is_there(name: str) -> None:
    assert (BROWSER / name).is_file()
