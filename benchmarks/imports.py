"""How soon the page draws a graph that another program wrote: `python -m benchmarks.imports [FILE.pb…]`.

From dropping the file to the first full frame, the server's reading of it included: as one that the service
has never seen, and again by another visitor. The block is the longest time in which the page could not react;
a scope's opening lasts from the key to the frame that shows its inside.
"""

from __future__ import annotations

import argparse
import base64
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks import bert
from benchmarks.browsers import address_of, launched
from benchmarks.graphs import network
from benchmarks.harness.report import Row, in_terminal
from benchmarks.in_page import DROP, HAND_OVER_BYTES
from benchmarks.view import block_ms, lasted_ms, opened, openings, page_in, when_at_rest
from tests.engine.interchange.reading.graphs import message_of
from tests.server.service import running

SIZES = (10_000, 50_000)
QUIET_MS = 1_000
HEADER = (
    "file",
    "",
    "drawn ms",
    "longest block ms",
    "scopes opened",
    "median ms",
    "worst ms",
    "longest block ms",
)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    asked = parser.parse_args()
    rows: list[Row] = [HEADER]
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as client,
        sync_playwright() as playwright,
    ):
        browser = launched(playwright)
        for name, data in files(asked.files):
            for visit in ("new to the service", "known to it"):
                rows.append((name, visit, *measured(browser, address_of(client), data)))
        browser.close()
    print(in_terminal(rows))


def files(paths: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Each file's name and bytes; without any, those of networks of two sizes and of a model of BERT's."""
    for path in paths:
        yield path.name, path.read_bytes()
    if not paths:
        yield from ((f"{size:,} nodes", graph_def(size)) for size in SIZES)
        yield "BERT, 27 MB", bert.graph_def()


def graph_def(size: int) -> bytes:
    """The network of that size that `make bench-view` drops as JSON, as a GraphDef."""
    nodes = json.loads(network(size))["nodes"]
    return bytes(message_of(nodes).SerializeToString())


def measured(browser: Browser, address: str, data: bytes) -> Row:
    """What a visitor sees who drops a file on the page, and then opens its scopes."""
    with page_in(browser) as page:
        page.goto(address, wait_until="commit")
        when_at_rest(page)
        page.evaluate(HAND_OVER_BYTES, base64.b64encode(data).decode())
        drawn = lasted_ms(page, DROP, "the file")
        page.wait_for_timeout(QUIET_MS)
        first = block_ms(page)
        page.evaluate("() => { Object.assign(window.seen, { block: 0, since: performance.now() }); }")
        lasted = openings(page)
        return (f"{drawn:.0f}", first, *opened(lasted), block_ms(page))


if __name__ == "__main__":
    main()
