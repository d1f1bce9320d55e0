"""The loss and the metrics of one pass over the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.surfaces.keras import metrics
from engine.languages.surfaces.keras.counted_metrics import counted_metric
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.tensors import Array


class Figures:
    """The loss and the metrics of one pass, which every batch adds to."""

    def __init__(self, interpreter: Interpreter, asked: Sequence[Any]) -> None:
        self.interpreter = interpreter
        self.asked = asked
        self.loss = metrics.mean_of_values("loss")
        self.others: dict[str, metrics.Metric] = {}
        self.batches = 0
        self.said: dict[str, float] | None = None

    def add(self, loss: Any, y_true: Any, y_pred: Any) -> None:
        """Take in a batch."""
        self.batches += 1
        truth, prediction = np.asarray(array_of(y_true)), np.asarray(array_of(y_pred))
        weight = np.float32(len(prediction))
        self.loss.update([np.asarray(array_of(loss)).reshape(1)], weight)
        for asked in self.asked:
            name = asked if isinstance(asked, str) else str(asked.name).rpartition(".")[2]
            if name not in self.others:
                self.others[name] = self._metric(asked, truth, prediction)
            self.others[name].update([truth, prediction], None)

    def _metric(self, asked: Any, truth: Array, prediction: Array) -> metrics.Metric:
        if isinstance(asked, metrics.Metric):
            asked.reset()
            return asked
        if isinstance(asked, (Native, UserFunction)):
            return self._of_function(asked)
        found = counted_metric(asked) or metrics.metric_named(asked, truth, prediction)
        if found is None:
            raise unknown_name("metric", "指标", asked, metrics.known_names())
        return found

    def _of_function(self, function: Any) -> metrics.Metric:
        """The mean of what a function of labels and predictions gives."""
        name = str(function.name).rpartition(".")[2]

        def each(y_true: Array, y_pred: Array) -> Array:
            given = [ops.constant(y_true), ops.constant(y_pred)]
            return np.asarray(array_of(self.interpreter.call(function, given, {})))

        return metrics.Pairs(name, name, each)

    def say(self, said: Any) -> None:
        """What a step of the program's own says of a batch, in place of what would be computed."""
        self.batches += 1
        self.said = {str(name): float(array_of(value)) for name, value in dict(said).items()}

    def values(self) -> dict[str, float]:
        """By name, the loss first."""
        if self.said is not None:
            return dict(self.said)
        found = {"loss": self.loss, **self.others}
        return {name: float(metric.figure()) for name, metric in found.items()}


def unknown_name(what: str, what_zh: str, name: str, known: Iterable[str]) -> ValueRefused:
    """A loss, a metric or an optimizer that Keras does not know by this name."""
    hint, hint_zh = did_you_mean(name, list(known))
    return ValueRefused(
        f"There is no {what} named '{name}'.",
        hint=hint,
        message_zh=f"没有名为“{name}”的{what_zh}。",
        hint_zh=hint_zh,
        code="bad_value",
    )
