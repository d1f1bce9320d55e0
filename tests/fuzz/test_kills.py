"""A service that is killed while it answers: whatever it has answered is there afterwards, byte for byte."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from queue import Queue

import httpx
import pytest

from tests.fuzz.conftest import LONG
from tests.server.service import process_of, running

ROUNDS = 30 if LONG else 2
WRITERS = 4
MOST_ANSWERS = 60  # before the service is killed, at chance

Answers = Queue[tuple[str, bytes]]


def asks_until_it_is_killed(address: str, turn: int, answers: Answers) -> None:
    """Send one program after the other, and hand over what is answered."""
    with httpx.Client(base_url=address, timeout=30) as client:
        for number in range(10_000):
            program = {"source": f"y = x^2 + sin(x) * {turn} + {number}", "at": {"x": 3}}
            try:
                answer = client.post("/programs", json=program)
            except httpx.HTTPError:  # killed meanwhile
                return
            if answer.status_code == 200:
                answers.put((answer.json()["id"], answer.content))


@pytest.mark.slow
def test_every_answer_outlives_a_service_that_is_killed_while_it_writes(tmp_path: Path) -> None:
    chance = random.Random(30)
    answers: dict[str, bytes] = {}
    for turn in range(ROUNDS):
        answers |= given_before_it_was_killed(tmp_path, turn, after=chance.randint(1, MOST_ANSWERS))
    assert len(answers) > ROUNDS
    with running(tmp_path, GRADLENS_WORKERS="1") as client:
        kept = {name: client.get(f"/programs/{name}") for name in answers}
    assert [name for name, body in answers.items() if kept[name].content != body] == []
    print(f"{ROUNDS} of {ROUNDS} times: all of {len(answers)} answers are there")


def given_before_it_was_killed(data_dir: Path, turn: int, after: int) -> dict[str, bytes]:
    """The answers that a service gives before it is killed; it starts with what those before it have left.

    after: so many answers have come when it is killed; further ones are being written then.
    """
    answers: Answers = Queue()
    given: dict[str, bytes] = {}
    with process_of(data_dir, GRADLENS_WORKERS="2") as (process, client):
        address = str(client.base_url)
        asking = [
            threading.Thread(target=asks_until_it_is_killed, args=(address, turn * WRITERS + one, answers))
            for one in range(WRITERS)
        ]
        for thread in asking:
            thread.start()
        given.update(answers.get(timeout=60) for _ in range(after))
        process.kill()
        for thread in asking:
            thread.join()
    while not answers.empty():
        given.update([answers.get()])
    return given
