"""A slow machine and late answers, for finding what depends on the order in which things come.

`GRADLENS_SLOW_PAGE=5` makes the page five times slower than this machine; `GRADLENS_LATE_ANSWERS=600` holds
every answer of the interface back for up to 600 ms, each time for the same waits. Neither is set as a rule.
"""

from __future__ import annotations

import os

from playwright.sync_api import BrowserContext, Page

SLOWER = float(os.environ.get("GRADLENS_SLOW_PAGE", "1"))
LATEST_MS = float(os.environ.get("GRADLENS_LATE_ANSWERS", "0"))

LATE_FETCH = """
(latest) => {
  const plainFetch = window.fetch;
  let seed = 1;
  const drawn = () => (seed = (seed * 16807) % 2147483647) / 2147483647;  // Park & Miller (1988)
  window.fetch = async (question, options) => {
    const wait = drawn() * latest;
    const answer = await plainFetch(question, options);
    if (answer.url.includes("/api/")) await new Promise((done) => setTimeout(done, wait));
    options?.signal?.throwIfAborted();
    return answer;
  };
}
"""


def slowed(context: BrowserContext) -> BrowserContext:
    """The same context; its pages are slow, and their answers late, as far as is asked for."""
    if LATEST_MS:
        context.add_init_script(f"({LATE_FETCH})({LATEST_MS})")
    if SLOWER != 1:
        context.on("page", slow_down)
    return context


def slow_down(page: Page) -> None:
    """Let the page have only a part of this machine's time."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
