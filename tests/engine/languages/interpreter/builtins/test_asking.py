"""`input()`: it reads the lines of the request, one for each call, and prints its prompt as Python does."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def run(source: str, *lines: str) -> dict[str, Any]:
    return run_program(ProgramRequest(source, inputs=lines), ROOMY)


def test_each_call_reads_the_next_line_and_the_prompt_stays_on_its_line() -> None:
    answer = run('a = int(input("a: "))\nb = int(input("b: "))\nprint(a * b)', "6", "7")
    assert answer["status"] == "ok"
    assert answer["printed"] == ["a: b: 42"]  # as Python writes it where nobody types on the screen


def test_the_answer_names_each_call_with_its_prompt_and_line() -> None:
    answer = run('name = input("Who? ")\nprint("Hi", name)', "Ada")
    assert answer["inputs"] == [{"prompt": "Who? ", "text": "Ada", "line": 1, "column": 8}]


def test_without_a_line_the_program_stops_where_it_asks_and_says_what_to_do() -> None:
    answer = run('print("ready")\nx = float(input("x: "))\nprint(x)')
    assert answer["status"] == "error"
    assert answer["printed"] == ["ready", "x: "]
    assert answer["inputs"][-1]["text"] is None
    (said,) = answer["diagnostics"]
    assert (said["code"], said["line"], said["column"]) == ("input_needed", 2, 11)
    assert said["message"] == (
        "The program waits for a line: this is call 1 of input(), and no line was given."
    )
    assert said["hint"] == (
        "Type the line into the field below the program (elsewhere: `inputs` of a request, `--input`)."
    )
    assert said["message_zh"] == "程序在等待输入：这是第 1 次调用 input()，而没有给出任何一行。"


def test_more_calls_than_lines_are_counted() -> None:
    answer = run("a = input()\nb = input()\nc = input()", "1", "")
    assert [one["text"] for one in answer["inputs"]] == ["1", "", None]
    assert "call 3 of input(), and only 2 given before it" in answer["diagnostics"][0]["message"]


@pytest.mark.parametrize("caught", ["", " Exception", " EOFError"])
def test_no_except_goes_on_without_having_asked(caught: str) -> None:
    answer = run(
        f"while True:\n    try:\n        n = input()\n        break\n    except{caught}:\n        pass"
    )
    assert answer["diagnostics"][0]["code"] == "input_needed"


def test_a_loop_asks_until_it_is_content() -> None:
    source = (
        "while True:\n    try:\n        n = int(input('n: '))\n        break\n"
        "    except ValueError:\n        print('not a number')\nprint(n)"
    )
    assert run(source, "two", "2")["printed"] == ["n: not a number", "n: 2"]


def test_what_is_read_starts_a_tensor() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(float(input('x = ')))\nprint(x.numpy() ** 2)"
    assert run(source, "3")["printed"] == ["x = 9.0"]
