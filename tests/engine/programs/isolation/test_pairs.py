"""A program's answer is the same in a new process and after programs that try to change it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.programs.isolation.plain import PLAIN
from tests.engine.programs.isolation.spoiling import SPOILING
from tests.fresh import FreshProcesses, Program, fresh_processes

pytestmark = pytest.mark.slow  # a new process for each sequence of programs


@pytest.fixture(scope="module")
def processes() -> Iterator[FreshProcesses]:
    """Where programs run, each sequence of them in a new process."""
    with fresh_processes() as found:
        yield found


@pytest.fixture(scope="module")
def alone(processes: FreshProcesses) -> dict[str, str]:
    """The answer to each plain program, run in a process of its own."""
    return {name: processes.run(program)[0] for name, program in PLAIN.items()}


@pytest.mark.parametrize("spoiling", SPOILING.values(), ids=SPOILING.keys())
def test_a_program_leaves_the_answers_to_others_as_they_are(
    processes: FreshProcesses, alone: dict[str, str], spoiling: Program
) -> None:
    _, *answers = processes.run(spoiling, *PLAIN.values())
    after = dict(zip(PLAIN, answers, strict=True))
    assert [name for name in PLAIN if after[name] != alone[name]] == []


def test_all_of_them_together_leave_the_answers_to_others_as_they_are(
    processes: FreshProcesses, alone: dict[str, str]
) -> None:
    answers = processes.run(*SPOILING.values(), *PLAIN.values())[len(SPOILING) :]
    after = dict(zip(PLAIN, answers, strict=True))
    assert [name for name in PLAIN if after[name] != alone[name]] == []
