"""`fit`, `evaluate` and `predict`: the loop over epochs and batches that Keras runs itself.

Each batch is one turn of a tape, an update of the optimizer and one more batch for the metrics, as in a
program that writes the loop by hand; the answer shows these turns as it shows that loop's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.callbacks.catalogue import Callbacks
from engine.languages.surfaces.keras.fitting.batches import (
    Feed,
    apart,
    arrays,
    count_of,
    each_batch,
    parts,
    rows,
    shuffled,
    with_class_weights,
)
from engine.languages.surfaces.keras.fitting.compiling import compiled_of
from engine.languages.surfaces.keras.fitting.figures import Figures
from engine.languages.surfaces.keras.fitting.names import ByFigure
from engine.languages.surfaces.keras.fitting.sources import FIT, PREDICT, as_data
from engine.languages.surfaces.keras.fitting.steps import (
    evaluate_on,
    forward,
    reset_metrics,
    run_epoch,
    train_on,
)
from engine.languages.surfaces.keras.layering.shapes import of_any_batch
from engine.languages.surfaces.keras.older_names import note
from engine.languages.surfaces.tf2.datasets.data import Dataset
from engine.languages.surfaces.tf2.eager import array_of
from engine.ops.base.shapes import whole_number

SILENT = (0, "0", False)


@dataclass(slots=True)
class History:
    """What `fit` gives back: for each figure its value after each epoch."""

    history: ByFigure = field(default_factory=ByFigure)
    epoch: list[int] = field(default_factory=list)
    params: dict[str, Any] = field(default_factory=dict)
    model: Any = None

    def add(self, epoch: int, found: Mapping[str, Any]) -> None:
        """What an epoch gave."""
        self.epoch.append(epoch)
        for name, value in found.items():
            self.history.setdefault(name, []).append(value)


HISTORY = members_of(History, "History")
for name in ("history", "epoch", "params", "model"):
    HISTORY.fact(name)(attrgetter(name))
SHOWN[History] = (lambda history: "<keras.src.callbacks.history.History object>",) * 2


# -- fit ---------------------------------------------------------------------------------------------


def fit(
    interpreter: Interpreter,
    self: UserObject,
    x: Any = None,
    y: Any = None,
    batch_size: Any = None,
    epochs: Any = 1,
    verbose: Any = "auto",
    callbacks: Any = None,
    validation_split: Any = 0.0,
    validation_data: Any = None,
    shuffle: Any = True,
    class_weight: Any = None,
    sample_weight: Any = None,
    initial_epoch: Any = 0,
    steps_per_epoch: Any = None,
    validation_steps: Any = None,
    validation_batch_size: Any = None,
    validation_freq: Any = 1,
    nb_epoch: Any = None,
) -> History:
    """Train for some epochs; the figures of each."""
    compiled_of(self)
    if nb_epoch is not None:
        epochs = nb_epoch
        note(interpreter, "nb_epoch", "epochs")
    size = whole_number(32 if batch_size is None else batch_size, "batch_size")
    x = as_data(interpreter, x, FIT, shuffle=bool(shuffle))
    if validation_split and validation_data is None:
        (x, y, sample_weight), validation_data = apart(x, y, sample_weight, float(validation_split))
    given = (x, y, size, sample_weight)
    data = shuffled(interpreter, *given) if shuffle else rows(*given)
    if class_weight is not None:
        data = with_class_weights(data, class_weight, sample_weight is not None)
    checks = None
    if validation_data is not None:
        checks = _feed_of(interpreter, validation_data, validation_batch_size or size, validation_steps)
    training = _Training(interpreter, self, Feed(interpreter, data, steps_per_epoch), checks, verbose)
    first, last = whole_number(initial_epoch, "initial_epoch"), whole_number(epochs, "epochs")
    is_built = self.fields["built"]
    history = training.run(callbacks, range(first, last), validation_freq)
    if not is_built and not isinstance(x, Dataset) and count_of(arrays(x)) % size == 0:
        of_any_batch(self, size)  # as Keras' summary has it where all batches are of one size
    return history


def _feed_of(interpreter: Interpreter, given: Any, size: Any, steps: Any) -> Feed:
    """What to validate with: (x, y), (x, y, weights), or a data set."""
    x, y, weights = (*given, None, None)[:3] if isinstance(given, (list, tuple)) else (given, None, None)
    return Feed(interpreter, rows(as_data(interpreter, x), y, int(size), weights), steps)


@dataclass(slots=True)
class _Training:
    """One `fit`: what it is fed with, and what it is validated with."""

    interpreter: Interpreter
    model: UserObject
    feed: Feed
    checks: Feed | None
    verbose: Any

    def run(self, callbacks: Any, epochs: range, checked_each: Any) -> History:
        """All epochs, or those up to the one in which a callback stops the training."""
        steps = self.feed.data.length if self.feed.steps is None else self.feed.steps
        params = {"verbose": self.verbose, "epochs": epochs.stop, "steps": steps}
        history = History(params=params, model=self.model)
        self.model.fields["history"] = history
        called = Callbacks(self.interpreter, self.model, callbacks, params)
        found: dict[str, Any] = {}
        called.call("train_begin", {})
        for epoch in epochs:
            called.call("epoch_begin", epoch, {})
            if self.verbose not in SILENT and epochs.stop > 1:
                self.interpreter.print(f"Epoch {epoch + 1}/{epochs.stop}\n")
            found, count = self._epoch(called)
            if self.checks is not None and _is_checked(epoch, checked_each):
                checked = self._validated(called)
                found = found | {f"val_{name}": value for name, value in checked.items()}
            logs = dict(found)  # callbacks may add to it: the learning rate
            called.call("epoch_end", epoch, logs)
            history.add(epoch, logs)
            if self.verbose not in SILENT:
                self.interpreter.print(f"{_line(count, logs, self.verbose)}\n")
            if called.stopped:
                break
        called.call("train_end", found)
        return history

    def _epoch(self, called: Callbacks) -> tuple[dict[str, Any], int]:
        def train(element: Any, figures: Figures) -> None:
            batch = figures.batches
            called.call("train_batch_begin", batch, {})
            train_on(self.interpreter, self.model, element, figures)
            called.call("train_batch_end", batch, figures.values() if called.all else {})

        found, count = run_epoch(self.interpreter, self.model, self.feed, train, until=lambda: called.stopped)
        return found, count

    def _validated(self, called: Callbacks) -> dict[str, Any]:
        assert self.checks is not None
        called.call("test_begin", {})
        found = _evaluated(self.interpreter, self.model, self.checks, called)[0]
        called.call("test_end", found)
        return found


def _is_checked(epoch: int, each: Any) -> bool:
    """Whether an epoch is validated: every so many, or those that are listed, counted from 1."""
    if isinstance(each, (list, tuple)):
        return epoch + 1 in each
    return (epoch + 1) % whole_number(each, "validation_freq") == 0


# -- evaluate and predict ----------------------------------------------------------------------------


def _evaluated(
    interpreter: Interpreter, self: UserObject, feed: Feed, called: Callbacks
) -> tuple[dict[str, Any], int]:
    def test(element: Any, figures: Figures) -> None:
        batch = figures.batches
        called.call("test_batch_begin", batch, {})
        evaluate_on(interpreter, self, element, figures)
        called.call("test_batch_end", batch, figures.values() if called.all else {})

    feed.reset()
    return run_epoch(interpreter, self, feed, test, "evaluate")


def evaluate(
    interpreter: Interpreter,
    self: UserObject,
    x: Any = None,
    y: Any = None,
    batch_size: Any = None,
    verbose: Any = "auto",
    sample_weight: Any = None,
    steps: Any = None,
    callbacks: Any = None,
    return_dict: Any = False,
) -> Any:
    """The loss, and with metrics a list of all figures."""
    figures = compiled_of(self).figures
    size = 32 if batch_size is None else whole_number(batch_size, "batch_size")
    feed = Feed(interpreter, rows(as_data(interpreter, x), y, size, sample_weight), steps)
    called = Callbacks(interpreter, self, callbacks, {"verbose": verbose, "steps": feed.data.length})
    called.call("test_begin", {})
    found, count = _evaluated(interpreter, self, feed, called)
    called.call("test_end", found)
    if verbose not in SILENT:
        interpreter.print(f"{_line(count, found, verbose)}\n")
    return _answered(figures, found, return_dict)


def _answered(figures: Figures, found: dict[str, Any], return_dict: Any) -> Any:
    """The figures by name, in a list, or the only one."""
    if return_dict:
        return found
    listed = figures.in_order()
    return listed[0] if len(listed) == 1 else listed


def predict(
    interpreter: Interpreter,
    self: UserObject,
    x: Any,
    batch_size: Any = None,
    verbose: Any = "auto",
    steps: Any = None,
    callbacks: Any = None,
) -> Any:
    """What the model gives for all examples, as an array; of several outputs an array each."""
    size = 32 if batch_size is None else whole_number(batch_size, "batch_size")
    feed = Feed(interpreter, rows(as_data(interpreter, x, PREDICT), None, size), steps)
    called = Callbacks(interpreter, self, callbacks, {"verbose": verbose, "steps": feed.data.length})
    found: list[Any] = []

    def take(element: Any) -> None:
        interpreter.budget.step()
        batch = len(found)
        called.call("predict_batch_begin", batch, {})
        found.append(_held(forward(interpreter, self, parts(element)[0], training=False)))
        called.call("predict_batch_end", batch, {"outputs": found[-1]})

    is_built = self.fields["built"]
    called.call("predict_begin", {})
    count = each_batch(feed, take, "predict")
    called.call("predict_end", {})
    if not is_built and not isinstance(x, Dataset):
        of_any_batch(self, min(size, count_of(arrays(x))))
    if verbose not in SILENT:
        interpreter.print(f"{_line(count, {}, verbose)}\n")
    return _joined(found)


def _held(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: array_of(one) for key, one in value.items()}
    return [array_of(one) for one in value] if isinstance(value, (list, tuple)) else array_of(value)


def _joined(found: list[Any]) -> Any:
    """The batches behind each other, output by output."""
    first = found[0]
    if isinstance(first, dict):
        return {key: np.concatenate([one[key] for one in found]) for key in first}
    if isinstance(first, list):
        return [np.concatenate(several) for several in zip(*found, strict=True)]
    return np.concatenate(found)


# -- one batch ---------------------------------------------------------------------------------------


def train_on_batch(
    interpreter: Interpreter,
    self: UserObject,
    x: Any,
    y: Any = None,
    sample_weight: Any = None,
    class_weight: Any = None,
    return_dict: Any = False,
) -> Any:
    """One step with one batch: its loss, and the metrics."""
    data = rows(x, y, max(count_of(arrays(x)), 1), sample_weight)
    if class_weight is not None:
        data = with_class_weights(data, class_weight, sample_weight is not None)
    figures = compiled_of(self).figures
    reset_metrics(interpreter, self)
    each_batch(Feed(interpreter, data), lambda element: train_on(interpreter, self, element, figures))
    return _answered(figures, figures.values(), return_dict)


def evaluate_on_batch(
    interpreter: Interpreter,
    self: UserObject,
    x: Any,
    y: Any = None,
    sample_weight: Any = None,
    return_dict: Any = False,
) -> Any:
    """The losses and metrics of one batch, without a step."""
    data = rows(x, y, max(count_of(arrays(x)), 1), sample_weight)
    figures = compiled_of(self).figures
    reset_metrics(interpreter, self)
    each_batch(
        Feed(interpreter, data),
        lambda element: evaluate_on(interpreter, self, element, figures),
        "evaluate",
    )
    return _answered(figures, figures.values(), return_dict)


def predict_on_batch(interpreter: Interpreter, self: UserObject, x: Any) -> Any:
    """What the model gives for one batch."""
    return predict(interpreter, self, x, max(count_of(arrays(x)), 1), 0)


def set_loss(self: UserObject, value: Any) -> None:
    """An attribute of the program's own until `compile` takes its place."""
    self.fields["_own_loss"] = value


