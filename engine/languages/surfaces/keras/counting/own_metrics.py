"""`tf.keras.metrics.Metric`: what a metric of the program's own inherits from."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.metrics import Pairs, use_as_metric
from engine.languages.surfaces.keras.weights import KerasVariable, add_weight
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.ops.base.tensors import Array


class OwnMetric(Pairs):
    """A metric that the program computes, as `fit` and `evaluate` follow it."""

    def __init__(self, interpreter: Interpreter, own: UserObject) -> None:
        super().__init__(own.kind.name, own.fields["name"], lambda *arrays: np.zeros(1))
        self.interpreter, self.own = interpreter, own

    def _call(self, method: str, *arguments: Any, **keywords: Any) -> Any:
        bound = attribute_of(self.interpreter, self.own, method)
        return self.interpreter.call(bound, list(arguments), keywords)

    def update(self, arrays: list[Array], sample_weight: Any) -> None:
        """Take in a batch."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self._call("update_state", *map(ops.constant, arrays), **weights)

    def reset(self) -> None:
        """Begin anew."""
        self._call("reset_state")

    def result(self) -> Any:
        """What the program's own method gives."""
        return self._call("result")

    def figure(self) -> Any:
        """The same as a number."""
        return np.asarray(array_of(self.result()))


use_as_metric(OwnMetric)


def own_metric(value: Any) -> OwnMetric | None:
    """What follows a metric of the program's own; None for anything else."""
    found: OwnMetric | None = value.fields.get("_metric") if isinstance(value, UserObject) else None
    return found


def _init(interpreter: Interpreter, self: UserObject, dtype: Any = None, name: Any = None) -> None:
    """Its name, and no variables yet."""
    self.fields.update(name=name or self.kind.name.lower(), dtype=dtype or "float32", _weights=[])
    self.fields["_metric"] = OwnMetric(interpreter, self)


def _add(
    interpreter: Interpreter,
    self: UserObject,
    shape: Any = (),
    initializer: Any = "zeros",
    dtype: Any = None,
    name: Any = None,
) -> KerasVariable:
    """A variable that batches add to; Keras 2 had its name first."""
    if isinstance(shape, str):
        shape, name = (), shape
    settings = {"shape": shape, "initializer": initializer or "zeros"}
    settings["dtype"] = dtype or self.fields["dtype"]
    return add_weight(interpreter, self, **settings, trainable=False, name=name or "variable")


def _reset(interpreter: Interpreter, self: UserObject) -> None:
    """All variables are 0 again."""
    for variable in self.fields["_weights"]:
        assign = attribute_of(interpreter, variable, "assign")
        interpreter.call(assign, [ops.zeros(variable.array.shape, variable.dtype)], {})


def _call(interpreter: Interpreter, self: UserObject, *arguments: Any, **keywords: Any) -> Any:
    """A batch taken in, and the figure so far."""
    interpreter.call(attribute_of(interpreter, self, "update_state"), list(arguments), keywords)
    return interpreter.call(attribute_of(interpreter, self, "result"), [], {})


def _shown(self: UserObject) -> str:
    return f"<{self.kind.name} name={self.fields.get('name')}>"


def _native(name: str, function: Any) -> Native:
    return Native(f"tf.keras.metrics.Metric.{name}", function, arguments={"self": AN_OBJECT})


METRIC = UserClass(
    "Metric",
    None,
    {
        "__init__": _native("__init__", _init),
        "__call__": Native("tf.keras.metrics.Metric.__call__", _call, arguments={"self": AN_OBJECT}),
        **{name: _native(name, _add) for name in ("add_weight", "add_variable")},
        **{name: _native(name, _reset) for name in ("reset_state", "reset_states")},
        "__repr__": Native("tf.keras.metrics.Metric.__repr__", _shown, arguments={"self": AN_OBJECT}),
        "variables": Wrapped("property", Native("variables", lambda self: list(self.fields["_weights"]))),
    },
    origin="library",
)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    return {"keras.metrics.Metric": METRIC, "keras.Metric": METRIC}
