"""Small programs whose answers would be huge: refused with a reason, or shown in less detail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from engine.graph.names import MAX_NAME, MAX_PATH
from server.serialization.bounded_json import AnswerTooLarge, as_json
from tests.server.http.test_problems import check_problem
from tests.server.service import running

TF = "import tensorflow as tf\n"
MOST_BYTES = 30_000_000


@pytest.fixture(scope="module")
def terse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A service whose answers are short."""
    with running(tmp_path_factory.mktemp("terse"), GRADLENS_LIMITS__ANSWER_BYTES="20000") as service:
        yield service


def answer_to(client: httpx.Client, source: str) -> Any:
    """The answer to a program, which is not too long."""
    response = client.post("/programs", json={"source": source})
    assert response.status_code == 200
    assert len(response.content) < MOST_BYTES
    return response.json()


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (TF + 'n = "x" * 400000\nfor i in range(1000):\n    tf.constant(1.0, name=n)\n', (4, 5)),
        (TF + 'with tf.name_scope("x" * 1001):\n    tf.constant(1.0)\n', (2, 1)),
        (TF + 'n = "x" * 999\nwith tf.name_scope(n):\n  with tf.name_scope(n):\n    tf.add(1, 2)', (5, 5)),
        (TF + "y = 1\n" + "x" * 1_001 + " = 3\n", (3, 1)),
        (TF + "def f(" + "x" * 1_001 + "):\n    pass\n", (2, 7)),
        ("y = " + "x" * 1_001 + " + 2\n", (1, 5)),
        ("y = x_{" + "x" * 1_001 + "} + 2\n", (1, 5)),
    ],
    ids=["node", "scope", "scopes", "variable", "parameter", "formula", "index"],
)  # fmt: skip
def test_a_name_that_is_too_long_is_refused_at_its_place(
    client: httpx.Client, source: str, place: tuple[int, int]
) -> None:
    found = answer_to(client, source)["diagnostics"][0]
    assert (found["code"], found["line"], found["column"]) == ("name_too_long", *place)
    assert "1,000" in found["message"] or "2,000" in found["message"]
    assert found["message_zh"] != found["message"]
    assert found["hint_zh"] != found["hint"]


def test_a_long_name_may_be_used(client: httpx.Client) -> None:
    name = "x" * MAX_NAME
    answer = answer_to(client, TF + f'{name} = tf.Variable(2.0, name="{name}")\ny = {name} ** 2\n')
    assert answer["status"] == "ok"
    assert MAX_PATH > MAX_NAME


# -- many names for one value --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        "a = list(range(1000))",
        "a = 'x' * 10000",
        "a = ['x' * 10000] * 1000",
        "import numpy as np\na = np.ones(4096) / 3",
        TF + "a = tf.constant([0.123456789] * 4096)",
        TF + "a = [tf.constant([0.123456789] * 4096)] * 1000",
    ],
    ids=["numbers", "text", "texts", "array", "tensor", "tensors"],
)
def test_many_names_for_one_value_are_listed_in_a_bounded_length(client: httpx.Client, made: str) -> None:
    answer = answer_to(client, f"{made}\n" + "\n".join(f"b{k} = a" for k in range(3_000)))
    assert answer["status"] == "ok"
    assert [item["name"] for item in answer["bindings"]] == ["a", *(f"b{k}" for k in range(3_000))]


@pytest.mark.slow
def test_one_tensor_fetched_many_times_is_summarised(client: httpx.Client) -> None:
    source = TF + "y = tf.constant([0.123] * 4096) * 2.0\nwith tf.Session() as s:\n"
    source += "    for _ in range(50):\n        s.run([y] * 100)\n"
    assert answer_to(client, source)["status"] == "ok"


# -- what is too long all the same ---------------------------------------------------------------------------

MANY = TF + "x = tf.Variable(1.0)\n" + "x = x + 1.0\n" * 60
SMALL = {"source": "y = x^2", "at": {"x": 3}}


def test_a_programs_answer_has_a_length(terse: httpx.Client) -> None:
    answer = terse.post("/programs", json={"source": MANY}).json()
    assert (answer["status"], answer["graph"]["nodes"]) == ("limit", [])
    [found] = answer["diagnostics"]
    assert found["code"] == "answer_too_large"
    assert found["message"] == "The answer is longer than 0.02 MB and is not sent."
    assert terse.get(f"/programs/{answer['id']}").json() == answer


def test_a_runs_answer_has_a_length(terse: httpx.Client) -> None:
    asked = {
        "program": SMALL,
        "steps": 2_000,
        "optimizer": {"name": "GradientDescent", "learning_rate": 1e-6},
    }
    answer = terse.post("/runs", json=asked).json()
    assert (answer["status"], answer["diagnostics"][0]["code"]) == ("limit", "answer_too_large")


def test_every_line_of_a_stream_has_a_length(terse: httpx.Client) -> None:
    asked = {
        "program": {"source": MANY + "y = x ** 2\n"},
        "steps": 3,
        "optimizer": {"name": "GradientDescent"},
    }
    lines = terse.post("/runs", json=asked, headers={"Accept": "application/x-ndjson"}).text.splitlines()
    header, footer = json.loads(lines[0]), json.loads(lines[-1])
    assert (header["type"], footer["type"]) == ("header", "footer")
    assert (footer["status"], footer["diagnostics"][0]["code"]) == ("limit", "answer_too_large")


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/races", {"steps": 2_000, "runs": [{"optimizer": {"name": "Adam", "learning_rate": 1e-6}}]}),
        ("/landscapes", {"axes": [{"variable": "x", "from": -1, "to": 1, "count": 999}]}),
    ],
)  # fmt: skip
def test_what_is_computed_in_parts_has_a_length(terse: httpx.Client, path: str, asked: Any) -> None:
    response = terse.post(path, json={"program": {**SMALL, "source": "y = sin(x)"}, **asked})
    problem = check_problem(response, 422, "answer_too_large")
    assert problem["detail"] == "The answer is longer than 0.02 MB and is not sent."


def test_a_graph_for_other_tools_has_a_length(terse: httpx.Client) -> None:
    source = (
        TF + "x = tf.Variable(1.0)\n" + "\n".join(f'tf.add(x, {k}.0, name="{"n" * 900}")' for k in range(9))
    )
    program = terse.post("/programs", json={"source": source, "gradients": False}).json()["id"]
    check_problem(terse.get(f"/programs/{program}/graph?format=pbtxt"), 422, "answer_too_large")


@pytest.mark.slow
def test_a_text_is_given_up_when_it_becomes_too_long() -> None:
    shared = [{"a": 1}] * 1_000
    body = {"all": [shared] * 1_000_000}  # 8 GB of text
    with pytest.raises(AnswerTooLarge):
        as_json(body, 1_000_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"a": [], "b": {}, "c": None, "é": "中\ud800"},
        {"n": [{"k": [1, 2.5, "x"] * 100, "m": {"p": [[1], [2]]}}] * 300},
        {"t": ["x", {"y": [0.5] * 500}], "u": (1, (2, 3)), "v": {str(k): [k] for k in range(500)}},
    ],
)
def test_a_text_made_in_parts_is_the_same(body: Any) -> None:
    assert json.loads(as_json(body, 10**9)) == json.loads(json.dumps(body))
