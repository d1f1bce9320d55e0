"""Chromium, driven by Playwright, for pictures beside those of the other browsers."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browsers.driving.tab import Tab


class ChromiumTab(Tab):
    """A page of Playwright's, to which what another tab is sent is done."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.noted: list[str] = []
        page.on("console", lambda line: self.noted.append(line.text) if line.type == "error" else None)

    def call(self, function: str, given: str) -> str:
        return str(self.page.evaluate(function, given))

    def go(self, address: str) -> None:
        self.page.goto(address, wait_until="domcontentloaded")

    def perform(self, *sources: dict[str, Any]) -> None:
        for source in sources:
            for act in source["actions"]:
                self.act(act)

    def act(self, act: dict[str, Any]) -> None:
        """One act of keys or pointer."""
        keyboard, mouse = self.page.keyboard, self.page.mouse
        match act["type"]:
            case "pointerMove":
                mouse.move(act["x"], act["y"])
            case "pointerDown":
                mouse.down()
            case "pointerUp":
                mouse.up()
            case "keyDown":
                keyboard.down(NAMES.get(act["value"], act["value"]))
            case "keyUp":
                keyboard.up(NAMES.get(act["value"], act["value"]))

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def picture(self) -> bytes:
        return self.page.screenshot()

    def troubles(self) -> list[str]:
        noted, self.noted = self.noted, []
        return noted


NAMES = {"\ue007": "Enter", "\ue004": "Tab", "\ue00c": "Escape", "\ue011": "Home", "\ue010": "End"} | {
    "\ue012": "ArrowLeft",
    "\ue014": "ArrowRight",
    "\ue008": "Shift",
    "\ue009": "Control",
}
