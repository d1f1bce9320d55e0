"""Every error is a problem document: a stable code, both languages, nothing of the inside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from engine.errors import Defect
from server.http.problems import problem_document

JSON = {"Content-Type": "application/json"}
FIELDS = {"type", "title", "status", "detail", "code", "hint", "message_zh", "hint_zh", "where"}
INSIDE = ["Traceback", "pydantic", "site-packages", ".py", "starlette", "Exception", "0x"]


def body(**fields: Any) -> bytes:
    """A request body."""
    return json.dumps({"source": "x", **fields}).encode()


BODIES: list[tuple[bytes, int, str, str | None]] = [
    (b"", 422, "missing_body", "body"),
    (b"{", 422, "bad_json", "line 1, column 2"),
    (b"[]", 422, "bad_field", "body"),
    (b"3", 422, "bad_field", "body"),
    (b"{}", 422, "missing_field", "source"),
    (b'{"source": 3}', 422, "bad_field", "source"),
    (b'{"source": "x", "at": {"x": NaN}}', 422, "bad_json", "body"),
    (b'{"source": "x", "at": {"x": -Infinity}}', 422, "bad_json", "body"),
    (b'{"source": "\xff"}', 422, "bad_json", "byte 12"),
    (b'{"source": "x", "seed": ' + b"9" * 5_000 + b"}", 422, "bad_json", "body"),
    (b"[" * 100_000, 422, "bad_json", "body"),
    (b'{"source": "x", "at": {"x": ' + b"[" * 80 + b"]" * 80 + b"}}", 422, "bad_json", "body"),
    (body(seed=-1), 422, "bad_field", "seed"),
    (body(seed=1.5), 422, "bad_field", "seed"),
    (body(seed=2**32), 422, "bad_field", "seed"),
    (body(sead=1), 422, "unknown_field", "sead"),
    (body(dialect="fortran"), 422, "bad_field", "dialect"),
    (body(at={"x": "three"}), 422, "bad_field", "at.x"),
    (body(at={"x": {"y": 1}}), 422, "bad_field", "at.x"),
    (body(at=[1]), 422, "bad_field", "at"),
    (body(gradients="yes"), 422, "bad_field", "gradients"),
    (body(wrt="x"), 422, "bad_field", "wrt"),
    (body(source="x" * 2_000_000), 413, "body_too_large", "body"),
]


def check_problem(response: httpx.Response, status: int, code: str) -> Any:
    """Hold a response to the form of a problem document."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert set(problem) == FIELDS
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]
    assert problem["message_zh"] != problem["detail"]
    assert not [word for word in INSIDE if word in response.text]
    return problem


@pytest.mark.parametrize(("content", "status", "code", "where"), BODIES, ids=lambda value: str(value)[:40])
def test_a_bad_request_body(
    client: httpx.Client, content: bytes, status: int, code: str, where: str | None
) -> None:
    problem = check_problem(client.post("/programs", content=content, headers=JSON), status, code)
    assert problem["where"] == where


def test_a_body_that_is_sent_in_chunks_is_counted_too(client: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(300):
            yield b" " * 10_000

    check_problem(client.post("/programs", content=chunks(), headers=JSON), 413, "body_too_large")


def test_a_body_that_is_not_announced_as_json(client: httpx.Client) -> None:
    response = client.post("/programs", content=body(), headers={"Content-Type": "text/plain"})
    problem = check_problem(response, 415, "unsupported_media_type")
    assert problem["hint"] == "Send Content-Type: application/json."


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/programs/p_nothing", 404, "unknown_program"),
        ("GET", "/programs/p_nothing/lesson", 404, "unknown_program"),
        ("GET", "/programs/%2e%2e%2fsecret", 404, "unknown_page"),
        ("GET", "/programs/..%00", 404, "unknown_program"),
        ("GET", "/ops/Sine", 404, "unknown_op"),
        ("GET", "/examples/nothing", 404, "unknown_example"),
        ("GET", "/nothing", 404, "unknown_page"),
        ("GET", "/programs/", 404, "unknown_page"),
        ("GET", "/programs", 405, "method_not_allowed"),
        ("DELETE", "/programs", 405, "method_not_allowed"),
        ("PUT", "/programs/p_nothing", 405, "method_not_allowed"),
        ("POST", "/health", 405, "method_not_allowed"),
    ],
)
def test_a_wrong_address(client: httpx.Client, method: str, path: str, status: int, code: str) -> None:
    check_problem(client.request(method, path), status, code)


def test_a_method_that_an_address_does_not_take_is_answered_with_those_it_takes(client: httpx.Client) -> None:
    for path in ("/runs", "/comparisons", "/programs"):
        response = client.get(path)
        problem = check_problem(response, 405, "method_not_allowed")
        assert (response.headers["allow"], problem["hint"]) == ("POST", "It takes POST.")
        assert client.head(path).status_code == 405


def test_a_misspelt_field_hears_the_right_name(client: httpx.Client) -> None:
    problem = client.post("/programs", content=body(gradient=True), headers=JSON).json()
    assert problem["detail"] == "There is no field `gradient`."
    assert problem["hint"] == "Did you mean `gradients`?"
    assert problem["hint_zh"] == "是不是想写 `gradients`？"


def test_a_misspelt_op_hears_the_right_name(client: httpx.Client) -> None:
    problem = client.get("/ops/MatMull").json()
    assert problem["detail"] == "There is no op 'MatMull' here."
    assert problem["hint"] == "Did you mean MatMul?"


def test_not_a_number_may_be_written_as_text(client: httpx.Client) -> None:
    response = client.post("/programs", content=body(at={"x": "nan"}), headers=JSON)
    assert response.status_code == 200


def test_a_mistake_of_ours_is_a_fault_of_the_service() -> None:
    problem = problem_document(Defect("tf.square()"))
    assert (problem["status"], problem["code"]) == (500, "internal_error")
