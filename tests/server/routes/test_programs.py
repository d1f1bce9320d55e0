"""Programs over REST: what goes in, what comes out, and that it stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.schemas.answers.lessons import LessonAnswer
from server.schemas.answers.programs import ProgramAnswer
from tests.server.service import running

MINIMIZE = """
import tensorflow as tf

x = tf.Variable(3.0)
y = x ** 2
train = tf.train.GradientDescentOptimizer(learning_rate=0.01).minimize(y)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2):
        sess.run(train)
        print("step %d: x %f" % (step, sess.run(x)))
"""
MISSPELT = "y = sim(x)"


def post(client: httpx.Client, **fields: Any) -> Any:
    """The answer to one program."""
    response = client.post("/programs", json=fields)
    assert response.status_code == 200, response.text
    return response.json()


def gradients(answer: Any) -> dict[str, Any]:
    """Each gradient's value by the name of its x."""
    return {row["name"]: row["value"]["data"] for row in answer["gradients"]}


def test_the_chain_rule_on_two_hops(client: httpx.Client) -> None:
    answer = post(client, source="y = exp(sin(x))", at={"x": 3})
    assert answer["status"] == "ok"
    assert answer["dialect"] == "math"
    (y,) = [binding for binding in answer["bindings"] if binding["name"] == "y"]
    assert y["value"]["data"] == pytest.approx(1.1515628)  # exp(sin 3)
    assert gradients(answer) == {"x": pytest.approx(-1.1400386, rel=1e-6)}  # exp(sin 3) cos 3
    names = {node["name"] for node in answer["graph"]["nodes"]}
    assert {"gradients/Exp_grad/mul", "gradients/Sin_grad/Cos", "gradients/Sin_grad/mul"} <= names


def test_the_squared_error_of_a_line(client: httpx.Client) -> None:
    answer = post(client, source="(y - w*x - b)^2", at={"y": 5, "w": 1, "x": 2, "b": 0})
    assert gradients(answer)["w"] == -12  # -2 (5 - 2) 2
    assert gradients(answer)["b"] == -6  # -2 (5 - 2)


def test_a_program_prints_what_its_session_computed(client: httpx.Client) -> None:
    answer = post(client, source=MINIMIZE)
    assert answer["dialect"] == "tf1"
    assert answer["printed"] == ["step 0: x 2.940000", "step 1: x 2.881200"]  # 3 * 0.98, 3 * 0.98^2


def test_the_same_request_has_the_same_id_and_the_same_bytes(client: httpx.Client) -> None:
    first = client.post("/programs", json={"source": "sin(x)", "at": {"x": 2}})
    spelt_out = {
        "source": "sin(x)",
        "at": {"x": 2},
        "dialect": "math",
        "feeds": {},
        "seed": 0,
        "gradients": True,
    }
    assert client.post("/programs", json=spelt_out).content == first.content
    assert client.get(f"/programs/{first.json()['id']}").content == first.content


def test_another_value_has_another_id(client: httpx.Client) -> None:
    ids = {post(client, source="sin(x)", at={"x": x})["id"] for x in (1, 2, 3)}
    assert len(ids) == 3
    assert all(name.startswith("p_") for name in ids)


@pytest.mark.slow
def test_a_program_is_there_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as service:
        before = service.post("/programs", json={"source": "y = x^2"})
    with running(tmp_path) as service:
        after = service.get(f"/programs/{before.json()['id']}")
        lesson = service.get(f"/programs/{before.json()['id']}/lesson")
    assert after.content == before.content
    assert lesson.json()["steps"]


