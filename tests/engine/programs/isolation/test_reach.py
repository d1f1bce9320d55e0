"""Nothing that programs share can be written: not by a program, nor (but for two types) in Python."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.errors import GradlensError
from engine.languages.interpreter import Budget
from engine.languages.interpreter.builtins.containers import delete_item, store
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import set_attribute
from engine.languages.interpreter.values import Ignored
from tests.engine.programs.isolation.calls import results_of_a_run
from tests.engine.programs.isolation.world import Path, could_be_written, reachable, roots
from tests.limits import ROOMY

pytestmark = pytest.mark.slow  # walks all that a program can reach

BUDGET = Budget(ROOMY)
PROGRAM: Any = SimpleNamespace(names_in_modules={})  # a module's new names are kept with the program
SHARED = list(reachable(roots()).values())
WRITES: dict[str, Callable[[Any], None]] = {
    "an attribute": lambda value: set_attribute(PROGRAM, value, "stash", []),
    "a method": lambda value: set_attribute(PROGRAM, value, "__str__", print),
    "its name": lambda value: set_attribute(PROGRAM, value, "name", "WRONG"),
    "an item": lambda value: store(value, 0, 1.0, BUDGET),
    "an entry": lambda value: store(value, "stash", 1.0, BUDGET),
    "all items": lambda value: store(value, slice(None), [], BUDGET),
    "no item": lambda value: delete_item(value, 0),
}


def test_the_walk_goes_everywhere() -> None:
    ways = " ".join(way for way, _ in SHARED)
    assert len(SHARED) > 5_000
    assert all(
        part in ways
        for part in ("ZeroDivisionError", "keras", "linalg", "random", "mathematics.", "Session.")
    )


@pytest.mark.parametrize(
    "value",
    [[], {}, set(), np.ones(2), UserClass("Mine"), np.random.RandomState(0)],
    ids=lambda v: str(type(v)),
)
def test_the_walk_knows_what_could_be_written(value: Any) -> None:
    assert could_be_written(value)


def test_nothing_that_programs_share_could_be_written() -> None:
    assert [way for way, value in SHARED if could_be_written(value)] == []


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_a_program_that_tries_is_refused(write: Callable[[Any], None]) -> None:
    assert [
        way for way, value in SHARED if not isinstance(value, Ignored) and not _is_refused(write, value)
    ] == []


def _is_refused(write: Callable[[Any], None], value: Any) -> bool:
    """Whether nothing shared was written: refused, or kept with the program."""
    try:
        write(value)
    except GradlensError:
        return True
    kept_apart = bool(PROGRAM.names_in_modules)
    PROGRAM.names_in_modules.clear()
    return kept_apart


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
def test_what_functions_give_in_two_runs_shares_nothing_that_could_be_written(
    dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, logger="engine")  # whether these arguments fit is asked elsewhere
    one, other = (_reached(results_of_a_run(dialect)) for run in range(2))
    shared = [one[place] for place in one.keys() & other.keys()]
    assert len(shared) > 100  # types, numbers, functions
    assert [way for way, value in shared if could_be_written(value)] == []


def _reached(results: dict[str, Any]) -> dict[int, Path]:
    return reachable(iter(results.items()))
