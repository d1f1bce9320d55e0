"""`make bench-view`: how long a page takes to draw a graph, ours beside TensorBoard's.

Each visit is a fresh browser context; the clock starts at the navigation and stops when the picture no
longer changes. The block is the longest time in which the page could not react (a long task).
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.graphs import DEEP_NETWORK, flat, network
from benchmarks.harness.report import Row, in_markdown, in_terminal, machine, today
from tests.server.service import running

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks-view.md"
VISITS = 5
WAIT_MS, POLL_MS, QUIET_MS = 20_000, 200, 1_000
PROGRAMS = {"exp(sin x)": "y = exp(sin(x))", "a network of 20 layers, TF 1": DEEP_NETWORK}
WINDOW = {"width": 1440, "height": 900}

# Notes when the number of nodes in the picture last changed, shadow roots included, and the long tasks.
WATCH = """(() => {
  const seen = window.seen = { count: 0, at: 0, block: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.block = Math.max(seen.block, duration);
  }).observe({ type: "longtask", buffered: true });
  const count = (root) => {
    let found = root.querySelectorAll("g.node, gl-graph [data-key]").length;
    for (const each of root.querySelectorAll("*")) if (each.shadowRoot) found += count(each.shadowRoot);
    return found;
  };
  const look = () => {
    const drawn = document.documentElement?.dataset.graphDrawn;
    const now = drawn === undefined ? count(document) : Number(drawn);
    if (now !== seen.count) Object.assign(seen, { count: now, at: performance.now() });
    setTimeout(look, 10);
  };
  look();
})()"""
DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "graph.json"));
  Object.assign(window.seen, { block: 0, count: -1, at: 0 });
  window.dropped = performance.now();
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}"""
# Opens the first closed scope: how long it was until a frame showed more nodes; null where none ever does.
OPEN = """() => new Promise((resolve) => {
  const before = document.documentElement?.dataset.graphDrawn;
  const scope = document.querySelector('.graph-view [data-key$="/"]');
  scope.focus();
  const start = performance.now();
  scope.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  const look = () => {
    const lasted = performance.now() - start;
    if (document.documentElement.dataset.graphDrawn !== before) resolve(lasted);
    else if (lasted > 10000) resolve(null);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
FRAMES = """(lasting) => new Promise((resolve) => {
  let frames = 0;
  const start = performance.now();
  const next = (now) => {
    frames += 1;
    if (now - start < lasting) requestAnimationFrame(next);
    else resolve(frames / (now - start) * 1000);
  };
  requestAnimationFrame(next);
})"""


@dataclass(frozen=True, slots=True)
class Seen:
    """One look: when the picture stood, and the longest block before."""

    drawn_ms: float
    block_ms: float


def main() -> None:
    """Measure and print both tables."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as client,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        beside = _beside_others(browser, client, Path(folder))
        print(in_terminal(beside), flush=True)
        large = _large(browser, _address(client))
        print(f"\n{in_terminal(large)}")
        browser.close()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page_text(beside, large), encoding="utf-8")


def page_text(beside: Sequence[Row], large: Sequence[Row]) -> str:
    """docs/benchmarks-view.md."""
    return "\n\n".join(
        [
            "# How soon the page draws",
            "Written by `make bench-view`; do not edit. Each visit is a fresh browser context. Drawn: "
            "from the navigation until the picture stands still; block: the longest time without reacting.",
            f"{today()}, {machine()}.",
            in_markdown(beside),
            in_markdown(large) + "\n",
        ]
    )


def _beside_others(browser: Browser, client: httpx.Client, folder: Path) -> list[Row]:
    rows: list[Row] = [("", "", "drawn ms", "longest block ms")]
    for title, source in PROGRAMS.items():
        program = client.post("/programs", json={"source": source}).raise_for_status().json()["id"]
        with _tensorboard(client, program, folder) as tensorboard:
            addresses = {
                "Gradlens": f"{_address(client)}/{link(source)}",
                "TensorBoard": f"{tensorboard}/#graphs" if tensorboard else "",
            }
            visits: dict[str, list[Seen]] = {name: [] for name in addresses}
            for _ in range(VISITS):  # in turns
                for name, address in addresses.items():
                    if address and (seen := _visit(browser, address)):
                        visits[name].append(seen)
        rows += [(title, name, *_medians(looks)) for name, looks in visits.items()]
    return rows


