"""Updates that the page makes of a PyTorch model which the program has trained already."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import open_tool, type_program

LINE = """import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 20).reshape(-1, 1)
model = nn.Linear(1, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for epoch in range(30):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), 2 * x + 1)
    loss.backward()
    optimizer.step()
"""


def test_an_update_is_walked_through_with_the_numbers_that_it_begins_with(page: Page) -> None:
    type_program(page, LINE)
    expect(page.locator("gl-step .sentence")).to_contain_text("send back")
    open_tool(page, "Optimizer")
    expect(page.locator("gl-optimizer .stage-names")).to_contain_text("loss.backward()")
    page.locator("gl-optimizer .step-10").click()
    step = page.locator("gl-step")
    expect(step).to_contain_text("After 10 updates")
    expect(step).to_contain_text("0.5029")  # the loss of PyTorch before its tenth update
    page.get_by_role("button", name="Back", exact=True).first.click()
    expect(step).to_contain_text("Update 10")
    expect(step.locator(".sentence")).to_contain_text("puts the numbers of model.weight in another place")
    expect(step).not_to_contain_text("depend on chance")