def test_who_has_an_answer_already_gets_304(client: httpx.Client) -> None:
    first = client.post("/programs", json={"source": "cos(x)"})
    again = client.get(f"/programs/{first.json()['id']}", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""


def test_an_answer_is_compressed_for_who_takes_it_so(client: httpx.Client) -> None:
    body = {"source": "tanh(x)"}
    plain = client.post("/programs", json=body, headers={"Accept-Encoding": "identity"})
    packed = client.post("/programs", json=body, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert packed.headers["etag"] != plain.headers["etag"]
    assert int(packed.headers["content-length"]) < len(plain.content) / 2


def test_the_service_time_is_a_header_and_not_in_the_answer(client: httpx.Client) -> None:
    response = client.post("/programs", json={"source": "y = 3 * x"})
    assert response.headers["server-timing"].startswith("service;dur=")


def test_a_misspelt_function_is_the_programs_mistake_and_not_the_requests(client: httpx.Client) -> None:
    answer = post(client, source=MISSPELT)
    assert answer["status"] in ("error", "refused")
    (mistake,) = [item for item in answer["diagnostics"] if item["severity"] == "error"]
    assert (mistake["line"], mistake["column"]) == (1, 5)
    assert "sin" in mistake["hint"]
    assert mistake["message_zh"]


def test_a_long_source_is_refused_in_the_answer(client: httpx.Client) -> None:
    answer = post(client, source="#" * 256_001)
    assert answer["status"] == "refused"
    assert answer["diagnostics"][0]["code"] == "source_too_large"


@pytest.mark.parametrize(
    "source", ["", "a\0b", "y = '\ud800'", "(" * 5_000, "\ufeffy = x", "y = 2\r\nz = y", "你好"]
)
def test_odd_text_gets_an_answer(client: httpx.Client, source: str) -> None:
    response = client.post(
        "/programs", content=json.dumps({"source": source}), headers={"Content-Type": "application/json"}
    )
    assert response.status_code in (200, 422)
    assert response.json()["status"]


@pytest.mark.parametrize("source", ["y = exp(sin(x))", MINIMIZE, MISSPELT, "1/0", "y = x + [1, 2]"])
def test_an_answer_is_as_documented(client: httpx.Client, source: str) -> None:
    answer = ProgramAnswer.model_validate(post(client, source=source))
    LessonAnswer.model_validate(client.get(f"/programs/{answer.id}/lesson").json())


def test_a_lesson_tells_each_step_in_both_languages(client: httpx.Client) -> None:
    program = post(client, source="y = exp(sin(x))", at={"x": 3})["id"]
    lesson = client.get(f"/programs/{program}/lesson").json()
    assert lesson["program"] == program
    assert [step["index"] for step in lesson["steps"]] == list(range(len(lesson["steps"])))
    assert all(step["sentence"]["en"] and step["sentence"]["zh"] for step in lesson["steps"])


def test_a_large_tensor_is_fetched_whole_by_its_name(client: httpx.Client) -> None:
    source = (
        "import tensorflow as tf\nwith tf.name_scope('a'):\n    y = tf.fill([5000], 2.0) * tf.Variable(1.0)"
    )
    name = client.post("/programs", json={"source": source}).json()["id"]
    whole = client.get(f"/programs/{name}/tensors/a/mul:0").json()
    assert (whole["tensor"], whole["shape"], sum(whole["data"])) == ("a/mul:0", [5000], 10_000)
    missing = client.get(f"/programs/{name}/tensors/a/mull")
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown_tensor")


def test_the_lines_that_a_program_reads_are_part_of_its_id(client: httpx.Client) -> None:
    source = 'print(int(input("n: ")) ** 2)'
    answers = [post(client, source=source, inputs=lines) for lines in (["3"], ["4"], ["3"])]
    assert [answer["printed"] for answer in answers] == [["n: 9"], ["n: 16"], ["n: 9"]]
    assert answers[0]["id"] == answers[2]["id"] != answers[1]["id"]
    assert client.get(f"/programs/{answers[1]['id']}").json() == answers[1]


@pytest.mark.parametrize("lines", ["3", [3], ["x" * 10_001], [""] * 1_001])
def test_lines_that_are_no_short_texts_are_refused(client: httpx.Client, lines: object) -> None:
    assert client.post("/programs", json={"source": "input()", "inputs": lines}).status_code == 422
