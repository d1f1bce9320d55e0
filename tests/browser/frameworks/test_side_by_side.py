"""Two levels side by side: the same quantity is lit in both, and what differs is listed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import AT_TENSORFLOW, OpenPage
from tests.browser.page.test_accessibility import serious_issues

pytestmark = pytest.mark.modules


def put_beside(page: Page, level: str) -> Locator:
    """Draw a second level; the panel that it stands in."""
    page.get_by_role("button", name="Side by side").click()
    second = page.locator("gl-side-by-side")
    second.get_by_role("button", name=level, exact=True).click()
    expect(second.locator(".graph-host")).to_have_attribute("aria-busy", "false")
    return second


def lit(picture: Locator) -> Locator:
    """The items that show the quantity."""
    return picture.locator(".item.lit")


@AT_TENSORFLOW
def test_a_quantity_is_lit_in_both_pictures_with_the_step_the_pointer_and_the_focus(
    open_page: OpenPage,
) -> None:
    page = open_page()
    second = put_beside(page, "JAX")
    first = page.locator("gl-graph .pictures > .graph-host")
    page.get_by_role("button", name="Next step").click()
    expect(lit(second)).to_contain_text("e")  # e = mul 1.0 d, the gradient by sin x
    expect(second.locator(".beside-lit")).to_contain_text("∂y/∂(sin x)")
    expect(second.locator(".beside-lit")).to_contain_text("1.152")
    first.locator(".item", has_text="Sin").first.hover()
    expect(lit(second)).to_contain_text("b")
    page.mouse.move(2, 2)
    second.locator(".item", has_text="d").focus()
    expect(lit(first).first).to_contain_text("Exp")


@AT_TENSORFLOW
def test_a_difference_lights_what_it_is_about(open_page: OpenPage) -> None:
    page = open_page()
    second = put_beside(page, "JAX")
    line = second.get_by_role("button", name="sin x: TensorFlow computes")
    expect(line).to_contain_text("JAX computes cos in the forward pass and keeps it.")
    line.hover()
    expect(lit(second)).to_contain_text("c")


@pytest.mark.parametrize(("size", "dark"), [("wide", False), ("small", True)])
def test_nothing_overflows_and_axe_finds_nothing(open_page: OpenPage, size: str, dark: bool) -> None:
    page = open_page(size, dark=dark)
    second = put_beside(page, "PyTorch")
    expect(second.locator("svg.picture")).to_contain_text("SinBackward0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bar = page.locator(".graph-bar").bounding_box()
    view = page.locator(".graph-bar").get_by_role("button", name="View", exact=True).bounding_box()
    assert bar is not None
    assert view is not None
    assert view["x"] + view["width"] <= bar["x"] + bar["width"]
    assert serious_issues(page) == []


def test_it_is_closed_and_comes_back_with_the_address(open_page: OpenPage) -> None:
    page = open_page()
    put_beside(page, "JAX")
    page.wait_for_url("**/*#v1=*")
    page.reload()
    expect(page.locator("gl-side-by-side svg.picture")).to_contain_text("d")
    page.get_by_role("button", name="Close the second picture").click()
    expect(page.locator("gl-side-by-side")).to_have_count(0)
