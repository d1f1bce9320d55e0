"""Logs: kinds of errors and our own lines, no word of a program's, and no more lines than somebody reads."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys

import pytest

from server.answers.run_lines import RunLines
from server.logs import BURST, LogLine, RateLimited, kind_and_place

pytestmark = pytest.mark.slow  # starts services of its own

SECRET = "grade_of_mei"


def line_of(what: str, *arguments: object, raised: BaseException | None = None, **fields: object) -> str:
    """One line of the log."""
    exc_info = (type(raised), raised, raised.__traceback__) if raised else None
    record = logging.LogRecord("engine", logging.ERROR, "", 0, what, arguments, exc_info)
    vars(record)["fields"] = fields
    return LogLine().format(record)


def test_a_line_has_what_happened_and_none_of_the_values() -> None:
    line = line_of("A mistake of the engine in %s().", SECRET, raised=ValueError(SECRET))
    assert "error A mistake of the engine in …()." in line
    assert "ValueError" in line
    assert SECRET not in line


def test_fields_are_shown_only_where_they_cannot_quote_a_program() -> None:
    line = line_of(
        "failed",
        name=SECRET, error=f"KeyError({SECRET!r})", path=f"/api/v1/programs/p_1/tensors/{SECRET}", parts=3,
    )  # fmt: skip
    assert line.endswith("failed error=KeyError path=/api/v1/programs parts=3")


@pytest.mark.parametrize("path", ["/j/K7F3-QX4M", "/api/v1/classes/K7F3-QX4M/join", "/assets/1a2b/app.js"])
def test_no_line_has_the_code_of_a_class(path: str) -> None:
    assert line_of("failed", path=path).rpartition("path=")[2] in ("/j", "/api/v1/classes", "/assets")


def test_an_error_names_our_own_lines_and_what_the_system_says() -> None:
    with pytest.raises(FileNotFoundError) as missing:
        os.stat(f"/{SECRET}")
    shown = kind_and_place(missing.value)
    assert shown == "FileNotFoundError (No such file or directory) at no line of ours"
    with pytest.raises(AttributeError) as ours:
        RunLines.close(None)  # type: ignore[arg-type]  # on purpose
    assert kind_and_place(ours.value).startswith("AttributeError at server/answers/run_lines.py:")


def test_lines_beyond_the_rate_are_counted() -> None:
    written, now = io.StringIO(), [0.0]
    handler = RateLimited(written, lambda: now[0])
    for _ in range(BURST + 30):
        handler.handle(logging.LogRecord("x", logging.ERROR, "", 0, "again", (), None))
    assert len(written.getvalue().splitlines()) == BURST
    now[0] = 0.1  # room for two more
    for _ in range(5):
        handler.handle(logging.LogRecord("x", logging.ERROR, "", 0, "again", (), None))
    lines = written.getvalue().splitlines()[BURST:]
    assert lines[0] == "(30 lines were left out here)"
    assert len(lines) == 3


def test_the_services_log_and_the_engines_are_one() -> None:
    logged = subprocess.run(
        [sys.executable, "-c", BOTH], capture_output=True, text=True, check=True, timeout=100
    )
    plain = [line.split(maxsplit=2)[2] for line in logged.stderr.splitlines()]  # without the time
    assert plain == ["warning of the engine …", "warning of the service reason=memory"]
    assert logged.stdout == ""


BOTH = f"""
import logging
import structlog
from server.logs import set_up_service_logs

set_up_service_logs()
logging.getLogger("engine.programs").info("left out")
logging.getLogger("engine.programs").warning("of the engine %s", {SECRET!r})
structlog.get_logger("gradlens").info("left out")
structlog.get_logger("gradlens").warning("of the service", reason="memory")
"""


def test_a_worker_logs_no_word_of_a_program() -> None:
    logged = subprocess.run(
        [sys.executable, "-c", LOGGING], capture_output=True, text=True, check=True, timeout=100
    ).stderr
    assert "error A mistake of the engine in …(). ValueError at " in logged
    assert "\n" in logged.strip()
    assert SECRET not in logged


LOGGING = f"""
import asyncio
from server.logs import set_up_service_logs
from server.settings import Settings
from server.workers.workers import Workers
from tests.server import hostile

async def use():
    set_up_service_logs()
    workers = Workers(Settings(workers=1))
    await workers.run(hostile.confesses, {SECRET!r})
    await workers.stop()

asyncio.run(use())
"""
