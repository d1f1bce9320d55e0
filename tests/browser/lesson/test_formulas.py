"""The formulas of a lesson of mathematics, typeset in the room that the card has."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.actions import OpenPage, another_drawing, type_program

LAYERS = """import torch
import torch.nn as nn
torch.manual_seed(0)
X = torch.linspace(-1, 1, 8).unsqueeze(1)
model = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
loss = nn.MSELoss()(model(X), 3 * X)
loss.backward()
"""


@pytest.mark.parametrize("size", ["wide", "middle"])
def test_two_long_formulas_are_broken_each_in_its_own_rows(open_page: OpenPage, size: str) -> None:
    page = open_page(size)
    with another_drawing(page):
        type_program(page, LAYERS)
    formula = page.locator("gl-step gl-formula").first
    phases = page.get_by_role("group", name="Phases")
    phases.get_by_role("button", name="Backward").click()
    for step in (16, 17, 18):  # from the loss back to the product, which sends to both of its factors
        page.locator(".transport .next").click()
        expect(page.locator("gl-step .count")).to_have_text(f"{step} / 27")
    expect(page.locator("gl-step")).to_contain_text("is a row of tanh")
    expect(formula.locator(".row-of-formula")).to_have_count(2)
    assert formula.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0
    assert formula.evaluate("(each) => getComputedStyle(each).fontSize") == "16px"
