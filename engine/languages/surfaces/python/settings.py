"""Python's `argparse` and `types.SimpleNamespace`, and what shows progress: `tqdm`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NoReturn

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.attributes import LOOKUPS, WRITES, members_of
from engine.languages.interpreter.builtins.containers import ITERATORS, iterate
from engine.languages.interpreter.builtins.functions import Kind, bounded, entries_of
from engine.languages.interpreter.builtins.objects import WITH_FIELDS
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES, Ignored
from engine.languages.surfaces.library import Library

ARGPARSE = Library("argparse")
TYPES = Library("types")
TQDM = Library("tqdm")

ACTIONS = ("store", "store_true", "store_false", "append", "count", "store_const")


class Options:
    """What `parse_args` gives: the settings by name."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.values == other.values

    __hash__ = None  # type: ignore[assignment]  # Python has none either


class SimpleNamespace(Options):
    """`types.SimpleNamespace`: values by name, and nothing else."""


class Parser:
    """`argparse.ArgumentParser`: the settings that a program can be started with, with their defaults."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.parser = Quiet(add_help=False, prog="program.py")


class Quiet(argparse.ArgumentParser):
    """Python's own parser, whose mistakes are the program's."""

    def error(self, message: str) -> NoReturn:
        """Raises: ProgramError with what is wrong."""
        raise ProgramError(
            f"The settings do not fit: {message}.",
            message_zh=f"参数设置不对：{message}。",
            hint="Here a program is started without settings: give each a default=….",
            hint_zh="这里启动程序时没有参数：请给每个参数写上 default=…。",
            code="bad_value",
        )


@ARGPARSE.function("ArgumentParser")
def argument_parser(interpreter: Interpreter, *described: Any, **how: Any) -> Parser:
    """A list of settings; what describes it is not looked at."""
    return Parser(interpreter)


PARSER = members_of(Parser, "ArgumentParser")


@PARSER.method("add_argument")
def add_argument(
    parser: Parser,
    *names: str,
    type: Any = None,
    default: Any = None,
    action: str = "store",
    help: Any = None,
    choices: Any = None,
    required: Any = False,
    nargs: Any = None,
    dest: Any = None,
    const: Any = None,
    metavar: Any = None,
) -> None:
    """One setting: its names, the type that its text is turned into, and its default."""
    if action not in ACTIONS:
        raise RefusedError(
            f"action={to_repr(action)} is not supported.",
            message_zh=f"不支持 action={to_repr(action)}。",
            hint=f"It takes {', '.join(ACTIONS)}.",
            hint_zh=f"它可以是 {'、'.join(ACTIONS)}。",
            code="refused_name",
        )
    given: dict[str, Any] = {"action": action}
    if action in ("store", "append"):
        given |= {"type": _reader(parser.interpreter, type), "nargs": nargs}
        given["choices"] = None if choices is None else list(bounded(parser.interpreter, choices))
    if action == "store_const":
        given["const"] = const
    if action in ("store", "append", "count", "store_const") or default is not None:
        given["default"] = default
    if names and names[0].startswith("-"):
        given |= {"required": bool(required), "dest": dest}
    try:
        parser.parser.add_argument(*names, **given)
    except (ValueError, TypeError, argparse.ArgumentError) as error:
        parser.parser.error(str(error))


def _reader(interpreter: Interpreter, kind: Any) -> Callable[[str], Any] | None:
    return None if kind is None else lambda text: interpreter.call(kind, [text], {})


@PARSER.method("parse_args")
def parse_args(parser: Parser, args: Any = None) -> Options:
    """The settings: those that are given here, and the defaults of all others."""
    return Options(vars(parser.parser.parse_args(_texts(parser, args))))


@PARSER.method("parse_known_args")
def parse_known_args(parser: Parser, args: Any = None) -> tuple[Options, list[str]]:
    """The settings, and what is none of them."""
    found, others = parser.parser.parse_known_args(_texts(parser, args))
    return Options(vars(found)), others


def _texts(parser: Parser, args: Any) -> list[str]:
    texts = [] if args is None else list(bounded(parser.interpreter, args))
    if not all(isinstance(text, str) for text in texts):
        parser.parser.error("they are texts")
    return texts


@PARSER.method("set_defaults")
def set_defaults(parser: Parser, **defaults: Any) -> None:
    """Defaults of several settings."""
    parser.parser.set_defaults(**defaults)


PARSER.method("get_default")(lambda parser, dest: parser.parser.get_default(dest))
PARSER.method("add_argument_group")(lambda parser, *described, **how: parser)
PARSER.method("print_help", "print_usage")(lambda parser: None)


def _setting(options: Options, name: str) -> Any:
    return options.values.get(name, MISSING)


def _set(options: Options, name: str, new: Any) -> None:
    options.values[name] = new


def _text(options: Options) -> str:
    return f"Namespace({', '.join(f'{name}={to_repr(value)}' for name, value in options.values.items())})"


@ARGPARSE.function("Namespace")
def namespace(**values: Any) -> Options:
    """Settings by name."""
    return Options(values)


def simple_namespace(interpreter: Interpreter, entries: Any = (), /, **values: Any) -> SimpleNamespace:
    """Values by name, of a dict too."""
    return SimpleNamespace({**entries_of(interpreter, entries), **values})


TYPES.value(Kind("types.SimpleNamespace", simple_namespace, (SimpleNamespace,)), "SimpleNamespace")
LOOKUPS[Options] = _setting
WRITES[Options] = _set
WITH_FIELDS[Options] = lambda options: options.values
SHOWN[Options] = (_text, _text)
TYPE_NAMES[Options] = lambda options: "Namespace"
LOOKUPS[SimpleNamespace] = _setting
WRITES[SimpleNamespace] = _set
WITH_FIELDS[SimpleNamespace] = lambda space: space.values
SHOWN[SimpleNamespace] = (lambda space: _text(space).replace("N", "n", 1),) * 2
TYPE_NAMES[SimpleNamespace] = lambda space: "SimpleNamespace"
TYPE_NAMES[Parser] = lambda parser: "ArgumentParser"
ARGPARSE.value(
    Ignored("argparse.RawTextHelpFormatter"), "RawTextHelpFormatter", "ArgumentDefaultsHelpFormatter"
)

# -- tqdm --------------------------------------------------------------------------------------------


class Bar:
    """The items of another sequence; the bar itself is not drawn."""

    def __init__(self, items: Any) -> None:
        self.items = items


def bar(iterable: Any = (), *described: Any, **how: Any) -> Bar:
    """The items, without a bar."""
    return Bar(iterable)


@TQDM.function("trange", "notebook.trange", "auto.trange")
def trange(interpreter: Interpreter, *bounds: Any, **how: Any) -> Bar:
    """A range, without a bar."""
    return Bar(interpreter.call(interpreter.scope.read("range"), list(bounds), {}))


TQDM.function("tqdm", "notebook.tqdm", "auto.tqdm", "tqdm_notebook", "notebook.tqdm_notebook")(bar)
OF_BAR = members_of(Bar, "tqdm")
for name in ("set_description", "set_postfix", "set_postfix_str", "update", "close", "refresh", "reset"):
    OF_BAR.method(name)(lambda shown, *values, **how: None)


@OF_BAR.method("write")
def write(interpreter: Interpreter, shown: Bar, s: Any, **how: Any) -> None:
    """Print a text beside the bar."""
    interpreter.print(f"{s}\n")


ITERATORS[Bar] = lambda shown: iterate(shown.items)
CONTEXTS[Bar] = lambda interpreter, shown: nullcontext(shown)
TYPE_NAMES[Bar] = lambda shown: "tqdm"
