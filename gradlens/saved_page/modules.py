"""The page's modules, style sheets and fonts, read from their folder and made independent of it."""

from __future__ import annotations

import base64
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from server.http.pages import MIME_TYPES
from server.page_folder import find_folder, without_comments

NAMED = "gradlens/"  # before a module's path, in what imports it
IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[^"']+\.js)\2""")
STYLE_SHEET = re.compile(r'<link rel="stylesheet" href="\./([^"]+)">')
IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)
BODY = re.compile(r"<body>(.*?)</body>", re.DOTALL)
ADDRESS = re.compile(r"url\(([^):]+)\)")
LEFT_OUT = ("bundle/", "vendor/swagger-ui/", "vendor/codemirror", "docs.js", "browser/saved_page.js")
LOADER = "browser/saved_page.js"
BESIDE = "values/beside.js"
BESIDE_SAVED = 'export const beside = (path) => globalThis.gradlensFiles[path] ?? "data:,";\n'
FETCHED = ("favicon.svg", "i18n/en.json", "i18n/zh-CN.json", "vendor/katex.css", "vendor/uplot.css")


def page_folder() -> Path:
    """Where the page lies."""
    return find_folder("frontend")


@cache
def modules(folder: Path) -> Mapping[str, str]:
    """Each module's text under the name by which others import it; packages under their own names, too."""
    found = {}
    for path in sorted(folder.rglob("*.js")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(LEFT_OUT):
            found[NAMED + name] = independent(name, path.read_bytes())
    found[NAMED + BESIDE] = BESIDE_SAVED
    for package, address in packages(folder).items():
        target = NAMED + address.removeprefix("./")
        if target in found:
            found[package] = f'export * from "{target}";\nexport {{ default }} from "{target}";\n'
            if "export default" not in found[target] and "as default" not in found[target]:
                found[package] = f'export * from "{target}";\n'
    return found


def packages(folder: Path) -> Mapping[str, str]:
    """The page's own import map."""
    written = IMPORT_MAP.search((folder / "index.html").read_text(encoding="utf-8"))
    found: Mapping[str, str] = json.loads(written[1])["imports"] if written else {}
    return found


def independent(name: str, text: bytes) -> str:
    """A module that imports others by name, wherever it lies, without the comments that fill lines."""

    def named(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[3]))
        return f"{found[1]}{found[2]}{NAMED}{target}{found[2]}"

    kept = text if name.startswith("vendor/") else without_comments(text)
    return IMPORT.sub(named, kept.decode())


@cache
def styles(folder: Path) -> str:
    """The style sheets that the page names, one after another."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    return "\n".join(style_sheet(folder, name) for name in STYLE_SHEET.findall(page))


def style_sheet(folder: Path, name: str) -> str:
    """A style sheet with the files that it names written into it."""
    near = posixpath.dirname(name)
    text = (folder / name).read_text(encoding="utf-8")
    return ADDRESS.sub(lambda found: f"url({_written(folder, near, found[1])})", text)


def _written(folder: Path, near: str, address: str) -> str:
    path = posixpath.normpath(posixpath.join(near, address.strip("\"'")))
    file = folder / path
    return data_address(path, file.read_bytes()) if file.is_file() else address


@cache
def files(folder: Path) -> Mapping[str, str]:
    """What modules fetch from beside the page, as data: addresses."""
    return dict(_files(folder))


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    sheets = [path.relative_to(folder).as_posix() for path in sorted((folder / "styles").rglob("*.css"))]
    for name in (*FETCHED, *sheets):
        path = folder / name
        if path.is_file():
            is_sheet = name.endswith(".css")
            body = style_sheet(folder, name).encode() if is_sheet else path.read_bytes()
            yield name, data_address(name, body)


def data_address(name: str, body: bytes) -> str:
    """A file as an address that holds it."""
    kind = MIME_TYPES[Path(name).suffix].partition(";")[0]
    return f"data:{kind};base64,{base64.b64encode(body).decode()}"


def body_of(folder: Path) -> str:
    """The page's own body: the elements that its modules fill."""
    found = BODY.search((folder / "index.html").read_text(encoding="utf-8"))
    return found[1] if found else ""


def loader(folder: Path) -> str:
    """The script that starts a saved page."""
    return without_comments((folder / LOADER).read_bytes()).decode()
