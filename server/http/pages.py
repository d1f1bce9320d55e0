"""The page's files: `/` is the page, `/embed` the page in a frame of another one, `/docs` the interface's
documentation, everything else an asset.

A file's answer, headers and compressed form included, is made when it is first asked for, and is sent before
any routing. The page names its files under their version, which is the hash of all of them: a browser keeps
those for good and asks again for the page alone.

The page is sent as its bundle, a few files made of its modules, where that is the bundle of the modules that
lie beside it; else as the modules, a hundred files, without their comments, a third of what they weigh.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.encoding import accepts_gzip, is_known, tag_of
from server.http.headers import SECURITY_HEADERS, content_security_policy
from server.page_folder import without_comments

MIME_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
COMPRESSED_ALREADY = {".png", ".woff2", ".ico"}
RUN_ALONE = (".html", ".svg", "worker.js")  # what a policy binds; a page's own binds whatever it loads
INDEX = "index.html"
EMBED = "embed.html"  # no file: the page, said to be in a frame
NAMED_PAGES = {"": INDEX, "docs": "docs.html", "embed": EMBED}
ROOT_ELEMENT, EMBEDDED_ROOT = b'<html lang="en">', b'<html lang="en" data-embed>'
INLINE_SCRIPT = re.compile(rb'<script type="(?:importmap|module)"(?: async)?>(.*?)</script>', re.DOTALL)
BUNDLE = "bundle/"
VERSIONED = re.compile(r"assets/([0-9a-f]+)/(.*)", re.DOTALL)
FOR_GOOD, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"
MADE = (
    BUNDLE,
    "vendor/",
)  # by a bundler, and sent as they are; others' modules have their licences beside them
LOOK_AGAIN_S = 1.0  # a class that opens the page together has its files looked through once

RawHeaders = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Form:
    """A file's bytes as they are sent, plain or compressed, and what is said of them."""

    body: bytes
    tag: str
    headers: RawHeaders


@dataclass(frozen=True, slots=True)
class Asset:
    """One file; `packed` is its gzip form, or None where that would not be shorter."""

    plain: Form
    packed: Form | None


def inline_script_hashes(html: bytes) -> list[str]:
    """The sources that allow a page's own scripts: its import map, or the bundle's first questions."""
    digests = [hashlib.sha256(text).digest() for text in INLINE_SCRIPT.findall(html)]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def make_asset(name: str, body: bytes) -> Asset:
    """Prepare all that sending a file needs."""
    suffix = Path(name).suffix
    said = {"content-type": MIME_TYPES[suffix], "x-content-type-options": "nosniff"}
    if name.endswith(RUN_ALONE):
        framed_by = "*" if name.endswith(EMBED) else "'self'"
        policy = content_security_policy(inline_script_hashes(body), framed_by)
        said |= {**SECURITY_HEADERS, "content-security-policy": policy}
    packed = body if suffix in COMPRESSED_ALREADY else gzip.compress(body, mtime=0)
    return Asset(
        make_form(body, said),
        make_form(packed, {**said, "content-encoding": "gzip"}) if len(packed) < len(body) else None,
    )


