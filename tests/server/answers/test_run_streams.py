"""Runs sent line by line: a header, chunks of rows, a footer, whatever becomes of reader and worker."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from engine.errors import GradlensError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, RunRequest
from engine.programs.program.running import run_request
from engine.programs.training.checkpoints import Checkpoints, nearest
from engine.programs.training.scheduler import Scheduler
from engine.programs.training.stepping import FIRST_ROWS
from server.answers.answers import Answers
from server.answers.run_lines import RunLines
from server.answers.store import KeptRun
from server.schemas.answers.runs import RunAnswer, RunChunk, RunFooter, RunHeader
from server.schemas.requests import Program, Run
from server.serialization.answer import Answer
from server.serialization.identity import program_id, run_id
from server.settings import Settings
from server.workers.streams import Stream
from server.workers.tasks import answer_program, run_messages
from server.workers.workers import CutShort, Workers
from tests.chunks import joined
from tests.limits import ROOMY
from tests.server.hostile import whoami
from tests.server.service import running
from tests.server.store.opened import opened_store

pytestmark = pytest.mark.slow  # starts services of its own

T = TypeVar("T")

SQUARE = {"source": "y = x^2", "at": {"x": 3}}
DESCENT = {"name": "GradientDescent", "learning_rate": 0.01}
LINES = {"accept": "application/x-ndjson"}
BOUNDLESS = 10**15  # element operations
HOURS = {  # a step takes milliseconds, the run the day
    "program": {
        "source": "import tensorflow as tf\nw = tf.Variable(tf.eye(300))\ny = tf.reduce_sum(w @ w @ w)"
    },
    "optimizer": {"name": "GradientDescent", "learning_rate": 1e-9},
    "steps": 100_000,
    "record": "variables",
}


def read(lines: Iterable[str | bytes]) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """Header, chunks and footer, each as documented and numbered in order."""
    header, *chunks, footer = [json.loads(line) for line in lines]
    RunHeader.model_validate(header)
    for chunk in chunks:
        RunChunk.model_validate(chunk)
    RunFooter.model_validate(footer)
    assert [event["sequence"] for event in (header, *chunks, footer)] == list(range(len(chunks) + 2))
    return header, chunks, footer


def with_time(data_dir: Path, wall_s: float) -> AbstractContextManager[httpx.Client]:
    """A service with one worker, whose programs are bounded by nothing but the clock."""
    return running(
        data_dir,
        GRADLENS_WORKERS="1",
        GRADLENS_LIMITS__WALL_S=str(wall_s),
        GRADLENS_LIMITS__ELEMENT_OPERATIONS=str(BOUNDLESS),
    )


def with_answers(folder: Path, use: Callable[[Answers], Awaitable[T]], limits: Limits, workers: int = 1) -> T:
    """What `use` makes of answers that come from so many workers and are kept in `folder`."""

    async def start_and_stop() -> T:
        pool = Workers(Settings(workers=workers, limits=limits))
        async with opened_store(folder / "store.sqlite3") as store:
            try:
                return await use(Answers(pool, store, limits, 10_000_000))
            finally:
                await pool.stop()

    return asyncio.run(start_and_stop())


def stream(client: httpx.Client, **fields: Any) -> Any:
    """A run that is sent as it goes."""
    return client.stream("POST", "/runs", json=fields, headers=LINES)


def test_a_streamed_run_holds_what_the_whole_answer_holds(client: httpx.Client) -> None:
    asked = {"program": SQUARE, "optimizer": {**DESCENT, "name": "Adam"}, "steps": 200}
    with stream(client, **asked) as response:
        assert response.headers["content-type"] == "application/x-ndjson"
        header, chunks, footer = read(response.iter_lines())
    columns = joined(chunks)
    whole = client.post("/runs", json=asked).json()
    sent = {**header, **columns, **footer}
    assert {name: sent[name] for name in whole} == whole
    assert (header["rows"], len(columns["steps"])) == (201, 201)


@pytest.fixture(scope="module")
def hours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a service with one worker, which may work for hours."""
    with with_time(tmp_path_factory.mktemp("data"), wall_s=36_000) as service:
        yield service


