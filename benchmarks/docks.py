"""How soon a dock stands, and how a point is dragged in it (`python -m benchmarks.docks`).

Each dock is opened in a fresh context of a running browser, whose page has come to rest before: nothing of
the dock is loaded, and its answer is not known. The clock runs in the page, from the click to the frame in
which its figures and its coloured picture are there.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browsers import VISITS, WINDOW, address_of, launched, link
from benchmarks.harness.report import Row, in_terminal
from tests.server.service import running

CURVE, VALLEY = "y = exp(sin(x))", "y = (1 - x)**2 + 100*(z - x**2)**2"
OPTIMIZERS = ("GradientDescent", "Momentum", "Adagrad", "RMSProp", "Adadelta", "Adam")
RACE_STEPS = 1_000
DRAG_S = 3.0

# What a dock has when it stands: a table of figures, and a picture with a colour in it.
DOCKS = {
    "Landscape": ("landscape", "gl-landscape table", "gl-plane canvas.still"),
    "Race": ("race", ".endings tbody tr", ".race-curves canvas"),
    "Compare derivatives": ("compare", "gl-compare tr.central", "gl-error-figure canvas"),
    "Optimizer": ("optimizer", "gl-optimizer select", None),
    "Curves": ("curves", "gl-curves *", None),
    "Table": ("table", "gl-table tbody tr", None),
    "Outline": ("outline", "gl-outline li", None),
    "Ops": ("ops", "gl-ops li, gl-ops tr", None),
}
UNTIL_IT_STANDS = """([act, figures, picture]) => new Promise((resolve) => {
  const coloured = (canvas) => {
    if (!canvas?.width || !canvas.height) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 0 && Math.abs(data[i] - data[i + 2]) > 40) return true;
    }
    return false;
  };
  const start = performance.now();
  const look = () => {
    const now = [...document.querySelectorAll(figures)];
    const stands = now.length > 0 && (!picture || coloured(document.querySelector(picture)));
    if (stands) resolve(performance.now() - start);
    else if (performance.now() - start > 20000) resolve(null);
    else requestAnimationFrame(look);
  };
  document.querySelector(act).click();
  requestAnimationFrame(look);
})"""
# Counts the frames in which the picture of the moving point was drawn again.
COUNT_DRAWINGS = """() => {
  const moving = document.querySelector("canvas.moving").getContext("2d");
  const frames = window.drawnFrames = new Set();
  let frame = 0;
  const next = () => { frame += 1; requestAnimationFrame(next); };
  requestAnimationFrame(next);
  const draw = moving.setTransform;
  moving.setTransform = function (...all) { frames.add(frame); return draw.apply(this, all); };
}"""

# From asking for so many steps to the frame after the answer, in which curves and endings are drawn.
ASK_FOR_STEPS = """(steps) => new Promise((resolve) => {
  const field = [...document.querySelectorAll("gl-race input")].find((each) =>
    (each.getAttribute("aria-label") ?? each.closest("label")?.textContent ?? "").includes("Steps"));
  const start = performance.now();
  const answered = ({ name, startTime, responseEnd }) =>
    name.endsWith("/races") && startTime >= start && responseEnd > 0;
  const shown = () => document.querySelectorAll(".endings tbody tr").length === 6 &&
    performance.getEntriesByType("resource").some(answered);
  const look = () => {
    if (shown()) requestAnimationFrame(() => resolve(performance.now() - start));
    else if (performance.now() - start > 20000) resolve(null);
    else requestAnimationFrame(look);
  };
  field.value = String(steps);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  requestAnimationFrame(look);
})"""


def main() -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as client,
        sync_playwright() as playwright,
    ):
        browser = launched(playwright)
        print(in_terminal(rows(browser, address_of(client))), flush=True)
        browser.close()


def rows(browser: Browser, address: str) -> list[Row]:
    """Each dock from cold, dragging, and six optimizers."""
    found: list[Row] = [("", "median", "worst")]
    for name, (key, figures, picture) in DOCKS.items():
        times = []
        for visit in range(VISITS):
            with _at_rest(browser, address, f"y = exp(sin(x)) + {visit}") as page:
                times.append(page.evaluate(UNTIL_IT_STANDS, [f"#dock-{key}", figures, picture]))
        found.append((f"{name}, ms", *_spread(times)))
    for source in (CURVE, VALLEY):
        rates = [_dragged(browser, address, source) for _ in range(3)]
        found.append((f"dragging the point of {source}, frames a second", *_spread(rates, worst=min)))
    times = [_raced(browser, address, visit) for visit in range(VISITS)]
    found.append((f"six optimizers, {RACE_STEPS:,} steps, ms", *_spread(times)))
    return found


def _spread(
    values: Sequence[float | None], worst: Callable[[Iterable[float]], float] = max
) -> tuple[str, str]:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return ("not measured", "")
    return (f"{statistics.median(known):.0f}", f"{worst(known):.0f}")


@contextmanager
def _at_rest(browser: Browser, address: str, source: str) -> Iterator[Page]:
    context = browser.new_context(viewport=WINDOW)  # type: ignore[arg-type]  # a TypedDict
    page = context.new_page()
    page.goto(f"{address}/{link(source)}")
    page.wait_for_selector("html[data-graph-drawn]")
    page.wait_for_timeout(1_500)
    yield page
    context.close()


def _dragged(browser: Browser, address: str, source: str) -> float:
    """Frames a second in which the point was drawn where the pointer is."""
    with _at_rest(browser, address, source) as page:
        page.evaluate(UNTIL_IT_STANDS, ["#dock-landscape", *DOCKS["Landscape"][1:]])
        page.wait_for_timeout(500)
        page.evaluate(COUNT_DRAWINGS)
        box = page.get_by_role("application").bounding_box()
        assert box
        across, down = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(across, down)
        page.mouse.down()
        began = page.evaluate("performance.now()")
        turn = 0
        while page.evaluate("performance.now()") - began < DRAG_S * 1000:
            turn += 1
            page.mouse.move(across + turn % 150 - 75, down + turn % 60 - 30)
        lasted_s = (page.evaluate("performance.now()") - began) / 1000
        page.mouse.up()
        drawn: int = page.evaluate("window.drawnFrames.size")
        return float(drawn / lasted_s)


def _raced(browser: Browser, address: str, visit: int) -> float | None:
    """Six contenders on the valley, from asking for so many steps to their curves and endings."""
    with _at_rest(browser, address, VALLEY) as page:
        page.locator("#dock-race").click()
        page.locator(".endings tbody tr").first.wait_for()
        while page.locator("ol.contenders > li").count() < len(OPTIMIZERS):
            page.locator("gl-race button", has_text="Add").first.click()
        for place, name in enumerate(OPTIMIZERS):
            page.locator("ol.contenders > li").nth(place).locator("select").first.select_option(name)
        page.wait_for_timeout(1_000)
        lasted_ms: float | None = page.evaluate(ASK_FOR_STEPS, RACE_STEPS + visit)
        return lasted_ms


if __name__ == "__main__":
    main()
