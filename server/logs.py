"""What the logs hold: what happened, and where in our own source; never a program's text, values or names.

A line is made of words that stand in our source, and of fields that are known to hold none of that. Of an
error it has the kind and our own lines that it passed through, not its message, which may quote a program.
Every process keeps to a rate, and counts what it leaves out.

Workers use this too, so it imports no part of the web service.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

LINES_PER_S = 20.0
BURST = 50  # lines that may come at once
LONGEST = 200  # characters of what happened
FRAMES = 8  # the innermost, of an error
FIELDS = ("reason", "error", "path", "missing", "limit_mb", "workers")  # numbers are shown under any name
OWN = Path(__file__).resolve().parent.parent
OURS = ("engine", "server", "gradlens")


class LogLine(logging.Formatter):
    """One line: when, how serious, what, and of an error its kind and place."""

    def __init__(self) -> None:
        super().__init__()
        self.default_time_format = "%Y-%m-%d %H:%M:%S"

    def format(self, record: logging.LogRecord) -> str:
        """The line; arguments of a message are left out, since they may be a program's."""
        what = re.sub(r"%[-#0-9. ]*[a-zA-Z]", "…", str(record.msg).partition("\n")[0])[:LONGEST]
        if record.name == "py.warnings":  # the place and the kind come before the words
            what = ": ".join(what.split(": ")[:2])
        parts = [
            self.formatTime(record),
            record.levelname.lower(),
            what,
            *shown(vars(record).get("fields", {})),
        ]
        if record.exc_info and record.exc_info[1]:
            parts.append(kind_and_place(record.exc_info[1]))
        return " ".join(parts)


def shown(fields: Mapping[str, object]) -> Iterator[str]:
    """The fields that a log may hold."""
    for name, value in fields.items():
        if isinstance(value, (bool, int, float)):
            yield f"{name}={value}"
        elif name == "error":
            yield f"error={re.split(r'[^A-Za-z_.]', str(value))[0]}"  # its kind, not its message
        elif name == "path":
            parts = str(value).split("/")  # what follows may be a tensor's name, or a class's code
            yield f"path={'/'.join(parts[: 4 if parts[1:2] == ['api'] else 2])}"
        elif name in FIELDS:
            yield f"{name}={value}"


def kind_and_place(error: BaseException) -> str:
    """An error's kind, and our own lines that it passed through, the innermost last; then what caused it."""
    place = " < ".join(reversed(list(own_lines(error.__traceback__))[-FRAMES:]))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    caused = f", caused by {type(cause).__name__}" if cause else ""
    return f"{type(error).__name__}{safe_detail(error)} at {place or 'no line of ours'}{caused}"


def safe_detail(error: BaseException) -> str:
    """What the system says is wrong, in its own words: a number of the kernel's, or of SQLite's."""
    if isinstance(error, OSError) and error.errno:
        return f" ({os.strerror(error.errno)})"
    name = getattr(getattr(error, "orig", None), "sqlite_errorname", None)
    return f" ({name})" if name else ""


def own_lines(trace: TracebackType | None) -> Iterator[str]:
    """The lines of our own source in a traceback."""
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(OWN) and (name := file.relative_to(OWN)).parts[0] in OURS:
            yield f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next


class RateLimited(logging.Handler):
    """Writes lines to a stream, so many in a second; the next line after a gap says how many are missing."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.setFormatter(LogLine())
        self._stream = stream
        self._clock = clock
        self._room = float(BURST)
        self._since = clock()
        self._dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or count it."""
        now = self._clock()
        self._room = min(BURST, self._room + (now - self._since) * LINES_PER_S)
        self._since = now
        if self._room < 1:
            self._dropped += 1
            return
        self._room -= 1
        missing = f"({self._dropped} lines were left out here)\n" if self._dropped else ""
        self._dropped = 0
        with suppress(OSError, ValueError):  # the log is no longer read
            print(missing + self.format(record), file=self._stream or sys.stderr, flush=True)


def set_up_logs() -> None:
    """Let everything that is logged in this process come out so, warnings and lost errors included."""
    root = logging.getLogger()
    root.handlers = [RateLimited()]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    threading.excepthook = log_lost
    sys.excepthook = log_uncaught


def log_lost(lost: threading.ExceptHookArgs) -> None:
    """An error that ended a thread."""
    log_uncaught(lost.exc_type, lost.exc_value, lost.exc_traceback)


def log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """An error that ends a process or a thread."""
    logging.getLogger("gradlens").critical("not caught", exc_info=error)


def as_record(_: Any, method: str, event: MutableMapping[str, Any]) -> tuple[tuple[Any], dict[str, Any]]:
    """For structlog: what it was given, as the arguments of Python's own logger."""
    what, failed = event.pop("event"), event.pop("exc_info", False) or method == "exception"
    return (what,), {"exc_info": failed, "extra": {"fields": event}}


def set_up_service_logs() -> None:
    """The same in the service's own process, for structlog too: its lines join those of the engine's log."""
    import structlog  # which workers do without

    set_up_logs()
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, as_record],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
