"""Write frontend/data/thumbnails.json: a small picture of each example's graph, for the gallery.

The pictures are laid out by the page's own modules, with Node (scripts/thumbnails.js);
tests/scripts/test_thumbnails.py holds the file against them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.execution.budget import Limits
from engine.programs import ProgramRequest, run_program, tell_lesson
from engine.programs.answers.graph_files import download_graph
from server.examples import read_examples

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "frontend" / "data" / "thumbnails.json"


def graph_of(example: dict[str, Any]) -> dict[str, Any]:
    """An example's answer and lesson, and the nodes that carry its mathematics."""
    request = ProgramRequest(example["source"], at=example["at"])
    essential = json.loads(download_graph(request, "essentials", "json", Limits()))
    level = next((command["level"] for command in example["start"] if "level" in command), "mathematics")
    lesson = tell_lesson(request, level=level)
    return {"program": run_program(request), "nodes": essential["nodes"], "lesson": lesson}


def thumbnails(examples: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The picture of each, by id."""
    graphs = json.dumps({example["id"]: graph_of(example) for example in examples})
    command = ["node", str(ROOT / "scripts" / "thumbnails.js")]
    run = subprocess.run(command, input=graphs, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def main() -> None:
    """Write the file."""
    pictures = thumbnails(read_examples(ROOT / "examples").values())
    lines = [
        f"{json.dumps(name)}:{json.dumps(each, separators=(',', ':'))}" for name, each in pictures.items()
    ]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
