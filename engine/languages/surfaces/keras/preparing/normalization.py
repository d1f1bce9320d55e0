"""`tf.keras.layers.Normalization`: numbers brought to mean 0 and deviation 1 by what `adapt` has seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import check_rank, with_common_settings
from engine.languages.surfaces.keras.layer import LAYER, layer_init, methods
from engine.languages.surfaces.keras.layers.plain import layer_class, same_shape
from engine.languages.surfaces.keras.weights import add_weight
from engine.languages.surfaces.tf2.datasets.data import Dataset
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.functions.running import untraced
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array
from engine.ops.sources import state

SMALL = 1e-7  # below no deviation is divided by


def examples_of(data: Any) -> Array:
    """All examples of an array or a data set, one below the other."""
    if not isinstance(data, Dataset):
        return np.asarray(array_of(data))
    found = [np.asarray(array_of(one[0] if isinstance(one, tuple) else one)) for one in data]
    return np.concatenate(found) if found and found[0].ndim else np.stack(found)


# -- Normalization: (x - mean) / deviation -----------------------------------------------------------


def _init(
    interpreter: Interpreter,
    self: UserObject,
    axis: Any = -1,
    mean: Any = None,
    variance: Any = None,
    invert: Any = False,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """axis: along which each place has its own mean; None for one mean of all numbers."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    if (mean is None) != (variance is None):
        raise ValueRefused(
            "When setting values directly, both `mean` and `variance` must be set.",
            message_zh="直接设置时，`mean` 和 `variance` 必须同时给出。",
        )
    axes = () if axis is None else tuple(axis) if isinstance(axis, (list, tuple)) else (axis,)
    self.fields.update(axis=tuple(whole_number(one, "axis") for one in axes), invert=bool(invert))
    self.fields["_given"] = mean if mean is None else [np.asarray(array_of(one)) for one in (mean, variance)]


def _own_axes(self: UserObject, rank: int) -> list[int]:
    """The axes whose places have means of their own, for values of so many axes."""
    return sorted(axis % rank for axis in self.fields["axis"])


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    """Mean, variance and how many were counted, unless the program gives the first two."""
    check_rank(self, input_shape, *range(max(len(self.fields["axis"]), 1), 9))
    self.fields["built"] = True
    if self.fields["_given"] is not None or "mean" in self.fields:
        return
    shape = tuple(input_shape[axis] for axis in _own_axes(self, len(input_shape)))
    made = {
        "mean": (shape, "zeros", "float32"),
        "variance": (shape, "ones", "float32"),
        "count": ((), "zeros", "int64"),
    }
    for name, given in made.items():
        variable = add_weight(interpreter, self, *given, trainable=False, name=name)
        self.fields[f"_{name}"] = variable
    _show(self, input_shape)


def _show(self: UserObject, shape: Any) -> None:
    """What programs ask the layer for."""
    self.fields.update(mean=_lifted(self, "_mean", shape), variance=_lifted(self, "_variance", shape))


def _lifted(self: UserObject, name: str, shape: Any) -> Any:
    """The figures with an axis of length 1 in place of each that they are the mean along."""
    kept = _own_axes(self, len(shape))
    lengths = [shape[axis] if axis in kept else 1 for axis in range(len(shape))]
    return ops.reshape(convert_to_tensor(self.fields[name]), lengths)


def adapt(
    interpreter: Interpreter, self: UserObject, data: Any, batch_size: Any = None, steps: Any = None
) -> None:
    """Take mean and variance from examples."""
    refuse_given(
        "adapt()", {"steps": steps}, "Give it the part of the data: data.take(n).", "请给出部分数据。"
    )
    examples = examples_of(data)
    if examples.dtype.kind not in "fiub" or not examples.ndim:
        raise ValueRefused(
            "Normalization adapts to an array of numbers.",
            message_zh="Normalization 需要由数组成的数组。",
            code="bad_value",
        )
    values = examples.astype(np.float32)
    if self.fields["axis"] and values.ndim == 1:
        values = values[:, None]
    if not self.fields["built"]:
        with untraced(interpreter):
            _build(interpreter, self, (None, *values.shape[1:]))
    over = tuple(axis for axis in range(values.ndim) if axis not in _own_axes(self, values.ndim))
    figures = {"_mean": values.mean(axis=over), "_variance": values.var(axis=over)}
    for name, value in figures.items():
        state.assign(self.fields[name].ref, convert_to_tensor(np.asarray(value, np.float32)))
    _show(self, (None, *values.shape[1:]))


def _call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    x: Any = ops.cast(inputs, "float32")
    fields = self.fields
    check_rank(self, x.shape, *range(max(len(fields["axis"]), 1), 9))
    if fields["_given"] is not None:
        mean, variance = (ops.constant(one, "float32") for one in fields["_given"])
    else:
        mean, variance = _lifted(self, "_mean", x.shape), _lifted(self, "_variance", x.shape)
    deviation = ops.maximum(ops.sqrt(variance), SMALL)
    return mean + x * deviation if fields["invert"] else (x - mean) / deviation


_NORMALIZATION = layer_class("Normalization", _init, _call, same_shape, _build)
NORMALIZATION = UserClass(
    "Normalization",
    LAYER,
    {
        **_NORMALIZATION.members,
        **methods("Normalization", adapt=adapt),
        "__init__": Native(
            "Normalization.__init__", with_common_settings(_init), arguments={"self": AN_OBJECT, "axis": ANY}
        ),
    },
    origin="library",
)
