"""The gallery as a course: every item is of the documented form, and leads somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from server.examples import read_course, read_examples
from server.schemas.examples import ExamplesAnswer

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = read_examples(FOLDER)
COURSE = read_course(FOLDER)
LONG = {
    "g15-zero",
    "g17-thousand",
    "g34-step",
    "g34-cosine",
}  # they take most of a second, or all that is allowed
TEXTS = [
    pytest.param(id_, text["id"], marks=[pytest.mark.slow] if f"{id_}-{text['id']}" in LONG else [])
    for id_, example in EXAMPLES.items()
    for text in example["texts"]
]
WITHOUT_BOUND = re.compile(r"[\u4e00-\u9fff][,;:?!]")


def text_of(example: str, text: str) -> dict[str, Any]:
    """One of an example's texts; `main` is its own."""
    return next((each for each in EXAMPLES[example]["texts"] if each["id"] == text), EXAMPLES[example])


def run_text(example: str, text: str = "main", **changes: Any) -> dict[str, Any]:
    """What a text of an example answers."""
    chosen = text_of(example, text)
    return run_program(ProgramRequest(chosen["source"], **{"at": chosen["at"], **changes}))


def commands(example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Everything that an example may do to the page."""
    yield from example["start"]
    for action in example["actions"]:
        yield from action["do"]


def chinese(part: Any) -> Iterator[str]:
    """Every Chinese text within."""
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key == "zh")
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from chinese(each)


def test_all_of_it_is_of_the_documented_form() -> None:
    ExamplesAnswer.model_validate({"examples": list(EXAMPLES.values()), **COURSE})


def test_the_course_has_every_item_from_g01_to_g37() -> None:
    assert sorted(EXAMPLES) == [f"g{number:02}" for number in range(1, 38)]
    assert sum(example["core"] for example in EXAMPLES.values()) == 27
    files = {path.stem for path in FOLDER.glob("course/g*.json")}
    assert files == set(EXAMPLES)


def test_every_item_stands_in_one_group() -> None:
    grouped = [item for group in COURSE["groups"] for item in group["items"]]
    assert sorted(grouped) == sorted(EXAMPLES)


def test_every_item_is_there_for_pytorch_and_for_jax() -> None:
    for example in EXAMPLES.values():
        dialects = {example["dialect"], *(form["dialect"] for form in example["forms"])}
        assert dialects >= {"torch", "jax"}


def test_there_are_six_lessons_of_items_of_the_gallery() -> None:
    assert len(COURSE["lessons"]) == 6
    for lesson in COURSE["lessons"]:
        assert 3 <= len(lesson["stops"]) <= 4
        assert {stop["item"] for stop in lesson["stops"]} <= set(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=list(EXAMPLES))
def test_an_item_asks_only_for_what_there_is(example: dict[str, Any]) -> None:
    assert {each["id"] for each in example["next"]} <= set(EXAMPLES) - {example["id"]}
    texts = {"main", *(text["id"] for text in example["texts"])}
    variables = {name for text in texts for name in text_of(example["id"], text)["at"]}
    used = {"main"}
    for command in commands(example):
        used.add(command.get("text", "main"))
        given = {*command.get("value", {}), *command.get("wrt", [])}
        assert given <= variables if example["dialect"] == "math" else not given
    assert used == texts  # a text that no button opens would never be seen


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=list(EXAMPLES))
def test_what_a_text_replaces_stands_there_once(example: dict[str, Any]) -> None:
    for text in json.loads((FOLDER / "course" / f"{example['id']}.json").read_text(encoding="utf-8"))[
        "texts"
    ]:
        for before, after in text.get("replace", []):
            assert example["source"].count(before) == 1
            assert before != after


@pytest.mark.parametrize(("example", "text"), TEXTS)
def test_every_other_text_ends_as_it_is_said_to(example: str, text: str) -> None:
    answer = run_text(example, text)
    assert answer["status"] == text_of(example, text)["status"]
    assert answer["graph"]["nodes"]


@pytest.mark.parametrize("example", [*EXAMPLES.values(), COURSE], ids=[*EXAMPLES, "course"])
def test_chinese_sentences_use_full_width_punctuation(example: dict[str, Any]) -> None:
    found = list(chinese(example))
    assert found
    assert all(found)
    assert [text for text in found if WITHOUT_BOUND.search(text)] == []
    assert not re.search("渐变|色带|区分|差异化", "\n".join(found))
