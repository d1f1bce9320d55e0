"""A page saved as one file: what lies in it, and that it names nothing outside."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import pytest

from engine.programs import ProgramRequest
from gradlens.saved_page import saved_page
from gradlens.saved_page.modules import IMPORT, files, independent, modules, page_folder, styles
from tests.limits import ROOMY

REQUEST = ProgramRequest("y = exp(sin(x))", at={"x": 3})
PACKED = re.compile(r'id="gradlens-packed">([^<]*)</script>')


def packed(page: str) -> dict[str, Any]:
    """What a saved page unpacks."""
    found = PACKED.search(page)
    assert found is not None
    held: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return held


def test_a_module_imports_others_by_name_wherever_it_lies() -> None:
    text = b'// words\nimport { a } from "../b/c.js";\nawait import("./e.js");\nexport*from"lit";\n'
    assert independent("x/y.js", text) == (
        '\nimport { a } from "gradlens/b/c.js";\nawait import("gradlens/x/e.js");\nexport*from"lit";\n'
    )


def test_every_module_that_is_imported_is_there_but_the_editors() -> None:
    found = modules(page_folder())
    assert not any(IMPORT.search(text) for text in found.values())
    named = {
        name
        for text in found.values()
        for name in re.findall(r'(?:from|import\()\s*"(gradlens/[^"]+)"', text)
    }
    assert {name for name in named - set(found) if "codemirror" not in name} == set()


def test_nothing_is_fetched_from_elsewhere() -> None:
    page = saved_page(REQUEST, ROOMY)
    held = packed(page)
    assert not re.search(r'(?:src|href)="', page.replace('href="#graph"', ""))
    assert all(address.startswith("data:") for address in held["files"].values())
    assert re.findall(r"url\((?!data:)[^)]*\)", styles(page_folder())) == []
    assert (
        "woff2;base64,"
        in base64.b64decode(files(page_folder())["vendor/katex.css"].partition(",")[2]).decode()
    )


def test_the_page_opens_with_the_program_its_lesson_and_its_paths() -> None:
    held = packed(saved_page(REQUEST, ROOMY))
    opening = json.loads(base64.b64decode(held["files"]["data/default_example.json"].partition(",")[2]))
    name = opening["program"]["id"]
    assert (opening["source"], opening["at"]) == ("y = exp(sin(x))", {"x": 3})
    assert opening["program"]["gradients"][0]["value"]["data"] == pytest.approx(-1.14003857)
    assert opening["lesson"]["steps"]
    assert sorted(held["answers"]) == [
        f"api/v1/programs/{name}",
        f"api/v1/programs/{name}/lesson?level=mathematics",
        f"api/v1/programs/{name}/paths?x=x",
    ]
    assert held["otherwise"]["message_zh"].startswith("此页面保存为文件")


def test_the_same_request_is_the_same_file_and_a_title_is_no_markup() -> None:
    request = ProgramRequest("y = x^2 # </title><script>alert(1)</script>")
    page = saved_page(request, ROOMY)
    assert page == saved_page(request, ROOMY)
    assert page.count("<script") == 2
