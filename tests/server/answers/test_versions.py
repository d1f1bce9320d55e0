"""What another version of the engine has answered is computed anew; its links still open."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.programs import ProgramRequest, RunRequest
from engine.version import ANSWERS_REVISION, ANSWERS_VERSION, ENGINE_VERSION
from server.serialization import identity
from server.serialization.answer import Answer
from server.serialization.identity import digest, program_id, run_id
from server.workers.tasks import answer_program
from tests.limits import ROOMY
from tests.server.service import running
from tests.server.store.opened import opened_store

SQUARE = ProgramRequest(source="y = x^2", dialect="math", at={"x": 3}, wrt=("x",))
POISON = gzip.compress(b'{"id": "poisoned"}')


def test_ids_follow_from_the_revision_of_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    today = digest({})
    monkeypatch.setattr(identity, "ANSWERS_VERSION", f"{ENGINE_VERSION}+{ANSWERS_REVISION + 1}")
    assert digest({}) != today
    assert f"{ENGINE_VERSION}+{ANSWERS_REVISION}" == ANSWERS_VERSION


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[httpx.Client, str, str]]:
    """A service with a program and a run that an older version has kept, both wrong, and their ids."""
    with monkeypatch.context() as earlier:
        earlier.setattr(identity, "ANSWERS_VERSION", f"{ENGINE_VERSION}+{ANSWERS_REVISION - 1}")
        program = program_id(SQUARE, "math")
        run = RunRequest(5, {"name": "GradientDescent", "learning_rate": 0.1})
        name = run_id(program, run)

    async def keep() -> None:
        async with opened_store(tmp_path / "gradlens.sqlite3") as store:
            await store.put(Answer(program, POISON, SQUARE))
            await store.put_run(name, program, run, b"poisoned states")

    asyncio.run(keep())
    with running(tmp_path, GRADLENS_WORKERS="2") as client:
        yield client, program, name


@pytest.mark.slow
def test_links_of_an_older_version_open_with_what_this_one_computes(
    older: tuple[httpx.Client, str, str],
) -> None:
    client, program, run = older
    reply = client.get(f"/programs/{program}")
    assert reply.status_code == 200
    assert reply.json()["id"] == program_id(SQUARE, "math") != program
    assert reply.content == gzip.decompress(answer_program(SQUARE, ROOMY).packed)
    assert client.get(f"/programs/{program}/lesson").status_code == 200
    whole = client.get(f"/runs/{run}").json()
    assert whole["loss"][:2] == pytest.approx([9.0, 5.76])  # x: 3, 3 - 0.1 * 6
    assert client.get(f"/runs/{run}/steps/2").status_code == 200
