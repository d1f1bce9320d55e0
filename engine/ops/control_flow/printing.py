"""Values shown while a graph runs: `tf.Print` hands its input on, `tf.print` is an operation of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.tensors import Array, Node, Tensor
from engine.ops.base.texts import text_array, written_text
from engine.ops.control_flow.asserting import text_constant

DIGITS: Mapping[str, tuple[int, int]] = {
    "float16": (6, 9),
    "float32": (6, 9),
    "float64": (15, 17),
}  # that a number is written with: always kept, and enough to distinguish any two


def written_number(value: Any) -> str:
    """The fewest digits that give the number back, as TensorFlow counts them; 1 for True."""
    if isinstance(value, (str, bytes)):
        return written_text(value)
    if value.dtype.name not in DIGITS:
        return str(int(value))
    safe, all_digits = DIGITS[value.dtype.name]
    short = f"{float(value):.{safe}g}"
    return short if type(value)(short) == value or np.isnan(value) else f"{float(value):.{all_digits}g}"


def written_rows(array: Any, summarize: int = 3, indent: int = 1) -> str:
    """An array row by row, of each axis so many elements from either end; all of them for -1."""
    if isinstance(array, bytes) or (array.ndim == 0 and array.dtype == object):
        return f'"{written_text(array if isinstance(array, bytes) else array[()])}"'
    if array.ndim == 0:
        return written_number(array[()])
    ends = len(array) if summarize < 0 or len(array) <= 2 * summarize else summarize
    parts = [written_rows(row, summarize, indent + 1) for row in array[:ends]]
    if ends < len(array):
        parts += ["...", *(written_rows(row, summarize, indent + 1) for row in array[len(array) - ends :])]
    between = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * indent
    return "[" + between.join(parts) + "]"


def summary(array: Any, limit: int) -> str:
    """The first elements in one line, in brackets as they lie in rows; all of them for -1."""
    limit = array.size if limit < 0 else min(limit, array.size)
    if array.ndim < 2:
        shown = " ".join(map(written_number, array.reshape(-1)[:limit]))
    else:
        shown = _nested(array, limit)[0] if array.size else ""
    return f"[{shown}{'...' if limit < array.size else ''}]"


def _nested(array: Any, left: int) -> tuple[str, int]:
    """The rows as far as so many elements go, and how many may still come."""
    if array.ndim == 1:
        cut = "..." if left < len(array) else ""
        return " ".join(map(written_number, array[:left])) + cut, left - len(array[:left])
    parts = []
    for row in array:
        if left > 0:
            inner, left = _nested(row, left)
            parts.append(f"[{inner}]")
    return "".join(parts), left


@op(
    "Print",
    inputs="input *data",
    types="T U[]",
    accepts="any",
    shape=lambda x, *data: x,
    stateful=True,
    latex="{input}",
    adjoints=[r"\bar{y}", "0"],
    derivative=["1", "0"],
)
@in_chinese("原样的值；会话在前若干次运行中显示数据。")
def print_op(input: Array, *data: Array, message: str = "", first_n: int = -1, summarize: int = 3) -> Any:
    """The same value; a session shows the data, in its first so many runs. Shapes: input (*S) -> y (*S)."""
    return input


@print_op.gradient
def print_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    return [dy, *[None] * (len(node.inputs) - 1)]


@print_op.shows
def print_text(input: Array, *data: Array, message: str, first_n: int, summarize: int) -> str:
    return message + "".join(summary(value, summarize) for value in data) + "\n"


def print_of(
    input: Any,
    data: Sequence[Any],
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`tf.Print`: the input, which shows the data, tensors and texts, whenever it is computed."""
    how = {
        "message": message or "",
        "first_n": -1 if first_n is None else first_n,
        "summarize": 3 if summarize is None else summarize,
    }
    with name_scope(name, "Print") as scope:
        x = convert_to_tensor(input, name="input")
        return print_op(x, list(_tensors(data)), name=scope, **how)


def _tensors(data: Sequence[Any]) -> Iterator[Tensor]:
    for place, item in enumerate(data):
        name = f"data_{place}"
        yield text_constant(item, name) if isinstance(item, str) else convert_to_tensor(item, name=name)


@op(
    "StringFormat",
    inputs="*inputs",
    types="T[]",
    accepts="any",
    outputs=("string",),
    shape=lambda *shapes: (),
    latex=r"\text{{inputs} as text}",
    no_gradient=("its output is a text", "它的输出是文本"),
)
@in_chinese("一段文本，其中每个占位记号代表一个值。")
def string_format(*inputs: Array, template: str = "", placeholder: str = "{}", summarize: int = 3) -> Any:
    """A text in which each placeholder stands for one of the values. Shapes: N times any -> ()."""
    first, *others = template.split(placeholder)
    shown = (written_rows(value, summarize) for value in inputs)
    return text_array(first + "".join(text + rest for text, rest in zip(shown, others, strict=True)))


@op(
    "PrintV2",
    inputs="input",
    types="string",
    outputs=(),
    shape=lambda text: [],
    stateful=True,
    latex=r"\text{show } {input}",
    no_gradient=("it has no output", "它没有输出"),
)
@in_chinese("会话显示这段文本。")
def print_v2(input: Array, output_stream: str = "stderr", end: str = "\n") -> Any:
    """A session shows the text. Shapes: input ()."""
    return []


@print_v2.shows
def print_v2_text(input: Array, output_stream: str, end: str) -> str:
    return f"{written_text(input[()])}{end}"


def print_values(
    parts: Sequence[Any],
    *,
    end: str = "\n",
    summarize: int = 3,
    stream: str = "stderr",
    name: str | None = None,
) -> Node:
    """`tf.print`: the operation that shows texts and tensors one after the other."""
    texts = [part for part in parts if isinstance(part, str)]
    placeholder = "{}"
    while any(placeholder in text for text in texts):
        placeholder += "_"
    text = string_format(
        [part for part in parts if not isinstance(part, str)],
        template="".join(part if isinstance(part, str) else placeholder for part in parts),
        placeholder=placeholder,
        summarize=summarize,
        name=f"{name}_format" if name else None,
    )
    return print_v2.node(text, output_stream=stream, end=end, name=name)
