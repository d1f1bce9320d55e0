"""The page's files: `/` is the page, `/docs` the interface's documentation, everything else an asset.

Files are read once and kept with their tag and their compressed form; a changed file is read again.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.convertors import Convertor, register_url_convertor

from server.encoding import respond
from server.headers import content_security_policy
from server.problems import not_found

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
NAMED_PAGES = {"": "index.html", "docs": "docs.html"}
IMPORT_MAP = re.compile(rb'<script type="importmap">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent. `packed` is its gzip form, or empty where that would not be shorter."""

    body: bytes
    packed: bytes
    mime_type: str
    policy: str


def find_folder(name: str) -> Path:
    """Where `frontend` or `examples` lie: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


def import_map_hashes(html: bytes) -> list[str]:
    """The sources that allow a page's import map, its only inline script."""
    digests = [hashlib.sha256(text).digest() for text in IMPORT_MAP.findall(html)]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def read_asset(path: Path) -> Asset:
    """Read one file, and prepare everything that sending it needs."""
    body = path.read_bytes()
    packed = b"" if path.suffix in COMPRESSED_ALREADY else gzip.compress(body, mtime=0)
    hashes = import_map_hashes(body) if path.suffix == ".html" else []
    return Asset(
        body=body,
        packed=packed if len(packed) < len(body) else b"",
        mime_type=MIME_TYPES[path.suffix],
        policy=content_security_policy(hashes),
    )


class Assets:
    """A folder of files, each read when first asked for and again when it has changed."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._kept: dict[Path, tuple[int, Asset]] = {}

    def get(self, name: str) -> Asset | None:
        """The file called `name`, or None: outside the folder, hidden, of an unknown kind, or missing."""
        path = self._locate(name)
        if path is None:
            return None
        changed = path.stat().st_mtime_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != changed:
            kept = self._kept[path] = (changed, read_asset(path))
        return kept[1]

    def _locate(self, name: str) -> Path | None:
        parts = name.split("/")
        if "\0" in name or any(part.startswith(".") or not part for part in parts):
            return None
        path = self.root.joinpath(*parts)
        if path.suffix not in MIME_TYPES or not path.resolve().is_relative_to(self.root):
            return None
        return path if path.is_file() else None


class PageName(Convertor[str]):
    """Any path but the REST interface's, whose own routes say what they do not take."""

    regex = "(?!api/).*"

    def convert(self, value: str) -> str:
        """The name of an asset as it stands in the address."""
        return value

    def to_string(self, value: str) -> str:
        """The same, the other way."""
        return value


def pages_router(assets: Assets) -> APIRouter:
    """Serve `assets`; add it last, because its path takes whatever is left."""
    register_url_convertor("page", PageName())
    router = APIRouter(include_in_schema=False)

    @router.api_route("/{name:page}", methods=["GET", "HEAD"])
    async def page(request: Request, name: str) -> Response:
        asset = assets.get(NAMED_PAGES.get(name, name))
        if asset is None:
            raise not_found("page", f"/{name}")
        headers = {"content-security-policy": asset.policy}
        return respond(request, asset.body, asset.packed, asset.mime_type, headers)

    return router
