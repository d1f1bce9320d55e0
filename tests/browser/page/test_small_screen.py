"""A phone: one part at a time, everything within reach of a thumb."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchmarks.browsers import link
from tests.browser.actions import AT_TENSORFLOW, OpenPage
from tests.browser.graph.test_gallery_drawings import OPEN

PARTS = {"Input": ".editor", "Graph": ".graph-host", "Step": "gl-step .sentence", "Tools": "gl-optimizer"}
THUMB = 44  # CSS pixels


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page("small")


def test_the_first_look_has_text_value_graph_question_and_next(phone: Page) -> None:
    summary = phone.locator(".summary")
    expect(summary).to_contain_text("y = exp(sin(x))")
    expect(summary).to_contain_text("x = 3")
    expect(phone.locator(".graph-host svg").first).to_be_visible()
    expect(phone.locator(".caption")).to_contain_text("What does exp send back?")
    expect(phone.get_by_role("button", name="Next step")).to_be_visible()


@pytest.mark.parametrize(("tab", "part"), PARTS.items())
def test_every_part_is_one_tap_away_and_next_stays(phone: Page, tab: str, part: str) -> None:
    phone.get_by_role("navigation").get_by_role("button", name=tab).click()
    expect(phone.locator(part)).to_be_visible()
    expect(phone.get_by_role("button", name="Next step")).to_be_in_viewport()
    others = [other for name, other in PARTS.items() if name != tab]
    for other in others:
        expect(phone.locator(other)).to_be_hidden()


def test_a_link_whose_text_has_a_mistake_tells_it_where_the_graph_would_be(phone: Page, server: str) -> None:
    phone.goto(f"{server}/?opened{link('y = sinn(x)')}")
    expect(phone.locator(".empty .mistake")).to_contain_text("sinn")
    expect(phone.get_by_role("button", name="Zoom in")).to_be_hidden()


@pytest.mark.parametrize(
    "path",
    ["/?example=g22", "/?example=g36", f"/?sliders{link('y = a*b*c*d*e*f')}"],
    ids=["a card and a slider", "a card and what is set aside", "six sliders"],
)
def test_the_graph_has_a_third_of_a_phones_window_beneath_a_card_and_sliders(
    open_page: OpenPage, path: str
) -> None:
    phone = open_page("small", path=path)
    phone.wait_for_selector("html[data-ready]")
    phone.get_by_role("navigation").get_by_role("button", name="Graph").click()
    expect(phone.locator(".course-card, .variable").first).to_be_visible()
    stage = phone.locator(".graph-stage").bounding_box()
    assert stage
    assert stage["height"] >= phone.evaluate("innerHeight") / 3


PRINTED = """import torch
print(torch.arange(12.0).reshape(3, 4) * 1.2345)
print("a line of words that is longer than any phone is broad, and is read to its end")
"""


def test_the_rows_of_a_printed_tensor_keep_their_columns_on_a_phone_and_words_are_wrapped(
    open_page: OpenPage,
) -> None:
    phone = open_page("small", path=f"/?printed{link(PRINTED)}")
    phone.get_by_role("navigation").get_by_role("button", name="Tools").click()
    phone.get_by_role("tab", name="Output").click()
    array, words = phone.locator(".printed > span").all()
    expect(array).to_contain_text("[ 9.8760")
    heights = [part.evaluate("(each) => each.getBoundingClientRect().height") for part in (array, words)]
    assert heights == [3 * 22, 2 * 22]
    assert words.evaluate("(each) => each.scrollWidth <= innerWidth")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_tapping_the_text_leads_to_the_editor(phone: Page) -> None:
    phone.locator(".summary").click()
    expect(phone.locator(".editor")).to_be_visible()


def test_the_caption_follows_the_step_and_the_run_and_keeps_its_height(phone: Page) -> None:
    caption = phone.locator(".caption")
    before = caption.bounding_box()
    phone.get_by_role("button", name="Last step").click()
    expect(caption).not_to_contain_text("What does exp send back?")
    assert caption.bounding_box() == before  # else the graph above it would jump
    phone.get_by_role("navigation").get_by_role("button", name="Tools").click()
    phone.get_by_role("button", name="Step", exact=True).last.click()
    phone.get_by_role("navigation").get_by_role("button", name="Graph").click()
    expect(caption).to_contain_text("After 1 update · x ← 3 − 0.01 × (−1.14) = 3.011")


@pytest.mark.modules
@AT_TENSORFLOW
def test_the_ribbon_shows_the_phase_of_the_step(phone: Page) -> None:
    phone.evaluate(OPEN, "g03")
    phases = phone.locator(".ribbon .phase")
    expect(phases).to_have_count(3)
    phone.get_by_role("button", name="Last step").click()
    expect(phases.last).to_be_in_viewport(ratio=0.95)
    phone.get_by_role("button", name="First step").click()
    expect(phases.first).to_be_in_viewport(ratio=0.95)


def test_the_main_buttons_suit_a_thumb(phone: Page) -> None:
    for button in [*phone.locator(".controls button").all(), *phone.locator(".tabs button").all()]:
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= THUMB


def test_the_tools_stand_on_one_ground_down_to_their_end(phone: Page) -> None:
    phone.get_by_role("navigation").get_by_role("button", name="Tools").click()
    curve = phone.locator("gl-curve").bounding_box()
    ground = phone.locator(".dock").bounding_box()
    assert curve
    assert ground
    assert curve["y"] + curve["height"] <= ground["y"] + ground["height"]


@AT_TENSORFLOW
def test_the_table_has_whole_names_and_the_values_in_sight(phone: Page) -> None:
    phone.get_by_role("navigation").get_by_role("button", name="Tools").click()
    phone.get_by_role("tab", name="Table").click()
    name = phone.locator("table.nodes th code").get_by_text("x/initial_value", exact=True)
    assert name.evaluate("(one) => one.getClientRects().length") == 1
    assert phone.locator(".dock-body").evaluate("(body) => body.scrollWidth - body.clientWidth") == 0


def test_nothing_is_wider_than_the_screen(open_page: OpenPage) -> None:
    for locale in ("en-US", "zh-CN"):
        page = open_page("small", locale=locale)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, locale
        assert page.evaluate("document.querySelector('.graph-bar').scrollWidth") <= 390, locale


@pytest.mark.modules
@AT_TENSORFLOW
def test_above_the_graph_stands_the_line_that_the_step_is_about(phone: Page) -> None:
    phone.evaluate(OPEN, "g03")
    summary = phone.locator(".summary")
    expect(summary).to_contain_text("train = tf.train.GradientDescentOptimizer")
    before = summary.bounding_box()
    phone.get_by_role("button", name="Back", exact=True).click()
    expect(summary).to_have_text("y = tf.square(x)")
    assert summary.bounding_box() == before  # else the graph beneath it would jump


@pytest.mark.modules
def test_the_phase_of_the_step_is_whole_in_sight_in_every_lesson(phone: Page) -> None:
    for example in ("g36", "g15"):
        phone.evaluate(OPEN, example)
        current = phone.locator(".ribbon [aria-current=step]")
        expect(current).to_be_in_viewport(ratio=1)


def test_on_a_phone_on_its_side_one_scrolls_and_next_stays(open_page: OpenPage) -> None:
    page = open_page("low")
    expect(page.get_by_role("button", name="Next step")).to_be_in_viewport(ratio=1)
    for lane in ("Both", "Forward", "Backward"):
        expect(page.get_by_role("button", name=lane, exact=True)).to_be_in_viewport(ratio=1)
    graph = page.locator(".graph-host").bounding_box()
    assert graph is not None
    assert graph["height"] >= 250
    page.get_by_role("tab", name="Table").scroll_into_view_if_needed()
    expect(page.get_by_role("tab", name="Table")).to_be_in_viewport(ratio=1)


@pytest.mark.modules
@AT_TENSORFLOW
def test_a_long_formula_is_whole_once_its_part_is_opened(phone: Page) -> None:
    phone.evaluate(OPEN, "g35")  # its last step is an update of Adam
    phone.get_by_role("button", name="Last step").click()
    phone.locator("gl-tabs").get_by_role("button", name="Step").click()
    formula = phone.locator("gl-step gl-formula").first
    expect(formula.locator(".katex")).to_be_visible()
    expect(formula.locator(".katex-display")).to_have_count(0)
    assert formula.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0
