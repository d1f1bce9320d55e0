"""Pictures of the page in Chromium, Firefox and WebKit, to be looked at side by side.

`python -m tests.browsers.looks FOLDER [--modules] [NAME…]` writes FOLDER/NAME-BROWSER.png.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.browsers import link as link_to
from tests.browser.conftest import CHROMIUM_ARGUMENTS, find_chromium
from tests.browsers.driving.chromium import ChromiumTab
from tests.browsers.driving.firefox import Firefox
from tests.browsers.driving.webkit import WebKit
from tests.browsers.visitor import Visitor, button, css, tool
from tests.server.service import running

SURFACE = "y = (1 - x)**2 + 100*(z - x**2)**2"


@dataclass(frozen=True)
class Look:
    """What is done before the picture is taken."""

    path: str = "/"
    size: str = "wide"
    level: str = ""
    dark: bool = False
    acts: tuple[Callable[[Visitor], None], ...] = ()


def press(*names: str) -> Callable[[Visitor], None]:
    def act(visitor: Visitor) -> None:
        for name in names:
            visitor.press(button(name))

    return act


def dock(name: str, there: str) -> Callable[[Visitor], None]:
    def show(visitor: Visitor) -> None:
        visitor.press(tool(name))
        visitor.see(css(there))

    return show


def tab(place: int) -> Callable[[Visitor], None]:
    return lambda visitor: visitor.press(css(f".tabs button:nth-child({place})"))


LOOKS = {
    "first": Look(),
    "first-dark-zh": Look("/?lang=zh", dark=True),
    "last-tensorflow": Look(level="tensorflow", acts=(press("Last step"), dock("Table", "table.nodes"))),
    "program": Look("/?example=g12", acts=(dock("Optimizer", "gl-optimizer"),)),
    "program-zh": Look("/?example=g19&lang=zh", dark=True),
    "torch": Look("/?example=g35"),
    "run": Look(acts=(dock("Optimizer", "gl-optimizer"), press("×100"))),
    "landscape": Look(f"/{link_to(SURFACE)}", acts=(dock("Landscape", "gl-landscape table"),)),
    "race": Look("/?example=g04", acts=(dock("Race", ".endings tbody tr"),)),
    "compare": Look(acts=(dock("Compare derivatives", "gl-compare .delta"),)),
    "outline": Look(level="tensorflow", acts=(dock("Outline", "[role=treeitem]"),)),
    "ops": Look(acts=(dock("Ops", "gl-ops"),)),
    "gallery": Look(acts=(press("Examples"),)),
    "share": Look(acts=(press("Share"),)),
    "download": Look(acts=(press("Download"),)),
    "mistake": Look(
        acts=(lambda visitor: visitor.write("y = sni(x)"), lambda visitor: visitor.see(css(".message.error")))
    ),
    "present": Look(acts=(press("Present"),)),
    "embed": Look("/embed?example=g19"),
    "phone-graph": Look(size="small"),
    "phone-text": Look("/?example=g12", "small", acts=(tab(1),)),
    "phone-step-dark-zh": Look("/?lang=zh", "small", dark=True, acts=(tab(3),)),
    "phone-tools": Look("/?example=g12", "small", acts=(tab(4),)),
    "tablet": Look("/?example=g12", "tablet"),
    "tablet-dark-zh": Look("/?lang=zh", "tablet", dark=True),
}


def main() -> None:
    """Start each browser in turn, and take the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(LOOKS))
    parser.add_argument("--modules", action="store_true", help="the page as its modules, not as its bundle")
    asked = parser.parse_intermixed_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), GRADLENS_MODULES="1" if asked.modules else "") as client,
    ):
        address = str(client.base_url).split("/api/")[0]
        for start in (Firefox, WebKit):
            with tempfile.TemporaryDirectory() as home:
                browser = start(Path(home))
                take(Visitor(browser.new_tab(), address), browser.name, asked)
                browser.close()
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
            page = chromium.new_page(locale="en-US", reduced_motion="reduce")
            take(Visitor(ChromiumTab(page), address), "chromium", asked)
            chromium.close()


def take(visitor: Visitor, browser: str, asked: argparse.Namespace) -> None:
    """All pictures in one browser, and what it said of troubles."""
    for name in asked.names:
        look = LOOKS[name]
        visitor.open(look.path, look.size, look.level, look.dark)
        visitor.wait("() => !document.querySelector('.editor:not(.ready)')")
        for act in look.acts:
            act(visitor)
        visitor.evaluate(
            "async () => { await document.fonts.ready; await new Promise((done) => setTimeout(done, 500)); }"
        )
        (asked.folder / f"{name}-{browser}.png").write_bytes(visitor.tab.picture())
        print(name, browser, *visitor.tab.troubles(), sep="\n  ")


if __name__ == "__main__":
    main()
