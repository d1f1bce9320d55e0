"""`collections.namedtuple` as in Python."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program

PREAMBLE = "from collections import namedtuple\nPoint = namedtuple('Point', 'x y')\np = Point(1, y=2.5)\n"


def answer(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(PREAMBLE + source))


def by_python(source: str) -> list[str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(PREAMBLE + source, "<program>", "exec"), {})  # noqa: S102  # this file's own text
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    "source",
    [
        "print(p, p.x + p.y, p[0], p[-1], len(p), list(p), p[1:])",
        "x, y = p\nprint(x, y, p == (1, 2.5), p + (3,), sum(p))",
        "print(isinstance(p, Point), isinstance(p, tuple), isinstance((1, 2), Point), type(p) is Point)",
        "print(p._replace(x=7), p, p._asdict(), p._fields, Point._fields, Point._make([3, 4]))",
        "print({p: 'here'}[Point(1, 2.5)], sorted([Point(2, 1), Point(1, 9)]), max(p))",
        "Q = namedtuple('Q', ['a', 'b', 'c'], defaults=[0, 'z'])\nprint(Q(1), Q(1, 2), Q(1, c=[p]))",
        "for name, value in zip(p._fields, p):\n    print(name, value)",
        "print('%s %s' % p, '{} {}'.format(*p), f'{p.x:.2f} {p}', hasattr(p, 'x'), hasattr(p, 'z'))",
        "print(Point.__name__, type(p).__name__)",
    ],
)
def test_a_tuple_with_names_does_what_python_does(source: str) -> None:
    reported = answer(source)
    assert reported["status"] == "ok", reported["diagnostics"]
    assert reported["printed"] == by_python(source)


def test_a_session_gives_its_results_in_the_form_that_was_asked_for() -> None:
    source = """
import tensorflow as tf
made = tf.Session().run(Point(tf.constant(2.), [tf.constant(3)]))
print(made, made.x)"""
    reported = answer(source)
    assert reported["printed"] == ["Point(x=2.0, y=[3]) 2.0"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("Point(1)", "Point lacks y."),
        ("Point(1, 2, 3)", "Point has 2 items, but 3 are given."),
        ("Point(1, x=2)", "Point is given `x` twice."),
        ("Point(1, z=2)", "Point has no item named `z`."),
        ("p._replace(z=2)", "Point has no item named `z`."),
        ("p.z", "A Point has no attribute `z`."),
        ("p.x = 3", "`.x` of a Point cannot be set."),
        ("namedtuple('A', 'x 2')", "'2' cannot be a name."),
        ("namedtuple(3, 'x')", "3 cannot be a name."),
        ("namedtuple('A', [1])", "1 cannot be a name."),
        (
            "namedtuple('A', 'x x')",
            "The items of A need names of their own that begin with a letter, and no more defaults.",
        ),
        ("class B(Point):\n    pass", "A class cannot inherit from a type."),
    ],
)
def test_what_does_not_fit_is_reported(source: str, message: str) -> None:
    assert answer(source)["diagnostics"][0]["message"] == message
