"""`make bench-view`: how long a page takes to draw a graph, ours beside TensorBoard's and Netron's.

Each visit is a fresh browser context; the clock starts at the navigation and stops when the picture no
longer changes. The block is the longest time in which the page could not react (a long task).
"""

from __future__ import annotations

import itertools
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

from benchmarks.browsers import VISITS, WINDOW, address_of, launched, link
from benchmarks.docks import rows as dock_rows
from benchmarks.graphs import DEEP_NETWORK, flat, network
from benchmarks.harness.report import Row, in_markdown, in_terminal, machine, today
from benchmarks.in_page import ANSWERED, CLOSED, DROP, FRAMES, HAND_OVER, OPEN_ALL, TOGGLE, WATCH
from benchmarks.viewers import others
from benchmarks.visits import CONDITIONS, Condition
from tests.server.service import running

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks-view.md"
REST_MS = 1_000  # of a new window, which draws itself first
WAIT_MS, POLL_MS, QUIET_MS = 60_000, 200, 1_000
PROGRAMS = {"exp(sin x)": "y = exp(sin(x))", "a network of 20 layers, TF 1": DEEP_NETWORK}
OUTERMOST, DEPTH = 8, 4  # scopes that are opened beside one another, and in one another
HEADER = (
    *("ours, from a file", "drawn ms", "scopes opened", "median ms", "worst ms"),
    *("opening all ms", "longest block ms", "frames/s"),
)
AT_TENSORFLOW = "localStorage.setItem('gradlens.level', 'tensorflow')"  # the nodes that the others draw


@dataclass(frozen=True, slots=True)
class Seen:
    """One look: when the picture stood, the longest block before, and when the graph's answer had arrived."""

    drawn_ms: float
    block_ms: float
    answered_ms: float = 0.0


