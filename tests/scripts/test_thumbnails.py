"""The small pictures of the gallery."""

from __future__ import annotations

import json
import shutil

import pytest

from scripts.thumbnails import ROOT, TARGET, thumbnails
from server.examples import read_examples

EXAMPLES = read_examples(ROOT / "examples")
KEPT = json.loads(TARGET.read_text(encoding="utf-8")) if TARGET.exists() else {}


def test_every_example_has_a_picture_and_none_is_left_over() -> None:
    assert list(KEPT) == list(EXAMPLES)
    assert all(picture["marks"] for picture in KEPT.values())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_pictures_are_what_the_layout_draws() -> None:
    assert thumbnails(EXAMPLES.values()) == KEPT, "Run `python -m scripts.thumbnails` and commit the file."
