"""The variables of a layer and of its parts: which are trained, and what they hold."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.keras.layering.parts import layers_in, parts_of
from engine.languages.surfaces.keras.weights import KerasVariable, freeze
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.sources import state


def all_variables(self: UserObject) -> list[KerasVariable]:
    """The variables of a layer and of its parts."""
    return list(dict.fromkeys(one for layer in layers_in(self) for one in _own_variables(layer)))


def _own_variables(layer: UserObject) -> list[KerasVariable]:
    """Those that it made or was given, in the order of `weights`: first what was made to be trained."""
    given = [one for one in layer.fields.values() if isinstance(one, KerasVariable)]
    return sorted([*layer.fields.get("_weights", ()), *given], key=lambda one: not one.trainable)


def trainable_variables(self: UserObject) -> list[KerasVariable]:
    """Those that are trained: none of a layer, or of its parts, whose `trainable` is False."""
    frozen = set(frozen_variables(self))
    return [variable for variable in all_variables(self) if variable not in frozen]


def frozen_variables(self: UserObject) -> list[KerasVariable]:
    """The others."""
    stopped = {
        variable
        for layer in layers_in(self)
        if layer.fields.get("trainable", True) is False
        for variable in all_variables(layer)
    }
    return [one for one in all_variables(self) if not one.trainable or one.is_frozen or one in stopped]


def count_numbers(self: UserObject) -> int:
    return sum(prod(variable.array.shape) for variable in all_variables(self))


def values_of(self: UserObject) -> list[Any]:
    """Copies of what all variables hold, in their order."""
    return [variable.array.copy() for variable in all_variables(self)]


def set_values(self: UserObject, weights: Any) -> None:
    """Give all variables new values, in their order. Raises: ProgramError where these do not fit."""
    variables = all_variables(self)
    values = [np.asarray(array_of(one)) for one in weights]
    if [one.shape for one in values] != [one.array.shape for one in variables]:
        raise ProgramError(
            f"{self.fields['name']} has weights of the shapes {[one.array.shape for one in variables]}, "
            f"but was given {[one.shape for one in values]}.",
            message_zh=f"层 {self.fields['name']} 的权重形状是 {[one.array.shape for one in variables]}，"
            f"但给出的是 {[one.shape for one in values]}。",
            code="shape_mismatch",
            kind="ValueError",
        )
    for variable, value in zip(variables, values, strict=True):
        state.assign(variable.ref, convert_to_tensor(value.astype(variable.dtype)))


def is_trainable(self: UserObject) -> Any:
    return self.fields.get("trainable", True)


def set_trainable(self: UserObject, value: Any) -> None:
    """Of a layer and of all its parts, wherever else these are used; nothing where it says so already."""
    value = bool(value)
    if is_trainable(self) is value:
        return
    self.fields["trainable"] = value
    for variable in self.fields.get("_weights", ()):
        freeze(variable, value)
    for part in parts_of(self.fields):
        set_trainable(part, value)
