"""WebKit, the engine of Safari and of every browser on an iPad, driven by WebDriver.

Debian's `webkit2gtk-driver` drives WebKitGTK's small browser, which needs a screen; Xvfb is one in memory.

Source: https://www.w3.org/TR/webdriver2/
"""

from __future__ import annotations

import base64
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx

from tests.browsers.driving.tab import Browser, Tab, program

PATIENCE_S = 60
SCREEN = "1600x1200x24"
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
ARRIVED = (
    "return !window.isLeft && document.readyState !== 'loading'"  # at once: who leaves answers nothing later
)
NARROW = "button, entry { min-width: 0; padding: 0; margin: 0; }"  # or its bar is wider than a phone
CALLED = "const done = arguments[1]; (WATCH)(); (%s)(arguments[0]).then(done);"
WATCH = (
    (Path(__file__).parent / "watch.js").read_text().split("export default ", 1)[1].rstrip().removesuffix(";")
)


class WebKit(Browser):
    """A screen in memory; each visitor has a driver and a browser on it, which keep nothing on disk."""

    name = "webkit"

    def __init__(self, home: Path) -> None:
        self.binary, self.driver = program(MINI_BROWSER), program("WebKitWebDriver")
        self.home = home
        (home / "gtk-3.0").mkdir()
        (home / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-enable-animations=0\n")
        (home / "gtk-3.0" / "gtk.css").write_text(NARROW)
        self.screen, self.display = screen_in_memory(program("Xvfb"))
        self.tabs: list[WebKitTab] = []

    def new_tab(self) -> WebKitTab:
        self.tabs.append(WebKitTab(self))
        return self.tabs[-1]

    def close(self) -> None:
        for tab in self.tabs:
            tab.close()
        self.screen.terminate()
        self.screen.wait(PATIENCE_S)


def screen_in_memory(xvfb: str) -> tuple[subprocess.Popen[bytes], str]:
    """A screen, and its name; X chooses a number that is free, and writes it when it is ready."""
    read, write = os.pipe()
    command = [xvfb, "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as said:
        return process, f":{said.readline().strip()}"


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class WebKitTab(Tab):
    """A window of WebKit's small browser."""

    def __init__(self, browser: WebKit) -> None:
        self.noted: list[str] = []
        port = free_port()
        environment = {
            "DISPLAY": browser.display,
            "XDG_CONFIG_HOME": str(browser.home),
            "LC_ALL": "en_US.UTF-8",
        }
        self.process = subprocess.Popen(
            [browser.driver, f"--port={port}"],
            env={**os.environ, **environment, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S)
        self.wait_until_ready()
        options = {"binary": browser.binary, "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "pageLoadStrategy": "none"}
        answer = self.ask("POST", "/session", capabilities={"alwaysMatch": wanted})
        self.session = f"/session/{answer['sessionId']}"

    def wait_until_ready(self) -> None:
        """Ask until the driver answers."""
        for _ in range(PATIENCE_S * 20):
            try:
                self.client.get("/status")
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("WebKitWebDriver does not answer.")

    def ask(self, verb: str, path: str, **body: object) -> Any:
        """The value that the driver answers a command with."""
        answer = self.client.request(verb, path, json=body if verb == "POST" else None)
        value = answer.json()["value"]
        assert answer.status_code == 200, f"{path}: {value}"
        return value

    def call(self, function: str, given: str) -> str:
        script = CALLED.replace("WATCH", WATCH) % function
        return str(self.ask("POST", f"{self.session}/execute/async", script=script, args=[given]))

    def go(self, address: str) -> None:
        """Open an address, and watch it as soon as its document is there."""
        self.noted = self.troubles()
        self.evaluate("() => { window.isLeft = true; }")
        self.ask("POST", f"{self.session}/url", url=address)
        while not self.is_there():
            time.sleep(0.02)

    def is_there(self) -> bool:
        """Whether the next document is; while one goes and the other comes, no question is answered."""
        answer = self.client.post(f"{self.session}/execute/sync", json={"script": ARRIVED, "args": []})
        return answer.status_code == 200 and answer.json()["value"] is True

    def perform(self, *sources: dict[str, Any]) -> None:
        self.ask("POST", f"{self.session}/actions", actions=list(sources))

    def resize(self, width: int, height: int) -> None:
        """Give the window what the page is to have and what its own bars take."""
        for _ in range(3):
            has = self.evaluate("() => [innerWidth, innerHeight]")
            if has == [width, height]:
                return
            rect = self.ask("GET", f"{self.session}/window/rect")
            wanted = {"width": rect["width"] + width - has[0], "height": rect["height"] + height - has[1]}
            self.ask("POST", f"{self.session}/window/rect", x=0, y=0, **wanted)

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("GET", f"{self.session}/screenshot"))

    def troubles(self) -> list[str]:
        new = self.evaluate("() => window.troubles.splice(0)")
        noted, self.noted = self.noted, []
        return [*noted, *new]

    def close(self) -> None:
        """End the browser, then its driver."""
        self.ask("DELETE", self.session)
        self.client.close()
        self.process.terminate()
        self.process.wait(PATIENCE_S)
