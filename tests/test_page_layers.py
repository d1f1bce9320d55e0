"""Which way the page's modules import, where its state lives, and how full its folders are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "frontend"
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)  # JSDoc names types of other modules
IMPORT = re.compile(r"""(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*["'](\.[^"']+\.js)["']""")
PURE = {  # what maps values to values, and what each may name besides itself
    "charts": set[str](),
    "geometry": set[str](),
    "layout": {"geometry", "scheduling", "values"},
}
STATE = re.compile(r"^(?:export )?(?:let|var)\b.*", re.MULTILINE)  # what a module changes as it goes
STATEFUL = {"store.js", "layout/background/layout_worker.js"}
MOST_FILES = 15  # on the floor of a folder


def modules() -> list[Path]:
    """Every module of the page that is ours."""
    return [path for path in sorted(PAGE.rglob("*.js")) if not {"bundle", "vendor"} & set(path.parts)]


def name_of(path: Path) -> str:
    """A module's path in the page's folder."""
    return path.relative_to(PAGE).as_posix()


def code_of(path: Path) -> str:
    """A module without its comments."""
    return COMMENT.sub("", path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """The modules that a module loads, at once or later, workers included."""
    for target in IMPORT.findall(code_of(path)):
        yield name_of((path.parent / target).resolve())


def imports() -> nx.DiGraph[str]:
    """The page's modules, each joined to those that it loads."""
    return nx.DiGraph((name_of(path), target) for path in modules() for target in imported(path))


def test_every_module_that_is_imported_is_there() -> None:
    assert {name for name in imports() if not (PAGE / name).is_file()} == set()


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert list(nx.simple_cycles(imports())) == []


@pytest.mark.parametrize("folder", PURE)
def test_what_maps_values_to_values_knows_neither_the_state_nor_the_screen(folder: str) -> None:
    allowed = {folder, *PURE[folder]}
    graph = imports()
    outside = [
        f"{source} -> {target}"
        for source, target in graph.edges
        if source.split("/")[0] == folder and target.split("/")[0] not in allowed
    ]
    assert len([name for name in graph if name.startswith(f"{folder}/")]) > 4
    assert outside == []


def test_only_the_store_and_the_worker_keep_state_in_variables_of_a_module() -> None:
    found = {
        f"{name_of(path)}: {line}" for path in modules() for line in STATE.findall(path.read_text("utf-8"))
    }
    assert {line for line in found if line.split(":")[0] not in STATEFUL} == set()


def test_a_folder_has_some_fifteen_files_at_most() -> None:
    folders = {path.parent for root in (PAGE, ROOT / "tests" / "frontend") for path in root.rglob("*.js")}
    counts = {
        folder.relative_to(ROOT).as_posix(): sum(path.is_file() for path in folder.iterdir())
        for folder in folders
        if not {"bundle", "vendor"} & set(folder.parts)  # which a bundler fills
    }
    assert {folder: count for folder, count in counts.items() if count > MOST_FILES} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('import { a } from "../a.js";', ["a.js"]),
        ('import {\n  a,\n  b,\n} from "./b.js";', ["view/b.js"]),
        ('import "./c.js";', ["view/c.js"]),
        ('export * from "./d.js";', ["view/d.js"]),
        ('const load = () => import("./e.js");', ["view/e.js"]),
        ('new Worker(new URL("./f.js", import.meta.url));', ["view/f.js"]),
        ('/** @param {import("./g.js").G} g */', []),
        ('// as import("./h.js") does', []),
        ('import { html } from "lit";', []),
    ],
)
def test_an_import_is_noticed_however_it_is_written(
    text: str, found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.test_page_layers.PAGE", tmp_path)
    (tmp_path / "view").mkdir()
    path = tmp_path / "view" / "module.js"
    path.write_text(text)
    assert list(imported(path)) == found


@pytest.mark.parametrize(
    ("text", "is_state"),
    [
        ("let row = 0;", True),
        ("export let row;", True),
        ("var row;", True),
        ("const rows = new LatestRequest();", False),
        ("function f() {\n  let row = 0;\n}", False),
        ("letters.push(1);", False),
    ],
)
def test_state_of_a_module_is_noticed(text: str, is_state: bool) -> None:
    assert bool(STATE.findall(text)) is is_state
