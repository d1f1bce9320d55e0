"""What benchmarks of the page share: the browser, and addresses of programs."""

from __future__ import annotations

import base64
import json
import os
import shutil
import zlib

import httpx
from playwright.sync_api import Browser, Playwright

VISITS = 5
WINDOW = {"width": 1440, "height": 900}
NO_OTHER_HOST = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"  # or a page may wait for one


def launched(playwright: Playwright) -> Browser:
    """A browser of its own."""
    return playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox", NO_OTHER_HOST])


def link(source: str) -> str:
    """The part of an address that opens the page on a program, as frontend/browser/link.js packs it."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = (
        packer.compress(json.dumps({"source": source, "dialect": "auto", "at": {}}).encode()) + packer.flush()
    )
    return "#v1=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def address_of(client: httpx.Client) -> str:
    """The page of a service."""
    return str(client.base_url).split("/api/")[0]


def _chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
