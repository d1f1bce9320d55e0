"""The metrics that a model holds itself, which Keras gives out beside those of `compile`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import Wrapped
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.counting.own_metrics import own_metric
from engine.languages.surfaces.keras.fitting.figures import Judged
from engine.languages.surfaces.keras.fitting.outputs import labels_in_order, values_of
from engine.languages.surfaces.keras.layering.parts import layers_in
from engine.languages.surfaces.keras.metrics import CompileMetrics, Metric


def lists_its_own(self: UserObject) -> bool:
    """Whether the program's class has a property `metrics` of its own, which then says what there is."""
    own = self.kind.find("metrics")
    return isinstance(own, Wrapped) and not isinstance(own.function, Native)


def held_by(self: UserObject) -> list[Metric]:
    """The metrics among the attributes of a model and of its layers, each once."""
    found = [
        metric
        for layer in layers_in(self)
        for name, value in layer.fields.items()
        if not name.startswith("_")
        for metric in _metrics_in(value)
    ]
    return list(dict.fromkeys(found))


def _metrics_in(value: Any) -> Iterator[Metric]:
    own = own_metric(value) or value
    if isinstance(own, Metric):
        yield own
    elif isinstance(value, (list, tuple, Mapping)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _metrics_in(part)


def listed_by(interpreter: Interpreter, self: UserObject) -> list[Metric]:
    """What the model holds, or what its own property `metrics` lists."""
    if not lists_its_own(self):
        return held_by(self)
    return list(_metrics_in(attribute_of(interpreter, self, "metrics")))


def metrics_of(self: UserObject) -> list[Metric]:
    """`model.metrics`: the loss, those of `compile` as one, the losses of several outputs, what is held."""
    compiled: Any = self.fields.get("_compiled")
    held = held_by(self)
    if compiled is None:
        return held
    figures = compiled.figures
    asked = compiled.metrics or compiled.weighted

    def follow(y: Any, y_pred: Any, weights: Any) -> None:
        outputs = compiled.of_outputs(self, y_pred)
        pairs = zip(outputs, labels_in_order(y, outputs), values_of(y_pred), strict=True)
        figures.follow([Judged(one, truth, guess, weights, None) for one, truth, guess in pairs])

    others = [CompileMetrics(figures.of_compile, follow)] if asked else []
    return [figures.loss, *others, *figures.losses.values(), *held]
