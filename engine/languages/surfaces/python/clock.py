"""Python's `time`, `datetime` and `timeit`, by a clock that is the same in every run."""

from __future__ import annotations

import datetime
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.formatting import WRITTEN_BY
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OPERANDS
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.library import Library

TIME = Library("time", borrowed=True)
DATETIME = Library("datetime", borrowed=True)
TIMEIT = Library("timeit", borrowed=True)

SECONDS_PER_CALL = 0.001
BEGINNING = datetime.datetime(2020, 1, 1)  # of every run
LONGEST_FORMAT = 200  # characters


def reading(interpreter: Interpreter) -> float:
    """The seconds of the run's clock, which moves on a little with each reading; a note says so."""
    interpreter.note(
        "own_clock",
        "The clock here moves on by a thousandth of a second each time it is read, so that every run is "
        "the same.",
        "这里的时钟每读一次前进千分之一秒，因此每次运行都相同。",
        "Durations and speed-ups that the program prints are not measured.",
        "程序输出的耗时和加速比不是实测值。",
    )
    interpreter.workspace.clock_readings += 1
    return float(round(interpreter.workspace.clock_readings * SECONDS_PER_CALL, 3))


@TIME.function("time", "perf_counter", "monotonic", "clock", "process_time")
def time_(interpreter: Interpreter) -> float:
    """A clock that moves a thousandth of a second per call, so that every run is the same."""
    return reading(interpreter)


@TIME.function("time_ns", "perf_counter_ns")
def time_ns(interpreter: Interpreter) -> int:
    """The same clock in billionths of a second."""
    return round(reading(interpreter) * 1e9)


@TIME.function("sleep")
def sleep(seconds: Any) -> None:
    """Goes on at once."""


@TIME.function("strftime")
def strftime(interpreter: Interpreter, format: str) -> str:
    """The date and time in a format."""
    return _now(interpreter).strftime(_short(format))


@TIME.function("ctime", "asctime")
def ctime(interpreter: Interpreter) -> str:
    """The date and time as a text."""
    return _now(interpreter).ctime()


TIME.refuse(
    ["localtime", "gmtime", "mktime", "strptime"], "Use the module datetime.", "请使用 datetime 模块。"
)


def _now(interpreter: Interpreter) -> datetime.datetime:
    return BEGINNING + datetime.timedelta(seconds=reading(interpreter))


def _short(format: str) -> str:
    if len(format) > LONGEST_FORMAT:
        raise ValueError
    return format


# -- datetime ----------------------------------------------------------------------------------------


def _kind(made_by: type, name: str, facts: str, methods: str, **members: Any) -> None:
    """A type of this module: its facts, and its methods that take nothing or numbers."""
    table = members_of(made_by, name)
    for fact in facts.split():
        table.fact(fact)(_fact(fact))
    for method in methods.split():
        table.methods[method] = Native(f"{name}.{method}", _method(made_by, method), borrowed=True)
    if made_by is not datetime.timedelta:
        table.methods["strftime"] = Native(f"{name}.strftime", _written(made_by), borrowed=True)
        WRITTEN_BY[made_by] = _written(made_by)
    DATETIME.value(Kind(f"datetime.{name}", _maker(made_by), (made_by,), members), name)
    SHOWN[made_by] = (str, repr)
    TYPE_NAMES[made_by] = lambda value: name


def _fact(name: str) -> Any:
    return lambda value: getattr(value, name)


def _method(made_by: type, name: str) -> Any:
    function = getattr(made_by, name)
    return lambda value, /, *args, **keywords: function(value, *args, **keywords)


def _written(made_by: Any) -> Any:
    return lambda value, format, /: made_by.strftime(value, _short(format))


def _maker(made_by: type) -> Any:
    return lambda *args, **keywords: made_by(*args, **keywords)


def now(interpreter: Interpreter) -> datetime.datetime:
    """The date and time of the run's clock, which begins on 1 January 2020."""
    return _now(interpreter)


def today(interpreter: Interpreter) -> datetime.date:
    """The date of the run's clock."""
    return _now(interpreter).date()


def parsed(date_string: str, format: str, /) -> datetime.datetime:
    """The date and time that a text writes in a format."""
    return datetime.datetime.strptime(date_string, _short(format))


def _of_text(made_by: Any, name: str) -> Native:
    return Native(f"{name}.fromisoformat", lambda text, /: made_by.fromisoformat(text), borrowed=True)


OF_DAYS = "year month day"
OF_HOURS = "hour minute second microsecond"
_kind(
    datetime.datetime,
    "datetime",
    f"{OF_DAYS} {OF_HOURS}",
    "date time timestamp isoformat weekday isoweekday replace ctime toordinal",
    now=Native("datetime.now", now, borrowed=True),
    utcnow=Native("datetime.utcnow", now, borrowed=True),
    today=Native("datetime.today", now, borrowed=True),
    strptime=Native("datetime.strptime", parsed, borrowed=True),
    fromisoformat=_of_text(datetime.datetime, "datetime"),
)
_kind(
    datetime.date,
    "date",
    OF_DAYS,
    "isoformat weekday isoweekday replace ctime toordinal",
    today=Native("date.today", today, borrowed=True),
    fromisoformat=_of_text(datetime.date, "date"),
)
_kind(datetime.time, "time", OF_HOURS, "isoformat replace")
_kind(datetime.timedelta, "timedelta", "days seconds microseconds", "total_seconds")
OPERANDS[datetime.datetime] = OPERANDS[datetime.date] = "+-"
OPERANDS[datetime.timedelta] = "+-*/ // %"

# -- timeit ------------------------------------------------------------------------------------------


@TIMEIT.function("timeit")
def timeit(
    interpreter: Interpreter, stmt: Any, setup: Any = "pass", timer: Any = None, number: int = 1_000
) -> float:
    """Call a function so many times; the clock moves by a thousandth of a second."""
    if isinstance(stmt, str) or setup != "pass" or timer is not None:
        raise TypeError  # a text is never run
    before = reading(interpreter)
    for _ in interpreter.budget.counted(range(number)):
        interpreter.call(stmt, [], {})
    return reading(interpreter) - before


TIMEIT.function("default_timer")(time_)
