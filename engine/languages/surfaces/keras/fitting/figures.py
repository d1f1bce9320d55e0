"""The losses and the metrics of one pass over the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.surfaces.keras import metrics
from engine.languages.surfaces.keras.counting.counted_metrics import counted_metric
from engine.languages.surfaces.keras.counting.own_metrics import own_metric
from engine.languages.surfaces.keras.fitting.batches import as_column
from engine.languages.surfaces.keras.fitting.outputs import Output
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True)
class Judged:
    """What one output gave for a batch, beside its labels, the weights of the examples, and its loss.

    mask: which turns of a sequence count; None where all do.
    """

    output: Output
    y_true: Any
    y_pred: Any
    weights: Any
    loss: Any
    mask: Any = None


def _flat(said: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Names and values, in the order of the names; what `compile_metrics` gives are several, in its place."""
    for name, value in sorted(said.items()):
        if isinstance(value, Mapping):
            yield from _flat(value)
        else:
            yield name, value


class Figures:
    """The losses and the metrics of one pass, which every batch adds to."""

    def __init__(
        self, interpreter: Interpreter, held: Callable[[], list[metrics.Metric]], *, are_all: bool = False
    ) -> None:
        """held: the metrics that the model holds itself, which stand beside these.

        are_all: whether they are all that is given out, where the program's class lists its metrics.
        """
        self.interpreter = interpreter
        self.held, self.are_all = held, are_all
        self.is_built = False  # whether the metrics of `compile` have seen a batch
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self.loss = metrics.mean_of_values("loss")
        self.losses: dict[str, metrics.Metric] = {}
        self.others: dict[tuple[Any, ...], metrics.Metric] = {}
        self.before: dict[str | None, str] = {}
        self.batches = 0
        self.said: dict[str, float] | None = None
        self.names_said: set[str] = set()

    def add(self, loss: Any, rows: int, judged: Sequence[Judged]) -> None:
        """Take in a batch of so many rows: its whole loss, and what each output gave."""
        self.batches += 1
        self.loss.update([_number(loss)], np.float32(rows))
        # The batches' own means count as much as each other, as in Keras, where their sizes are not known.
        several = [one for one in judged if one.loss is not None]
        for one in several if len(several) > 1 else ():
            name = f"{one.output.of_loss}_loss"
            mean = self.losses.setdefault(str(one.output.name), metrics.mean_of_values(name))
            mean.update([_number(one.loss)], None)
        self.follow(judged)

    def follow(self, judged: Sequence[Judged]) -> None:
        """Take in what each output gave, for the metrics alone."""
        for weighted in (False, True):
            for one in judged:
                self._follow(one, weighted)

    def _follow(self, one: Judged, weighted: bool) -> None:
        """The metrics of one output, without or with the weights of the examples."""
        asked = one.output.weighted if weighted else one.output.metrics
        if not asked or one.y_true is None:
            return
        truth, prediction = np.asarray(array_of(one.y_true)), np.asarray(array_of(one.y_pred))
        for place, metric in enumerate(asked):
            key = (one.output.name, place, weighted)
            self.is_built, self.before[one.output.name] = True, one.output.figures
            if key not in self.others:
                self.others[key] = self._metric(metric, as_column(truth), prediction)
            weights = one.weights if weighted else self._counted(self.others[key], one.mask)
            is_own = own_metric(metric) is not None or isinstance(metric, UserFunction)
            given = one.y_pred if self.others[key].sees_logits else prediction
            self.others[key].update([truth if is_own else as_column(truth), given], weights)

    @staticmethod
    def _counted(metric: metrics.Metric, mask: Any) -> Any:
        """Of a mean over a sequence, 1 for each turn that counts and 0 for each other."""
        counts = mask is not None and type(metric) is metrics.Pairs
        return np.asarray(array_of(mask), np.float32) if counts else None

    def _metric(self, asked: Any, truth: Array, prediction: Array) -> metrics.Metric:
        asked = own_metric(asked) or asked
        if isinstance(asked, metrics.Metric):
            asked.reset()
            return asked
        if isinstance(asked, (Native, UserFunction)):
            return self._of_function(asked)
        if not isinstance(asked, str):
            raise ValueRefused(
                "A metric is a name, a function of (y_true, y_pred), or an object of tf.keras.metrics.",
                message_zh="指标可以是名称、以 (y_true, y_pred) 为参数的函数，或 tf.keras.metrics 的对象。",
                code="bad_value",
            )
        found = counted_metric(self.interpreter, asked) or metrics.metric_named(asked, truth, prediction)
        if found is None:
            raise unknown_name("metric", "指标", asked, metrics.known_names())
        return found

    def _of_function(self, function: Any) -> metrics.Metric:
        """The mean of what a function of labels and predictions gives."""
        name = str(function.name).rpartition(".")[2]

        def each(y_true: Array, y_pred: Any) -> Array:
            given = [ops.constant(y_true), convert_to_tensor(y_pred)]
            return np.asarray(array_of(self.interpreter.call(function, given, {})))

        return metrics.Pairs(name, name, metrics.OfTensors(each))

    def say(self, said: Any) -> None:
        """What a step of the program's own says of a batch, in place of what would be computed."""
        self.batches += 1
        self.names_said = {str(name) for name in dict(said)}
        self.said = {str(name): float(array_of(value)) for name, value in _flat(dict(said))}

    def values(self) -> dict[str, Any]:
        """In the order of their names: the loss, the metrics, the losses of outputs, what the model holds.

        One that the model holds stands in place of another of its name, the loss among them, as in Keras.
        """
        if self.said is not None:
            return dict(self.said)
        return dict(sorted(self._followed().items()))

    def of_epoch(self) -> dict[str, Any]:
        """What an epoch gives: the metrics, where a step of the program's own says just their names, too."""
        followed = self._followed()
        is_same = self.said is None or followed.keys() == self.names_said
        return dict(sorted(followed.items())) if is_same else self.values()

    @property
    def has_no_loss(self) -> bool:
        """Whether the mean of the losses, which an epoch gives, has seen none."""
        return self.said is not None and not self.are_all and not self.loss.weight

    def _followed(self) -> dict[str, Any]:
        held = {metric.name: _shown(metric) for metric in self.held()}
        if self.are_all:
            return held
        found = {"loss": _shown(self.loss)} | self.of_compile()
        return found | {loss.name: _shown(loss) for loss in self.losses.values()} | held

    def of_compile(self) -> dict[str, Any]:
        """The metrics that `compile` was given, by name."""
        return {name: _shown(metric) for name, metric in self._named()}

    def _named(self) -> Iterator[tuple[str, metrics.Metric]]:
        """The metrics, each with a name that no other has."""
        seen: dict[str, int] = {}
        for (output, _, weighted), metric in self.others.items():
            before = self.before[output]
            name = f"{before}{metric.name}"
            if weighted and name in seen:
                name = f"{before}weighted_{metric.name}"
            count = seen[name] = seen.get(name, 0) + 1
            yield (name if count == 1 else f"{name}_{count - 1}"), metric

    def in_order(self) -> list[Any]:
        """As `evaluate` lists them: the loss, the metrics and losses by their own names, then the rest."""
        found, held = self.values(), [metric.name for metric in self.held()]
        own = ["loss", *(metric.name for metric in (*self.others.values(), *self.losses.values()))]
        own = held if self.are_all else [*own, *(name for name in held if name not in own)]
        first = [name for name in own if name in found]
        return [found[name] for name in [*first, *sorted(name for name in found if name not in own)]]


def _number(value: Any) -> Array:
    return np.asarray(array_of(value)).reshape(1)


def _shown(metric: metrics.Metric) -> Any:
    """A number, or an array where there are several."""
    figure = np.asarray(metric.figure())
    return figure if figure.ndim else float(figure)


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
