"""The examples that travel with the package.

`index.json` names each example's program; in `course/`, `g12.json` says how it is worked on, and
`course.json` puts them into groups and lessons. `torch/` and `jax/` hold the same examples for those
frameworks.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from server.page_folder import find_folder

FRAMEWORKS = ("torch", "jax")  # whose folders hold an example's other forms


@cache
def examples() -> dict[str, dict[str, Any]]:
    """The examples, read once."""
    return read_examples(find_folder("examples"))


def read_course(folder: Path) -> dict[str, Any]:
    """The groups of the gallery and the ready lessons."""
    course: dict[str, Any] = read(folder / "course" / "course.json")
    return course


def read_examples(folder: Path) -> dict[str, dict[str, Any]]:
    """Every example by its id, in the order of the index, with its source."""
    index = read(folder / "index.json")
    titles = {entry["id"]: entry["title"] for entry in index}
    return {entry["id"]: read_example(folder, entry, titles) for entry in index}


def read_example(folder: Path, entry: dict[str, Any], titles: dict[str, Any]) -> dict[str, Any]:
    """One example as it is answered."""
    source = read_text(folder / entry["file"])
    fields = {name: entry[name] for name in ("id", "dialect", "title", "teaches")}
    worked = read(folder / "course" / f"{entry['id']}.json")
    texts = [other_text(folder, text, source, entry["at"]) for text in worked.pop("texts")]
    following = [{"id": each, "title": titles[each]} for each in worked.pop("next")]
    return {
        **fields,
        "at": entry["at"],
        "source": source,
        "forms": forms_of(folder, entry),
        **worked,
        "texts": texts,
        "next": following,
    }


def forms_of(folder: Path, entry: dict[str, Any]) -> list[dict[str, str]]:
    """The same example as a program for other frameworks, where it is not theirs already."""
    files = {dialect: folder / dialect / f"{entry['id']}.py" for dialect in FRAMEWORKS}
    return [
        {"dialect": dialect, "source": read_text(file)}
        for dialect, file in files.items()
        if dialect != entry["dialect"] and file.exists()
    ]


def other_text(folder: Path, text: dict[str, Any], source: str, at: dict[str, Any]) -> dict[str, Any]:
    """Another text of an example: a file of its own, or the first one with some of it replaced."""
    if "file" in text:
        source = read_text(folder / text["file"])
    for before, after in text.get("replace", []):
        source = source.replace(before, after)
    return {
        "id": text["id"],
        "label": text["label"],
        "source": source,
        "at": text.get("at", at),
        "status": text.get("status", "ok"),
    }


def read(path: Path) -> Any:
    """A file of JSON."""
    return json.loads(read_text(path))


def read_text(path: Path) -> str:
    """A file of text, without the end of its last line."""
    return path.read_text(encoding="utf-8").removesuffix("\n")
