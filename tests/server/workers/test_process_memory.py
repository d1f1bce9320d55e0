"""A process and its memory: what is unused goes back to the system."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import weakref
from types import SimpleNamespace

import pytest

from server.serialization.answer import Answer
from server.serialization.bounded_json import AnswerTooLarge
from server.workers import process_memory, worker_process
from server.workers.process_memory import MOST_BYTES, is_worn_out, resident_bytes, tidy_regularly
from server.workers.worker_process import LeftBehind

pytestmark = pytest.mark.slow  # starts workers of its own


@pytest.mark.parametrize(
    ("result", "resident", "worn_out"),
    [
        (Answer("p", b""), MOST_BYTES, False),
        (Answer("p", b""), MOST_BYTES + 1, True),
        (Answer("p", b"", out_of_memory=True), 0, True),
        (MemoryError(), 0, True),
        (AnswerTooLarge(), 0, False),
        (ValueError(), 0, False),
    ],
    ids=["small", "large at rest", "ran out", "no memory left", "answer too large", "another error"],
)
def test_a_worker_is_replaced_that_holds_much_or_ran_out_of_memory(
    monkeypatch: pytest.MonkeyPatch, result: object, resident: int, worn_out: bool
) -> None:
    monkeypatch.setattr(process_memory, "resident_bytes", lambda: resident)
    left = LeftBehind()
    left.note(result)
    assert left.tidy() is not worn_out
    assert left.tidy()  # nothing has come since


SAME_WORK_TWICE = """
import resource
from server.workers.process_memory import keep_pages
{first}
def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def work(): return [[] for _ in range(150_000)]
work()
before = faults()
work()
print(faults() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count faults in another way")
def test_the_same_work_once_more_finds_its_memory_there() -> None:
    def pages_asked_for(first: str) -> int:
        code = SAME_WORK_TWICE.format(first=first)
        return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)

    assert pages_asked_for("keep_pages()") < 100 < 1_000 < pages_asked_for("")


def test_a_worker_loads_ahead_once_nobody_asks_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []
    loaded: list[bool] = []
    answers = iter([True, True, False, True])  # work comes at once; then none in some seconds, and then some

    def poll(timeout: float | None = None) -> bool:
        asked.append(timeout)
        return next(answers)

    channel = SimpleNamespace(poll=poll)
    monkeypatch.setattr(worker_process, "load_ahead", lambda: loaded.append(True))
    monkeypatch.setattr(worker_process, "worker_process", lambda parameters, channel: None)
    worker_process.work(None, channel)  # type: ignore[arg-type]  # it only hands them on
    assert channel.poll() is True
    assert loaded == []
    assert channel.poll() is True
    assert loaded == [True]
    assert asked[0] is not None
    assert asked[-1] is None


def test_a_worker_that_is_always_asked_loads_ahead_when_nothing_is_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[float | None] = []
    loaded: list[bool] = []
    answers = iter([True, True, False, True])  # something is waiting; then nothing at this moment

    def poll(timeout: float | None = None) -> bool:
        asked.append(timeout)
        return next(answers)

    channel = SimpleNamespace(poll=poll)
    monkeypatch.setattr(worker_process, "load_ahead", lambda: loaded.append(True))
    monkeypatch.setattr(worker_process, "worker_process", lambda parameters, channel: None)
    monkeypatch.setattr(worker_process, "BUSY_S", -10)  # long at work
    worker_process.work(None, channel)  # type: ignore[arg-type]  # it only hands them on
    assert channel.poll() is True
    assert loaded == []
    assert channel.poll() is True
    assert loaded == [True]
    assert asked == [0, None, 0, None]  # nobody has waited for it


def test_what_refers_to_itself_is_freed_before_the_next_program() -> None:
    class Knot:
        """An object that refers to itself."""

        def __init__(self) -> None:
            self.itself = self

    knot = weakref.ref(Knot())
    is_worn_out()
    assert knot() is None


def test_a_service_that_has_grown_looks_for_what_is_unused(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([100_000_000, 105_000_000, 111_000_000, 101_000_000])
    freed = asyncio.Event()
    monkeypatch.setattr(process_memory, "PAUSE_S", 0)
    monkeypatch.setattr(process_memory, "resident_bytes", lambda: next(sizes, 101_000_000))

    async def use() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(
            process_memory, "give_back_free_pages", lambda: loop.call_soon_threadsafe(freed.set)
        )
        tidying = asyncio.ensure_future(tidy_regularly())
        await asyncio.wait_for(freed.wait(), timeout=60)
        tidying.cancel()

    asyncio.run(use())
    assert next(sizes, None) in (101_000_000, None)  # not before it had grown by ten megabytes


def test_memory_in_use_is_known() -> None:
    assert resident_bytes() > 10_000_000