def main() -> None:
    """Measure and print the tables."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as client,
        sync_playwright() as playwright,
    ):
        browser = launched(playwright)
        beside = _beside_others(browser, client, Path(folder))
        print(in_terminal(beside), flush=True)
        first = _first_visits(playwright, browser, client, Path(folder))
        print(f"\n{in_terminal(first)}", flush=True)
        docks = dock_rows(browser, address_of(client))
        print(f"\n{in_terminal(docks)}", flush=True)
        large = _large(browser, address_of(client))
        print(f"\n{in_terminal(large)}")
        browser.close()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page_text(beside, first, docks, large), encoding="utf-8")


def page_text(beside: Sequence[Row], first: Sequence[Row], docks: Sequence[Row], large: Sequence[Row]) -> str:
    """docs/benchmarks-view.md."""
    return "\n\n".join(
        [
            "# How soon the page draws",
            "Written by `make bench-view`; do not edit. Each visit is a fresh browser context in a window at "
            "rest. Drawn: from the navigation until the picture stands still; after the answer: from when "
            "the graph had arrived; block: the longest time without reacting. Scopes are opened one in "
            "another, 0.2 s after what was opened before them is there: from the key to the frame that shows "
            "their inside.",
            f"{today()}, {machine()}.",
            in_markdown(beside),
            "The first graph, `exp(sin x)`, on other lines, until it is drawn, ms: in a browser that was "
            "started for this visit, and in a new context of one that runs. Ours as it is sent, bundled, and "
            "as the modules that the bundle is made of.",
            in_markdown(first),
            "Docks, each in a new context in which nothing of it is loaded: from the click to the frame that "
            "has its figures and its picture.",
            in_markdown(docks),
            in_markdown(large) + "\n",
        ]
    )


def _beside_others(browser: Browser, client: httpx.Client, folder: Path) -> list[Row]:
    rows: list[Row] = [("", "", "drawn ms", "after the answer ms", "longest block ms")]
    for title, source in PROGRAMS.items():
        program = client.post("/programs", json={"source": source}).raise_for_status().json()["id"]
        with others(client, program, folder) as addresses:
            addresses = {"Gradlens": f"{address_of(client)}/{link(source)}", **addresses}
            visits: dict[str, list[Seen]] = {name: [] for name in addresses}
            for _ in range(VISITS):  # in turns
                for name, address in addresses.items():
                    if address and (seen := _visit(browser, address)):
                        visits[name].append(seen)
        rows += [(title, name, *_medians(looks)) for name, looks in visits.items()]
    return rows


def _first_visits(playwright: Playwright, browser: Browser, client: httpx.Client, folder: Path) -> list[Row]:
    """Ours in both forms and the others, in turns, in a started browser and in one that runs."""
    source = PROGRAMS["exp(sin x)"]
    program = client.post("/programs", json={"source": source}).raise_for_status().json()["id"]
    (data := folder / "modules").mkdir()
    (files := folder / "files").mkdir()
    rows: list[Row] = [("line", "", "started browser ms", "running browser ms")]
    as_modules = running(data, GRADLENS_MODULES="1")
    with as_modules as modules, others(client, program, files) as addresses:
        own = {"Gradlens": address_of(client), "Gradlens, as modules": address_of(modules)}
        for condition in CONDITIONS:
            visited = {**own, **(addresses if condition.is_plain else {})}
            drawn: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in visited}
            for _ in range(VISITS):
                for name, address in visited.items():
                    if address:
                        fresh = launched(playwright)
                        for visits, each in zip(drawn[name], (fresh, browser), strict=True):
                            if seen := _visit(each, address, condition):
                                visits.append(seen.drawn_ms)
                        fresh.close()
            rows += [(condition.title, name, *map(_median, kinds)) for name, kinds in drawn.items()]
    return rows


def _median(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.0f}" if values else "not measured"


def _large(browser: Browser, address: str) -> list[Row]:
    """Ours alone: graphs from files, opening scopes, and frames while the picture is moved."""
    rows: list[Row] = [HEADER]
    texts = {f"{n:,} nodes": network(n) for n in (10_000, 50_000)}
    for title, text in texts.items():
        with page_in(browser) as page:
            page.goto(address, wait_until="commit")
            when_at_rest(page)
            drawn = _dropped(page, text)
            lasted = openings(page)
            rows.append((title, f"{drawn:.0f}", *opened(lasted), "", block_ms(page), _frames(page)))
    for title, text in {
        "2,000 nodes, all open": flat(2_000),
        "10,000 nodes, all open": network(10_000),
    }.items():
        with page_in(browser) as page:
            page.goto(address, wait_until="commit")
            when_at_rest(page)
            drawn = _dropped(page, text)
            _fetch_menu(page)
            all_open = lasted_ms(page, OPEN_ALL, "Open all scopes")
            page.get_by_role("button", name="Fit the whole graph").click()
            rows.append((title, f"{drawn:.0f}", "", "", "", f"{all_open:.0f}", block_ms(page), _frames(page)))
    return rows


def openings(page: Page) -> list[float]:
    """How long openings took: of outermost scopes, and of what they hold, ever deeper."""
    page.get_by_role("button", name="Fit the whole graph").click()
    outermost: list[str] = page.evaluate(CLOSED)
    ways = itertools.product(outermost[:: max(1, len(outermost) // OUTERMOST)], (0, -1))
    return [lasted for scope, place in ways for lasted in _openings_within(page, scope, place)]


def _openings_within(page: Page, scope: str, place: int) -> list[float]:
    """Open a scope, in it the first (place 0) or the last (-1), and so on; then close them again."""
    found: list[float] = []
    way: list[str] = []
    inner = [scope]
    while inner and len(way) < DEPTH:
        before = set(page.evaluate(CLOSED))
        way.append(inner[place])
        found.append(lasted_ms(page, TOGGLE, way[-1]))
        inner = [key for key in page.evaluate(CLOSED) if key not in before]
    for inside in reversed(way):
        lasted_ms(page, TOGGLE, inside)
    return found


def _fetch_menu(page: Page) -> None:
    """Have the menu of the view at hand: the page fetches it when its button is first approached."""
    page.locator("[popovertarget=graph-menu]").focus()
    page.locator("#graph-menu button", has_text="Open all scopes").wait_for(state="attached")


def _dropped(page: Page, text: str) -> float:
    """Drop a file on the page; milliseconds until its graph is on screen. Then it comes to rest."""
    page.evaluate(HAND_OVER, text)
    lasted = lasted_ms(page, DROP, "the file")
    page.wait_for_timeout(QUIET_MS)
    return lasted


def lasted_ms(page: Page, act: str, what: str) -> float:
    """Milliseconds until the picture that an act of in_page.py leads to is on screen, and then a rest."""
    lasted: float | None = page.evaluate(act, what)
    if lasted is None:
        raise RuntimeError(f"The page showed no other picture after {what[:60]!r}.")
    page.wait_for_timeout(POLL_MS)
    return lasted


def opened(lasted: Sequence[float]) -> Row:
    """How many openings, their median and the worst, as text."""
    if not lasted:
        return ("0", "", "")
    return (str(len(lasted)), f"{statistics.median(lasted):.0f}", f"{max(lasted):.0f}")


def block_ms(page: Page) -> str:
    """The longest time without reacting since the graph was dropped, in milliseconds."""
    block: float = page.evaluate("window.seen.block")
    return f"{block:.0f}"


def _frames(page: Page) -> str:
    """Frames a second while the picture is dragged and zoomed."""
    page.evaluate(f"() => {{ window.frameRate = ({FRAMES})(2000); }}")
    page.mouse.move(500, 400)
    for k in range(60):
        page.mouse.wheel(0, 40 if k % 20 < 10 else -40)
        page.wait_for_timeout(30)
    rate: float = page.evaluate("() => window.frameRate")
    return f"{rate:.0f}"


# -- a visit --------------------------------------------------------------------------------------------


def _visit(browser: Browser, address: str, condition: Condition = CONDITIONS[0]) -> Seen | None:
    with page_in(browser) as page:
        condition.hold_for(page)
        page.goto(address, wait_until="commit")
        seen = when_at_rest(page)
        return seen and replace(seen, answered_ms=page.evaluate(ANSWERED))


@contextmanager
def page_in(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=WINDOW, reduced_motion="reduce")  # type: ignore[arg-type]  # a TypedDict
    context.add_cookies(  # else Netron first asks whether it may keep some
        [{"name": "consent", "value": "given", "domain": "127.0.0.1", "path": "/"}]
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    page.add_init_script(AT_TENSORFLOW)
    page.wait_for_timeout(REST_MS)
    yield page
    context.close()


def when_at_rest(page: Page) -> Seen | None:
    """The look once nothing was drawn for a second; None where nothing is drawn in a minute."""
    for _ in range(0, WAIT_MS, POLL_MS):  # not wait_for_function, which our page's security policy forbids
        seen: dict[str, Any] = page.evaluate("({ ...window.seen, now: performance.now() })")
        if seen["count"] > 0 and seen["now"] - seen["at"] > QUIET_MS:
            page.evaluate("window.seen.isAtRest = true")  # looking takes time itself
            return Seen(seen["at"], seen["block"])
        page.wait_for_timeout(POLL_MS)
    return None


def _medians(looks: Sequence[Seen]) -> Row:
    if not looks:
        return ("not measured", "", "")
    values = [(seen.drawn_ms, seen.drawn_ms - seen.answered_ms, seen.block_ms) for seen in looks]
    return tuple(f"{statistics.median(column):.0f}" for column in zip(*values, strict=True))


if __name__ == "__main__":
    main()