def loss_of(self: UserObject) -> Any:
    """What `compile` was given as the loss. Raises: ProgramError before it."""
    compiled = self.fields.get("_compiled")
    if compiled is None and "_own_loss" in self.fields:
        return self.fields["_own_loss"]
    if compiled is None:
        raise ProgramError(
            f"'{self.kind.name}' object has no attribute 'loss'",
            hint="Call compile() first.",
            message_zh=f"{self.kind.name} 还没有 loss。",
            hint_zh="请先调用 compile()。",
            code="unknown_attribute",
            kind="AttributeError",
        )
    return compiled.loss


def metrics_names(self: UserObject) -> list[str]:
    """What `fit` follows by Keras 3's names: the loss, one for all the metrics, the losses of the outputs."""
    compiled = self.fields.get("_compiled")
    if compiled is None:
        return []
    listed = ["loss", "compile_metrics"] if compiled.metrics or compiled.weighted else ["loss"]
    return [*listed, *(loss.name for loss in compiled.figures.losses.values())]


def _line(count: int, found: Mapping[str, Any], verbose: Any) -> str:
    """`4/4 - loss: 0.1234 - mae: 0.2500`: Keras's line without its times."""
    return " - ".join(
        [f"{count}/{count}", *(f"{name}: {_short(value, verbose)}" for name, value in found.items())]
    )


def _short(value: Any, verbose: Any) -> str:
    """Four digits behind the point; small numbers, and with verbose=2 negative ones, by a power of ten."""
    number = float(np.mean(value))
    return f"{number:.4f}" if (number if verbose == 2 else abs(number)) > 1e-3 else f"{number:.4e}"
