"""Python's `os`: paths as texts, and what the run itself has saved; no file of the computer."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import OfRun
from engine.languages.surfaces.library import Library

OS = Library("os", borrowed=True)
NO_FILES = ("Programs reach no files and no other program here.", "这里的程序不能访问文件和其他程序。")

# -- os: paths ---------------------------------------------------------------------------------------


def _of_a_path(function: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda path, /: function(path)


for name in ("basename", "dirname", "split", "splitext", "normpath", "isabs", "normcase"):
    OS.function(f"path.{name}")(_of_a_path(getattr(posixpath, name)))
KEPT = OfRun(lambda interpreter: {})  # what the run itself has saved, by the path


FOLDERS = OfRun(lambda interpreter: set())  # the folders that the program has made


@OS.function("path.isfile")
def is_file(interpreter: Interpreter, path: Any, /) -> bool:
    """Whether the run itself has saved something under this path."""
    return posixpath.normpath(str(path)) in saved(interpreter)


def saved(interpreter: Interpreter) -> list[str]:
    """The paths that the run has saved something under: values, weights and models."""
    workspace = interpreter.workspace
    names = (*interpreter.of_run(KEPT), *workspace.checkpoints, *workspace.saved_models)
    return list(dict.fromkeys(map(posixpath.normpath, names)))


@OS.function("path.isdir")
def is_folder(interpreter: Interpreter, path: Any, /) -> bool:
    """Whether the program has made this folder."""
    folders: set[str] = interpreter.of_run(FOLDERS)
    return posixpath.normpath(str(path)) in folders


@OS.function("path.exists", "path.lexists")
def exists(interpreter: Interpreter, path: Any, /) -> bool:
    """Whether the run itself has saved something under this path, or made this folder."""
    return bool(is_file(interpreter, path) or is_folder(interpreter, path))


OS.function("path.islink")(lambda path, /: False)


@OS.function("makedirs")
def make_folder(interpreter: Interpreter, name: Any, mode: Any = None, exist_ok: Any = False) -> None:
    """Remember the folder and those above it, for this run alone. Raises: FileExistsError."""
    path = posixpath.normpath(str(name))
    if exists(interpreter, path) and not exist_ok:
        raise ProgramError(
            f"[Errno 17] File exists: {to_repr(str(name))}",
            message_zh=f"文件夹 {to_repr(str(name))} 已经存在。",
            hint="Write exist_ok=True.",
            hint_zh="请写 exist_ok=True。",
            code="wrong_value",
            kind="FileExistsError",
        )
    while path not in ("", "/", "."):
        interpreter.budget.check_length(len(path), "text", "文本")
        interpreter.of_run(FOLDERS).add(path)
        path = posixpath.dirname(path)


@OS.function("mkdir")
def mkdir(interpreter: Interpreter, path: Any, mode: Any = None) -> None:
    """The same of one folder. Raises: FileExistsError."""
    make_folder(interpreter, path)


@OS.function("listdir")
def listdir(interpreter: Interpreter, path: Any = ".") -> list[str]:
    """What the run has saved in a folder: names, in order. Raises: FileNotFoundError."""
    folder = posixpath.normpath(str(path))
    inside = (*saved(interpreter), *interpreter.of_run(FOLDERS))
    found = {posixpath.relpath(one, folder).split("/")[0] for one in inside if _within(one, folder)}
    if not found and not is_folder(interpreter, folder) and folder not in (".", "/"):
        raise missing(path)
    return sorted(found)


def _within(path: str, folder: str) -> bool:
    return path != folder and not posixpath.relpath(path, folder).startswith("..")


def missing(path: Any) -> ProgramError:
    """What is said of a path under which nothing has been saved."""
    return ProgramError(
        f"[Errno 2] No such file or directory: {to_repr(str(path))}",
        message_zh=f"没有名为 {to_repr(str(path))} 的文件：这里只有本次运行保存过的内容。",
        hint="Only what the program itself has saved is there.",
        hint_zh="只有程序自己保存的内容。",
        code="wrong_value",
        kind="FileNotFoundError",
    )


@OS.function("remove", "unlink")
def remove(interpreter: Interpreter, path: Any) -> None:
    """Forget what the run has saved. Raises: FileNotFoundError."""
    if interpreter.of_run(KEPT).pop(posixpath.normpath(str(path)), None) is None:
        raise missing(path)


@OS.function("path.join")
def join(interpreter: Interpreter, first: Any, /, *parts: Any) -> str:
    """The parts of a path with slashes between them."""
    texts: list[str] = [os.fspath(part) for part in (first, *parts)]
    interpreter.budget.check_length(sum(map(len, texts)) + len(texts), "text", "文本")
    return posixpath.join(*texts)


@OS.function("path.abspath", "path.realpath")
def absolute(path: str, /) -> str:
    """The path from the root."""
    return posixpath.normpath(posixpath.join("/", path))


@OS.function("path.expanduser", "path.expandvars", "fspath")
def unchanged(path: str, /) -> str:
    """The path as it is."""
    return path


@OS.function("getenv")
def getenv(interpreter: Interpreter, key: str, default: Any = None) -> Any:
    """What the program has set in the environment; nothing else is there."""
    return interpreter.of_run(ENVIRONMENT).get(key, default)


ENVIRONMENT = OfRun(lambda interpreter: {})
OS.value(ENVIRONMENT, "environ")
OS.value("/", "sep", "path.sep")
OS.value("\n", "linesep")
OS.value("posix", "name")
OS.value(1, "F_OK")
OS.function("getcwd")(lambda: "/")
OS.function("cpu_count")(lambda: 1)
OS.function("getpid")(lambda: 1)
OS.refuse(["", "path", "system", "popen", "walk", "rename", "open"], *NO_FILES)
OS.refuse(["path.getsize", "path.getmtime"], *NO_FILES)