def _large(browser: Browser, address: str) -> list[Row]:
    """Ours alone: graphs from files, opening a scope, and frames while the picture is moved."""
    rows: list[Row] = [
        ("ours, from a file", "drawn ms", "longest block ms", "opening a scope ms", "frames/s")
    ]
    texts = {f"{n:,} nodes": network(n) for n in (10_000, 50_000)} | {"2,000 drawn nodes": flat(2_000)}
    for title, text in texts.items():
        with _page(browser) as page:
            page.goto(address, wait_until="commit")
            _settled(page)
            page.evaluate(DROP, text)
            seen = _settled(page)
            start = page.evaluate("window.dropped")
            scoped = page.query_selector('.graph-view [data-key$="/"]') is not None
            opened = page.evaluate(OPEN) if scoped else None
            opening = "not measured" if opened is None else f"{opened:.0f}"
            shown = (f"{seen.drawn_ms - start:.0f}", f"{seen.block_ms:.0f}") if seen else ("", "")
            rows.append((title, *shown, opening, f"{_frames(page):.0f}"))
    return rows


def _frames(page: Page) -> float:
    """Frames a second while the picture is dragged and zoomed."""
    page.evaluate(f"() => {{ window.frameRate = ({FRAMES})(2000); }}")
    page.mouse.move(500, 400)
    for k in range(60):
        page.mouse.wheel(0, 40 if k % 20 < 10 else -40)
        page.wait_for_timeout(30)
    rate: float = page.evaluate("() => window.frameRate")
    return rate


# -- a visit --------------------------------------------------------------------------------------------


def _visit(browser: Browser, address: str) -> Seen | None:
    with _page(browser) as page:
        page.goto(address, wait_until="commit")
        return _settled(page)


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=WINDOW, reduced_motion="reduce")  # type: ignore[arg-type]  # a TypedDict
    page = context.new_page()
    page.add_init_script(WATCH)
    yield page
    context.close()


def _settled(page: Page) -> Seen | None:
    """The look once nothing was drawn for a second; None where nothing is drawn in twenty."""
    for _ in range(0, WAIT_MS, POLL_MS):  # not wait_for_function, which our page's security policy forbids
        seen: dict[str, Any] = page.evaluate("({ ...window.seen, now: performance.now() })")
        if seen["count"] > 0 and seen["now"] - seen["at"] > QUIET_MS:
            return Seen(seen["at"], seen["block"])
        page.wait_for_timeout(POLL_MS)
    return None


def _medians(looks: Sequence[Seen]) -> Row:
    if not looks:
        return ("not measured", "")
    return tuple(
        f"{statistics.median(values):.0f}"
        for values in zip(*((s.drawn_ms, s.block_ms) for s in looks), strict=True)
    )


def link(source: str) -> str:
    """The part of an address that opens the page on a program, as frontend/link.js packs it."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = (
        packer.compress(json.dumps({"source": source, "dialect": "auto", "at": {}}).encode()) + packer.flush()
    )
    return "#v1=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


# -- the servers ------------------------------------------------------------------------------------------


def _address(client: httpx.Client) -> str:
    return str(client.base_url).split("/api/")[0]


def _chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@contextmanager
def _tensorboard(client: httpx.Client, program: str, folder: Path) -> Iterator[str]:
    log = folder / f"tensorboard-{program}"
    log.mkdir()
    (log / "events.out.tfevents.0.gradlens").write_bytes(_exported(client, program, "events"))
    port = _free_port()
    with _serving(
        "tensorboard", ["--logdir", str(log), "--port", str(port), "--load_fast=false"], port
    ) as address:
        yield address


def _exported(client: httpx.Client, program: str, form: str) -> bytes:
    return client.get(f"/programs/{program}/graph", params={"format": form}).raise_for_status().content


@contextmanager
def _serving(command: str, arguments: Sequence[str], port: int) -> Iterator[str]:
    """The address of another's server once it answers; empty where it is not installed."""
    program = Path(sys.executable).parent / command
    if not program.exists():
        yield ""
        return
    silent = subprocess.DEVNULL
    with subprocess.Popen([str(program), *arguments], stdout=silent, stderr=silent) as process:
        address = f"http://127.0.0.1:{port}"
        while process.poll() is None and not _answers(address):
            time.sleep(0.2)
        yield address if process.poll() is None else ""
        process.terminate()


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=5).is_success
    except httpx.HTTPError:
        return False


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
