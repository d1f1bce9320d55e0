"""A program leaves nothing behind: neither in the engine's modules, nor in Python, nor in memory."""

from __future__ import annotations

import gc
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextvars import copy_context

import numpy as np
import pytest

from engine.graph import Graph
from engine.languages.interpreter import Interpreter
from engine.languages.workspace import Workspace
from engine.programs import ProgramRequest, run_program
from tests.engine.programs.isolation.plain import PLAIN
from tests.engine.programs.isolation.process_state import state_of_the_engine
from tests.engine.programs.isolation.spoiling import SPOILING
from tests.fresh import LIMITS, Program

pytestmark = pytest.mark.slow  # many programs one after the other

OF_A_RUN = (Interpreter, Workspace, Graph)


def run(program: Program) -> None:
    """Run it; its answer is looked at elsewhere."""
    run_program(ProgramRequest(program[0], dialect=program[1]), LIMITS)


def state_of_python() -> dict[str, object]:
    """What is set for a whole process."""
    return {
        "numpy's warnings": np.geterr(),
        "numpy's printing": np.get_printoptions(),
        "numpy's random numbers": np.random.get_state()[1].tobytes(),  # type: ignore[index]  # a tuple
        "random numbers": random.getstate(),
        "warnings": list(warnings.filters),
        "recursion": sys.getrecursionlimit(),
        "collector": (gc.isenabled(), gc.get_threshold()),
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "streams": (sys.stdout, sys.stderr, list(sys.path)),
        "contexts": dict(copy_context().items()),
    }


@pytest.mark.parametrize("programs", [SPOILING, PLAIN], ids=["spoiling", "plain"])
def test_what_is_set_for_the_whole_process_stays_as_it_is(programs: dict[str, Program]) -> None:
    python, engine = state_of_python(), state_of_the_engine()
    for program in programs.values():
        run(program)
    assert state_of_python() == python
    after = state_of_the_engine()
    assert [way for way in engine.keys() | after.keys() if engine.get(way) != after.get(way)] == []


@pytest.fixture
def _clean_ground() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_clean_ground")
def test_nothing_of_a_program_stays_in_memory() -> None:
    before = {id(one) for one in gc.get_objects() if isinstance(one, OF_A_RUN)}
    stayed = []
    for name, program in {**SPOILING, **PLAIN}.items():
        run(program)
        gc.collect()
        if any(isinstance(one, OF_A_RUN) and id(one) not in before for one in gc.get_objects()):
            stayed.append(name)
    assert stayed == []
