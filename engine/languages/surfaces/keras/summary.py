"""`model.summary()`: the table of layers, their output shapes and their numbers, as Keras prints it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest
from math import prod
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.functional import is_a_chain
from engine.languages.surfaces.keras.layer import is_built_when_made
from engine.languages.surfaces.keras.layering.weights import (
    all_variables,
    frozen_variables,
    trainable_variables,
)
from engine.languages.surfaces.keras.optimizers.state import variables_of
from engine.languages.surfaces.keras.parts import layers_of
from engine.languages.surfaces.keras.symbolic import Symbolic, symbols
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number

CHAIN = (("Layer (type)", "Output Shape", "Param #"), (0.45, 0.80, 1.0))
BRANCHED = (("Layer (type)", "Output Shape", "Param #", "Connected to"), (0.3, 0.56, 0.74, 1.0))
TERMINAL = 76  # columns of a terminal that are used
UNITS = ("B", "KB", "MB", "GB")
COUNT = 2  # the column that is written to the right
BESIDE = 2  # one space on each side of a cell


def summary(
    interpreter: Interpreter,
    self: UserObject,
    line_length: Any = None,
    positions: Any = None,
    print_fn: Any = None,
    expand_nested: Any = False,
    show_trainable: Any = False,
    layer_range: Any = None,
) -> None:
    """Print one line for each layer, and how many numbers there are to train."""
    refuse_given("summary()", {"layer_range": layer_range}, "Leave it out.", "请去掉它。")
    header: tuple[str, ...]
    places: tuple[float, ...]
    header, places = BRANCHED if _is_branched(self) else CHAIN
    if show_trainable:
        header, places = (*header, "Trainable"), (*(0.9 * place for place in places), 1.0)
    length = TERMINAL if line_length is None else whole_number(line_length, "line_length")
    rows = [
        row
        for layer in layers_of(self)
        for row in _rows(self, layer, len(header), bool(expand_nested), bool(show_trainable))
    ]
    lines = _table(header, rows, _widths(places if positions is None else positions, length))
    text = "\n".join([f'Model: "{self.fields["name"]}"', *lines, *_totals(self), ""])
    if print_fn is None:
        interpreter.print(text)
    else:
        interpreter.call(print_fn, [text], {})


# -- the cells ---------------------------------------------------------------------------------------


def _is_branched(self: UserObject) -> bool:
    """Whether it says what each layer is connected to: where layers stand in more than one chain."""
    calls = self.fields.get("_calls")
    return calls is not None and not is_a_chain(calls, list(symbols(self.fields["_inputs"])))


def _rows(
    self: UserObject, layer: UserObject, columns: int, nested: bool, trained: bool, level: int = 0
) -> list[tuple[str, ...]]:
    """The row of a layer, and where it is a model those of its layers."""
    before = f"{'   ' * level}└ " if level else ""
    name, shape, count = _facts(self, layer)
    row = [f"{before}{name}", shape, count]
    if columns - trained == len(BRANCHED[0]):
        row.append(_connections(self, layer))
    if trained:
        has = bool(all_variables(layer))
        row.append("-" if not has else "Y" if layer.fields.get("trainable", True) else "N")
    inner = layers_of(layer) if nested and "_layers" in layer.fields else []
    return [tuple(row), *(r for one in inner for r in _rows(self, one, columns, nested, trained, level + 1))]


def _has_no_shapes(model: UserObject, layer: UserObject) -> bool:
    """Whether a model that is no chain and no graph of symbolic tensors calls a layer without `build()`."""
    own = model.kind.origin != "library" and "_calls" not in model.fields
    return own and is_built_when_made(layer) and "_symbol" not in layer.fields


def _shape(model: UserObject, layer: UserObject) -> Any:
    """The shape that comes out of a layer, None where nobody knows: a model with inputs has its own."""
    if "_layers" in layer.fields and model.kind.origin != "library":
        return _shape_of_ends(layer)
    return None if _has_no_shapes(model, layer) else layer.fields.get("_output_shape")


def _shape_of_ends(model: UserObject) -> Any:
    """The shape of the outputs of a model between inputs and outputs, else that of its last layer."""
    ends = [one.shape for one in symbols(model.fields.get("_outputs"))]
    if ends:
        return ends[0] if len(ends) == 1 else ends
    chain = model.fields["_layers"]
    return chain[-1].fields.get("_output_shape") if chain else None


def _facts(model: UserObject, layer: UserObject) -> tuple[str, str, str]:
    """Name and kind, shape, and count; a layer that has seen nothing yet has no shape.

    As in Keras, neither has one without `build()` that a model of the program's own calls.
    """
    shape = _shape(model, layer)
    shown = "?" if shape is None else _written(shape)
    counted = f"{_size(all_variables(layer)):,}"
    if shape is None and not layer.fields["built"]:
        counted = "0 (unbuilt)"
    kind = "Functional" if layer.kind.name == "Model" and "_calls" in layer.fields else layer.kind.name
    return f"{layer.fields['name']} ({kind})", shown, counted


def _written(shape: Any) -> str:
    if shape and isinstance(shape[0], (tuple, list)):
        return f"[{', '.join(map(_written, shape))}]"
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _connections(self: UserObject, layer: UserObject) -> str:
    """`dense[0][0], dense_1[0][0]`: where what goes in comes from, call by call, tensor by tensor."""
    calls: list[Symbolic] = self.fields["_calls"]
    ends = [id(one) for one in symbols(self.fields["_inputs"])]
    own = {one.order: one for one in calls if one.layer is layer and id(one) not in ends}
    sources = [source for one in own.values() for source in one.sources]
    return (
        ", ".join(f"{one.layer.fields['name']}[{_which(one, calls)}][{_place(one)}]" for one in sources)
        or "-"
    )


def _which(one: Symbolic, calls: Sequence[Symbolic]) -> int:
    """Which call of its layer it comes from."""
    same = list(dict.fromkeys(call.order for call in calls if call.layer is one.layer))
    return same.index(one.order) if one.order in same else 0


def _place(one: Symbolic) -> int:
    """Which of the tensors it is that its layer gives."""
    return one.path[0] if one.path and isinstance(one.path[0], int) else 0


# -- the table ---------------------------------------------------------------------------------------


def _widths(places: Sequence[float], length: int) -> list[int]:
    """The widths of the columns' texts in a line of so many characters.

    Each place is where a column ends, as a share of the line; what the edges take is taken off evenly.
    """
    ends = [0, *(int(place * length) for place in places)]
    widths = [after - before + BESIDE for before, after in pairwise(ends)]
    excess = sum(widths) - (length - len(widths) - 1)
    for place, width in enumerate(widths):
        less = min(width, round(excess / (len(widths) - place)))
        widths[place], excess = width - less, excess - less
    return [max(width - BESIDE, 1) for width in widths]


def _table(header: Sequence[str], rows: list[tuple[str, ...]], widths: list[int]) -> list[str]:
    lines = [_rule("┏┳┓", "━", widths), *_cells("┃", header, widths), _rule("┡╇┩", "━", widths)]
    for number, row in enumerate(rows):
        lines += [_rule("├┼┤", "─", widths)] if number else []
        lines += _cells("│", row, widths)
    return [*lines, _rule("└┴┘", "─", widths)]


def _cells(edge: str, row: Sequence[str], widths: list[int]) -> list[str]:
    """The lines of a row: each cell goes on in another line where its words do not fit into one."""
    wrapped = [_wrapped(text, width) for text, width in zip(row, widths, strict=True)]
    return [
        f"{edge} " + f" {edge} ".join(map(_padded, range(len(row)), texts, widths)) + f" {edge}"
        for texts in zip_longest(*wrapped, fillvalue="")
    ]


def _padded(column: int, text: str, width: int) -> str:
    return f"{text:>{width}}" if column == COUNT else f"{text:<{width}}"


def _wrapped(text: str, width: int) -> list[str]:
    """Words in lines of a width; one that is longer is cut off."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return [line if len(line) <= width else f"{line[: width - 1]}…" for line in lines]


