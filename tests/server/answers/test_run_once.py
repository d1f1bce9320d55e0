"""A program's text is run once: whatever is asked of it later goes on from what it left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest, service
from engine.programs.answers.picture_files import Look
from engine.programs.lesson import LEVELS
from engine.programs.program import running
from server.answers.answers import Answers
from server.serialization.answer import Answer
from server.settings import Settings
from server.workers.workers import Workers
from tests.server.store.opened import opened_store

pytestmark = pytest.mark.slow  # starts services of its own

TF1 = """
import tensorflow as tf
x = tf.Variable(3.0)
y = x ** 2
train = tf.train.GradientDescentOptimizer(0.1).minimize(y)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train)
"""
TF2 = """
import tensorflow as tf
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x ** 2
print(tape.gradient(y, x))
"""
STOPPED = "import tensorflow as tf\nx = tf.Variable(3.0)\ny = x ** 2\nz = y + no_such_name"
PROGRAMS = ["y = exp(sin(x))", TF1, TF2, STOPPED]
LANGUAGES = ("math", "latex", "tf1", "tf2", "numpy", "torch", "jax", "generated")
FORMS = ("json", "pbtxt", "pb", "dot", "graphml", "events", "svg", "pdf")


class WorkersHere(Workers):
    """Work is done in this process, where what it calls can be counted."""

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns."""
        return function(*arguments)


@pytest.fixture
def texts_run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The text of each program that is run, however often and by whom."""
    found: list[str] = []
    run = running._run

    def counted(request: ProgramRequest, *others: Any) -> None:
        found.append(request.source)
        run(request, *others)

    monkeypatch.setattr(running, "_run", counted)
    return found


def ask_everything(folder: Path, source: str) -> list[Any]:
    """Post a program, ask all that there is to ask of it, and return the answers' bytes."""
    limits = Limits(wall_s=60)

    async def use() -> list[Any]:
        async with opened_store(folder / "store.sqlite3") as store:
            answers = Answers(WorkersHere(Settings(data_dir=folder)), store, limits, 10**8)
            name = (await answers.program(ProgramRequest(source))).id
            looks = [Look(detail, form) for detail in ("tensorflow", "essentials") for form in FORMS]
            asked: list[Callable[[], Coroutine[Any, Any, Answer]]] = [
                *(partial(answers.lesson, name, level) for level in LEVELS),
                *(partial(answers.code, name, language) for language in LANGUAGES),
                *(partial(answers.graph, name, look) for look in looks),
                partial(answers.tensor, name, "x"),
                partial(answers.comparison, name),
                partial(answers.run, name, RunRequest(3, {"name": "Adam", "learning_rate": 0.1})),
            ]
            return [await answer_or_mistake(ask) for ask in asked]

    return asyncio.run(use())


async def answer_or_mistake(ask: Callable[[], Coroutine[Any, Any, Answer]]) -> Any:
    """The bytes of an answer, or the code of what is wrong with the request."""
    try:
        return (await ask()).packed
    except GradlensError as error:
        return error.code


@pytest.mark.parametrize(
    "source", ["y = exp(sin(x))", TF1, TF2, STOPPED], ids=["math", "tf1", "tf2", "stopped"]
)
def test_a_programs_text_is_run_once_whatever_is_asked_of_it(
    tmp_path: Path, texts_run: list[str], source: str
) -> None:
    ask_everything(tmp_path, source)
    assert texts_run.count(source) == 1  # TensorFlow 2 is written for others by way of a text of our own


@pytest.mark.parametrize(
    "source", ["y = exp(sin(x))", TF1, TF2, STOPPED], ids=["math", "tf1", "tf2", "stopped"]
)
def test_the_answers_are_those_of_a_program_that_is_run_again_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts_run: list[str], source: str
) -> None:
    (tmp_path / "kept").mkdir()
    kept = ask_everything(tmp_path / "kept", source)
    monkeypatch.setattr(service, "pack_outcome", lambda _: b"")
    (tmp_path / "again").mkdir()
    assert ask_everything(tmp_path / "again", source) == kept
    assert texts_run.count(source) > 20
