"""The page in a frame of a page elsewhere: graph, step and transport, from the address alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from benchmarks.browsers import link as link_to
from tests.browser.actions import OpenPage, another_drawing, type_program
from tests.browser.page.test_accessibility import serious_issues
from tests.browser.slowness import slowed

LONG = "y = " + " + ".join(f"{k}*sin({(k * 104729) % 9949}*x)" for k in range(1, 300))
NOT_THERE = "gl-header, gl-input, gl-dock, .editor"


class Elsewhere:
    """A page of another origin, with whatever stands in it."""

    def __init__(self) -> None:
        self.body = ""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(f"<!doctype html><title>A lesson</title>{outer.body}".encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    site = Elsewhere()
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    """A browser that has been nowhere yet."""
    with slowed(browser.new_context(locale="en-US", viewport={"width": 900, "height": 700})) as context:
        yield context.new_page()


def frame_of(page: Page) -> Frame:
    frame = page.frames[1]
    frame.wait_for_selector("html[data-ready]")
    return frame


def offered(page: Page) -> str:
    """The text of the frame that the page offers."""
    page.locator(".bar .share").click()
    expect(page.locator("#share-embed")).not_to_have_value("")
    return page.locator("#share-embed").input_value()


def test_the_text_that_is_offered_shows_graph_step_and_transport_in_a_page_elsewhere(
    open_page: OpenPage, elsewhere: Elsewhere, visitor: Page
) -> None:
    page = open_page(path=f"/{link_to('y = x^2 * sin(x)')}")
    for _ in range(2):
        page.get_by_role("button", name="Next step").click()
    sentence = page.locator("gl-step .sentence").inner_text()
    elsewhere.body = offered(page)
    visitor.goto(elsewhere.address)
    frame = frame_of(visitor)
    expect(frame.locator("gl-step .sentence")).to_have_text(sentence)
    expect(frame.locator(".graph-view .item").first).to_be_visible()
    assert frame.locator(NOT_THERE).count() == 0
    expect(frame.locator("gl-graph-bar")).to_be_hidden()
    assert visitor.locator("iframe").get_attribute("title") == "Gradlens: y = x^2 * sin(x)"
    assert frame.title() == "y = x^2 * sin(x) – Gradlens"
    frame.get_by_role("button", name="Next step").click()
    expect(frame.locator("gl-step .sentence")).not_to_have_text(sentence)


def test_a_frame_keeps_nothing_in_the_browser(elsewhere: Elsewhere, server: str, visitor: Page) -> None:
    elsewhere.body = f'<iframe title="g" width="800" height="600" src="{server}/embed?example=g01"></iframe>'
    visitor.goto(elsewhere.address)
    frame = frame_of(visitor)
    frame.get_by_role("button", name="Next step").click()
    expect(frame.locator("gl-step .count")).to_have_text("5 / 7")
    assert frame.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    assert visitor.context.cookies() == []


def test_the_whole_page_stands_in_no_frame_elsewhere(
    elsewhere: Elsewhere, server: str, visitor: Page
) -> None:
    elsewhere.body = f'<iframe title="g" src="{server}/"></iframe>'
    said: list[str] = []
    visitor.on("console", lambda line: said.append(line.text))
    visitor.goto(elsewhere.address)
    visitor.wait_for_load_state("networkidle")
    assert any("frame-ancestors 'self'" in line for line in said)


def test_an_example_opens_in_a_frame_with_its_title(open_page: OpenPage) -> None:
    page = open_page(path="/embed?example=g12")
    page.wait_for_selector("html[data-ready]")
    assert page.title() == "Fit a line – Gradlens"
    whole = page.get_by_role("link", name="Open in Gradlens")
    expect(whole).to_have_attribute("href", page.url.replace("/embed", "/"))


def test_a_long_text_is_embedded_by_its_short_link(open_page: OpenPage) -> None:
    page = open_page()
    with another_drawing(page):
        type_program(page, LONG)
    text = offered(page)
    assert "/embed?link=l_" in text
    source = text.split('src="')[1].split('"')[0]
    other = open_page(path=source.removeprefix(page.evaluate("location.origin")))
    other.wait_for_selector("html[data-ready]")
    assert other.title().startswith("y = 1*sin(")


@pytest.mark.parametrize(("size", "dark"), [("wide", False), ("small", True)])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_a_frame_has_no_serious_issue(open_page: OpenPage, size: str, locale: str, dark: bool) -> None:
    page = open_page(size, locale, dark, "/embed?example=g19")
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("ArrowRight")
    assert serious_issues(page) == []
