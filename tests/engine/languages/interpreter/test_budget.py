"""What a program may use up: each limit stops it before the work is done, with the figure in the message."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

from engine.execution.budget import Limits
from engine.languages.interpreter import budget
from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("while True:\n    pass", "endless_loop"),
        ("x = 0\nwhile True:\n    x = x + 1", "step_limit"),
        ("def f(n):\n    return f(n + 1)\nf(0)", "call_depth_limit"),
        ("9 ** 9 ** 9", "integer_bits_limit"),
        ("1 << 10 ** 9", "integer_bits_limit"),
        ("x = 3\nwhile True:\n    x = x * x", "integer_bits_limit"),
        ("'a' * 10 ** 10", "sequence_limit"),
        ("[0] * 10 ** 8", "sequence_limit"),
        ("a = [1]\nwhile True:\n    a = a + a", "sequence_limit"),
        ("list(range(10 ** 9))", "sequence_limit"),
        ("'a'.join(['b' * 10 ** 6] * 10 ** 4)", "sequence_limit"),
        ("('a' * 10 ** 6).replace('a', 'b' * 10 ** 6)", "sequence_limit"),
        ("print('%1000000000d' % 3)", "format_width_limit"),
        ("f'{1:{10 ** 9}}'", "format_width_limit"),
        ("while True:\n    print('x' * 1000)", "print_limit"),
        ("import numpy as np\nnp.zeros((10 ** 9, 10 ** 9))", "tensor_limit"),
        ("import numpy as np\nnp.outer(np.ones(10 ** 4), np.ones(10 ** 4))", "tensor_limit"),
        ("import tensorflow as tf\ntf.zeros((10 ** 9, 10 ** 9))", "tensor_limit"),
    ],
)
def test_a_budget_stops_the_program(source: str, code: str) -> None:
    answer = run_program(ProgramRequest(source, dialect="tf1"), ROOMY)
    assert answer["status"] == "limit"
    assert code in [diagnostic["code"] for diagnostic in answer["diagnostics"]]


def test_one_call_may_need_no_more_operations_than_it_takes_without_a_look_at_the_clock() -> None:
    source = "import numpy as np\na = np.ones((100, 100))\nb = a @ a\nc = np.ones((101, 100)) @ a"
    answer = run_program(ProgramRequest(source), replace(ROOMY, call_operations=1_000_000))
    (reported,) = answer["diagnostics"]
    assert (reported["code"], reported["line"]) == ("operation_limit", 4)
    assert reported["message"] == "This needs 1,010,000 element operations at once; the limit is 1,000,000."


def test_lists_and_arrays_have_limits_of_their_own() -> None:
    limits = replace(ROOMY, alive_elements=4_000, alive_items=3_000)
    for line, held in (("a = [0] * 3_500", 3_500), ("a = np.ones(2_500)\nb = np.ones(2_500)", 5_000)):
        (reported,) = run_program(ProgramRequest("import numpy as np\n" + line), limits)["diagnostics"]
        limit = "3,000" if held == 3_500 else "4,000"
        assert reported["message"] == (
            f"The program holds {held:,} elements at a time; the limit is {limit}."
        )


def test_what_only_reaches_itself_is_let_go_of_while_a_program_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SECONDS_BETWEEN_COLLECTIONS", 0.0)
    made = budget.Budget(ROOMY)

    class Node:
        itself: object

    one = Node()
    one.itself, alive = one, weakref.ref(one)
    gc.disable()
    try:
        del one
        assert alive() is not None
        gc.enable()
        made.check_clock()
        assert alive() is None
    finally:
        gc.enable()


def test_a_graph_that_grows_without_end_is_stopped_and_shown() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(1.)\nwhile True:\n    x = x + 1."
    answer = run_program(ProgramRequest(source, dialect="tf1"), replace(ROOMY, nodes=1000))
    assert answer["status"] == "limit"
    assert answer["diagnostics"][0]["message"] == "The graph has reached its limit of 1000 nodes."
    assert len(answer["graph"]["nodes"]) == 1000


def test_a_huge_power_in_a_formula_is_stopped() -> None:
    answer = run_program(ProgramRequest("y = 9^9^9"))
    assert answer["status"] == "limit"
    assert answer["diagnostics"][0]["message"] == (
        "This integer would have about 1,162,261,468 bits; the limit is 4,096."
    )


def test_the_operator_sets_the_limits() -> None:
    answer = run_program(ProgramRequest("for i in range(100):\n    print(i)"), replace(ROOMY, steps=50))
    assert answer["status"] == "limit"
    assert answer["diagnostics"][0]["message"] == (
        "The program was stopped after 50 steps; a loop may never end."
    )
    assert answer["printed"][:3] == ["0", "1", "2"]


def test_too_long_a_source_is_refused_unread() -> None:
    answer = run_program(ProgramRequest("x = 1 #" + "a" * 300_000))
    assert answer["status"] == "refused"
    assert answer["diagnostics"][0]["code"] == "source_too_large"


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["x = " + "(" * 10_000, "-" * 100_000 + "1", "x = " + "[" * 250 + "]" * 250]
)
@pytest.mark.parametrize("dialect", ["math", "tf1"])
def test_deep_nesting_is_refused(source: str, dialect: str) -> None:
    answer = run_program(ProgramRequest(source, dialect=dialect))
    assert answer["status"] in ("refused", "error")
    assert answer["graph"]["nodes"] == []


def test_a_long_sum_is_not_nested() -> None:
    answer = run_program(ProgramRequest("y = " + " + ".join(["x"] * 1000), at={"x": 1}))
    assert answer["status"] == "ok"
    assert answer["gradients"][0]["value"]["data"] == 1000.0


@pytest.mark.parametrize("character", ["\x00", "\ud800", "\u202e", "\u2066"])
@pytest.mark.parametrize("dialect", ["math", "tf1", "auto"])
def test_characters_that_hide_are_refused(character: str, dialect: str) -> None:
    answer = run_program(ProgramRequest(f"x = 1{character}", dialect=dialect))
    assert answer["status"] == "refused"
    reported = answer["diagnostics"][0]
    assert reported["code"] == "invisible_character"
    assert (reported["line"], reported["column"]) == (1, 6)


@pytest.mark.parametrize(
    "source",
    [
        "list(map(float, range(10 ** 6))) + [1.5 for i in range(10 ** 9)]",
        "import itertools\nnext(itertools.islice(range(10 ** 12), 10 ** 11, None))",
        "import itertools\n[].extend(itertools.chain(range(10 ** 12)))",
        "s = set(i * (2 ** 61 - 1) for i in range(200_000))",
    ],
)
def test_what_is_long_by_nature_looks_at_the_clock_on_its_way(source: str) -> None:
    answer = run_program(ProgramRequest(source, dialect="tf1"), Limits(wall_s=0.2))
    assert answer["status"] == "limit"
    assert answer["diagnostics"][-1]["code"] in ("step_limit", "wall_time_limit")


def test_a_training_without_end_shows_what_ran() -> None:
    source = (
        "import tensorflow as tf\nx = tf.Variable(3.0)\n"
        "train = tf.train.GradientDescentOptimizer(0.01).minimize(x ** 2)\n"
        "sess = tf.Session()\nsess.run(tf.global_variables_initializer())\nprint('begun')\n"
        "while True:\n    sess.run(train)\n"
    )
    answer = run_program(ProgramRequest(source), Limits(wall_s=0.5, steps=10**9, element_operations=10**12))
    assert answer["status"] == "limit"
    (reported,) = [reported for reported in answer["diagnostics"] if reported["severity"] == "error"]
    assert (reported["code"], reported["line"]) == ("wall_time_limit", 8)
    assert "a loop that never ends" in reported["hint"]
    assert answer["printed"] == ["begun"]
    (session,) = answer["sessions"]
    updates = [kept["updates"][0]["after"]["data"] for kept in session["kept"] if kept["index"]]
    assert updates[0] == pytest.approx(2.94)  # 3 - 0.01 · 6
    assert session["runs"] == session["kept"][-1]["index"] + 1