def embedded_pages(bodies: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The page as it is in a frame, as modules and as the bundle: its root element alone is another."""
    for folder in ("", BUNDLE):
        page = bodies.get(folder + INDEX)
        if page is not None:
            yield folder + EMBED, page.replace(ROOT_ELEMENT, EMBEDDED_ROOT, 1)


def has_current_bundle(bodies: Mapping[str, bytes]) -> bool:
    """Whether there is a bundle, whole, of these very sources."""
    manifest = json.loads(bodies.get(f"{BUNDLE}manifest.json", b"{}"))
    digests = {
        **manifest.get("sources", {}),
        **{BUNDLE + name: digest for name, digest in manifest.get("files", {}).items()},
    }
    return bool(digests) and all(
        name in bodies and hashlib.sha256(bodies[name]).hexdigest() == digest
        for name, digest in digests.items()
    )


def make_form(body: bytes, said: dict[str, str]) -> Form:
    """One way to send a file."""
    tag = tag_of(body)
    headers = {**said, "etag": tag, "vary": "accept-encoding"}
    return Form(body, tag, [(name.encode(), value.encode()) for name, value in headers.items()])


class Assets:
    """A folder's files, all in memory: none that is hidden, of an unknown kind, or a link that leads out.

    modules: send the page as its modules even where it has a bundle.
    """

    def __init__(self, root: Path, *, modules: bool = False) -> None:
        self.root = root.resolve()
        self.modules = modules
        self.bundled = False
        self._changed: dict[Path, int] = {}  # when each file was changed last, ns
        self._bodies: dict[str, bytes] = {}
        self._made: dict[str, Asset] = {}  # of those that somebody has asked for
        self.version = ""
        self._looked_at_s = -math.inf
        self.refresh()

    def keep_up(self, now_s: float) -> None:
        """Look for changes, unless that was done in the second before `now_s`."""
        if now_s - self._looked_at_s >= LOOK_AGAIN_S:
            self._looked_at_s = now_s
            self.refresh()

    def refresh(self) -> None:
        """Read the files, unless none has changed since they were read."""
        changed = {path: path.stat().st_mtime_ns for path in self._paths()}
        if changed == self._changed:
            return
        self._changed = changed
        bodies = {path.relative_to(self.root).as_posix(): path.read_bytes() for path in changed}
        bodies |= dict(embedded_pages(bodies))
        digest = hashlib.sha256()
        for name, body in sorted(bodies.items()):
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.version = digest.hexdigest()[:12]
        self.bundled = not self.modules and has_current_bundle(bodies)
        self._bodies, self._made = bodies, {}

    def get(self, name: str) -> Asset | None:
        """The file called `name`, or None; the page is that of the bundle, where there is one."""
        is_page = name in (INDEX, EMBED)
        file = f"{BUNDLE}{name}" if self.bundled and is_page else name
        made, body = self._made.get(file), self._bodies.get(file)
        if made is None and body is not None:
            made = self._made[file] = make_asset(file, self._sent(file, body))
        return made

    def _sent(self, name: str, body: bytes) -> bytes:
        """A page with the files beside it, `"./…"`, named under their version, a module without comments."""
        if name.endswith(".html"):
            return body.replace(b'"./', f'"./assets/{self.version}/'.encode())
        return without_comments(body) if name.endswith(".js") and not name.startswith(MADE) else body

    def _paths(self) -> Iterator[Path]:
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(folder, name) for name in files):
                inside = not path.is_symlink() or path.resolve().is_relative_to(self.root)
                if path.suffix in MIME_TYPES and not path.name.startswith(".") and inside:
                    yield path


class Pages:
    """ASGI middleware that answers for the page's files and hands on every other request."""

    def __init__(self, app: ASGIApp, assets: Assets) -> None:
        self.app = app
        self.assets = assets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._find(scope) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if found is None:
            await self.app(scope, receive, send)
            return
        asset, caching = found
        asked = Headers(scope=scope)
        form = (accepts_gzip(asked.get("accept-encoding", "")) and asset.packed) or asset.plain
        known = is_known(form.tag, asked.get("if-none-match", ""))
        headers = [*form.headers, (b"cache-control", caching.encode())]
        if known:
            await send({"type": "http.response.start", "status": 304, "headers": headers})
            await send({"type": "http.response.body"})
            return
        headers.append((b"content-length", b"%d" % len(form.body)))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else form.body})

    def _find(self, scope: Scope) -> tuple[Asset, str] | None:
        """The file that is asked for, and whether the reader may keep it for good."""
        name = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/")
        if name in NAMED_PAGES:
            self.assets.keep_up(time.monotonic())
        versioned = VERSIONED.fullmatch(name)
        asset = self.assets.get(versioned[2] if versioned else NAMED_PAGES.get(name, name))
        current = versioned is not None and versioned[1] == self.assets.version
        return None if asset is None else (asset, FOR_GOOD if current else ASK_AGAIN)
