"""A PyTorch program met with the keys alone: what has the focus is in sight, and Escape leads back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import another_drawing, type_program, wait_until

TRAINING = """\
import torch
from torch import nn
x = torch.linspace(-1, 1, 8).unsqueeze(1)
model = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(3):
    optimizer.zero_grad()
    loss = nn.MSELoss()(model(x), x ** 2)
    loss.backward()
    optimizer.step()
"""
IN_SIGHT = """() => {
  const [node, stage] = [document.activeElement, document.querySelector(".graph-stage")].map((each) =>
    each.getBoundingClientRect());
  const isBetween = (start, end) => node[start] >= stage[start] && node[end] <= stage[end];
  return isBetween("top", "bottom") && isBetween("left", "right");
}"""


@pytest.fixture
def trained(page: Page) -> Page:
    """The page with a network whose picture is larger than the screen."""
    with another_drawing(page):
        type_program(page, TRAINING)
    expect(page.locator("gl-graph svg.picture")).to_contain_text("tanh")
    return page


def test_a_node_that_the_tab_key_comes_to_is_brought_into_sight(trained: Page) -> None:
    trained.get_by_role("button", name="View", exact=True).focus()
    trained.keyboard.press("Tab")
    assert trained.evaluate("document.activeElement.matches('.graph-view .item')")
    wait_until(trained, IN_SIGHT)


def test_the_menu_of_a_class_begins_with_its_code(page: Page) -> None:
    opener = page.locator(".bar button.class")
    opener.press("Enter")
    expect(page.locator("#class-menu input")).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_escape_leaves_the_class_s_view_from_a_node_and_gives_the_focus_back(page: Page) -> None:
    opener = page.locator(".bar button.present")
    opener.press("Enter")
    page.wait_for_selector("html[data-present]")
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    opener.press("Enter")
    page.wait_for_selector("html[data-present]")
    page.locator('.graph-view [tabindex="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".selection")).to_have_count(1)
    page.keyboard.press("Escape")  # first what is selected
    expect(page.locator(".selection")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("html[data-present]")).to_have_count(0)
