"""What a program draws with matplotlib stands in the output: a drawing, words for it, and its numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from benchmarks.browsers import link as link_to
from tests.browser.actions import OpenPage, open_tool
from tests.browser.page.test_accessibility import serious_issues

PROGRAM = """\
import matplotlib.pyplot as plt
print("before")
plt.plot([0, 1, 2], [1, 10, 100], "r--o", label="loss")
plt.title("<img src=x onerror=alert(1)>")
plt.yscale("log")
plt.legend()
plt.show()
print("after")
"""


@pytest.mark.modules
@pytest.mark.parametrize(("size", "dark"), [("wide", False), ("small", True)])
def test_a_figure_stands_between_the_lines_where_it_was_shown(
    open_page: OpenPage, size: str, dark: bool
) -> None:
    page = open_page(size, dark=dark, path=f"/{link_to(PROGRAM)}")
    if size == "small":
        page.get_by_role("button", name="Tools").click()
    open_tool(page, "Output")
    output = page.locator("gl-output")
    figure = output.get_by_role("img")
    expect(figure).to_have_accessible_name(
        "<img src=x onerror=alert(1)>; “loss”: line, points: 3 from 1 to 100"
    )
    expect(output.locator("pre")).to_have_text(["before", "after"])
    expect(figure).to_contain_text("loss")
    figure.scroll_into_view_if_needed()
    output.get_by_text("Its numbers").click()
    expect(output.locator("td")).to_have_text(["0", "1", "1", "10", "2", "100"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious_issues(page) == []
