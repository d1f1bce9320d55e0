"""The file itself: the page as it stands in a frame, with a program's answer and lesson recorded in it."""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from engine.errors import GradlensError, ProgramError
from engine.execution.budget import Limits
from engine.programs import ProgramRequest, follow_paths, run_program, tell_lesson
from gradlens.saved_page import modules
from server.serialization.identity import program_id

LEVEL = "mathematics"  # a page in a frame has no switch for others
SAFE = "-_.!~*'()"  # letters that JavaScript's encodeURIComponent leaves as they are, too
EXAMPLE = "data/default_example.json"  # what the page opens with where its address says nothing
OTHERWISE = {
    "type": "about:blank",
    "title": "Saved page",
    "status": 503,
    "code": "saved_page",
    "detail": "This page was saved as a file: it can be stepped through, and computes nothing new.",
    "hint": "Run the program with Gradlens for the rest.",
    "message_zh": "此页面保存为文件：可以逐步浏览，但不会计算新的内容。",
    "hint_zh": "其余内容请用 Gradlens 运行该程序。",
    "where": None,
}
PAGE = """<!doctype html>
<html lang="en" data-embed>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body>{body}
<script type="application/octet-stream" id="gradlens-packed">{packed}</script>
<script>{loader}</script>
</body>
</html>
"""


def saved_page(request: ProgramRequest, limits: Limits) -> str:
    """The file's text; the same request gives the same text.

    Raises: ProgramError where nothing of the program can be drawn.
    """
    answer = run_program(request, limits)
    if not answer["graph"]["nodes"]:
        raise _nothing_to_draw(answer)
    folder = modules.page_folder()
    name = program_id(request, answer["dialect"])
    answers = dict(recorded(request, name, answer, limits))
    opening = {
        "source": request.source,
        "at": dict(request.at),
        "program": {"id": name, **answer},
        "lesson": answers[lesson_path(name, LEVEL)],
    }
    files = {**modules.files(folder), EXAMPLE: modules.data_address(EXAMPLE, as_json(opening))}
    packed = {
        "modules": modules.modules(folder),
        "files": files,
        "styles": modules.styles(folder),
        "answers": answers,
        "otherwise": OTHERWISE,
    }
    first_line = request.source.strip().split("\n")[0]
    return PAGE.format(
        title=html.escape(f"{first_line} – Gradlens"),
        body=modules.body_of(folder),
        packed=base64.b64encode(gzip.compress(as_json(packed), mtime=0)).decode(),
        loader=modules.loader(folder),
    )


def recorded(
    request: ProgramRequest, name: str, answer: Mapping[str, Any], limits: Limits
) -> Iterator[tuple[str, Any]]:
    """The answers that the page asks for in a frame, by their paths; those that there are."""
    program = f"api/v1/programs/{quote(name)}"
    yield program, {"id": name, **answer}
    yield lesson_path(name, LEVEL), {"program": name, **lesson_of(request, limits)}
    for row in answer["gradients"]:
        with suppress(GradlensError):
            paths = follow_paths(request, limits, row["name"])
            yield f"{program}/paths?x={quote(row['name'], safe=SAFE)}", {"program": name, **paths}


def lesson_of(request: ProgramRequest, limits: Limits) -> Mapping[str, Any]:
    """The program's lesson; one without steps where there is none, which takes nothing from the graph."""
    try:
        return tell_lesson(request, limits, LEVEL)
    except GradlensError as error:
        return {"level": LEVEL, "steps": [], "values": {}, "reason": error.message}


def lesson_path(name: str, level: str) -> str:
    """What the page asks for a lesson by."""
    return f"api/v1/programs/{quote(name)}/lesson?level={level}"


def as_json(value: Any) -> bytes:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _nothing_to_draw(answer: Mapping[str, Any]) -> ProgramError:
    errors = [item for item in answer["diagnostics"] if item["severity"] == "error"]
    why, why_zh = (errors[0]["message"], errors[0]["message_zh"]) if errors else ("", "")
    return ProgramError(
        f"The program has no graph to show. {why}".rstrip(),
        message_zh=f"程序没有可显示的图。{why_zh}",
        hint="It draws what is computed with tensors or with free variables, as in y = x^2.",
        hint_zh="能画出的是用张量或自由变量计算的内容，例如 y = x^2。",
        code="nothing_to_draw",
    )
