"""Every program of the gallery, in both arrangements: nothing overlaps, all can be read, nothing jumps."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import ROOT, OpenPage

EXAMPLES = [entry["id"] for entry in json.loads((ROOT / "examples" / "index.json").read_text())]

SHOW = """async ([id, merged]) => {
  const [session, store] = await Promise.all([import("/session.js"), import("/store.js")]);
  store.update({ merged });
  await session.openExample(id);
}"""

FAULTS = """() => {
  const plane = document.querySelector(".graph-view .plane");
  const scale = plane.getScreenCTM().a;
  const faults = [];
  const boxOf = (element, inset = 1) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left: left + inset, top: top + inset, right: right - inset, bottom: bottom - inset };
  };
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const name = (element) => element.closest("[data-key]").dataset.key;
  const shapes = [
    ...plane.querySelectorAll(".item:not(.open) > .body"),
    ...plane.querySelectorAll(".constant > rect"),
  ].map((element) => ({ element, box: boxOf(element) }));
  shapes.forEach(({ element, box }, i) => {
    for (const other of shapes.slice(i + 1)) {
      if (meet(box, other.box)) faults.push(`${name(element)} overlaps ${name(other.element)}`);
    }
  });
  const texts = [...plane.querySelectorAll("text")].filter((text) => text.textContent !== "");
  for (const text of texts) {
    const height = parseFloat(getComputedStyle(text).fontSize) * scale;
    if (height < 10.95) faults.push(`${text.textContent} is ${height.toFixed(1)} px high`);
    const closed = text.parentElement.matches(".item:not(.open)");
    const body = closed ? text.parentElement.querySelector(".body") : null;
    if (body && boxOf(text).right - boxOf(text).left > boxOf(body).right - boxOf(body).left) {
      faults.push(`${text.textContent} is broader than its shape`);
    }
    const title = text.closest("g").querySelector("title")?.textContent ?? "";
    if (text.textContent.includes("…") && title === "") {
      faults.push(`${text.textContent} is cut, and not told whole`);
    }
  }
  const captions = texts
    .filter((text) => !text.matches(".value"))
    .map((text) => ({ text, box: boxOf(text, 2) }));
  for (const line of plane.querySelectorAll(".edge .line")) {
    const matrix = line.getScreenCTM();
    for (let at = 0; at < line.getTotalLength(); at += 4) {
      const { x, y } = line.getPointAtLength(at).matrixTransform(matrix);
      const point = { left: x, right: x, top: y, bottom: y };
      const hit = captions.find(({ box }) => meet(point, box));
      if (hit) {
        faults.push(`${name(line)} runs through ${hit.text.textContent} of ${name(hit.text)}`);
        break;
      }
    }
  }
  return faults;
}"""

JUMPS = """async () => {
  const store = await import("/store.js");
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const place = (key) => {
    const body = document.querySelector(`.graph-view [data-key="${CSS.escape(key)}"] > .body`);
    const { left, right, top } = body.getBoundingClientRect();
    return { x: (left + right) / 2, y: top, broad: right - left };
  };
  const jumps = [];
  const stage = document.querySelector(".graph-stage").clientWidth;
  const closed = [...document.querySelectorAll(".graph-view .item.scope:not(.open)")];
  for (const key of closed.map((element) => element.dataset.key).slice(0, 6)) {
    for (const _ of ["open", "close"]) {
      const before = place(key);
      document.querySelector(`.graph-view [data-key="${CSS.escape(key)}"] > .toggle`)
        .dispatchEvent(new MouseEvent("click", { bubbles: true }));
      await drawn();
      const after = place(key);
      const fits = Math.max(before.broad, after.broad) < stage - 60;
      if (fits && Math.hypot(after.x - before.x, after.y - before.y) > 2) jumps.push(key);
    }
  }
  return jumps;
}"""


def shown(page: Page, example: str, merged: bool) -> None:
    """Open an example as the gallery does, and wait until it is drawn."""
    page.evaluate("delete document.documentElement.dataset.graphDrawn")
    page.evaluate(SHOW, [example, merged])
    page.wait_for_selector("html[data-graph-drawn]", timeout=20_000)
    expect(page.locator(".graph-view .item").first).to_be_attached()


@pytest.mark.parametrize("merged", [False, True], ids=["lanes", "one flow"])
def test_every_program_of_the_gallery_can_be_read_and_opens_calmly(open_page: OpenPage, merged: bool) -> None:
    page = open_page()
    found = {}
    for example in EXAMPLES:
        shown(page, example, merged)
        faults = page.evaluate(FAULTS)
        faults += [f"{key} jumps" for key in page.evaluate(JUMPS)]
        if faults:
            found[example] = faults
    assert found == {}
