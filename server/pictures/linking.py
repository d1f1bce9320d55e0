"""One script of a module of the page and all that it imports, for an engine that loads no modules.

Each module becomes a function that returns what it exports, those that it imports before it. The page's
modules are written plainly (`import { a } from "./b.js"`, `export const`), and no imports form a circle.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from server.page_folder import without_comments

IMPORT = re.compile(
    r'^import (?:\* as (?P<whole>\w+)|\{(?P<names>[^}]*)\}) from "(?P<file>\.{1,2}/[^"]+)";$', re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:const|function\*?|class) (\w+))", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)  # another way of writing it
MODULES = "$modules"


def linked(folder: Path, entry: str) -> str:
    """The script that defines `$modules`: the exports of each module, by its name. entry: the last of them.

    Raises: ValueError for an import or export that is written in another way.
    """
    found: dict[str, str] = {}
    _link(folder, entry, found)
    return "\n".join(['"use strict";', f"const {MODULES} = {{}};", *found.values()])


def _link(folder: Path, name: str, found: dict[str, str]) -> None:
    text = without_comments((folder / name).read_bytes()).decode()

    def taken(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), match["file"]))
        if target not in found:
            _link(folder, target, found)
        names = match["whole"] or f"{{{match['names'].replace(' as ', ': ')}}}"
        return f'const {names} = {MODULES}["{target}"];'

    body = IMPORT.sub(taken, text)
    exports = ", ".join(EXPORT.findall(body))
    body = EXPORT.sub("", body)
    if other := LEFT.search(body):
        raise ValueError(f"{name}: {other[0]}")
    found[name] = f'{MODULES}["{name}"] = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();'
