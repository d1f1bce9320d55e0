"""`tf.flags` and `tf.app`: the settings that a program is started with, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.attributes import LOOKUPS, WRITES, members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES, OfRun
from engine.languages.surfaces.python.system import ended
from engine.languages.surfaces.tf1.functions.ops import TF

HOMES = ("flags", "app.flags")


@dataclass(slots=True, eq=False)
class Flags:
    """The settings by name; nothing is given on a command line here, so they have their defaults."""

    values: dict[str, Any] = field(default_factory=dict)


def _read(flags: Flags, name: str) -> Any:
    return flags.values.get(name, MISSING)


def _write(flags: Flags, name: str, value: Any) -> None:
    flags.values[name] = value


MEMBERS = members_of(Flags, "FLAGS")
MEMBERS.method("flag_values_dict")(lambda flags: dict(flags.values))
MEMBERS.method("mark_as_parsed")(lambda flags: None)
LOOKUPS[Flags] = _read
WRITES[Flags] = _write
TYPE_NAMES[Flags] = lambda flags: "FLAGS"
FLAGS = OfRun(lambda interpreter: Flags())
TF.value(FLAGS, *(f"{home}.FLAGS" for home in HOMES))


def _define(kind: str) -> None:
    def define(interpreter: Interpreter, name: Any, default: Any = None, *described: Any, **how: Any) -> None:
        flags: Flags = interpreter.of_run(FLAGS)
        if name in flags.values:
            raise ProgramError(
                f"The flag {name} is defined twice.",
                message_zh=f"参数 {name} 定义了两次。",
                code="bad_name",
            )
        flags.values[name] = _in_type(kind, default)

    define.__doc__ = f"A setting of the type {kind}, with its default."
    TF.function(*(f"{home}.DEFINE_{kind}" for home in HOMES))(define)


def _in_type(kind: str, default: Any) -> Any:
    if default is None:
        return None
    if kind == "float":
        return _as_float(default)
    if kind in ("bool", "boolean") and isinstance(default, str):
        return default.lower() in ("true", "t", "1", "yes")
    if kind in ("list", "multi_string", "multi_integer", "multi_float"):
        return default.split(",") if isinstance(default, str) else _as_list(default)
    return default


def _as_float(default: Any) -> float:
    """Raises: ValueRefused where it is no number."""
    try:
        return float(default)
    except (TypeError, ValueError, OverflowError):
        raise _not_in_type("a number", "数字") from None


def _as_list(default: Any) -> list[Any]:
    """Raises: ValueRefused where it has no items."""
    try:
        return list(default)
    except TypeError:
        raise _not_in_type("a list", "列表") from None


def _not_in_type(wanted: str, wanted_zh: str) -> ValueRefused:
    return ValueRefused(
        f"The default of this flag must be {wanted}.",
        message_zh=f"这个参数的默认值必须是{wanted_zh}。",
        code="bad_value",
    )


for one in ("integer", "float", "string", "bool", "boolean", "enum", "list", "multi_string", "multi_integer"):
    _define(one)


@TF.function("app.run")
def run(interpreter: Interpreter, main: Any = None, argv: Any = None) -> None:
    """Calls the program's `main` with its arguments, then ends the program."""
    chosen = main if main is not None else interpreter.program.names.get("main")
    if chosen is None:
        raise ProgramError(
            "tf.app.run() calls the function main, which this program does not have.",
            message_zh="tf.app.run() 会调用函数 main，但这个程序没有定义它。",
            hint="Write def main(argv): … before it.",
            hint_zh="请在它之前写 def main(argv): …。",
            code="unknown_attribute",
            said="module '__main__' has no attribute 'main'",
        )
    interpreter.call(chosen, [["program.py"] if argv is None else argv], {})
    raise ended(None)
