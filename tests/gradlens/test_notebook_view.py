"""`show` in a notebook: a frame that holds the whole page."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from engine.errors import ProgramError
from gradlens import show
from tests.gradlens.functions import loss
from tests.gradlens.saved_page.test_page import packed


def test_a_text_is_shown_in_a_frame_that_holds_it() -> None:
    shown = show("y = x^2", x=3, height=400)
    frame = shown._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert 'height="400"' in frame
    assert html.unescape(frame.split('"')[1]) == shown.page
    (program,) = [answer for path, answer in packed(shown.page)["answers"].items() if path.count("/") == 3]
    assert program["gradients"][0]["value"]["data"] == 6.0  # 2 · 3


def test_a_function_is_shown_by_its_text_and_saved_as_a_file(tmp_path: Path) -> None:
    shown = show(loss, w=3.0)
    assert shown.save(tmp_path / "loss.html").read_text(encoding="utf-8") == shown.page
    assert "save it: .save('view.html')" in repr(shown)


def test_a_program_without_a_graph_says_why() -> None:
    with pytest.raises(ProgramError) as refused:
        show("y = sim(x)")
    assert refused.value.message.startswith("The program has no graph to show. ")
