"""What axe finds on a walk through the whole page: nothing serious, in both languages and both themes.

As a rule each part is seen in two looks, which have both languages and both themes between them; `make sight`
sees it in all four.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import EVERY_LOOK, OpenPage, next_frame
from tests.browser.page.test_accessibility import serious_issues
from tests.browser.share.test_presenting import presented

LEVELS = {"TensorFlow": 1, "PyTorch": 2, "JAX": 3, "Mathematics": 0}  # by place: mathematics has two names
TOOLS = (
    "optimizer",
    "table",
    "outline",
    "output",
    "landscape",
    "race",
    "compare",
    "changes",
    "code",
    "curves",
    "loss",
)
MENUS = ("share", "download", "class")

Part = tuple[str, Page]


def settled(page: Page) -> None:
    """Everything that was asked for has come and is drawn."""
    page.wait_for_load_state("networkidle")
    next_frame(page)


def levels(page: Page) -> Iterator[Part]:
    """Each level, with a node selected and its card open."""
    for name, place in LEVELS.items():
        button = page.locator(".levels button").nth(place)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        settled(page)
        yield f"level {name}", page
    page.locator('.graph-view [data-key="gradient of Sin"]').click()
    expect(page.locator(".selection")).to_be_visible()
    yield "why a number is what it is", page
    page.keyboard.press("Escape")


def steps(page: Page) -> Iterator[Part]:
    """A question, its answer, the last step with its paths."""
    page.locator(".predict .switch input").check()
    page.locator(".transport .next").click()
    yield "a question", page
    page.locator(".predict .prediction").fill("7")
    page.locator(".predict .prediction").press("Enter")
    expect(page.locator(".revealed")).to_be_visible()
    yield "an answer", page
    page.locator(".transport .last").click()
    expect(page.locator(".next-things button").first).to_be_visible()
    page.locator("gl-closing button.link").first.click()
    expect(page.locator(".paths li").first).to_be_visible()
    yield "the paths", page


def tools(page: Page) -> Iterator[Part]:
    """Each tool of the dock, after an update."""
    page.locator("gl-optimizer .step-1").click()
    expect(page.locator("table.pairs")).to_be_visible()
    for name in TOOLS:
        if page.locator(f"#dock-{name}").count():
            page.locator(f"#dock-{name}").click()
            settled(page)
            yield f"tool {name}", page


def menus(page: Page) -> Iterator[Part]:
    """What the header opens, and the list of keys."""
    for name in MENUS:
        page.locator(f".bar button.{name}").click()
        expect(page.locator(f"#{name}-menu")).to_be_visible()
        settled(page)
        yield f"menu {name}", page
        page.keyboard.press("Escape")
    for name in ("examples", "lessons"):
        page.locator(f".bar .opener.{name}").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        settled(page)
        yield name, page
        page.keyboard.press("Escape")
    page.locator(".bar .help").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    yield "keys", page
    page.keyboard.press("Escape")


def presenting(page: Page) -> Iterator[Part]:
    """The page as a class sees it."""
    presented(page)
    yield "presenting", page


PARTS: dict[str, Callable[[Page], Iterator[Part]]] = {
    part.__name__: part for part in (levels, steps, tools, menus, presenting)
}


@pytest.mark.slow
@EVERY_LOOK
@pytest.mark.parametrize("name", PARTS)
def test_axe_finds_nothing_serious_on_a_walk(open_page: OpenPage, name: str, locale: str, dark: bool) -> None:
    page = open_page(locale=locale, dark=dark)
    found = [f"{part}: {issue}" for part, seen in PARTS[name](page) for issue in serious_issues(seen)]
    assert found == []


@pytest.mark.slow
@EVERY_LOOK
@pytest.mark.parametrize("path", ["/?example=g06", "/embed"])
def test_axe_finds_nothing_serious_on_other_addresses(
    open_page: OpenPage, path: str, locale: str, dark: bool
) -> None:
    page = open_page(locale=locale, dark=dark, path=path)
    settled(page)
    assert serious_issues(page) == []


@pytest.mark.slow
@EVERY_LOOK
def test_axe_finds_nothing_serious_in_a_class(open_page: OpenPage, locale: str, dark: bool) -> None:
    teacher = open_page(path="/?example=g01", locale=locale, dark=dark)
    teacher.locator(".bar button.class").click()
    teacher.locator("gl-join button").last.click()
    expect(teacher.locator(".class-code")).to_be_visible()
    student = open_page("small", locale, dark, f"/j/{teacher.locator('.class-code').inner_text()}")
    expect(student.locator(".class-label")).to_be_visible()
    teacher.locator(".transport .next").click()
    asking = teacher.locator(".class-bar button", has_text="?").or_(
        teacher.locator(".class-bar button", has_text="？")
    )
    asking.first.click()
    expect(student.locator(".class-question")).to_be_visible()
    found = [
        f"{who}: {issue}"
        for who, page in (("teacher", teacher), ("student", student))
        for issue in serious_issues(page)
    ]
    assert found == []
