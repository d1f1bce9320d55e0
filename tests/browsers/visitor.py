"""What a visitor of the page does and sees, in whatever browser."""

from __future__ import annotations

import base64
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.browsers.driving.tab import Tab

PATIENCE_S = 60  # a busy machine is no fault of the page
PAUSE_S = 0.05
FIND = (
    (Path(__file__).parent / "find.js").read_text().split("export default ", 1)[1].rstrip().removesuffix(";")
)
READY = "() => document.documentElement.matches('[data-ready][data-graph-drawn]')"
SIZES = {"wide": (1440, 900), "tablet": (1024, 768), "small": (390, 844)}
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010"} | {
    "Left": "\ue012",
    "Right": "\ue014",
    "Shift": "\ue008",
    "Control": "\ue009",
}


@dataclass(frozen=True)
class Target:
    """Something on the page: by role and name, or by a selector; within what another selector finds."""

    css: str | None = None
    role: str | None = None
    name: str | None = None
    within: str | None = None
    exact: bool = True

    def text(self) -> str:
        """What finds it, for JavaScript."""
        return json.dumps({name: value for name, value in asdict(self).items() if value is not None})


def css(selector: str) -> Target:
    return Target(css=selector)


def button(name: str, within: str | None = None, exact: bool = True) -> Target:
    return Target(role="button", name=name, within=within, exact=exact)


def tool(name: str) -> Target:
    """A tab of the dock, whose name may have a count behind it."""
    return Target(role="tab", name=name, exact=False)


def field(name: str) -> Target:
    return Target(role="field", name=name)