def _rule(corners: str, line: str, widths: list[int]) -> str:
    left, middle, right = tuple(corners)
    return left + middle.join(line * (width + BESIDE) for width in widths) + right


# -- the totals --------------------------------------------------------------------------------------


def _totals(self: UserObject) -> list[str]:
    trained, frozen = trainable_variables(self), frozen_variables(self)
    numbers = {"Trainable": _size(trained), "Non-trainable": _size(frozen)}
    kinds = {"Trainable": trained, "Non-trainable": frozen}
    bytes_of = {name: sum(one.array.nbytes for one in kinds[name]) for name in numbers}
    compiled = self.fields.get("_compiled")
    if compiled is not None and compiled.optimizer.taken:
        arrays = [array_of(one) for one in variables_of(compiled.optimizer)]
        numbers["Optimizer"] = sum(prod(array.shape) for array in arrays)
        bytes_of["Optimizer"] = sum(array.nbytes for array in arrays)
    lines = [f" Total params: {sum(numbers.values()):,} ({_memory(sum(bytes_of.values()))})"]
    return lines + [
        f" {name} params: {count:,} ({_memory(bytes_of[name])})" for name, count in numbers.items()
    ]


def _size(variables: list[Any]) -> int:
    return sum(prod(variable.array.shape) for variable in variables)


def _memory(size: float) -> str:
    unit = 0
    while size >= 1024 and unit < len(UNITS) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:.2f} {UNITS[unit]}"
