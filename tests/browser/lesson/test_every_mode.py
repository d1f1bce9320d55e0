"""What axe finds in every mode of a lesson: nothing serious, at both levels, in both languages.

As a rule each mode is seen in one language at one level, in the other at the other; `make sight` sees all.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import IN_FULL, OpenPage, another_drawing, type_program, wait_until
from tests.browser.page.test_accessibility import serious_issues

SOURCE = "f = (a*b)*(a + b)"
PROGRAM = """import tensorflow as tf
x = tf.Variable(3.)
with tf.GradientTape() as t:
    if x > 1:
        y = x ** 2
    else:
        y = tf.sin(x)
g = t.gradient(y, x)
"""


def predicting(page: Page) -> None:
    """A question is asked, answered wrongly, and said why."""
    page.locator(".predict .switch input").check()
    page.locator(".transport .next").click()
    field = page.locator(".predict .prediction")
    choice = page.locator(".predict .choices button")
    expect(field.or_(choice.first)).to_be_visible()
    assert serious_issues(page) == []
    if field.count():
        field.fill("7")
        page.locator(".predict button").first.click()
    else:
        choice.first.click()
    expect(page.locator(".revealed")).to_be_visible()


def with_paths(page: Page) -> None:
    """The paths to the derivative are open."""
    page.locator(".transport .last").click()
    page.locator("gl-closing button.link").first.click()
    expect(page.locator("gl-closing ol, gl-closing table, gl-closing li").first).to_be_visible()


def at_the_closing_step(page: Page) -> None:
    """The lesson is over, with what to do next."""
    page.locator(".transport .last").click()
    expect(page.locator(".next-things button").first).to_be_visible()


def with_an_optimizer(page: Page) -> None:
    """An update is shown as a whole, and walked through."""
    page.locator("gl-optimizer .step-1").click()
    expect(page.locator("table.pairs")).to_be_visible()
    assert serious_issues(page) == []
    page.locator(".transport .back").click()
    wait_until(page, "document.querySelector('gl-step .count')?.textContent.includes('·')")


def with_a_dock(name: str) -> Callable[[Page], None]:
    """A tool of the dock is open."""

    def open_dock(page: Page) -> None:
        page.locator(f"#dock-{name}").click()
        expect(page.locator(f"#dock-{name}")).to_have_attribute("aria-selected", "true")
        page.wait_for_load_state("networkidle")

    return open_dock


def with_an_if(page: Page) -> None:
    """A program's own branch is told."""
    with another_drawing(page):
        type_program(page, PROGRAM)
    page.locator(".transport .first").click()
    page.locator(".transport .next").click()


DOCKS = ("table", "outline", "landscape", "race", "compare")
MODES: dict[str, Callable[[Page], None]] = {
    "predict": predicting,
    "paths": with_paths,
    "closing": at_the_closing_step,
    "optimizer": with_an_optimizer,
    "if": with_an_if,
    **{name: with_a_dock(name) for name in DOCKS},
}


LOCALES = ("en-US", "zh-CN")
OF_MATHEMATICS = ("paths", "closing")  # which TensorFlow has not
CASES = [("Mathematics", mode, LOCALES[place % 2]) for place, mode in enumerate(MODES)]
CASES += [
    ("Mathematics" if mode in OF_MATHEMATICS else "TensorFlow", mode, LOCALES[(place + 1) % 2])
    for place, mode in enumerate(MODES)
]
EVERY_CASE = [
    (level, mode, locale)
    for locale in LOCALES
    for mode in MODES
    for level in ("Mathematics", "TensorFlow")
    if level == "Mathematics" or mode not in OF_MATHEMATICS
]


@pytest.mark.slow
@pytest.mark.parametrize(("level", "mode", "locale"), EVERY_CASE if IN_FULL else CASES)
def test_axe_finds_nothing_serious(open_page: OpenPage, level: str, mode: str, locale: str) -> None:
    page = open_page(locale=locale)
    with another_drawing(page):
        type_program(page, SOURCE)
    if level == "TensorFlow":
        with another_drawing(page):
            page.locator(".levels button", has_text="TensorFlow").click()
    MODES[mode](page)
    assert serious_issues(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("locale", LOCALES)
def test_axe_finds_nothing_serious_in_a_lesson_of_the_course(open_page: OpenPage, locale: str) -> None:
    page = open_page(path="/?example=g06", locale=locale)
    expect(page.locator(".course-card h2")).to_be_visible()
    assert serious_issues(page) == []
