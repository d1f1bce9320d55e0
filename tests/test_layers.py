"""Which way imports point: frontend -> server -> engine, and inside the engine from programs down to ops."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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
WEB = {"fastapi", "pydantic", "pydantic_settings", "sqlalchemy", "starlette", "uvicorn"}


def modules(*packages: str) -> list[Path]:
    """Every Python file of these packages."""
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


@cache
def imported(path: Path) -> tuple[tuple[int, str], ...]:
    """The line and the full name of every import in a file, wherever it stands."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


@pytest.mark.parametrize("path", modules("engine", "server", "gradlens"), ids=name_of)
def test_a_module_imports_only_from_its_own_layer_and_those_below(path: Path) -> None:
    own = layer_of(name_of(path))
    assert own is not None
    upward = [
        f"line {line}: {name}"
        for line, name in imported(path)
        if (layer := layer_of(name)) is not None and layer > own
    ]
    assert upward == []


@pytest.mark.parametrize("path", modules("engine"), ids=name_of)
def test_the_engine_knows_nothing_of_the_web(path: Path) -> None:
    names = {name.partition(".")[0] for _, name in imported(path)}
    assert names.isdisjoint(WEB)


def test_a_layer_that_imports_upward_would_be_noticed() -> None:
    assert layer_of("engine.ops.sin") == LAYERS.index("engine.ops")
    assert layer_of("engine.programs") == LAYERS.index("engine.programs")
    assert layer_of("engine.operations") == 0  # a longer name is not the same name
    assert layer_of("numpy") is None
