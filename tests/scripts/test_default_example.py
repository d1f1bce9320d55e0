"""The example that travels inside the page."""

from __future__ import annotations

import json

from scripts.default_example import TARGET, default_example


def test_the_page_carries_what_the_engine_answers() -> None:
    kept = json.loads(TARGET.read_text(encoding="utf-8"))
    assert kept == default_example(), "Run `python -m scripts.default_example` and commit the file."
