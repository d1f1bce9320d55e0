"""Python's `sys`, `tempfile` and `importlib`: what the run writes to, and which libraries there are."""

from __future__ import annotations

import sys
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
from engine.languages.surfaces.python.system.files import NO_FILES

SYS = Library("sys", borrowed=True)
TEMPFILE = Library("tempfile", borrowed=True)
IMPORTLIB = Library("importlib", borrowed=True)

A_FOLDER = "/tmp/gradlens"
PROGRAM = "program.py"

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