def test_the_first_rows_arrive_while_the_others_are_still_to_be_computed(hours: httpx.Client) -> None:
    with stream(hours, **HOURS) as response:
        lines = response.iter_lines()
        assert json.loads(next(lines))["type"] == "header"
        assert json.loads(next(lines))["steps"][0] == 0
    # The reader has gone, so the only worker is free for the next one.
    assert hours.post("/programs", json=SQUARE).json()["status"] == "ok"


@pytest.mark.parametrize("noun", ["runs", "races", "landscapes"])
def test_a_reader_who_goes_away_before_the_answer_frees_the_worker(hours: httpx.Client, noun: str) -> None:
    axis = {"variable": "w", "from": 0, "to": 1, "count": 100}
    asked: dict[str, dict[str, Any]] = {
        "runs": HOURS,
        "races": {
            "program": HOURS["program"],
            "steps": HOURS["steps"],
            "runs": [{"optimizer": HOURS["optimizer"]}],
            "record": "loss",
        },
        "landscapes": {
            "program": HOURS["program"],
            "axes": [{**axis, "index": [0, 0]}, {**axis, "index": [0, 1]}],
        },
    }
    program = hours.post("/programs", json=HOURS["program"]).json()["id"]
    with pytest.raises(httpx.ReadTimeout):
        hours.post(f"/{noun}", json={**asked[noun], "program": program}, timeout=2)
    # Nobody waits any more, so the only worker is free for the next one.
    assert hours.post("/programs", json={"source": f"y = x + 1  # {noun}"}).json()["status"] == "ok"


def test_the_first_chunk_is_small(client: httpx.Client) -> None:
    with stream(client, program=SQUARE, optimizer=DESCENT, steps=1_000) as response:
        _, chunks, _ = read(response.iter_lines())
    assert 0 < len(chunks[0]["steps"]) <= FIRST_ROWS


def test_a_value_that_json_lacks_is_a_text(client: httpx.Client) -> None:
    log = {"source": "log(x)", "at": {"x": 0.05}}
    with stream(client, program=log, optimizer=DESCENT, steps=9) as response:
        _, chunks, footer = read(response.iter_lines())
    columns = joined(chunks)
    assert columns["loss"][1] == columns["nodes"]["Log:0"][1] == "nan"
    assert (footer["status"], footer["stopped_at"]["node"]) == ("non_finite", "Log")


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"program": "p_nothing"}, 404, "unknown_program"),
        ({"program": SQUARE, "optimizer": {"name": "Adm"}}, 422, "unknown_optimizer"),
        ({"program": SQUARE, "optimizer": DESCENT, "start": {"x": [1, 2]}}, 422, "shape_mismatch"),
        ({"program": {"source": "y = x +"}, "optimizer": DESCENT}, 422, "syntax_error"),
    ],
)
def test_what_does_not_fit_is_a_problem_and_no_stream(
    client: httpx.Client, fields: dict[str, Any], status: int, code: str
) -> None:
    response = client.post("/runs", json={"steps": 3, **fields}, headers=LINES)
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_nothing_is_kept_of_a_run_that_is_refused(tmp_path: Path) -> None:
    square = Program.model_validate(SQUARE).to_engine()
    misnamed, misshapen = (RunRequest(3, {"name": "Adm"}), RunRequest(3, DESCENT, start={"x": [1, 2]}))

    async def use(answers: Answers) -> None:
        program = await answers.program(square)
        for run in (misnamed, misshapen):
            with pytest.raises(GradlensError):
                await answers.run_lines(program.id, run)
        await answers.program(replace(square, seed=1))  # what was to be written before is written by now
        for run in (misnamed, misshapen):
            assert await answers.store.get_run(run_id(program.id, run)) is None

    with_answers(tmp_path, use, ROOMY)


def test_a_run_that_is_stopped_by_the_clock_says_so_in_its_last_line(tmp_path: Path) -> None:
    with (
        with_time(tmp_path, wall_s=2) as service,
        stream(service, **HOURS) as response,
    ):
        _, chunks, footer = read(response.iter_lines())
    assert chunks
    assert footer["status"] == "limit"
    assert "after 2 seconds" in footer["stopped_at"]["reason"]


