"""Nodes become closures once: what a closure keeps from one turn to the next must hold in every turn."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def answered(source: str) -> dict[str, Any]:
    return run_program(ProgramRequest(source, dialect="tf1"))


def printed(source: str) -> list[str]:
    answer = answered(source)
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("for f in (abs, float, len, abs):\n    print(f([1] if f is len else -2))", ["2", "-2.0", "1", "2"]),
        ("for a in ((1, 2, 3), (5, 2), (1, 7, 2)):\n    print([*range(*a)])", ["[1]", "[]", "[1, 3, 5]"]),
        (
            "for k in ({}, {'sep': '-'}, {'sep': '+', 'end': '!\\n'}):\n    print(1, 2, **k)",
            ["1 2", "1-2", "1+2!"],
        ),
        ("for f in ([3].append, list.append):\n    print(f is not None)", ["True", "True"]),
        (
            "import numpy as np\nclass A:\n    def sum(self):\n        return 'own'\n"
            "for v in (np.ones(3), A(), np.ones((2, 2)), A()):\n    print(v.sum())",
            ["3.0", "own", "4.0", "own"],
        ),
        (
            "def make(n):\n    def get(x=n):\n        return x, n\n    return get\n"
            "print([one() for one in [make(k) for k in range(3)]])",
            ["[(0, 0), (1, 1), (2, 2)]"],
        ),
        ("def f(n):\n    return [n] + f(n - 1) if n else []\nprint(f(3), f(1))", ["[3, 2, 1] [1]"]),
        (
            "def f():\n    global n\n    n += 1\n    return n\nn = 1\nprint(f(), f(), n)",
            ["2 3 3"],
        ),
        (
            "x = 1\ndef f():\n    return x\nprint(f())\nx = 2\nprint(f())\nlen = f\nprint(len())",
            ["1", "2", "2"],
        ),
        ("for x, y in [(1, 2), [3, 4], 'ab']:\n    print(x, y)", ["1 2", "3 4", "a b"]),
        (
            "def g(n):\n    for k in range(n):\n        if k % 2:\n            yield k\n        else:\n"
            "            sent = yield from inner(k)\n            print(sent)\n"
            "def inner(k):\n    yield -k\n    return k * 10\nprint(list(g(3)))\nprint(list(g(1)))",
            ["0", "20", "[0, 1, -2]", "0", "[0]"],
        ),
        (
            "for i in range(3):\n    try:\n        print(1 / (i - 1))\n    except ZeroDivisionError as e:\n"
            "        print(e)\n    else:\n        print('fine')\n    finally:\n        print(i)",
            ["-1.0", "fine", "0", "division by zero", "1", "1.0", "fine", "2"],
        ),
        ("{print('key'): print('value')}", ["key", "value"]),
        ("if False:\n    x = (2).__dict__\nprint('passed')", ["passed"]),
    ],
)
def test_a_line_that_runs_again_sees_what_has_changed(source: str, shown: list[str]) -> None:
    assert printed(source) == shown


@pytest.mark.parametrize(
    ("source", "code", "place"),
    [
        ("for f in (abs, abs, len):\n    f(-3)", "wrong_arguments", (2, 5)),
        ("for a in ([1], [1], [1, 2]):\n    abs(*a)", "wrong_arguments", (2, 5)),
        ("import math\nfor a in (1.0, 2.0, 'three'):\n    math.sqrt(a)", "type_mismatch", (3, 5)),
        ("for k in (1, 0):\n    x = 1 if k else k.__dict__", "refused_attribute", (2, 21)),
        ("for x, y in [(1, 2), (3, 4, 5)]:\n    pass", "wrong_count", (1, 5)),
        ("def f():\n    print(x)\n    x = 1\nx = 2\nf()", "unbound_local", (2, 11)),
    ],
)
def test_a_later_turn_is_checked_like_the_first(source: str, code: str, place: tuple[int, int]) -> None:
    (found,) = answered(source)["diagnostics"]
    assert (found["code"], (found["line"], found["column"])) == (code, place)


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        ("x = 1\ny = x + 2 * x", 8),
        ("for i in range(3):\n    i * 2", 19),
        ("def f(x, y=2):\n    return x < y < 5\nf(1)\nf(3)", 18),
        ("print([k for k in range(4) if k % 2], {**{'a': 1}})", 28),
        ("def g():\n    yield 1\n    yield 2\nlist(g())", 12),
        ("with_ = [1, 2]\nwith_[0] += 1\na, b = with_\ntry:\n    a.b\nexcept AttributeError:\n    pass", 16),
    ],
)
def test_every_node_that_is_evaluated_is_one_step(source: str, steps: int) -> None:
    assert answered(source)["usage"]["steps"] == steps
