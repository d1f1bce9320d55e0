"""A program that runs in the terminal leaves memory to the rest of the machine."""

from __future__ import annotations

import resource

import pytest

from gradlens import memory
from gradlens.memory import MOST_BYTES, bounded_memory


def limit() -> int:
    return resource.getrlimit(resource.RLIMIT_DATA)[0]


def test_a_program_has_6_gb_at_most_and_the_command_what_it_had_afterwards() -> None:
    before = limit()
    with bounded_memory():
        assert 0 < limit() <= MOST_BYTES
    assert limit() == before


def test_on_a_small_machine_it_has_half_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 2_000_000_000)
    with bounded_memory():
        assert limit() == 1_000_000_000