def test_a_run_whose_worker_is_killed_ends_with_a_footer(tmp_path: Path) -> None:
    async def use(answers: Answers) -> list[bytes]:
        worker = int((await answers.workers.run(whoami)).id)
        run = Run.model_validate(HOURS)
        assert isinstance(run.program, Program)
        program = await answers.program(run.program.to_engine())
        sent: list[bytes] = []
        lines = await answers.run_lines(program.id, run.to_engine())
        async for part in lines:
            if not sent:
                os.kill(worker, signal.SIGKILL)
            sent.append(part)
        lines.close()
        return sent

    sent = with_answers(tmp_path, use, Limits(wall_s=36_000, element_operations=BOUNDLESS))
    header, chunks, footer = read(b"".join(sent).splitlines())
    assert header["program"]["graph"]["nodes"]
    assert chunks[0]["steps"][0] == 0
    assert (footer["status"], footer["diagnostics"][0]["code"]) == (
        "limit",
        "memory",
    )


class Messages:
    """A stream that ends with the loss of its worker after the first few messages."""

    def __init__(self, messages: Iterable[bytes]) -> None:
        self.left = list(messages)

    async def receive(self) -> bytes:
        if not self.left:
            raise CutShort("memory")
        return self.left.pop(0)


def test_a_worker_lost_between_the_header_and_the_first_rows_leaves_the_header() -> None:
    square, run = Program.model_validate(SQUARE).to_engine(), RunRequest(3, DESCENT)
    _, header, *_ = run_messages(square, run, ROOMY, Checkpoints(), Scheduler())
    messages = Messages([header])

    async def kept(checkpoints: bytes) -> None:
        raise AssertionError("it came to no end")

    async def use() -> bytes:
        lines = RunLines(messages, "p_square", square, run, ROOMY, kept)  # type: ignore[arg-type]
        await lines.begin()
        return b"".join([part async for part in lines])

    sent = [json.loads(line) for line in asyncio.run(use()).splitlines()]
    assert [line["type"] for line in sent] == ["header", "footer"]
    assert sent[0] == json.loads(header)
    assert (sent[1]["type"], sent[1]["sequence"], sent[1]["status"]) == ("footer", 1, "limit")


def test_a_worker_stopped_after_its_last_line_adds_no_second_footer() -> None:
    square, run = Program.model_validate(SQUARE).to_engine(), RunRequest(3, DESCENT)
    _, *lines = run_messages(square, run, ROOMY, Checkpoints(), Scheduler())

    async def kept(checkpoints: bytes) -> None:
        raise AssertionError("its states never came")

    async def use() -> bytes:
        messages = RunLines(Messages(lines), "p_square", square, run, ROOMY, kept)  # type: ignore[arg-type]
        await messages.begin()
        return b"".join([part async for part in messages])

    sent = [json.loads(line)["type"] for line in asyncio.run(use()).splitlines()]
    assert sent == ["header", "chunk", "footer"]


def test_a_killed_program_and_its_killed_run_have_the_id_of_what_the_text_is_read_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Program.model_validate(HOURS["program"]).to_engine()

    async def use(answers: Answers) -> tuple[Answer, bytes, Answer]:
        begin, run = answers.workers.stream, answers.workers.run

        async def killed_first(task: Callable[..., Any], *asked: Any) -> Stream:
            started = await begin(task, *asked)
            monkeypatch.setattr(started, "receive", lost)
            return started

        async def lost() -> bytes:
            raise CutShort("memory")

        monkeypatch.setattr(answers.workers, "stream", killed_first)
        lines = await answers.run_lines(text, RunRequest(3, DESCENT))
        sent = await anext(aiter(lines))
        lines.close()

        async def killed(task: Callable[..., T], *asked: Any) -> T:
            if task is answer_program:
                raise CutShort("memory")
            return await run(task, *asked)

        monkeypatch.setattr(answers.workers, "run", killed)
        program = await answers.program(replace(text, seed=1))
        return program, sent, await answers.kept_program(program.id)

    program, sent, kept = with_answers(tmp_path, use, ROOMY, workers=2)
    header = json.loads(sent.splitlines()[0])
    assert (header["program"]["id"], header["program"]["dialect"]) == (program_id(text, "tf2"), "tf2")
    assert (program.id, kept.id) == (program_id(replace(text, seed=1), "tf2"),) * 2
    assert json.loads(gzip.decompress(program.packed))["dialect"] == "tf2"


