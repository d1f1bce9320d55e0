"""Loss curves: y = x² from 3, whose k-th loss is 9 · (1 − 2 · rate)^(2k)."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage, open_tool, type_program
from tests.browser.share.test_walks import link_of


def run(page: Page, rate: str, steps: int) -> None:
    """Begin anew with this rate, and make so many updates."""
    open_tool(page, "Optimizer")
    page.get_by_role("button", name="Reset").click(force=True)  # which changes nothing the first time
    field = page.get_by_role("textbox", name="Learning rate η", exact=True)
    field.fill(rate)
    field.press("Enter")
    page.locator(f"gl-optimizer .step-{steps}").click()
    expect(page.locator("gl-optimizer .count")).not_to_have_text("step 0")
    expect(page.locator("gl-optimizer progress")).to_have_class("idle")
    open_tool(page, "Loss curve")


def test_runs_are_kept_compared_and_removed_and_a_divergence_is_marked_where_it_began(page: Page) -> None:
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_contain_text("x² send back")
    run(page, "0.25", 10)
    curves = page.locator("gl-curves")
    curves.get_by_role("button", name="Keep this run").click()
    run(page, "1.5", 10)  # x → −2 x
    rows = curves.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("GradientDescent, η = 1.5")
    expect(rows.last).to_contain_text("GradientDescent, η = 0.25")
    reader = curves.get_by_role("slider", name="Losses at step")
    reader.fill("2")
    expect(rows.first.locator(".exact")).to_have_text("144")  # 9 · 4²
    expect(rows.last.locator(".exact")).to_have_text("0.5625")  # 9 / 4²
    run(page, "1.5", 100)
    curves.get_by_text("diverges from step 0 on").wait_for()
    curves.get_by_role("switch", name="Logarithmic scale").click()
    curves.get_by_role("button", name="Remove GradientDescent, η = 0.25").click()
    expect(rows).to_have_count(1)
    expect(curves.locator(".plot canvas")).to_be_visible()


def losses(page: Page) -> list[list[str]]:
    """What the table says of each run: what it is called, its loss at one step and its last one."""
    rows = page.locator("gl-curves tbody tr").all()
    return [[each.inner_text() for each in row.locator("th, td").all()[:3]] for row in rows]


def test_a_link_brings_the_runs_that_were_kept_with_every_digit_of_their_losses(
    open_page: OpenPage,
) -> None:
    page = open_page()
    type_program(page, "y = x^2")
    expect(page.locator("gl-step .sentence")).to_contain_text("x² send back")
    for rate in ("0.25", "1.5"):
        run(page, rate, 100)
        page.locator("gl-curves").get_by_role("button", name="Keep this run").click()
    run(page, "0.1", 10)
    before = losses(page)
    assert [row[0].split(" η = ")[1].split()[0] for row in before] == ["0.1", "0.25", "1.5"]
    other = open_page(path="/#" + link_of(page).partition("#")[2])
    expect(other.locator("gl-curves tbody tr")).to_have_count(3)
    assert losses(other) == before


LOOP = """import torch

w = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.25)
for step in range(4):
    optimizer.zero_grad()
    loss = w ** 2
    loss.backward()
    optimizer.step()
"""


def test_the_programs_own_loop_is_drawn_before_any_run_and_beside_one(page: Page) -> None:
    type_program(page, LOOP)
    expect(page.locator("gl-step .sentence")).to_contain_text("send back")
    open_tool(page, "Loss curve")
    curves = page.locator("gl-curves")
    rows = curves.locator("tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("The program's own loop")
    curves.get_by_role("slider", name="Losses at step").fill("2")
    expect(rows.first.locator(".exact")).to_have_text("0.5625")  # 9 / 4²
    expect(curves.get_by_text("its losses are drawn beside it")).to_be_visible()
    expect(curves.locator(".plot canvas")).to_be_visible()
    run(page, "0.25", 10)
    expect(rows).to_have_count(2)
    curves.get_by_role("button", name="Keep this run").click()
    expect(rows).to_have_count(2)
