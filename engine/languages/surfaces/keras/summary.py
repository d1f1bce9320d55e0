"""`model.summary()`: the table of layers, their output shapes and their numbers, as Keras prints it."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import (
    all_variables,
    frozen_variables,
    is_layer,
    trainable_variables,
)

HEADER = ("Layer (type)", "Output Shape", "Param #")
WIDTHS = (31, 22, 13)
UNITS = ("B", "KB", "MB", "GB")


def summary(interpreter: Interpreter, self: UserObject, **ignored: Any) -> None:
    """Print one line for each layer, and how many numbers there are to train."""
    rows = [_row(layer) for layer in _layers(self)]
    lines = [f'Model: "{self.fields["name"]}"', _rule("┏┳┓", "━"), _cells("┃", HEADER)]
    lines.append(_rule("┡╇┩", "━"))
    for number, row in enumerate(rows):
        lines += [_rule("├┼┤", "─")] if number else []
        lines += [_cells("│", cells) for cells in _wrapped(row)]
    lines.append(_rule("└┴┘", "─"))
    interpreter.print("\n".join([*lines, *_totals(self), ""]))


def _layers(self: UserObject) -> list[UserObject]:
    if "_layers" in self.fields:
        return list(self.fields["_layers"])
    return [value for value in self.fields.values() if is_layer(value)]


def _row(layer: UserObject) -> tuple[str, str, str, str]:
    """Name, kind, shape and count; a layer that has seen nothing yet has no shape."""
    shape = layer.fields.get("_output_shape")
    count = _size(all_variables(layer))
    shown = "?" if shape is None else f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
    counted = "0 (unbuilt)" if shape is None and not layer.fields["built"] else f"{count:,}"
    return layer.fields["name"], f"({layer.kind.name})", shown, counted


def _wrapped(row: tuple[str, str, str, str]) -> list[tuple[str, str, str]]:
    """One line of cells, or two where name and kind do not fit into one."""
    name, kind, shape, count = row
    if len(f"{name} {kind}") <= WIDTHS[0]:
        return [(f"{name} {kind}", shape, count)]
    short = name if len(name) <= WIDTHS[0] else f"{name[: WIDTHS[0] - 1]}…"
    return [(short, shape, count), (kind, "", "")]


def _cells(edge: str, cells: tuple[str, str, str]) -> str:
    first, second, third = cells
    padded = f"{first:<{WIDTHS[0]}}", f"{second:<{WIDTHS[1]}}", f"{third:>{WIDTHS[2]}}"
    return f"{edge} " + f" {edge} ".join(padded) + f" {edge}"


def _rule(corners: str, line: str) -> str:
    left, middle, right = tuple(corners)
    return left + middle.join(line * (width + 2) for width in WIDTHS) + right


def _totals(self: UserObject) -> list[str]:
    trained, frozen = trainable_variables(self), frozen_variables(self)
    numbers = {"Trainable": _size(trained), "Non-trainable": _size(frozen)}
    bytes_of = {name: 4 * count for name, count in numbers.items()}
    compiled = self.fields.get("_compiled")
    if compiled is not None and compiled.optimizer.taken:
        slots = len(compiled.optimizer.rule.slots) * _size(trained)
        numbers["Optimizer"], bytes_of["Optimizer"] = slots + 2, 4 * slots + 12  # steps and rate
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
