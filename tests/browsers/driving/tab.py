"""A tab of a browser, in what all of them can do; each browser has its own way to do it."""

from __future__ import annotations

import json
import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

Actions = list[dict[str, Any]]  # input sources of the WebDriver standard, which both protocols share

# Calls a function with values, and hands on what it returns, or the error that it throws, as JSON.
CALL = """async (given) => {
  try {
    return JSON.stringify({ value: (await (%s)(...JSON.parse(given))) ?? null });
  } catch (error) {
    return JSON.stringify({ error: `${error}` });
  }
}"""


class Missing(Exception):
    """A browser, or what drives it, is not installed here."""


class PageError(AssertionError):
    """What was called in the page threw an error."""


def program(*names: str) -> str:
    """The path of the first of these programs that is installed. Raises Missing without any."""
    for name in names:
        found = shutil.which(name) or next(map(str, sorted(Path("/").glob(name.lstrip("/")))), None)
        if found:
            return found
    raise Missing(f"{names[0]} is not installed")


class Tab(ABC):
    """One visitor's window, which keeps nothing that another has kept."""

    def evaluate(self, function: str, *values: object) -> Any:
        """What a JavaScript function returns for these values, at once or later."""
        answer = json.loads(self.call(CALL % function, json.dumps(values)))
        if "error" in answer:
            raise PageError(answer["error"])
        return answer["value"]

    @abstractmethod
    def call(self, function: str, given: str) -> str:
        """Call an async function of one text, which returns a text."""

    @abstractmethod
    def go(self, address: str) -> None:
        """Open an address, and wait until the document is there."""

    @abstractmethod
    def perform(self, *sources: dict[str, Any]) -> None:
        """Let keys and pointer act, as the WebDriver standard writes it."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the page this room, CSS pixels."""

    @abstractmethod
    def picture(self) -> bytes:
        """What is in sight, as PNG."""

    @abstractmethod
    def troubles(self) -> list[str]:
        """Errors and warnings of the console, and failed requests, since this was last asked."""


class Browser(ABC):
    """A browser that has been started for the tests."""

    name: str

    @abstractmethod
    def new_tab(self) -> Tab:
        """A window for one more visitor."""

    @abstractmethod
    def close(self) -> None:
        """End it."""
