"""Python's `pathlib`: paths as values, with what the run has saved behind them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OPERANDS, SIZE_CHECKS
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.python.system import files

PATHLIB = Library("pathlib", borrowed=True)


def path_(interpreter: Interpreter, *parts: Any) -> PurePosixPath:
    """The path of its parts: texts and other paths."""
    interpreter.budget.check_length(sum(len(str(part)) for part in parts) + len(parts), "text", "文本")
    return PurePosixPath(*parts)


def _fixed(name: str, path: str) -> Native:
    return Native(f"Path.{name}", lambda: PurePosixPath(path), borrowed=True)


PATH = Kind(
    "pathlib.Path", path_, (PurePosixPath,), {"cwd": _fixed("cwd", "/"), "home": _fixed("home", "/root")}
)
PATHLIB.value(PATH, "Path", "PosixPath", "PurePath", "PurePosixPath")
SHOWN[PurePosixPath] = (str, lambda path: f"PosixPath('{path}')")
TYPE_NAMES[PurePosixPath] = lambda path: "Path"
PYTHON_NAMES[PurePosixPath] = lambda path: "PosixPath"
OPERANDS[PurePosixPath] = "/"
SIZE_CHECKS[PurePosixPath] = lambda symbol, left, right, budget: budget.check_length(
    len(str(left)) + len(str(right)) + 1, "text", "文本"
)

# -- what a path says of itself ----------------------------------------------------------------------

MEMBERS = members_of(PurePosixPath, "Path")


def _fact(name: str) -> Callable[[PurePosixPath], Any]:
    return lambda path: getattr(path, name)


for fact in ("name", "stem", "suffix", "suffixes", "parent", "parts", "anchor", "root"):
    MEMBERS.fact(fact)(_fact(fact))
MEMBERS.fact("parents")(lambda path: tuple(path.parents))


def _method(name: str) -> Callable[..., Any]:
    return lambda path, *given: getattr(path, name)(*given)


for method in ("joinpath", "with_name", "with_suffix", "with_stem", "relative_to", "is_relative_to"):
    MEMBERS.method(method)(_method(method))
for method in ("as_posix", "is_absolute", "match"):
    MEMBERS.method(method)(_method(method))
MEMBERS.method("expanduser")(lambda path: path)
MEMBERS.method("resolve", "absolute")(lambda path: PurePosixPath(posixpath.normpath(f"/{path}")))

# -- what the run has saved under it -----------------------------------------------------------------

MEMBERS.method("exists")(lambda interpreter, path: files.exists(interpreter, path))
MEMBERS.method("is_file")(lambda interpreter, path: files.is_file(interpreter, path))
MEMBERS.method("is_dir")(lambda interpreter, path: files.is_folder(interpreter, path))


@MEMBERS.method("mkdir")
def mkdir(
    interpreter: Interpreter,
    path: PurePosixPath,
    mode: Any = None,
    parents: Any = False,
    exist_ok: Any = False,
) -> None:
    """Remember the folder, for this run alone. Raises: FileExistsError."""
    files.make_folder(interpreter, path, exist_ok=exist_ok)


@MEMBERS.method("unlink")
def unlink(interpreter: Interpreter, path: PurePosixPath, missing_ok: Any = False) -> None:
    """Forget what the run has saved under it. Raises: FileNotFoundError."""
    if not missing_ok or files.is_file(interpreter, path):
        files.remove(interpreter, path)
