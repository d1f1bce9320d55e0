"""Which way imports point: frontend -> server -> engine, in the engine from programs to ops; never round."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parent.parent
LAYERS = [  # each may name itself and those before it
    "engine.version",
    "engine.errors",
    "engine.ops",
    "engine.graph",
    "engine.differentiation",
    "engine.execution",
    "engine.optimizers",
    "engine.interchange",
    "engine.languages",
    "engine.programs",
    "server",
    "gradlens",
]
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")  # of statements
WEB = {"fastapi", "pydantic", "pydantic_settings", "sqlalchemy", "starlette", "uvicorn"}


def modules(*packages: str) -> list[Path]:
    """Every Python file of these packages."""
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


@cache
def statements_of(path: Path) -> tuple[ast.AST, ...]:
    """Every statement of a file, however deep; no import stands anywhere else."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    for node in waiting:
        waiting += [statement for part in BODIES for statement in getattr(node, part, ())]
    return tuple(waiting)


@cache
def imported(path: Path) -> tuple[tuple[int, str], ...]:
    """The line and the full name of every import in a file, wherever it stands."""
    return tuple(imports_in(statements_of(path), path))


def needed(path: Path) -> Iterator[str]:
    """The full names of the same, without those that only the type checker makes."""
    blocks = [node for node in statements_of(path) if isinstance(node, ast.If)]
    unneeded = [block.body for block in blocks if ast.unparse(block.test) == "TYPE_CHECKING"]
    lines = {line for body in unneeded for line in range(body[0].lineno, (body[-1].end_lineno or 0) + 1)}
    yield from (name for line, name in imported(path) if line not in lines)


def imports_in(nodes: Iterable[ast.AST], path: Path) -> Iterator[tuple[int, str]]:
    """The line and the full name of every import among the nodes of this file."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = ".".join(filter(None, [base_of(path, node.level), node.module]))
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def base_of(path: Path, level: int) -> str:
    """The package that an import with `level` leading dots starts from; none for an absolute import."""
    return ".".join(path.relative_to(ROOT).parts[:-level]) if level else ""


def layer_of(name: str) -> int | None:
    """The position in `LAYERS` of the module called `name`; the engine's own `__init__` is its bottom."""
    found = [index for index, layer in enumerate(LAYERS) if f"{name}.".startswith(f"{layer}.")]
    if found:
        return found[0]
    return 0 if name.partition(".")[0] == "engine" else None


def name_of(path: Path) -> str:
    """The module that a file holds."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_a_module_imports_only_from_its_own_layer_and_those_below() -> None:
    sources = modules("engine", "server", "gradlens")
    own = {path: layer_of(name_of(path)) for path in sources}
    assert None not in own.values()
    upward = [
        f"{name_of(path)}, line {line}: {name}"
        for path in sources
        for line, name in imported(path)
        if (layer := layer_of(name)) is not None and layer > (own[path] or 0)
    ]
    assert upward == []


def test_the_engine_knows_nothing_of_the_web() -> None:
    names = {
        (name_of(path), name.partition(".")[0]) for path in modules("engine") for _, name in imported(path)
    }
    assert [place for place, name in names if name in WEB] == []


def module_of(name: str, names: Iterable[str]) -> str:
    """The module that something of this full name is imported from; empty where it is none of these."""
    while name and name not in names:
        name = name.rpartition(".")[0]
    return name


def circles(imports: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The sets of names that each lead to all others of the set."""
    arrows = nx.DiGraph(
        (origin, name) for origin, names in imports.items() for name in names if name != origin
    )
    return sorted(sorted(found) for found in nx.strongly_connected_components(arrows) if len(found) > 1)


@cache
def all_imports() -> dict[str, set[str]]:
    """For each module of ours the modules of ours that it needs, at once or inside a function."""
    paths = {name_of(path): path for path in modules("engine", "server", "gradlens")}
    return {
        name: {module_of(origin, paths) for origin in needed(path)} - {""} for name, path in paths.items()
    }


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles(all_imports()) == []


@pytest.mark.parametrize(
    "room", ["engine.ops", "engine.graph", "engine.differentiation", "engine.optimizers"]
)
def test_no_folders_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    """Leaving out what stands on the room's own floor, which may gather what the folders hold."""
    folders: dict[str, set[str]] = {}
    for name, origins in all_imports().items():
        below = [folder_in(room, each) for each in (name, *origins)]
        if below[0]:
            folders.setdefault(below[0], set()).update(filter(None, below))
    assert circles(folders) == []


def folder_in(room: str, name: str) -> str:
    """The folder of a room that a module stands in; empty for one on its floor or outside of it."""
    rest = name.removeprefix(f"{room}.")
    return rest.partition(".")[0] if name.startswith(f"{room}.") and "." in rest else ""


def test_a_circle_would_be_noticed() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a", "d"]}) == [["a", "b", "c"]]
    assert module_of("engine.ops.base.shapes.same", ["engine.ops", "engine.ops.base.shapes"]) == (
        "engine.ops.base.shapes"
    )
    assert folder_in("engine.ops", "engine.ops.base.shapes") == "base"
    assert folder_in("engine.ops", "engine.ops.operators") == ""


def test_a_layer_that_imports_upward_would_be_noticed() -> None:
    assert layer_of("engine.ops.sin") == LAYERS.index("engine.ops")
    assert layer_of("engine.programs") == LAYERS.index("engine.programs")
    assert layer_of("engine.operations") == 0  # a longer name is not the same name
    assert layer_of("numpy") is None
