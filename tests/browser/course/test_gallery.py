"""The gallery, the card of an example, and the lessons, as a learner meets them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import OpenPage
from tests.browser.page.test_accessibility import serious_issues


def open_gallery(page: Page, view: str = "Examples") -> None:
    """Press the button in the header, and wait for what is to be chosen from."""
    page.get_by_role("button", name=view, exact=True).click()
    expect(page.locator(".gallery li").first).to_be_visible()


def open_item(page: Page, title: str) -> None:
    """Open an example from the gallery, and wait until it is set up."""
    open_gallery(page)
    page.locator(".items button").filter(has_text=title).click()
    expect(page.locator(".course-card h2")).to_contain_text(title)
    expect(page.locator(".gallery")).to_have_count(0)


def test_an_example_is_found_in_traditional_characters_and_opened_with_its_card(page: Page) -> None:
    open_gallery(page)
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("學習率 bound")
    expect(page.locator(".items .title")).to_contain_text(["How large may the learning rate be?"])
    page.locator(".items button").first.click()
    expect(page.locator(".cm-content")).to_have_text("y = x^2")
    expect(page.locator(".course-card .goal")).to_contain_text("how large a learning rate may be")
    assert "example=g04" in page.url


def test_a_button_of_the_card_sets_the_rate_and_draws_the_curve(page: Page) -> None:
    open_item(page, "How large may the learning rate be?")
    page.get_by_role("button", name="η = 1.1, ×20").click()
    expect(page.locator("gl-optimizer output.count")).to_have_text("step 20")
    expect(page.get_by_role("textbox", name="Learning rate")).to_have_value("1.1")
    expect(page.locator("gl-step .result strong")).to_have_text("13 228".replace(" ", "\u2009"))
    page.get_by_role("button", name="η = 0.5, ×20").click()
    expect(page.locator("gl-step .result strong")).to_have_text("0")


def test_a_button_opens_another_text_of_the_example(page: Page) -> None:
    open_item(page, "Clip between the two calls")
    page.get_by_role("button", name="x = 3, w = 4").click()
    expect(page.locator(".cm-content")).to_contain_text("x = tf.Variable(3.)")
    expect(page.locator("table.pairs")).to_contain_text("3.7")


def test_what_is_ticked_and_folded_and_the_example_survive_a_reload(page: Page) -> None:
    open_item(page, "Fan-out: add over the paths")
    page.get_by_role("checkbox", name="Find the two paths").check()
    page.get_by_role("button", name="Fold the card").click()
    page.reload()
    expect(page.locator(".course-card h2")).to_contain_text("Fan-out")
    expect(page.locator("#course-body")).to_be_hidden()
    page.get_by_role("button", name="Open the card").click()
    expect(page.get_by_role("checkbox", name="Find the two paths")).to_be_checked()
    page.get_by_role("button", name="Close the card").click()
    expect(page.locator(".course-card")).to_have_count(0)
    assert "example=" not in page.url


def test_the_answer_is_hidden_until_it_is_asked_for_and_hidden_again_in_the_next_example(page: Page) -> None:
    open_item(page, "Fan-out: add over the paths")
    answer = page.locator(".course-card details p").first
    expect(answer).to_be_hidden()
    page.locator(".course-card summary").first.click()
    expect(answer).to_contain_text("−3")
    page.locator(".course-card .next .link").first.click()
    expect(page.locator(".course-card h2")).to_contain_text("Why the order matters")
    expect(answer).to_be_hidden()


def test_a_lesson_leads_from_stop_to_stop_and_keeps_its_place(page: Page) -> None:
    open_gallery(page, "Lessons")
    page.locator(".lesson-list > li").filter(has_text="From gradient to update").get_by_role("button").click()
    place = page.locator(".lesson-place")
    expect(place).to_contain_text("1 of 3")
    page.get_by_role("button", name="The next stop").click()
    expect(place).to_contain_text("2 of 3")
    expect(page.locator(".course-card h2")).to_contain_text("Clip between the two calls")
    page.reload()
    expect(place).to_contain_text("2 of 3")
    page.get_by_role("button", name="The stop before").click()
    expect(place).to_contain_text("1 of 3")
    open_gallery(page, "Lessons")
    expect(page.get_by_role("button", name="Go on at")).to_have_count(0)


def test_an_address_opens_an_example_in_the_language_that_it_names(page: Page, server: str) -> None:
    page.goto(f"{server}/?example=g26&lang=zh")
    expect(page.locator(".course-card h2")).to_contain_text("None 不是 0")
    expect(page.locator(".printed")).to_contain_text("[6.0, None, None, None]")
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page.locator(".course-card h2")).to_contain_text("None is not 0")
    page.reload()
    expect(page.locator(".course-card h2")).to_contain_text("None is not 0")


def test_an_example_with_a_level_of_its_own_leaves_the_learners_choice_alone(page: Page, server: str) -> None:
    page.goto(f"{server}/?example=g02")
    levels = page.locator(".levels")
    expect(page.locator(".course-card h2")).to_contain_text("The smallest gradient graph")
    expect(levels.get_by_role("button", pressed=True)).to_have_text("TensorFlow")
    page.reload()
    expect(levels.get_by_role("button", pressed=True)).to_have_text("TensorFlow")
    page.locator(".course-card .next .link").first.click()
    expect(page.locator(".course-card h2")).to_contain_text("The chain rule")
    expect(levels.get_by_role("button", pressed=True)).to_have_text("Mathematics")


def test_an_address_of_no_example_leads_to_the_first_screen(page: Page, server: str) -> None:
    page.route("**/examples/g99", lambda route: route.fulfill(json=None))
    page.goto(f"{server}/?example=g99")
    expect(page.locator(".cm-content")).to_have_text("y = exp(sin(x))")
    expect(page.locator(".course-card")).to_have_count(0)


def test_the_gallery_is_used_with_the_keyboard_alone(page: Page) -> None:
    opener = page.get_by_role("button", name="Examples", exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".gallery")).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("size", ["wide", "small"])
def test_gallery_lessons_and_card_have_no_serious_issue(open_page: OpenPage, size: str, locale: str) -> None:
    page = open_page(size, locale, locale == "zh-CN")
    page.locator("gl-header .opener").first.click()
    expect(page.locator(".items li").first).to_be_visible()
    assert serious_issues(page) == []
    page.locator(".gallery .segments button").nth(1).click()
    assert serious_issues(page) == []
    page.locator(".lesson-list button").first.click()
    expect(page.locator(".lesson-place")).to_be_visible()
    page.locator(".course-card summary").first.click()
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_card_stays_beside_step_and_graph(open_page: OpenPage) -> None:
    page = open_page(size="small", path="/?example=g19")
    for tab, part in (("Step", "gl-step"), ("Graph", "gl-graph")):
        page.locator(".tabs").get_by_role("button", name=tab).click()
        expect(page.locator(".course-card .goal")).to_be_in_viewport()
        expect(page.locator(".editor")).to_be_hidden()
        assert page.locator(part).evaluate("panel => panel.clientHeight") > 200


def test_beside_a_program_all_of_the_graphs_bar_is_in_sight(open_page: OpenPage) -> None:
    page = open_page(size="middle", path="/?example=g12")
    expect(page.locator(".course-card")).to_be_visible()
    assert page.locator(".graph-bar").evaluate("bar => bar.scrollWidth <= bar.clientWidth")
