"""TensorFlow 1's `tf.Print` and `tf.print`: what a graph shows each time it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.argument_kinds import COUNT, LIST
from engine.languages.surfaces.python.system import OutputStream
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import taken
from engine.ops.base.tensors import Operators
from engine.ops.control_flow import printing

TEXT = Argument("a text", "文字", lambda value: isinstance(value, str))
STREAM = Argument(
    "sys.stdout or sys.stderr",
    " sys.stdout 或 sys.stderr",
    lambda value: isinstance(value, OutputStream),
)


@TF.function("Print", input_=ANY, data=LIST, message=TEXT, first_n=COUNT, summarize=COUNT)
def print_in_passing(
    input_: Any, data: Any, message: Any = None, first_n: Any = None, summarize: Any = None, name: Any = None
) -> Any:
    """The input; whenever it is computed, the data are shown."""
    shown = [item if isinstance(item, str) else taken(item) for item in data]
    return printing.print_of(taken(input_), shown, message, first_n, summarize, name)


@TF.function("print", output_stream=STREAM, summarize=COUNT, sep=TEXT, end=TEXT)
def print_(
    *inputs: Any,
    output_stream: Any = None,
    summarize: Any = 3,
    sep: Any = " ",
    end: Any = "\n",
    name: Any = None,
) -> Any:
    """An operation that shows the values each time it runs."""
    parts: list[Any] = []
    for place, value in enumerate(inputs):
        parts += [sep] if place else []
        parts += [value] if isinstance(value, str) else _parts(value)
    stream = "stderr" if output_stream is None else output_stream.name
    return printing.print_values(parts, end=end, summarize=summarize, stream=stream, name=name)


def _parts(value: Any) -> Iterator[Any]:
    """A value as Python writes it, in pieces: texts, and the tensors between them."""
    if isinstance(value, Operators):
        yield value
    elif isinstance(value, dict):
        _check_keys(value)
        yield from _listed("{", [[f"{to_repr(key)}: ", *_parts(value[key])] for key in sorted(value)], "}")
    elif isinstance(value, list):
        yield from _listed("[", map(_parts, value), "]")
    elif isinstance(value, tuple):
        yield from _listed("(", map(_parts, value), ",)" if len(value) == 1 else ")")
    else:
        yield to_repr(value)


def _listed(opening: str, items: Iterable[Iterable[Any]], closing: str) -> Iterator[Any]:
    yield opening
    for place, item in enumerate(items):
        if place:
            yield ", "
        yield from item
    yield closing


def _check_keys(value: dict[Any, Any]) -> None:
    if not all(isinstance(key, str) for key in value):
        raise ProgramError(
            "tf.print shows a dict in the order of its keys, which have to be texts.",
            message_zh="tf.print 按键的顺序显示字典，因此键必须是文字。",
            code="bad_value",
        )
