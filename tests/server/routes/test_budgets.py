"""Programs that would never end, or grow without end: stopped in time, while others are served."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

HOSTILE = {
    "endless loop": "while True:\n    pass",
    "endless counting": "n = 0\nwhile True:\n    n = n + 1",
    "endless recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "huge power": "n = 9 ** 9 ** 9",
    "huge text": "s = 'a' * 10 ** 10",
    "huge list": "import math\na = [0] * 10 ** 10",
    "huge tensor": "import tensorflow as tf\nx = tf.zeros([100000, 100000])\nprint(tf.Session().run(x))",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_program_without_end_is_stopped_by_a_budget(client: httpx.Client, source: str) -> None:
    answer = client.post("/programs", json={"source": source}).json()
    assert answer["status"] in ("limit", "error")
    assert answer["diagnostics"][-1]["message_zh"]


def test_others_are_served_while_programs_without_end_run(client: httpx.Client) -> None:
    endless = [{"source": f"n = 0\nwhile True:\n    n = n + 1  # {number}"} for number in range(3)]
    with ThreadPoolExecutor(3) as threads:
        waiting = [threads.submit(client.post, "/programs", json=body) for body in endless]
        assert client.get("/health").status_code == 200
        assert client.post("/programs", json={"source": "y = 7 * x"}).json()["status"] == "ok"
        assert not all(future.done() for future in waiting)  # the quick one did not stand in line
        assert {future.result().json()["status"] for future in waiting} == {"limit"}
