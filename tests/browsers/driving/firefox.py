"""Firefox, driven by WebDriver BiDi, which it speaks itself.

Source: https://www.w3.org/TR/webdriver-bidi/
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browsers.driving.tab import Browser, Tab, program

PATIENCE_S = 60
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
EVENTS = ["log.entryAdded", "network.fetchError", "network.responseCompleted"]
# What was measured late is drawn in the next frame; modules of a page that is left come no more (a file that
# could not be had is noted as a request).
HARMLESS = ("ResizeObserver loop", "TypeError: error loading dynamically imported module")
PREFERENCES = {
    "ui.prefersReducedMotion": 1,
    "intl.accept_languages": "en-US",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.server": "",
    "network.connectivity-service.enabled": False,
    "network.captive-portal-service.enabled": False,
    "security.sandbox.warn_unprivileged_namespaces": False,
}
ANSWERS = (409, 422, 503)
EXPECTED = re.compile(
    r"/favicon\.ico$|/api/v1/classes/"
)  # of an address without a page; of a class that is over
ABORTED = re.compile("NS_BINDING_ABORTED|NS_ERROR_ABORT")  # a question that a newer one ended
LEFT = re.compile(
    "status=2152398850|Loading failed for the module"
)  # what a page has not loaded that is left


class Firefox(Browser):
    """One process, a profile of its own; each visitor has a user context, and no other's storage."""

    name = "firefox"

    def __init__(self, home: Path) -> None:
        binary = program("firefox-esr", "firefox")
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(to)});" for name, to in PREFERENCES.items()]
        (home / "user.js").write_text("\n".join(lines))
        command = [
            binary,
            "--headless",
            "--no-remote",
            "--profile",
            str(home),
            "--remote-debugging-port",
            "0",
        ]
        self.ending = ExitStack()
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.ending.enter_context(self.process)
        self.connection = self.connected()
        self.numbers = count(1)
        self.tabs: dict[str, FirefoxTab] = {}
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=EVENTS)

    def connected(self) -> ClientConnection:
        """The connection to the address that Firefox names when it is ready."""
        assert self.process.stderr
        for line in self.process.stderr:
            if found := LISTENING.search(line):
                address = f"{found[1]}/session"
                return self.ending.enter_context(connect(address, max_size=None, open_timeout=PATIENCE_S))
        raise AssertionError("Firefox did not start; what it says stands above.")

    def send(self, method: str, **parameters: object) -> Any:
        """The result of a command; events that come before it go to their tabs."""
        number = next(self.numbers)
        self.connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.connection.recv(timeout=PATIENCE_S))
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message.get('message')}"
                return message["result"]
            self.note(message)

    def note(self, message: dict[str, Any]) -> None:
        """Keep what an event says of a trouble, for the tab that it happened in."""
        event = message.get("params", {})
        context = event.get("context") or event.get("source", {}).get("context")
        trouble = TROUBLE[message["method"]](event) if message.get("method") in TROUBLE else None
        if trouble and context in self.tabs:
            self.tabs[context].noted.append(trouble)

    def new_tab(self) -> FirefoxTab:
        """A window in a user context of its own: a tab that is not in front draws nothing."""
        user = self.send("browser.createUserContext")["userContext"]
        context = self.send("browsingContext.create", type="window", userContext=user)["context"]
        self.tabs[context] = FirefoxTab(self, context)
        return self.tabs[context]

    def close(self) -> None:
        self.send("browser.close")
        self.ending.close()


def failed_answer(event: dict[str, Any]) -> str | None:
    """A problem document, 503 on a busy machine, is an answer that the page shows; all else is noted."""
    status, url = event["response"]["status"], event["request"]["url"]
    return (
        f"{url}: {status}" if status >= 400 and status not in ANSWERS and not EXPECTED.search(url) else None
    )


def failed_request(event: dict[str, Any]) -> str | None:
    """A request without an answer."""
    return None if ABORTED.search(event["errorText"]) else f"{event['request']['url']}: {event['errorText']}"


def logged(event: dict[str, Any]) -> str | None:
    """A line on the console, where it warns."""
    is_trouble = event["level"] in ("error", "warn") and not event["text"].startswith(HARMLESS)
    return event["text"] if is_trouble else None


TROUBLE = {
    "log.entryAdded": logged,
    "network.fetchError": failed_request,
    "network.responseCompleted": failed_answer,
}


class FirefoxTab(Tab):
    """A window of Firefox."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self.browser = browser
        self.context = context
        self.noted: list[str] = []

    def send(self, method: str, **parameters: object) -> Any:
        """The result of a command that is about this window."""
        return self.browser.send(method, context=self.context, **parameters)

    def call(self, function: str, given: str) -> str:
        result = self.browser.send(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": given}],
            target={"context": self.context},
            awaitPromise=True,
            userActivation=False,
        )
        assert result["type"] == "success", result
        return str(result["result"]["value"])

    def go(self, address: str) -> None:
        before = self.troubles()
        self.send("browsingContext.navigate", url=address, wait="interactive")
        self.noted = before + [line for line in self.troubles() if not LEFT.search(line)]

    def perform(self, *sources: dict[str, Any]) -> None:
        self.send("input.performActions", actions=list(sources))

    def resize(self, width: int, height: int) -> None:
        self.send("browsingContext.setViewport", viewport={"width": width, "height": height})

    def picture(self) -> bytes:
        return base64.b64decode(self.send("browsingContext.captureScreenshot")["data"])

    def troubles(self) -> list[str]:
        self.browser.send("session.status")  # what happened before its answer has been noted
        noted, self.noted = self.noted, []
        return noted
