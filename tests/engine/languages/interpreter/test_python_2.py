"""Programs for Python 2: their print statements as calls, each line at its place."""

from __future__ import annotations

import pytest

from engine.languages.interpreter.reading.python_2 import with_print_calls
from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("print x", "print(x)"),
        ("print 'a', x  # why", "print('a', x)  # why"),
        ("print", "print()"),
        ("print x,", 'print(x, end=" ")'),
        ("print  x", "print (x)"),
        ("print(x)", "print(x)"),
        ("print (x), y", "print((x), y)"),
        ('print ("%d" % x) + "!"', 'print(("%d" % x) + "!")'),
        ("if x: print x", "if x: print(x)"),
        ("print x; print y", "print(x); print(y)"),
        ("for i in [1]:\n    print i\n    y = {'print': print_it}", None),
        ("print f(\n    1,\n    2), y", "print(f(\n    1,\n    2), y)"),
        ("print >>log, x", "print >>log, x"),
        ("d = {1: print_ , 2: 3}", "d = {1: print_ , 2: 3}"),
    ],
)
def test_a_print_statement_becomes_a_call(written: str, read: str | None) -> None:
    expected = "for i in [1]:\n    print(i)\n    y = {'print': print_it}" if read is None else read
    assert with_print_calls(written) == expected


def test_such_a_program_runs_with_a_note_about_division() -> None:
    answer = run_program(ProgramRequest("x = 7\nprint 'half', x / 2\nprint x // 2,\nprint x", dialect="tf1"))
    assert answer["printed"] == ["half 3.5", "3 7"]
    assert "python_2" in [note["code"] for note in answer["diagnostics"]]


def test_a_mistake_in_it_stands_at_its_place() -> None:
    answer = run_program(ProgramRequest("print 'a'\nprint unknown_name", dialect="tf1"))
    (error,) = (one for one in answer["diagnostics"] if one["severity"] == "error")
    assert (error["code"], error["line"]) == ("unknown_name", 2)
