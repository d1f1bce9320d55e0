"""A page that was saved as a file, and one in a notebook's frame: stepped through without a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request, expect

from gradlens import show

NEXT = ".transport .next"


@pytest.mark.parametrize("framed", [False, True], ids=["a file", "a frame"])
def test_it_is_stepped_through_to_the_gradient_and_asks_nobody(
    browser: Browser, tmp_path: Path, framed: bool
) -> None:
    shown = show("y = exp(sin(x))", x=3)
    file = shown.save(tmp_path / "page.html")
    if framed:
        file.write_text(f"<h1>A notebook</h1>{shown._repr_html_()}", encoding="utf-8")
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    asked: list[str] = []
    mistakes: list[object] = []

    def note(request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")):
            asked.append(request.url)

    page.on("request", note)
    page.on("pageerror", lambda error: mistakes.append(error))
    page.goto(file.as_uri())
    inside = page.frame_locator("iframe") if framed else page
    inside.locator("html[data-ready]").wait_for()
    for _ in range(3):
        inside.locator("gl-transport").get_by_role("button", name="Next").click()
    expect(inside.locator("gl-step")).to_contain_text("−1.14")
    inside.get_by_role("button", name="All paths from x").or_(inside.get_by_text("All paths from x")).click()
    expect(inside.locator("gl-step")).to_contain_text("1 path leads from x to y")
    assert (asked, mistakes) == ([file.as_uri()], [])
    page.close()