def test_a_run_is_there_after_a_restart_and_so_is_each_of_its_steps(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        asked = {"program": SQUARE, "optimizer": DESCENT, "steps": 300}
        with stream(service, **asked) as response:
            header, _, _ = read(response.iter_lines())
        whole = service.post("/runs", json=asked).json()
    name = header["id"]
    with running(tmp_path) as service:
        step = service.get(f"/runs/{name}/steps/250").json()
        again = service.get(f"/runs/{name}")
        assert service.get(f"/programs/{name}").status_code == 404  # a run is no program
        assert service.get(f"/runs/{whole['program']['id']}").status_code == 404
    assert step["nodes"]["pow:0"]["data"] == whole["loss"][250] == pytest.approx(9 * 0.98**500)
    assert again.json() == whole
    RunAnswer.model_validate(again.json())


@pytest.mark.parametrize("by_id", [True, False], ids=["by its id", "by its text"])
def test_a_program_that_was_answered_is_not_run_again_for_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_id: bool
) -> None:
    square = Program.model_validate(SQUARE).to_engine()

    async def use(answers: Answers) -> list[bytes]:
        begin, brought = answers.workers.stream, list[bytes]()

        async def stream(task: Any, request: ProgramRequest, *asked: Any) -> Stream:
            brought.append(request.ran)
            return await begin(task, request, *asked)

        monkeypatch.setattr(answers.workers, "stream", stream)
        answered = await answers.program(square)
        lines = await answers.run_lines(answered.id if by_id else square, RunRequest(3, DESCENT))
        lines.close()
        return brought

    (brought,) = with_answers(tmp_path, use, ROOMY, workers=2)
    assert brought


def test_what_a_program_left_behind_is_kept_with_its_answer_and_not_in_the_store(tmp_path: Path) -> None:
    square = Program.model_validate(SQUARE).to_engine()

    async def use(answers: Answers) -> tuple[Answer, Answer | None]:
        answered = await answers.program(square)
        return await answers.kept_program(answered.id), await answers.store.get(answered.id)

    recent, stored = with_answers(tmp_path, use, ROOMY)
    assert stored is not None
    assert recent.request == stored.request
    assert recent.request is not None
    assert stored.request is not None
    assert (bool(recent.request.ran), bool(stored.request.ran)) == (True, False)
    assert recent.size_bytes == len(recent.packed) + len(recent.request.ran)


def test_the_first_rows_of_a_new_program_do_not_wait_for_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    square = Program.model_validate(SQUARE).to_engine()

    async def use(answers: Answers) -> list[bytes]:
        begun = asyncio.Event()

        async def slowly(request: ProgramRequest) -> Answer:
            await asyncio.wait_for(begun.wait(), timeout=60)
            return await Answers.program(answers, request)

        monkeypatch.setattr(answers, "program", slowly)
        lines = await answers.run_lines(square, RunRequest(3, DESCENT))
        sent = [part async for part in lines]
        lines.close()
        header = json.loads(sent[0].splitlines()[0])
        program = asyncio.ensure_future(answers.kept_program(header["program"]["id"]))
        step = asyncio.ensure_future(answers.step(header["id"], 2))
        await asyncio.sleep(0)
        assert not program.done()  # it is known, and its answer is waited for
        begun.set()
        assert (await program).id == header["program"]["id"]
        assert (await step).id == f"{header['id']}/steps/2"
        assert (await answers.kept_run(header["id"])).id == header["id"]
        return sent

    sent = with_answers(tmp_path, use, ROOMY, workers=4)
    _, chunks, footer = read(b"".join(sent).splitlines())
    assert joined(chunks)["loss"][0] == 9.0
    assert footer["status"] == "ok"


def test_checkpoints_of_a_run_are_kept_with_it(tmp_path: Path) -> None:
    square = Program.model_validate(SQUARE).to_engine()
    whole, streamed = (RunRequest(steps, DESCENT, record="variables") for steps in (20_000, 20_001))

    async def use(answers: Answers) -> list[KeptRun | None]:
        program = await answers.program(square)
        await answers.run(program.id, whole)
        lines = await answers.run_lines(program.id, streamed)
        async for _ in lines:
            pass
        lines.close()
        return [await answers.store.get_run(run_id(program.id, run)) for run in (whole, streamed)]

    graph = run_request(square, ROOMY).graph
    for kept in with_answers(tmp_path, use, ROOMY):
        assert kept is not None
        near = nearest(kept.checkpoints, 19_999, graph)
        assert near is not None
        assert near.step > 17_000
