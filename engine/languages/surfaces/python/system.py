"""Python's `os`, `sys`, `tempfile` and `importlib`: paths as texts and settings of the run; no file."""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Ignored, Module, OfRun, a_kind, type_name
from engine.languages.surfaces.library import Library

OS = Library("os", borrowed=True)
SYS = Library("sys", borrowed=True)
TEMPFILE = Library("tempfile", borrowed=True)
IMPORTLIB = Library("importlib", borrowed=True)

NO_FILES = ("Programs reach no files and no other program here.", "这里的程序不能访问文件和其他程序。")
A_FOLDER = "/tmp/gradlens"
PROGRAM = "program.py"

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

# -- sys ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutputStream:
    """`sys.stdout` or `sys.stderr`: both come out as what the program printed."""

    name: str


STREAM = members_of(OutputStream, "stream")
STREAM.method("flush")(lambda stream: None)
STREAM.method("isatty")(lambda stream: False)


@STREAM.method("write")
def write(interpreter: Interpreter, stream: OutputStream, text: Any) -> int:
    """Write a text as it is."""
    if not isinstance(text, str):
        raise ProgramError(
            f"`write` takes a text, not {a_kind(text)}.",
            message_zh=f"`write` 需要文字，不能是 {type_name(text)}。",
            hint="Write str(…) around it.",
            hint_zh="请用 str(…) 转换。",
            code="type_mismatch",
        )
    interpreter.print(text)
    return len(text)


def _record(name: str, **items: Any) -> Record:
    return Record(RecordKind(name, tuple(items)), items.values())


LIMITS_OF_FLOATS = (
    "max",
    "max_exp",
    "max_10_exp",
    "min",
    "min_exp",
    "min_10_exp",
    "dig",
    "mant_dig",
    "epsilon",
)


def ended(code: Any) -> ProgramError:
    """What ends a program from inside of it, quietly where the code is None or 0."""
    return ProgramError(
        f"The program ended itself with {to_repr(code)}.",
        message_zh=f"程序以 {to_repr(code)} 结束了自己。",
        code="program_exit" if code in (None, 0) else "uncaught_exception",
        kind="SystemExit",
        said=() if code is None else code,
    )


@SYS.function("exit")
def exit_(status: Any = None, /) -> None:
    """Ends the program."""
    raise ended(status)


BUILTINS["exit"] = BUILTINS["quit"] = SYS.members["exit"]
SYS.value(OutputStream("stdout"), "stdout")
SYS.value(OutputStream("stderr"), "stderr")
SYS.value(OfRun(lambda interpreter: [PROGRAM]), "argv")
SYS.value(OfRun(lambda interpreter: [""]), "path")
SYS.value("3.11.7 (Gradlens)", "version")
SYS.value(
    _record("sys.version_info", major=3, minor=11, micro=7, releaselevel="final", serial=0), "version_info"
)
SYS.value(sys.maxsize, "maxsize")
SYS.value("linux", "platform")
SYS.value("little", "byteorder")
SYS.value("python", "executable")
SYS.value(
    _record("sys.float_info", **{name: getattr(sys.float_info, name) for name in LIMITS_OF_FLOATS}),
    "float_info",
)
SYS.value(Ignored("sys.setrecursionlimit"), "setrecursionlimit")
SYS.function("getrecursionlimit")(lambda: 1000)
SYS.refuse(["stdin", "modules", "getsizeof", "exc_info", "settrace"])

# -- tempfile ----------------------------------------------------------------------------------------

TEMPFILE.function("gettempdir")(lambda: A_FOLDER)
TEMPFILE.function("mkdtemp")(lambda suffix="", prefix="tmp", dir=A_FOLDER: f"{dir}/{prefix}{suffix}")
TEMPFILE.refuse([""], *NO_FILES)


# -- importlib: which version of a library is there ------------------------------------------------

PACKAGES = {"scikit-learn": "sklearn"}  # the modules that go by another name than their package
IMPORTLIB.value(BUILTINS["ModuleNotFoundError"], "metadata.PackageNotFoundError")


@IMPORTLIB.function("metadata.version")
def version(interpreter: Interpreter, distribution_name: Any) -> str:
    """The version of a library, as its `__version__` has it.

    Raises: PackageNotFoundError where there is none of that name.
    """
    module = interpreter.modules.get(PACKAGES.get(distribution_name, distribution_name))
    found = module.members.get("__version__") if isinstance(module, Module) else None
    if isinstance(found, str):
        return found
    raise ProgramError(
        f"No package metadata was found for {distribution_name}",
        message_zh=f"这里没有软件包 {distribution_name}。",
        hint="Leave the line out: the program does not need to know the version.",
        hint_zh="请去掉这一行：程序并不需要知道版本。",
        code="refused_import",
        kind="ModuleNotFoundError",
    )
