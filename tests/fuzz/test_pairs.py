"""Programs after others, drawn at random: whatever those write, a program is answered as alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.programs.isolation.plain import PLAIN
from tests.fresh import FreshProcesses, Program, fresh_processes
from tests.fuzz.grammar import PROGRAMS, SPOILS

DIALECTS = st.sampled_from(["tf1", "tf2"])
FIRST = st.tuples(SPOILS | SPOILS | PROGRAMS, DIALECTS)
SECOND = st.sampled_from([*PLAIN.values()]) | st.tuples(PROGRAMS, DIALECTS)
ALWAYS = [PLAIN["names and graphs"], PLAIN["exceptions"]]  # the most that a program could spoil
SHOWN = 200  # characters of an answer on both sides of a difference


@pytest.fixture(scope="module")
def processes() -> Iterator[FreshProcesses]:
    """Where programs run, each sequence of them in a new process."""
    with fresh_processes() as found:
        yield found


@pytest.mark.slow
@given(st.lists(FIRST, min_size=1, max_size=12), SECOND)
def test_a_program_after_others_is_answered_as_alone(
    processes: FreshProcesses, before: list[Program], program: Program
) -> None:
    programs = [*ALWAYS, program]
    alone = [processes.run(one)[0] for one in programs]
    after = processes.run(*before, *programs)[-len(programs) :]
    assert [differing(*answers) for answers in zip(after, alone, strict=True)] == [None] * len(programs)


def differing(after: str, alone: str) -> tuple[str, str] | None:
    """Where two answers begin to differ, with what stands around it."""
    if after == alone:
        return None
    shorter = min(len(after), len(alone))
    place = next((n for n in range(shorter) if after[n] != alone[n]), shorter)
    start, end = max(0, place - SHOWN), place + SHOWN
    return after[start:end], alone[start:end]
