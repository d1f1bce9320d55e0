"""Bodies of nothing but numbers, names or brackets: refused at the first mistakes, or others would wait."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from server.http.strict_json import MAX_LISTS, MAX_TEXTS, MAX_VALUES, holds_too_much, read_json
from server.schemas.request_parts import MAX_ARGUMENTS, MAX_NAMES, MAX_RANK
from server.schemas.requests import REQUESTS, Landscape, Program, Race, Run
from tests.server.http.test_problems import JSON, check_problem

MOST_MISTAKES = (
    10  # that are looked for in a body; all those of 2 MB once held up every other request for 9 s
)
FORMS: dict[str, type[BaseModel]] = {
    "/programs": Program,
    "/runs": Run,
    "/races": Race,
    "/landscapes": Landscape,
}


def repeated(item: str, count: int) -> str:
    """A list's items."""
    return ",".join([item] * count)


def entries(value: str, count: int) -> str:
    """An object's entries."""
    return ",".join(f'"k{number}":{value}' for number in range(count))


def nested(levels: int) -> str:
    """Lists within lists."""
    return "[" * levels + "]" * levels


TOO_MANY, BAD, UNKNOWN = "too_many_values", "bad_field", "unknown_field"
PROGRAM, RUN = '"source": "x"', '"program": "x", "steps": 1'

HOSTILE = {
    "a million wrong names": ("/programs", PROGRAM, f'"wrt": [{repeated("0", 990_000)}]', TOO_MANY),
    "many wrong names": ("/programs", PROGRAM, f'"wrt": [{repeated("0", 290_000)}]', BAD),
    "many names": ("/programs", PROGRAM, f'"wrt": [{repeated(chr(34) * 2, 90_000)}]', BAD),
    "many empty lists": ("/programs", PROGRAM, f'"at": {{"x": [{repeated("[]", 640_000)}]}}', TOO_MANY),
    "deep lists": ("/programs", PROGRAM, f'"at": {{"x": [{repeated(nested(50), 1_900)}]}}', BAD),
    "many deep lists": ("/programs", PROGRAM, f'"at": {{"x": [{repeated(nested(60), 16_000)}]}}', TOO_MANY),
    "many unknown fields": ("/programs", PROGRAM, entries("0", 140_000), TOO_MANY),
    "unknown fields": ("/programs", PROGRAM, entries("0", 90_000), UNKNOWN),
    "many variables": ("/programs", PROGRAM, f'"at": {{{entries("null", 90_000)}}}', BAD),
    "many tables": ("/programs", PROGRAM, f'"data": {{{entries("null", 90_000)}}}', BAD),
    "many arguments": ("/runs", RUN, f'"optimizer": {{{entries("null", 90_000)}}}', BAD),
    "a long schedule": ("/runs", RUN, f'"schedule": {{{entries("0", 90_000)}}}', BAD),
    "many slots": ("/runs", RUN, f'"slots": {{"v": {{{entries("null", 90_000)}}}}}', BAD),
    "many members": ("/races", RUN, f'"runs": [{repeated("0", 290_000)}]', BAD),
    "many axes": ("/landscapes", '"program": "x"', f'"axes": [{repeated("0", 290_000)}]', BAD),
}


@pytest.mark.parametrize(("path", "fields", "hostile", "code"), HOSTILE.values(), ids=list(HOSTILE))
def test_a_body_of_nothing_but_mistakes_is_refused(
    client: httpx.Client, path: str, fields: str, hostile: str, code: str
) -> None:
    check_problem(client.post(path, content=f"{{{fields}, {hostile}}}", headers=JSON), 422, code)


