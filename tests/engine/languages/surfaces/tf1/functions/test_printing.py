"""What a TensorFlow 1 graph prints while it runs, as TensorFlow 1.15.5 writes it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def answer(program: str) -> dict[str, Any]:
    source = f"import sys\nimport tensorflow as tf\nsession = tf.Session()\n{program}\n"
    return run_program(ProgramRequest(source, dialect="tf1"))


def printed(program: str) -> list[str]:
    reported = answer(program)
    assert reported["status"] == "ok", reported["diagnostics"]
    lines: list[str] = reported["printed"]
    return lines


ROWS = "tf.constant([[0., 1., 2.], [3., 4., 5.]])"
CUBE = "tf.constant([[[0, 1], [2, 3]], [[4, 5], [6, 7]]])"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("[tf.constant(1.5), 2]", "[1.5][2]"),
        ("[tf.constant(1 / 3), True, 'text']", "[0.333333343][1][text]"),
        ("[tf.constant(1 / 3, tf.float64)]", "[0.33333333333333331]"),
        ("[tf.constant([1, 2, 3, 4])], 'x = '", "x = [1 2 3...]"),
        (f"[{ROWS}]", "[[0 1 2]...]"),
        (f"[{ROWS}], summarize=-1", "[[0 1 2][3 4 5]]"),
        (f"[{CUBE}]", "[[[0 1][2...]]...]"),
        (f"[{CUBE}], summarize=5", "[[[0 1][2 3]][[4...]]...]"),
        ("[], 'here'", "here"),
        ("[tf.zeros([0]), tf.zeros([2, 0])]", "[][]"),
        ("[tf.constant(float('nan')), tf.constant(1e-8)]", "[nan][1e-08]"),
    ],
)
def test_print_in_passing_shows_the_first_elements(data: str, line: str) -> None:
    assert printed(f"print(session.run(tf.Print(7., {data})))") == [line, "7.0"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("'x:', tf.constant([1., 0.5]), 3", "x: [1 0.5] 3"),
        ("tf.range(8)", "[0 1 2 ... 5 6 7]"),
        ("tf.range(8), summarize=1", "[0 ... 7]"),
        ("tf.range(8), summarize=-1", "[0 1 2 3 4 5 6 7]"),
        ("[tf.constant(1.), 'a', None], ('b',)", "[1, 'a', None] ('b',)"),
        ("{'b': tf.constant(2), 'a': 1}", "{'a': 1, 'b': 2}"),
        ("'{} and', tf.constant(1)", "{} and 1"),
        ("1, 2, sep='-', end='!', output_stream=sys.stdout", "1-2!"),
    ],
)
def test_an_operation_that_prints_writes_tensors_among_texts(arguments: str, line: str) -> None:
    assert printed(f"session.run(tf.print({arguments}))") == [line]


def test_it_prints_in_each_run_that_computes_it_and_only_so_often() -> None:
    program = """
x = tf.placeholder(tf.float32)
y = tf.Print(x, [x], first_n=2) * 2.
for value in [1., 2., 3.]:
    session.run(y, {x: value})
session.run(x + 1., {x: 9.})"""
    assert printed(program) == ["[1]", "[2]"]


def test_a_loop_prints_in_each_turn() -> None:
    program = "session.run(tf.while_loop(lambda i: i < 3, lambda i: tf.Print(i + 1, [i]), [0]))"
    assert printed(program) == ["[0]", "[1]", "[2]"]


def test_a_stream_is_written_as_it_is() -> None:
    assert printed("sys.stdout.write('a')\nsys.stdout.write('b\\n')\nsys.stdout.flush()") == ["ab"]


def test_what_a_graph_prints_counts_as_printed_text() -> None:
    program = """
x = tf.Print(tf.zeros([1000]), [tf.zeros([1000])], summarize=1000)
for _ in range(1000):
    session.run(x)"""
    reported = answer(program)
    assert reported["diagnostics"][0]["code"] == "print_limit"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tf.Print(1., 2.)", "`data` of tf.Print() takes a list, not 2.0."),
        ("tf.Print(1., [1.], 5)", "`message` of tf.Print() takes a text, not 5."),
        (
            "tf.print(1., output_stream='out')",
            "`output_stream` of tf.print() takes sys.stdout or sys.stderr, not 'out'.",
        ),
        ("tf.print({1: 2})", "tf.print shows a dict in the order of its keys, which have to be texts."),
    ],
)
def test_what_cannot_be_printed_is_reported(call: str, message: str) -> None:
    assert answer(call)["diagnostics"][0]["message"] == message
