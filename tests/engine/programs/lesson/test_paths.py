"""All paths from a variable to the target, and what naive recursion makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ValueRefused
from engine.programs import ProgramRequest, follow_paths

DIAMOND = "c = a + b\nd = a*b\ny = (c + d) + c*d"  # y = 41 at a = 2, b = 3


def paths(source: str, by: str | None = None, **at: Any) -> dict[str, Any]:
    return follow_paths(ProgramRequest(source, at=at), x=by)


def test_each_path_has_its_factors_and_its_product_and_all_of_them_add_up() -> None:
    found = paths(DIAMOND, "a", a=2, b=3)
    assert found["count"] == 4
    assert [[one["expression_text"] for one in path["quantities"]] for path in found["paths"]] == [
        ["a", "c", "c + d", "y"],
        ["a", "d", "c + d", "y"],
        ["a", "c", "c · d", "y"],
        ["a", "d", "c · d", "y"],
    ]
    assert [path["product"] for path in found["paths"]] == [1, 3, 6, 15]  # d, then b · c
    assert [path["sum"] for path in found["paths"]] == [1, 4, 10, 25]
    assert found["gradient"]["data"] == 25


def test_naive_recursion_goes_wrong_where_paths_meet() -> None:
    a, b = (paths(DIAMOND, name, a=2, b=3) for name in "ab")
    assert (a["gradient"]["data"], a["naive"]) == (25, 29)
    assert (b["gradient"]["data"], b["naive"]) == (19, 22)
    doubled = paths("b = a + a\nc = b + b", a=1)
    assert (doubled["count"], doubled["gradient"]["data"], doubled["naive"]) == (4, 4, 8)
    assert doubled["visits"]["naive"] > doubled["visits"]["reverse"] == 2


def test_of_thousands_of_paths_fifty_are_written_out_and_all_are_counted() -> None:
    doubling = "\n".join(f"x{n + 1} = x{n} + x{n}" for n in range(12))
    found = paths(f"x0 = x\n{doubling}\ny = x12", x=1)
    assert (found["count"], len(found["paths"]), found["gradient"]["data"]) == (4096, 50, 4096.0)


LOOP = """
import tensorflow as tf
x = tf.Variable(2.)
_, y = tf.while_loop(lambda i, a: i < 3, lambda i, a: [i + 1, a * x], [0, 1.])
g = tf.gradients(y, x)
"""


def test_the_paths_through_a_loop_go_through_its_turns() -> None:
    found = paths(LOOP)
    assert [path["product"] for path in found["paths"]] == [4, 4, 4]  # x² three times
    longest = max((path["quantities"] for path in found["paths"]), key=len)
    assert [one["tensor"] for one in longest] == ["Variable:0", "while/mul:0", "while/mul:0", "while/mul:0"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "A = [[1,2],[3,4]]\nx = [1,-1]\ny = A @ x",
            "Some quantities on the way are arrays; paths are shown for single numbers.",
        ),
        (
            "import tensorflow as tf\nx = tf.constant(2.)",
            "The program differentiates nothing, so there is no path to follow.",
        ),
    ],
)
def test_where_there_are_none_to_show_it_says_why(source: str, reason: str) -> None:
    found = paths(source)
    assert (found["paths"], found["reason"]["en"]) == ([], reason)


def test_a_name_that_no_gradient_was_asked_for_is_refused() -> None:
    with pytest.raises(ValueRefused, match=r"There is no gradient by 'z' to follow\."):
        paths("y = x^2", "z", x=1)
