"""Write frontend/data/default_example.json: what the page draws before it has asked the server anything.

The file holds the engine's own answer and lesson, so that the first screen shows what every later one
would; tests/scripts/test_default_example.py holds it against the engine.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.programs import ProgramRequest, run_program, tell_lesson

TARGET = Path(__file__).resolve().parent.parent / "frontend" / "data" / "default_example.json"
SOURCE = "y = exp(sin(x))"
AT = {"x": 3}


def default_example() -> dict[str, Any]:
    """The text and value of the first screen, with the engine's answer and lesson."""
    request = ProgramRequest(source=SOURCE, at=AT)
    lesson = tell_lesson(request, level="mathematics")
    return {"source": SOURCE, "at": AT, "program": run_program(request), "lesson": lesson}


def main() -> None:
    """Write the file."""
    text = json.dumps(default_example(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    TARGET.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
