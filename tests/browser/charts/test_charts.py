"""The landscape and the race: what they show is what the server says, and keys alone are enough."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import EVERY_LOOK, OpenPage, held, next_frame, open_tool, type_program, wait_until
from tests.browser.page.test_accessibility import serious_issues

ROSENBROCK = "y = (1 - x)**2 + 100*(z - x**2)**2"
LOADED = """() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
  .filter((path) => /charts|landscape|panels\\/race|contour/.test(path))"""

# How many points of the charts have a colour of their own.
COLOURED = """() => {
  let sum = 0;
  for (const canvas of document.querySelectorAll("gl-plane canvas, .race-curves canvas")) {
    const { width, height } = canvas;
    if (width === 0 || height === 0) continue;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    for (let i = 0; i < data.length; i += 4) sum += Math.abs(data[i] - data[i + 2]) > 60;
  }
  return sum;
}"""
RACE = """async () => {
  const rates = [0.1, 0.5, 1, 1.1];
  const runs = rates.map((learning_rate) => ({ optimizer: { name: "GradientDescent", learning_rate } }));
  const body = JSON.stringify({ program: { source: "y = x^2", at: { x: 3 } }, steps: 20, runs });
  const headers = { "Content-Type": "application/json" };
  return (await (await fetch("/api/v1/races", { method: "POST", headers, body })).json()).runs;
}"""


def picture(page: Page) -> str:
    """What stands on the canvas that goes with the point."""
    return str(page.locator("canvas.moving").evaluate("canvas => canvas.toDataURL()"))


def test_nothing_of_a_landscape_is_loaded_before_it_is_looked_at(page: Page) -> None:
    assert page.evaluate(LOADED) == []
    open_tool(page, "Landscape")
    expect(page.locator("gl-landscape table")).to_contain_text("maximum")
    assert page.evaluate(LOADED) != []


def test_a_curve_names_its_points_and_arrow_keys_move_the_point(page: Page) -> None:
    open_tool(page, "Landscape")
    table = page.locator("gl-landscape table")
    expect(table.get_by_role("row", name="minimum")).to_contain_text("−1.5710.3679")  # at −π/2 it is 1/e
    expect(table.get_by_role("row", name="maximum")).to_contain_text("1.5712.718")
    expect(table.get_by_role("row", name="inflection")).to_have_count(3)
    said = page.locator("#landscape-says")
    expect(said).to_have_text("At x = 3 the target is 1.152; d/dx = −1.14.")
    before = picture(page)
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text("At x = 2.82 the target is 1.372; d/dx = −1.301.")
    expect(page.locator("#value-of-x")).to_have_value("2.82")
    assert picture(page) != before


def test_a_click_sets_both_variables_and_a_surface_can_be_turned_by_keys(page: Page) -> None:
    type_program(page, ROSENBROCK)
    open_tool(page, "Landscape")
    expect(page.locator("gl-landscape table")).to_contain_text("minimum 110")
    page.get_by_role("application").click(position={"x": 200, "y": 100})
    expect(page.locator("#landscape-says")).to_contain_text("∂/∂z")
    expect(page.locator("#value-of-z")).not_to_have_value("1")
    page.get_by_label("3-D surface").check()
    plane = page.locator("canvas.still")
    before = plane.evaluate("canvas => canvas.toDataURL()")
    page.get_by_role("application").press("ArrowRight")
    wait_until(page, "before => document.querySelector('canvas.still').toDataURL() !== before", before)


def test_a_picture_is_kept_as_a_file_without_a_script(page: Page) -> None:
    type_program(page, ROSENBROCK)
    open_tool(page, "Landscape")
    expect(page.locator("gl-landscape table")).to_contain_text("minimum")
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    text = download.value.path().read_text("utf-8")
    assert text.startswith("<svg")
    assert "<script" not in text
    assert text.count("<path") > 14


@pytest.mark.parametrize("tool", ["Race", "Landscape"])
def test_lines_have_their_colours_though_the_style_sheet_is_slow(page: Page, tool: str) -> None:
    with held(page, "**/styles/charts.css"):
        open_tool(page, tool)
        expect(page.locator("gl-plane canvas").first).to_be_attached()
        for _ in range(10):
            next_frame(page)
        assert page.evaluate(COLOURED) == 0
    wait_until(page, f"() => ({COLOURED})() > 100")


def test_a_race_ends_as_the_server_says(open_page: OpenPage) -> None:
    page = open_page(path="/?example=g04")
    rows = page.locator(".endings tbody tr")
    expect(rows).to_have_count(4)
    runs = page.evaluate(RACE)
    for row, run in enumerate(runs):
        exact = rows.nth(row).locator("td").nth(1).get_attribute("title")
        assert float(str(exact).replace("−", "-")) == run["columns"]["loss"][-1]
    expect(rows.nth(1)).to_contain_text("converged")
    expect(rows.nth(2)).to_contain_text("oscillates")


def test_a_contender_becomes_the_pages_own_run(page: Page) -> None:
    open_tool(page, "Race")
    page.get_by_label("Learning rate of contender 2").fill("0.25")
    page.get_by_label("Learning rate of contender 2").press("Enter")
    page.get_by_label("Steps", exact=True).fill("7")
    page.get_by_label("Steps", exact=True).press("Enter")
    page.get_by_role("button", name="Use as the page’s own run: GradientDescent, η = 0.25").press("Enter")
    expect(page.locator("gl-optimizer .count")).to_contain_text("7")
    expect(page.get_by_label("Learning rate η", exact=True)).to_have_value("0.25")


@EVERY_LOOK
def test_axe_finds_nothing_serious_in_either(open_page: OpenPage, locale: str, dark: bool) -> None:
    page = open_page(locale=locale, dark=dark)
    for tool in ("landscape", "race"):
        page.locator(f"#dock-{tool}").click()
        expect(page.locator(f"gl-{tool} table")).to_be_visible()
        assert serious_issues(page) == []