class Visitor:
    """Somebody in front of a tab."""

    def __init__(self, tab: Tab, server: str) -> None:
        self.tab = tab
        self.server = server

    # ---- opening ----

    def open(
        self, path: str = "/", size: str = "wide", level: str = "", dark: bool = False, language: str = ""
    ) -> None:
        """Open the page as one who has never been here, but has chosen these on an earlier visit."""
        self.tab.go(f"{self.server}/favicon.svg")
        chosen = {"level": level, "theme": "dark" if dark else "", "language": language, "dock": "true"}
        self.wait(IS_HERE, self.server)
        self.tab.evaluate(FORGET, {f"gradlens.{name}": value for name, value in chosen.items() if value})
        self.tab.resize(*SIZES[size])
        self.go(path)

    def go(self, path: str) -> None:
        """Open an address of the page, and wait until all of it is there."""
        self.tab.go(self.server + path.removeprefix(self.server))
        self.wait(READY)

    # ---- seeing ----

    def evaluate(self, function: str, *values: object) -> Any:
        return self.tab.evaluate(function, *values)

    def wait(self, function: str, *values: object) -> Any:
        """What a function returns, once that is true."""
        end = time.monotonic() + PATIENCE_S
        while not (found := self.tab.evaluate(function, *values)):
            assert time.monotonic() < end, f"waited in vain for {function} {values}"
            time.sleep(PAUSE_S)
        return found

    def on(self, target: Target, function: str, *values: object) -> Any:
        """What a function of the first such element returns."""
        return self.evaluate(f"(...rest) => ({function})(({FIND})({target.text()})[0], ...rest)", *values)

    def count(self, target: Target) -> int:
        return int(self.evaluate(f"() => ({FIND})({target.text()}).length"))

    def see(self, target: Target) -> None:
        """Wait until it is there."""
        self.wait(f"() => ({FIND})({target.text()}).length > 0")

    def gone(self, target: Target) -> None:
        """Wait until it is there no more."""
        self.wait(f"() => ({FIND})({target.text()}).length === 0")

    def read(self, target: Target) -> str:
        """What is written there, or typed into it; spaces of whatever width are plain."""
        self.see(target)
        text = str(
            self.on(
                target, "(at) => at?.matches('input, textarea, select') ? at.value : (at?.innerText ?? '')"
            )
        )
        return text.strip().replace("\u2009", " ").replace("\u202f", " ")

    def reads(self, target: Target, text: str, exact: bool = False) -> None:
        """Wait until this is written there."""
        end = time.monotonic() + PATIENCE_S
        while not ((found := self.read(target)) == text or (not exact and text in found)):
            assert time.monotonic() < end, f"{target} says {found!r}, not {text!r}"
            time.sleep(PAUSE_S)

    # ---- acting ----

    def press(self, target: Target) -> None:
        """Click into the middle of it, once it can be clicked there and stands still."""
        at = self.wait(f"({PLACE_OF})({FIND})", json.loads(target.text()))
        self.point(move(*at), DOWN, UP)

    def point(self, *acts: dict[str, Any]) -> None:
        """Let the mouse do this."""
        self.tab.perform(
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(acts)}
        )

    def drag(self, target: Target, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with the mouse from one place to another, as parts of its width and height."""
        self.see(target)
        left, top, width, height = self.on(
            target, "(at) => { const b = at.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }"
        )
        path = [tuple(a + (b - a) * k / 4 for a, b in zip(begin, end, strict=True)) for k in range(5)]
        first, *rest = [move(left + x * width, top + y * height) for x, y in path]
        self.point(first, DOWN, *rest, UP)

    def keys(self, *names: str) -> None:
        """Press keys, one after the other: `Right`, `Shift+Right`, `a`."""
        acts = [act for name in names for act in key_acts(name.split("+"))]
        self.tab.perform({"type": "key", "id": "keys", "actions": acts})

    def type(self, text: str) -> None:
        """Type a text on one line."""
        acts = [act for letter in text for act in key_acts([letter])]
        self.tab.perform({"type": "key", "id": "keys", "actions": acts})

    def fill(self, target: Target, text: str) -> None:
        """Put this into a field in place of what stands there, and go on."""
        self.press(target)
        self.keys("Control+a")
        self.type(text)
        self.keys("Enter")

    def choose(self, target: Target, value: str) -> None:
        """Choose from a list."""
        self.see(target)
        self.on(
            target,
            "(at, value) => { at.value = value; at.dispatchEvent(new Event('change', { bubbles: true })); }",
            value,
        )

    def write(self, text: str) -> None:
        """Type a text of one line into the editor, in place of what stands there."""
        self.press(css(".cm-content"))
        self.keys("Control+a")
        self.type(text)

    def drop(self, data: bytes, name: str) -> None:
        """Drop a file on the page."""
        self.evaluate(DROP, base64.b64encode(data).decode(), name)


DOWN: dict[str, Any] = {"type": "pointerDown", "button": 0}
UP: dict[str, Any] = {"type": "pointerUp", "button": 0}


def move(x: float, y: float) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 20}


def key_acts(chord: list[str]) -> list[dict[str, Any]]:
    """Keys that are held down together, the last one last."""
    keys = [KEYS.get(name, name) for name in chord]
    down = [{"type": "keyDown", "value": key} for key in keys]
    return down + [{"type": "keyUp", "value": key} for key in reversed(keys)]


# Whether the window has left the page before, which keeps nothing: Firefox's driver may say so too soon.
IS_HERE = "(origin) => location.origin === origin && document.readyState !== 'loading'"

FORGET = """(chosen) => {
  localStorage.clear();
  sessionStorage.clear();
  for (const [name, value] of Object.entries(chosen)) localStorage.setItem(name, value);
}"""

# Where an element is to be clicked; null while it is elsewhere in the next frame, is disabled, or is covered.
PLACE_OF = """(find) => async (target) => {
  const [element] = find(target);
  if (!element || element.disabled) return null;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const place = () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const before = place();
  await frame();
  await frame();
  const [x, y] = place();
  const hit = document.elementFromPoint(x, y);
  const labels = [...(element.labels ?? [])];
  const isFree = hit && [element, ...labels].some((one) => one.contains(hit) || hit.contains(one));
  return isFree && x === before[0] && y === before[1] ? [x, y] : null;
}"""

DROP = """(text, name) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}"""
