"""Programs that one worker runs one after the other: none changes, reads or starves another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.limits import PATIENT
from tests.server.service import ROOT, running

pytestmark = pytest.mark.slow  # starts workers of its own

RAISING = "try:\n    raise ValueError('the answer is 7')\nexcept ValueError as e:\n    print(str(e), e.args)"
ANSWER = ["the answer is 7 ('the answer is 7',)"]
SPY = """
def keep(self, *args):
    self.args = args
    Exception.stash.append(args)

Exception.stash = []
Exception.__init__ = keep
"""
FILLING = """
import numpy as np

kept = [np.ones((1000, 1000)) for part in range(9)]  # 72 MB
kept.append(kept)  # a circle, which nothing but the garbage collector lets go
total = kept[0].sum() + {number}
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a service with one worker, so that every program runs in the same process."""
    folder = tmp_path_factory.mktemp("one-worker")
    limits = {"GRADLENS_WORKER_MEMORY_BYTES": "600000000", **PATIENT}
    with running(folder, python=sys.executable, cwd=ROOT, GRADLENS_WORKERS="1", **limits) as service:
        yield service


def post(client: httpx.Client, source: str) -> Any:
    """The answer to a program of TensorFlow 1; each source of its own is run, and not looked up."""
    return client.post("/programs", json={"source": source, "dialect": "tf1"}).json()


def test_no_program_changes_how_the_errors_of_another_read(worker: httpx.Client) -> None:
    spoiling = post(worker, "Exception.__str__ = lambda self: 'WRONG'")
    assert spoiling["diagnostics"][0]["message"] == (
        "cannot set '__str__' attribute of immutable type 'Exception'"
    )
    assert post(worker, RAISING)["printed"] == ANSWER


def test_no_program_reads_the_arguments_of_anothers_errors(worker: httpx.Client) -> None:
    post(worker, SPY)
    assert post(worker, f"# another\n{RAISING}")["printed"] == ANSWER
    reading = post(worker, "print(Exception.stash)")
    assert reading["printed"] == []
    assert reading["diagnostics"][0]["code"] == "unknown_attribute"


def test_no_program_finds_the_memory_filled_by_others(worker: httpx.Client) -> None:
    answers = [post(worker, FILLING.format(number=number)) for number in range(8)]
    assert [answer["status"] for answer in answers] == ["ok"] * 8