@pytest.mark.parametrize(("path", "fields", "hostile", "code"), HOSTILE.values(), ids=list(HOSTILE))
def test_a_body_of_nothing_but_mistakes_is_read_to_the_first_few(
    path: str, fields: str, hostile: str, code: str
) -> None:
    body = f"{{{fields}, {hostile}}}".encode()
    assert holds_too_much(body) == (code == TOO_MANY)
    if code != TOO_MANY:
        with pytest.raises(ValidationError) as refused:
            FORMS[path].model_validate(read_json(body))
        assert refused.value.error_count() <= MOST_MISTAKES


def test_a_large_table_is_taken(client: httpx.Client) -> None:
    rows = [[0.5] * 100] * 1_000
    asked = {"source": "sum(w)", "at": {"w": rows}, "gradients": False}
    answer = client.post("/programs", json=asked).json()
    assert (answer["status"], answer["diagnostics"]) == ("ok", [])


def test_values_are_counted_before_they_are_made() -> None:
    assert not holds_too_much(b"[" + b",".join([b"0"] * (MAX_VALUES - 1)) + b"]")
    assert holds_too_much(b"[" + b",".join([b"0"] * (MAX_VALUES + 1)) + b"]")
    assert holds_too_much(b"[" + b",".join([b"[]"] * (MAX_LISTS + 1)) + b"]")
    assert holds_too_much(b"[" + b",".join([b'""'] * (MAX_TEXTS + 1)) + b"]")


@pytest.mark.parametrize("text", ["1,", "[", '"', '\\"\\,'])
def test_what_stands_in_a_text_is_no_value(text: str) -> None:
    body = json.dumps({"source": text * MAX_VALUES}).encode()
    assert not holds_too_much(body)
    assert read_json(body) == {"source": text * MAX_VALUES}


def test_a_long_body_is_read_as_a_short_one_is() -> None:
    value = {
        "source": "é中\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
        "at": {"x": [1, 2.5, -3]},
    }
    body = json.dumps(value).encode()
    assert read_json(body) == read_json(body + b" " * 20_000) == value


def lengths_missing(schema: Any, place: str) -> Iterator[str]:
    """Where a schema leaves a text, a list or an object open."""
    if isinstance(schema, dict):
        bound = {"string": "maxLength", "array": "maxItems"}.get(schema.get("type", ""))
        if bound and bound not in schema and schema.get("items") != {} and "enum" not in schema:
            yield place
        if schema.get("additionalProperties", False) is not False and not schema.keys() & {
            "maxProperties",
            "properties",
        }:
            yield place
        for name, part in schema.items():
            yield from lengths_missing(part, f"{place}.{name}")
    if isinstance(schema, list):
        for part in schema:
            yield from lengths_missing(part, place)


@pytest.mark.parametrize("form", REQUESTS, ids=lambda form: form.__name__)
def test_everything_in_a_request_has_a_length(form: type[BaseModel]) -> None:
    schema = TypeAdapter(form).json_schema()
    missing = [place for place in lengths_missing(schema, "") if "data.additionalProperties" not in place]
    assert missing == []  # tables may be texts, whose length is counted over all of them


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"at": {f"x{k}": 0 for k in range(MAX_NAMES + 1)}}, ("at",)),
        ({"at": {"x" * 1_001: 0}}, ("at", "x" * 1_001, "[key]")),
        ({"wrt": ["x"] * (MAX_NAMES + 1)}, ("wrt",)),
        ({"at": {"x": json.loads(nested(MAX_RANK + 1))}}, ("at", "x")),
    ],
)
def test_what_is_too_long_is_refused_by_its_place(fields: Any, place: tuple[str, ...]) -> None:
    with pytest.raises(ValueError) as caught:
        Program.model_validate({"source": "x", **fields})
    assert [error["loc"] for error in caught.value.errors()] == [place]  # type: ignore[attr-defined]  # pydantic's


def test_an_optimizer_has_few_arguments() -> None:
    arguments = {f"a{k}": 0 for k in range(MAX_ARGUMENTS + 1)}
    with pytest.raises(ValueError, match="at most 64 items"):
        Run.model_validate({"program": "p", "steps": 1, "optimizer": arguments})
